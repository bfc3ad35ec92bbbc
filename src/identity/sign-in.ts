import { recordAudit } from '../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { useCode, wrongCode } from './authenticators.ts';
import { guessAt } from './attempts.ts';
import { normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { endedSession, type OpenedSession, openSession, renewSession } from './sessions.ts';
import type { UserAct, Visitor } from './visitor.ts';

/** What a user signs in with. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code; null if none was given. */
  readonly code: string | null;
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string | null;
  readonly has_authenticator: boolean;
}

/** The same for an unknown address, a wrong password, an account without one and a disabled one. */
function wrongCredentials(): Refusal {
  return refuse('UNAUTHENTICATED', 'The email address or the password is wrong.');
}

/** Signs a user in by password, and by code if they have an authenticator. */
export async function signIn(
  parts: IdentityParts,
  visitor: Visitor,
  credentials: Credentials,
): Promise<OpenedSession | Refusal> {
  const account = await provenAccount(parts, visitor, credentials);
  if (isRefusal(account)) return account;
  return await parts.sql.transaction(async (tx) => await beginSession(tx, account.id, visitor, 'password'));
}

/** Begins a session and records how its user signed in. */
export async function beginSession(
  tx: SqlRunner,
  userId: string,
  visitor: Visitor,
  by: 'password' | 'openid' | 'link',
): Promise<OpenedSession> {
  const session = await openSession(tx, userId, visitor);
  const { sessionId, email } = session.act.actor;
  await recordAudit(tx, session.act, {
    action: 'session.begin',
    target: { kind: 'session', id: sessionId, name: email },
    after: { by },
  });
  return session;
}

/** Proves again who the user of a session is, and gives it a new secret. */
export async function confirmSession(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  given: Omit<Credentials, 'email'>,
): Promise<OpenedSession | Refusal> {
  const account = await provenAccount(parts, visitor, { ...given, email: act.actor.email });
  if (isRefusal(account)) return account;
  return await parts.sql.transaction(async (tx) => await confirmedSession(tx, act, visitor));
}

/** Notes that the user has proved again who they are. */
export async function confirmedSession(
  tx: SqlRunner,
  act: UserAct,
  visitor: Visitor,
): Promise<OpenedSession | Refusal> {
  const { sessionId, email } = act.actor;
  const session = await renewSession(tx, sessionId, visitor, { isAuthenticated: true });
  if (session === null) return endedSession();
  await recordAudit(tx, act, {
    action: 'session.confirm',
    target: { kind: 'session', id: sessionId, name: email },
  });
  return session;
}

/** The account that the credentials prove; or the refusal, after the same time whatever is wrong. */
async function provenAccount(
  parts: IdentityParts,
  visitor: Visitor,
  { email: given, password, code }: Credentials,
): Promise<Account | Refusal> {
  const { sql, hasher, limits } = parts;
  const email = normalisedEmail(given) ?? given.slice(0, 254);
  const attempt = guessAt(email, visitor.network);
  const refused = limits.take(attempt);
  if (refused !== null) return refused;
  const [account] = await sql.query<Account>(
    `select users.id, email, password_hash, authenticators.confirmed_at is not null as has_authenticator
     from users left join authenticators on authenticators.user_id = users.id
     where email = $1 and disabled_at is null`,
    [email],
  );
  const check = await hasher.check(password, account?.password_hash ?? null);
  if (isRefusal(check)) {
    limits.giveBack(attempt);
    return check;
  }
  if (!check.isRight || account === undefined) return wrongCredentials();
  if (account.has_authenticator) {
    const wrong = await refusalOfCode(parts, account.id, code);
    if (wrong !== null) return wrong;
  }
  limits.giveBack(attempt);
  if (check.isOutdated) await renewHash(parts, account, password);
  return account;
}

/** Known only to those who have the password. */
async function refusalOfCode({ sql, keyring, limits }: IdentityParts, userId: string, code: string | null) {
  if (code === null) {
    return refuse('UNAUTHENTICATED', 'Send the code of your authenticator app as well.', { param: 'code' });
  }
  const refused = limits.take({ code: userId });
  if (refused !== null) return refused;
  if (!(await useCode(sql, keyring, userId, code))) return wrongCode();
  limits.giveBack({ code: userId });
  return null;
}

/** Hashes a password again at today's cost. It is not worth a refusal. */
async function renewHash({ sql, hasher }: IdentityParts, account: Account, password: string): Promise<void> {
  const hash = await hasher.hash(password);
  if (isRefusal(hash)) return;
  await sql.query('update users set password_hash = $2 where id = $1 and password_hash = $3', [
    account.id,
    hash,
    account.password_hash,
  ]);
}
