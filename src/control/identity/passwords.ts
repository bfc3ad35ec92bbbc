import { recordAudit } from '../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { authoriseOperator, type OperatorScope, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { guessFrom } from './attempts.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { claimLink, deadLink, endResetLinks, findLink, type Link, linkUrl, makeLink } from './links.ts';
import { endLinksMadeBy, makerOf } from './makers.ts';
import { makeChange } from '../audit/change.ts';
import { endAccessTokensOf } from './access-tokens.ts';
import { endedSession, endSessionsOf, type OpenedSession, renewSession } from './sessions.ts';
import { hashOfNew } from './set-up.ts';
import { beginSession } from './sign-in.ts';
import { forgetSignInNetworks, noteSignInNetwork } from './sign-in-networks.ts';
import type { UserAct, Visitor } from './visitor.ts';

/** Sets the signed-in user's password; all their other sessions end, and this one gets a new secret. */
export async function setOwnPassword(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  password: string,
): Promise<OpenedSession | Refusal> {
  const { userId, email, sessionId } = act.actor;
  const refused = parts.limits.take({ newPassword: userId });
  if (refused !== null) return refused;
  const hash = await hashOfNew(parts, { password, email, by: { isKnown: true, key: userId } });
  if (isRefusal(hash)) return hash;
  return await makeChange(parts.sql, async (tx) => {
    await setPassword(tx, userId, hash);
    await noteSignInNetwork(tx, userId, visitor.network);
    await endSessionsOf(tx, userId, sessionId);
    await recordAudit(tx, act, { action: 'password.set', target: { kind: 'user', id: userId, name: email } });
    const session = await renewSession(tx, sessionId, visitor, { isAuthenticated: true });
    return session ?? endedSession();
  });
}

/** Also ends open links that can set the password, and forgets the user's networks. */
async function setPassword(tx: SqlRunner, userId: string, hash: string): Promise<void> {
  await tx.query('update users set password_hash = $2, version = version + 1 where id = $1', [userId, hash]);
  await endResetLinks(tx, userId);
  await forgetSignInNetworks(tx, userId);
}

/**
 * Mails a link for a new password, if the address has an account. The result says nothing about that: callers answer
 * before this has run.
 */
export async function mailReset(parts: IdentityParts, given: string): Promise<void> {
  const { sql, sendMail, publicUrl } = parts;
  if (sendMail === null) return;
  await sql.transaction(async (tx) => {
    const [user] = await tx.query<{ id: string; email: string }>(
      'select id, email from users where email = $1 and disabled_at is null',
      [normalisedEmail(given)],
    );
    if (user === undefined) return;
    const secret = await makeLink(tx, { purpose: 'reset', userId: user.id, isMailed: true, maker: null });
    await sendMail(tx, {
      to: user.email,
      subject: 'Set a new password',
      text: `Somebody asked for a new password for your account, ${user.email}. To set one, open this link within two hours:\n\n${linkUrl(publicUrl(), 'reset', secret)}\n\nIf it was not you, ignore this mail: your password stays as it is.`,
    });
  });
}

/** Whether asking for a mail is allowed now: counted by address and by network, for any address. */
export function refusalOfMail({ limits, sendMail }: IdentityParts, visitor: Visitor, email: string): Refusal | null {
  if (sendMail === null) {
    return refuse('INVALID_REQUEST', 'This instance sends no mail: ask an owner of your workspace for a link.');
  }
  return limits.take({ ...guessFrom(visitor), mail: normalisedEmail(email) ?? email.slice(0, 254) });
}

/** A link by which a user sets a new password, for an operator to pass on. */
export async function makeResetLink(parts: IdentityParts, scope: OperatorScope, userId: string) {
  return await makeChange(parts.sql, (tx) => resetLink(parts, tx, scope, { userId, byRightIn: null }));
}

/**
 * The same for an owner of the workspace, for a member who is in no other one and isn't an operator: by the link somebody
 * gets everything that the member may do. The link ends when the member's rights grow, or the owner is none any more.
 */
export async function makeMemberResetLink(
  parts: IdentityParts,
  scope: WorkspaceScope,
  userId: string,
): Promise<string | Refusal> {
  const { workspaceId } = scope;
  return await makeChange(parts.sql, async (tx) => {
    const reach = await reachOfMember(tx, workspaceId, userId);
    if (reach === 'none') return refuse('NOT_FOUND', 'There is no such member.');
    const isByOperator = !isRefusal(authoriseOperator(scope.act, 'write'));
    if (reach === 'beyond' && !isByOperator) {
      const message = 'This user has rights outside of this workspace: only the operator may make a link for them.';
      return refuse('FORBIDDEN', message);
    }
    return await resetLink(parts, tx, scope, { userId, byRightIn: isByOperator ? null : workspaceId });
  });
}

