import { recordAudit } from '../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { signInFailure } from '../../domain/sign-in-failures.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { makeChange } from '../audit/change.ts';
import { useCode, wrongCode } from './authenticators.ts';
import { type Attempt, guessAt, guessFromKnown } from './attempts.ts';
import { DOMAIN_OF_USER, normalisedEmail } from './emails.ts';
import type { IdentityParts } from './identity-parts.ts';
import type { HashClient } from './password-hasher.ts';
import { endedSession, type OpenedSession, openSession, renewSession, type SessionProof } from './sessions.ts';
import { hasSignedInFrom, isKnownNetwork } from './sign-in-networks.ts';
import type { UserAct, Visitor } from './visitor.ts';
import { IS_LINKED } from './workspace-access.ts';

/** What a user signs in with. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator app, or a recovery code; null if none was given. */
  readonly code: string | null;
}

const EMAIL_LENGTH_MAX = 254;

interface Account {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string | null;
  readonly has_authenticator: boolean;
  /** Whether it has signed in from the visitor's network before. */
  readonly is_known: boolean;
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
  const email = normalisedEmail(credentials.email) ?? credentials.email.slice(0, EMAIL_LENGTH_MAX);
  const attempt = await admitGuess(parts, visitor, email);
  if (isRefusal(attempt)) return attempt;
  const account = await provenAccount(parts, { ...credentials, email }, { attempt, visitor, isInSession: false });
  if (isRefusal(account)) return account;
  const { has_authenticator: hasSecondFactor } = account;
  return await makeChange(parts.sql, (tx) =>
    beginSession(tx, account.id, visitor, { by: 'password', hasSecondFactor }),
  );
}

/** How a session begins. */
export interface SessionStart extends SessionProof {
  readonly by: 'password' | 'openid' | 'link' | 'passkey';
}

/**
 * Begins a session and records how its user signed in. Every sign-in comes through here, so that here those are refused whose
 * company signs them in at its own provider alone.
 */
export async function beginSession(
  tx: SqlRunner,
  userId: string,
  visitor: Visitor,
  { by, ...proof }: SessionStart,
): Promise<OpenedSession | Refusal> {
  if (await signsInElsewhere(tx, userId, proof)) {
    return signInFailure('FORBIDDEN', 'company_alone');
  }
  const session = await openSession(tx, userId, visitor, proof);
  const { sessionId, email } = session.act.actor;
  await recordAudit(tx, session.act, {
    action: 'session.begin',
    target: { kind: 'session', id: sessionId, name: email },
    after: { by },
  });
  return session;
}

/**
 * Whether the user's address is of a domain whose people sign in at the provider of its workspace alone, and this is another way.
 * Operators are none of its people, an owner may be let in by an operator, and the user of an authenticator shows a code here before
 * their account is linked to the provider.
 */
async function signsInElsewhere(
  tx: SqlRunner,
  userId: string,
  { providerId, isRecovery = false, hasSecondFactor = false }: SessionProof,
): Promise<boolean> {
  const [elsewhere] = await tx.query(
    `select from users
       join workspace_domains on workspace_domains.domain = ${DOMAIN_OF_USER}
         and workspace_domains.proven_at is not null
       join workspace_access access on access.workspace_id = workspace_domains.workspace_id
       join workspaces on workspaces.id = access.workspace_id
     where users.id = $1 and not users.is_operator and access.only_openid and access.issuer is not null
       and workspaces.archived_at is null and access.workspace_id is distinct from $2::uuid
       and not ($3 and exists (
         select from members
         where members.workspace_id = access.workspace_id and members.user_id = users.id and members.role = 'owner'
       ))
       and ($4 = false or ${IS_LINKED} or not exists (
         select from authenticators where authenticators.user_id = users.id and confirmed_at is not null
       ))`,
    [userId, providerId ?? null, isRecovery, hasSecondFactor],
  );
  return elsewhere !== undefined;
}

/** Proves again who the user of a session is, and gives it a new secret. */
export async function confirmSession(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  given: Omit<Credentials, 'email'>,
): Promise<OpenedSession | Refusal> {
  const { email, sessionId } = act.actor;
  // Guesses of strangers don't keep a session from going on.
  const attempt = { session: sessionId };
  const refused = parts.limits.take(attempt);
  if (refused !== null) return refused;
  const account = await provenAccount(parts, { ...given, email }, { attempt, visitor, isInSession: true });
  if (isRefusal(account)) return account;
  const { has_authenticator: hasSecondFactor } = account;
  return await makeChange(parts.sql, (tx) => confirmedSession(tx, act, visitor, { hasSecondFactor }));
}

