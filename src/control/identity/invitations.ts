import { recordAudit } from '../audit/audit.ts';
import { reserveCreation } from '../audit/once.ts';
import { actorName } from '../../domain/actor.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { endInvitationKey, endInvitations } from './ended-invitations.ts';
import type { IdentityParts } from './identity-parts.ts';
import { linkUrl } from './links.ts';
import { makerOf } from './makers.ts';
import { mayHandle } from './members.ts';
import { makeChange } from '../audit/change.ts';
import { makeLinkSecret } from './secrets.ts';
import { requestedEmail } from './set-up.ts';
import { newId } from '../../lib/uuid7.ts';

const LIFETIME_DAYS = 7;

/** An invitation that is not accepted yet. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly isMailed: boolean;
  /** The address of the user who invited; null: the operator did. */
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** One that was made, by this request or by the one that this one repeats. */
export interface NewInvitation extends Invitation {
  readonly repeated: boolean;
  /** For the inviter to pass on; null: it was mailed, or the answer to an earlier request had it. */
  readonly link: string | null;
}

/** The address that is invited, and the role that it gets. */
export interface InvitationRequest {
  readonly email: string;
  readonly role: Role;
  /** For how many days the link works; seven by default. */
  readonly days?: number | undefined;
  readonly once?: string | null | undefined;
}

const SELECT_INVITATIONS = `
  select invitations.id, invitations.email, invitations.role, invitations.mailed as "isMailed",
    users.email as "invitedBy", invitations.created_at as "createdAt", invitations.expires_at as "expiresAt"
  from invitations left join users on users.id = invitations.invited_by
  where invitations.workspace_id = $1 and accepted_at is null and revoked_at is null`;

/** A page of the invitations that are open or have expired. */
export async function listInvitations(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  page: PageRequest = {},
): Promise<Page<Invitation>> {
  return await readPage(page, (after, count) =>
    sql.query<Invitation>(
      `${SELECT_INVITATIONS} and ($2::uuid is null or invitations.id > $2) order by invitations.id limit $3`,
      [workspaceId, after, count],
    ),
  );
}

/** Invites an address; an earlier invitation of it ends. The link is mailed, or returned for the inviter to pass on. */
export async function invite(
  parts: IdentityParts,
  scope: WorkspaceScope,
  { email: given, role, days = LIFETIME_DAYS, once = null }: InvitationRequest,
): Promise<NewInvitation | Refusal> {
  const email = requestedEmail(given);
  if (isRefusal(email)) return email;
  return await makeChange(parts.sql, async (tx) => {
    const id = newId();
    const former = await reserveCreation(tx, scope, { kind: 'invitation', id, once, request: { email, role, days } });
    if (isRefusal(former)) return former;
    if (former !== null) return await showMadeInvitation(tx, scope, former);
    return await makeInvitation(tx, parts, scope, { id, email, role, days });
  });
}

/** An invitation to make, and what it brings along for who accepts it. */
export interface InvitationToMake {
  readonly id: string;
  /** Normalised. */
  readonly email: string;
  readonly role: Role;
  readonly days?: number | undefined;
  /** Nano-USD; null: the limit that the workspace has for those who join. */
  readonly monthlyLimit?: NanoUsd | null;
  /** A key that becomes theirs, and ends that of the invitation which this one replaces; null: that key, if there is one. */
  readonly keyId?: string | null;
  /** The request that invites several; null: it is for this one alone. */
  readonly batchId?: string | null;
}