/** Whether a user's rights are in this workspace alone, reach beyond it, or don't include it. */
async function reachOfMember(
  tx: SqlRunner,
  workspaceId: string,
  userId: string,
): Promise<'within' | 'beyond' | 'none'> {
  const [member] = await tx.query<{ isBeyond: boolean }>(
    `select users.is_operator or exists (
         select from members others where others.user_id = users.id and others.workspace_id <> $1
       ) as "isBeyond"
     from members join users on users.id = members.user_id
     where members.workspace_id = $1 and members.user_id = $2`,
    [workspaceId, userId],
  );
  return member === undefined ? 'none' : member.isBeyond ? 'beyond' : 'within';
}

async function resetLink(
  { publicUrl }: IdentityParts,
  tx: SqlRunner,
  scope: OperatorScope | WorkspaceScope,
  { userId, byRightIn }: { readonly userId: string; readonly byRightIn: string | null },
): Promise<string | Refusal> {
  const [user] = await tx.query<{ email: string }>('select email from users where id = $1', [userId]);
  if (user === undefined) return refuse('NOT_FOUND', 'There is no such user.');
  const maker = makerOf(scope.act.actor);
  const secret = await makeLink(tx, { purpose: 'reset', userId, isMailed: false, maker, byRightIn });
  await recordAudit(tx, scope, {
    action: 'password.reset_link',
    target: { kind: 'user', id: userId, name: user.email },
  });
  return linkUrl(publicUrl(), 'reset', secret);
}

/**
 * Sets a password by a link, ends all of the user's sessions and access tokens and begins a session, unless the user has an authenticator: the
 * link alone is one factor, so they sign in then.
 */
export async function resetPassword(
  parts: IdentityParts,
  visitor: Visitor,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<OpenedSession | null | Refusal> {
  const refused = parts.limits.take(guessFrom(visitor));
  if (refused !== null) return refused;
  const link = await findLink(parts.sql, 'reset', token);
  if (isRefusal(link)) return link;
  const user = await userOf(parts.sql, link.userId);
  if (user === null) return deadLink();
  const hash = await hashOfNew(parts, { password, email: user.email, by: { isKnown: true, key: user.id } });
  if (isRefusal(hash)) return hash;
  return await makeChange(parts.sql, async (tx) => {
    const claimed = await claimLink(tx, 'reset', token);
    if (isRefusal(claimed)) return claimed;
    if (!(await isWithinRight(tx, claimed))) return deadLink();
    await setPassword(tx, user.id, hash);
    if (claimed.isMailed) await proveAddress(tx, user.id);
    await endSessionsOf(tx, user.id, null);
    await endAccessTokensOf(tx, user.id);
    await endLinksMadeBy(tx, user.id);
    const isRecovery = !claimed.isMailed && claimed.byRightIn === null;
    const session = await beginSession(tx, user.id, visitor, { by: 'link', isRecovery });
    if (isRefusal(session)) return session;
    await recordAudit(tx, session.act, {
      action: 'password.reset',
      target: { kind: 'user', id: user.id, name: user.email },
    });
    if (!user.hasAuthenticator) return session;
    await endSessionsOf(tx, user.id, null);
    return null;
  });
}

/**
 * Notes that the address is the user's. Until now somebody else may have had the account, so that accounts at a provider
 * and passkeys which were added to it don't sign in any more.
 */
async function proveAddress(tx: SqlRunner, userId: string): Promise<void> {
  const [proven] = await tx.query(
    'update users set email_verified_at = now() where id = $1 and email_verified_at is null returning id',
    [userId],
  );
  if (proven === undefined) return;
  await tx.query('delete from user_identities where user_id = $1', [userId]);
  await tx.query('delete from passkeys where user_id = $1', [userId]);
}

/** Whether an owner of a workspace who made the link might make it now. */
async function isWithinRight(tx: SqlRunner, { byRightIn, userId }: Link): Promise<boolean> {
  return byRightIn === null || (userId !== null && (await reachOfMember(tx, byRightIn, userId)) === 'within');
}

async function userOf(sql: SqlRunner, userId: string | null) {
  const [user] = await sql.query<{ id: string; email: string; hasAuthenticator: boolean }>(
    `select id, email, authenticators.confirmed_at is not null as "hasAuthenticator"
     from users left join authenticators on authenticators.user_id = users.id
     where id = $1 and disabled_at is null`,
    [userId],
  );
  return user ?? null;
}