/** Notes that the user has proved again who they are. */
export async function confirmedSession(
  tx: SqlRunner,
  act: UserAct,
  visitor: Visitor,
  proof: Pick<SessionProof, 'hasSecondFactor'> = {},
): Promise<OpenedSession | Refusal> {
  const { sessionId, email } = act.actor;
  const session = await renewSession(tx, sessionId, visitor, { isAuthenticated: true, ...proof });
  if (session === null) return endedSession();
  await recordAudit(tx, act, {
    action: 'session.confirm',
    target: { kind: 'session', id: sessionId, name: email },
  });
  return session;
}

/** Counts a guess at an account, and returns how it is counted; or refuses it. */
async function admitGuess({ sql, limits }: IdentityParts, visitor: Visitor, email: string): Promise<Attempt | Refusal> {
  const attempt = guessAt(email, visitor);
  const refused = limits.take(attempt);
  if (refused === null) return attempt;
  const fromKnown = guessFromKnown(email, visitor);
  const refusedToAll = limits.take(fromKnown);
  if (refusedToAll !== null) return refusedToAll;
  return (await hasSignedInFrom(sql, email, visitor.network)) ? fromKnown : refused;
}

/** Proves the second factor of the user of a session, which did without until now, and gives it a new secret. */
export async function proveSecondFactor(
  parts: IdentityParts,
  visitor: Visitor,
  act: UserAct,
  code: string,
): Promise<OpenedSession | Refusal> {
  const { userId, email, sessionId } = act.actor;
  const refused = await refusalOfCode(parts, { userId, code, guess: { code: userId } });
  if (refused !== null) return refused;
  return await makeChange(parts.sql, async (tx) => {
    const session = await renewSession(tx, sessionId, visitor, { isAuthenticated: false, hasSecondFactor: true });
    if (session === null) return endedSession();
    const target = { kind: 'session', id: sessionId, name: email };
    await recordAudit(tx, act, { action: 'session.second_factor', target });
    return session;
  });
}

/** A counted guess, and the account that it was made at. */
interface Guess {
  readonly attempt: Attempt;
  readonly visitor: Visitor;
  readonly isInSession: boolean;
}

/** The account that the credentials prove; or the refusal, which takes the same time for every reason. */
async function provenAccount(
  parts: IdentityParts,
  { email, password, code }: Credentials,
  { attempt, visitor, isInSession }: Guess,
): Promise<Account | Refusal> {
  const { sql, hasher, limits } = parts;
  const [account] = await sql.query<Account>(
    `select users.id, email, password_hash, authenticators.confirmed_at is not null as has_authenticator,
       ${isKnownNetwork('$2')} as is_known
     from users left join authenticators on authenticators.user_id = users.id
     where email = $1 and disabled_at is null`,
    [email, visitor.network],
  );
  const isKnown = account !== undefined && (isInSession || account.is_known);
  const by: HashClient = isKnown ? { isKnown, key: account.id } : { isKnown, key: visitor.site };
  const check = await hasher.check(password, account?.password_hash ?? null, by);
  if (isRefusal(check)) {
    limits.giveBack(attempt);
    return check;
  }
  if (!check.isRight || account === undefined) return wrongCredentials();
  if (account.has_authenticator) {
    const guess = { code: isKnown ? `${account.id} ${visitor.network}` : account.id };
    const wrong = await refusalOfCode(parts, { userId: account.id, code, guess });
    if (wrong !== null) return wrong;
  }
  limits.giveBack(attempt);
  if (check.isOutdated) await renewHash(parts, account, { password, by });
  return account;
}

/** Known only to those who have the password. */
async function refusalOfCode(
  { sql, keyring, limits }: IdentityParts,
  { userId, code, guess }: { readonly userId: string; readonly code: string | null; readonly guess: Attempt },
): Promise<Refusal | null> {
  if (code === null) {
    return refuse('UNAUTHENTICATED', 'Send the code of your authenticator app as well.', { param: 'code' });
  }
  const refused = limits.take(guess);
  if (refused !== null) return refused;
  if (!(await useCode(sql, keyring, userId, code))) return wrongCode();
  limits.giveBack(guess);
  return null;
}

/** Hashes a password again at today's cost. It is not worth a refusal. */
async function renewHash(
  { sql, hasher }: IdentityParts,
  account: Account,
  { password, by }: { readonly password: string; readonly by: HashClient },
): Promise<void> {
  const hash = await hasher.hash(password, by);
  if (isRefusal(hash)) return;
  await sql.query('update users set password_hash = $2 where id = $1 and password_hash = $3', [
    account.id,
    hash,
    account.password_hash,
  ]);
}
