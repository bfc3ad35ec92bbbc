import { recordAudit } from '../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import { authoriseOperator, type OperatorScope, type WorkspaceScope } from '../domain/workspace-scope.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { claimLink, deadLink, findLink, linkUrl, makeLink } from './links.ts';
import { makeChange } from '../audit/change.ts';
import { endedSession, endSessionsOf, type OpenedSession, renewSession } from './sessions.ts';
import { hashOfNew } from './set-up.ts';
import { beginSession } from './sign-in.ts';
import type { UserAct, Visitor } from './visitor.ts';

/** Sets the signed-in user's password; all their other sessions end, and this one gets a new secret. */
export async function setOwnPassword(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  password: string,
): Promise<OpenedSession | Refusal> {
  const { userId, email, sessionId } = act.actor;
  const hash = await hashOfNew(parts, password, email);
  if (isRefusal(hash)) return hash;
  return await makeChange(parts.sql, async (tx) => {
    await setPassword(tx, userId, hash);
    await endSessionsOf(tx, userId, sessionId);
    await recordAudit(tx, act, { action: 'password.set', target: { kind: 'user', id: userId, name: email } });
    const session = await renewSession(tx, sessionId, visitor, { isAuthenticated: true });
    return session ?? endedSession();
  });
}

/** Links by which somebody else could still set the password end with it. */
async function setPassword(tx: SqlRunner, userId: string, hash: string): Promise<void> {
  await tx.query('update users set password_hash = $2, version = version + 1 where id = $1', [userId, hash]);
  await tx.query(
    `update one_time_links set claimed_at = now() where user_id = $1 and purpose = 'reset' and claimed_at is null`,
    [userId],
  );
}

/**
 * Mails a link for a new password, if the address has an account. The result says nothing about that: callers answer
 * before this has run.
 */
export async function mailReset(parts: IdentityParts, given: string): Promise<void> {
  const { sql, sendMail, publicUrl } = parts;
  const email = normalisedEmail(given);
  if (sendMail === null || email === null) return;
  await sql.transaction(async (tx) => {
    const [user] = await tx.query<{ id: string }>('select id from users where email = $1 and disabled_at is null', [
      email,
    ]);
    if (user === undefined) return;
    const secret = await makeLink(tx, { purpose: 'reset', userId: user.id, isMailed: true });
    await sendMail(tx, {
      to: email,
      subject: 'Set a new password',
      text: `Somebody asked for a new password for your account, ${email}. To set one, open this link within two hours:\n\n${linkUrl(publicUrl(), 'reset', secret)}\n\nIf it was not you, ignore this mail: your password stays as it is.`,
    });
  });
}

/** Whether asking for a mail is allowed now: counted by address and by network, for any address. */
export function refusalOfMail({ limits, sendMail }: IdentityParts, visitor: Visitor, email: string): Refusal | null {
  if (sendMail === null) {
    return refuse('INVALID_REQUEST', 'This instance sends no mail: ask an owner of your workspace for a link.');
  }
  return limits.take({ network: visitor.network, mail: normalisedEmail(email) ?? email.slice(0, 254) });
}

/** A link by which a user sets a new password, for an operator to pass on. */
export async function makeResetLink(parts: IdentityParts, scope: OperatorScope, userId: string) {
  return await makeChange(parts.sql, (tx) => resetLink(parts, tx, scope, userId));
}

/**
 * The same for an owner of the workspace, for a member who is in no other one and isn't an operator: by the link somebody
 * gets everything that the member may do.
 */
export async function makeMemberResetLink(
  parts: IdentityParts,
  scope: WorkspaceScope,
  userId: string,
): Promise<string | Refusal> {
  return await makeChange(parts.sql, async (tx) => {
    const [member] = await tx.query<{ elsewhere: boolean }>(
      `select users.is_operator or exists (
           select from members others where others.user_id = users.id and others.workspace_id <> $1
         ) as elsewhere
       from members join users on users.id = members.user_id
       where members.workspace_id = $1 and members.user_id = $2`,
      [scope.workspaceId, userId],
    );
    if (member === undefined) return refuse('NOT_FOUND', 'There is no such member.');
    if (member.elsewhere && isRefusal(authoriseOperator(scope.act, { writes: true }))) {
      const message = 'This user has rights outside of this workspace: only the operator may make a link for them.';
      return refuse('FORBIDDEN', message);
    }
    return await resetLink(parts, tx, scope, userId);
  });
}

async function resetLink(
  { publicUrl }: IdentityParts,
  tx: SqlRunner,
  scope: OperatorScope | WorkspaceScope,
  userId: string,
): Promise<string | Refusal> {
  const [user] = await tx.query<{ email: string }>('select email from users where id = $1', [userId]);
  if (user === undefined) return refuse('NOT_FOUND', 'There is no such user.');
  const secret = await makeLink(tx, { purpose: 'reset', userId, isMailed: false });
  await recordAudit(tx, scope, {
    action: 'password.reset_link',
    target: { kind: 'user', id: userId, name: user.email },
  });
  return linkUrl(publicUrl(), 'reset', secret);
}

/**
 * Sets a password by a link, ends all of the user's sessions and begins one, unless the user has an authenticator: the
 * link alone is one factor, so they sign in then.
 */
export async function resetPassword(
  parts: IdentityParts,
  visitor: Visitor,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<OpenedSession | null | Refusal> {
  const refused = parts.limits.take({ network: visitor.network });
  if (refused !== null) return refused;
  const link = await findLink(parts.sql, 'reset', token);
  if (isRefusal(link)) return link;
  const user = await userOf(parts.sql, link.userId);
  if (user === null) return deadLink();
  const hash = await hashOfNew(parts, password, user.email);
  if (isRefusal(hash)) return hash;
  return await makeChange(parts.sql, async (tx) => {
    const claimed = await claimLink(tx, 'reset', token);
    if (isRefusal(claimed)) return claimed;
    await setPassword(tx, user.id, hash);
    if (claimed.isMailed) {
      await tx.query('update users set email_verified_at = coalesce(email_verified_at, now()) where id = $1', [
        user.id,
      ]);
    }
    await endSessionsOf(tx, user.id, null);
    const session = await beginSession(tx, user.id, visitor, 'link');
    await recordAudit(tx, session.act, {
      action: 'password.reset',
      target: { kind: 'user', id: user.id, name: user.email },
    });
    if (!user.hasAuthenticator) return session;
    await endSessionsOf(tx, user.id, null);
    return null;
  });
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
