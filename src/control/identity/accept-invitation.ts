import { recordAudit } from '../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { guessFrom } from './attempts.ts';
import type { IdentityParts } from './identity-parts.ts';
import { deadLink } from './links.ts';
import { INVITER_MAY } from './makers.ts';
import { addMember } from './members.ts';
import { makeChange } from '../audit/change.ts';
import { linkSecretHash } from './secrets.ts';
import { endedSession, type OpenedSession, renewSession } from './sessions.ts';
import { hashOfNew } from './set-up.ts';
import { beginSession } from './sign-in.ts';
import { takeInvitation } from './taken-invitation.ts';
import { insertUser } from './users.ts';
import type { UserAct, Visitor } from './visitor.ts';

// How the bearer of an invitation's link looks at it and accepts it.

/** An invitation as the bearer of its link sees it. */
export interface InvitationOffer {
  readonly id: string;
  readonly workspaceId: string;
  readonly workspace: string;
  readonly email: string;
  readonly role: Role;
  readonly isMailed: boolean;
  /** Whether the address has an account, which has to sign in to accept. */
  readonly hasAccount: boolean;
  readonly expiresAt: Date;
}

/** The invitation that has this secret. */
export async function findInvitation(
  { sql, limits }: IdentityParts,
  visitor: Visitor,
  token: string,
): Promise<InvitationOffer | Refusal> {
  const guess = guessFrom(visitor);
  const refused = limits.take(guess);
  if (refused !== null) return refused;
  const offer = await offerOf(sql, token);
  // Many people of one network may join on one day: only wrong secrets count.
  if (!isRefusal(offer)) limits.giveBack(guess);
  return offer;
}

async function offerOf(sql: SqlRunner, token: string): Promise<InvitationOffer | Refusal> {
  const [offer] = await sql.query<InvitationOffer>(
    `select invitations.id, workspace_id as "workspaceId", workspaces.name as workspace, email, role,
       mailed as "isMailed", expires_at as "expiresAt",
       exists (select from users where users.email = invitations.email) as "hasAccount"
     from invitations join workspaces on workspaces.id = invitations.workspace_id
     where token_sha256 = $1 and accepted_at is null and revoked_at is null and expires_at > now()
       and workspaces.archived_at is null and ${INVITER_MAY}`,
    [linkSecretHash(token)],
  );
  return offer ?? (await deadInvitation(sql, token));
}

/** People open the link of an invitation again as if it led to the workspace, so what became of it is said. */
async function deadInvitation(sql: SqlRunner, token: string): Promise<Refusal> {
  const [accepted] = await sql.query<{ workspace: string; email: string }>(
    `select workspaces.name as workspace, invitations.email
     from invitations join workspaces on workspaces.id = invitations.workspace_id
     where token_sha256 = $1 and accepted_at is not null`,
    [linkSecretHash(token)],
  );
  if (accepted === undefined) return deadLink();
  const { workspace, email } = accepted;
  return refuse('CONFLICT', `The invitation of ${email} to "${workspace}" was accepted already: sign in as ${email}.`);
}

/** The fields with which a person without an account accepts an invitation. */
export interface NewMember {
  readonly name: string;
  readonly password: string;
}

/** Accepts an invitation for a person without an account: creates one with the invited address, and signs it in. */
export async function acceptAsNewUser(
  parts: IdentityParts,
  visitor: Visitor,
  token: string,
  { name, password }: NewMember,
): Promise<OpenedSession | Refusal> {
  const offer = await findInvitation(parts, visitor, token);
  if (isRefusal(offer)) return offer;
  const { email, isMailed } = offer;
  if (offer.hasAccount) return hasAccount(email);
  const passwordHash = await hashOfNew(parts, { password, email, by: { isKnown: true, key: offer.id } });
  if (isRefusal(passwordHash)) return passwordHash;
  return await makeChange(parts.sql, async (tx) => {
    const userId = await insertUser(tx, { email, name, passwordHash, isEmailVerified: isMailed });
    if (userId === null) return hasAccount(email);
    const refused = await claim(tx, token, { userId, offer });
    if (refused !== null) return refused;
    const session = await beginSession(tx, userId, visitor, { by: 'link' });
    if (isRefusal(session)) return session;
    await recordAcceptance(tx, session.act, offer);
    return session;
  });
}

function hasAccount(email: string): Refusal {
  return refuse('UNAUTHENTICATED', `There is an account for ${email}: sign in with it, then open the link again.`);
}

/** Accepts an invitation for the signed-in user; it must name their address. Their session gets a new secret. */
export async function acceptAsUser(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  token: string,
): Promise<OpenedSession | Refusal> {
  const offer = await findInvitation(parts, visitor, token);
  if (isRefusal(offer)) return offer;
  const { userId, email, sessionId } = act.actor;
  if (offer.email !== email) {
    const message = `The invitation is for ${offer.email}, and you are signed in as ${email}: sign in as the other.`;
    return refuse('FORBIDDEN', message);
  }
  return await makeChange(parts.sql, async (tx) => {
    const refused = await claim(tx, token, { userId, offer });
    if (refused !== null) return refused;
    const session = await renewSession(tx, sessionId, visitor, { isAuthenticated: false });
    if (session === null) return endedSession();
    await recordAcceptance(tx, session.act, offer);
    return session;
  });
}

/** Of two who accept at the same time, one finds it open. */
async function claim(
  tx: SqlRunner,
  token: string,
  { userId, offer }: { readonly userId: string; readonly offer: InvitationOffer },
): Promise<Refusal | null> {
  const { workspaceId, role } = offer;
  const taken = await takeInvitation(tx, 'token_sha256 = $2', userId, [linkSecretHash(token)]);
  if (taken === null) return deadLink();
  await addMember(tx, { workspaceId, userId, role, monthlyLimit: taken.limit });
  if (offer.isMailed) {
    await tx.query('update users set email_verified_at = coalesce(email_verified_at, now()) where id = $1', [userId]);
  }
  return null;
}

async function recordAcceptance(tx: SqlRunner, act: UserAct, offer: InvitationOffer): Promise<void> {
  const scope = authorise(act, 'workspace:read', offer.workspaceId);
  if (isRefusal(scope)) throw new Error('a new member may not read their workspace');
  await recordAudit(tx, scope, {
    action: 'invitation.accept',
    target: { kind: 'invitation', id: offer.id, name: offer.email },
    after: { role: offer.role },
  });
}