/** Makes an invitation, in the transaction given; an earlier one of its address ends, and leaves it what it brought along. */
export async function makeInvitation(
  tx: SqlRunner,
  { sendMail, publicUrl }: IdentityParts,
  scope: WorkspaceScope,
  { id, email, role, days = LIFETIME_DAYS, monthlyLimit = null, keyId = null, batchId = null }: InvitationToMake,
): Promise<NewInvitation | Refusal> {
  const refused = mayHandle(scope, role);
  if (refused !== null) return refused;
  const { secret, sha256 } = makeLinkSecret();
  const { userId, tokenId } = makerOf(scope.act.actor);
  const link = linkUrl(publicUrl(), 'invitation', secret);
  const [member] = await tx.query(
    `select from members join users on users.id = members.user_id where workspace_id = $1 and email = $2`,
    [scope.workspaceId, email],
  );
  if (member !== undefined) return refuse('CONFLICT', `${email} is a member already.`, { param: 'email' });
  const [ended] = await tx.query<{ role: Role; keyId: string | null; limit: NanoUsd | null }>(
    `update invitations set revoked_at = now()
     where workspace_id = $1 and email = $2 and accepted_at is null and revoked_at is null
     returning role, key_id as "keyId", monthly_limit_nano_usd as limit`,
    [scope.workspaceId, email],
  );
  const refusedEnd = ended === undefined ? null : mayHandle(scope, ended.role);
  if (refusedEnd !== null) return refusedEnd;
  const [row] = await tx.query(
    `insert into invitations (workspace_id, id, email, role, token_sha256, invited_by, invited_by_token, mailed,
       expires_at, monthly_limit_nano_usd, key_id, batch_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9::int), $10, $11, $12)
     on conflict (workspace_id, email) where accepted_at is null and revoked_at is null do nothing returning id`,
    [
      scope.workspaceId,
      id,
      email,
      role,
      sha256,
      userId,
      tokenId,
      sendMail !== null,
      days,
      monthlyLimit ?? ended?.limit ?? null,
      keyId ?? ended?.keyId ?? null,
      batchId,
    ],
  );
  if (row === undefined)
    return refuse('CONFLICT', `Another member is inviting ${email} now: look at the invitations in a moment.`, {
      param: 'email',
    });
  if (keyId !== null && typeof ended?.keyId === 'string') await endInvitationKey(tx, scope.workspaceId, ended.keyId);
  await recordAudit(tx, scope, {
    action: 'invitation.create',
    target: { kind: 'invitation', id, name: email },
    after: { role, ...(monthlyLimit === null ? {} : { monthly_limit_nano_usd: String(monthlyLimit) }) },
  });
  const workspace = await workspaceName(tx, scope.workspaceId);
  await sendMail?.(tx, {
    to: email,
    subject: `Invitation to ${workspace}`,
    text: `${actorName(scope.act.actor)} invites you to the workspace "${workspace}". To accept, open this link within ${days === 1 ? 'a day' : `${days} days`}:\n\n${link}`,
  });
  const [made] = await tx.query<Invitation>(`${SELECT_INVITATIONS} and invitations.id = $2`, [scope.workspaceId, id]);
  if (made === undefined) throw new Error('an invitation is gone in the transaction that made it');
  return { ...made, repeated: false, link: sendMail === null ? link : null };
}

/** What an address that is invited without a limit will have as one, nano-USD; null: none. */
export async function limitOnJoining(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  email: string,
): Promise<NanoUsd | null> {
  const [row] = await tx.query<{ limit: NanoUsd | null }>(
    `select coalesce(invitations.monthly_limit_nano_usd, workspaces.member_monthly_limit_nano_usd) as limit
     from workspaces left join invitations on invitations.workspace_id = workspaces.id
       and email = $2 and accepted_at is null and invitations.revoked_at is null
     where workspaces.id = $1`,
    [workspaceId, email],
  );
  return row?.limit ?? null;
}

/** The invitations that one request has made and that are open, in the order of their addresses in it. */
export async function invitationsOfBatch(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  batchId: string,
): Promise<readonly Invitation[]> {
  return await tx.query<Invitation>(`${SELECT_INVITATIONS} and batch_id = $2 order by invitations.id`, [
    workspaceId,
    batchId,
  ]);
}

async function showMadeInvitation(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  id: string,
): Promise<NewInvitation | Refusal> {
  const [made] = await tx.query<Invitation>(`${SELECT_INVITATIONS} and invitations.id = $2`, [workspaceId, id]);
  if (made !== undefined) return { ...made, repeated: true, link: null };
  return refuse('CONFLICT', 'The invitation that was made under this name was accepted or has ended.', {
    param: 'once',
  });
}

async function workspaceName(sql: SqlRunner, workspaceId: string): Promise<string> {
  const [row] = await sql.query<{ name: string }>('select name from workspaces where id = $1', [workspaceId]);
  return row?.name ?? '';
}

/** Ends an invitation that is not accepted, and the key that was made with it. */
export async function revokeInvitation(sql: Sql, scope: WorkspaceScope, id: string): Promise<Refusal | null> {
  return await makeChange(sql, async (tx) => {
    const [revoked] = await endInvitations(tx, 'workspace_id = $1 and id = $2', [scope.workspaceId, id]);
    if (revoked === undefined) return refuse('NOT_FOUND', 'There is no such open invitation.');
    const refused = mayHandle(scope, revoked.role);
    if (refused !== null) return refused;
    await recordAudit(tx, scope, {
      action: 'invitation.revoke',
      target: { kind: 'invitation', id, name: revoked.email },
      before: { role: revoked.role },
    });
    return null;
  });
}
