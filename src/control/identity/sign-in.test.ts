import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { granted } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  identityParts,
  newWorkspace,
  PASSWORD,
  secretIn,
  seedOf,
  signedIn,
  someEmail,
  visitor,
} from '../../../test/support/identity.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { type Sql } from '../../lib/sql.ts';
import { createAccessToken, findAccessToken } from './access-tokens.ts';
import { guessAt, guessFrom } from './attempts.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
  useCode,
} from './authenticators.ts';
import { type IdentityParts } from './identity-parts.ts';
import { codeOf, stepAt } from './one-time-passwords.ts';
import { hashPassword } from './password-hash.ts';
import type { HashClient, PasswordHasher } from './password-hasher.ts';
import { linkOpenId } from './openid-sign-in.ts';
import { mailReset, makeResetLink, refusalOfMail, resetPassword, setOwnPassword } from './passwords.ts';
import {
  endOwnSessions,
  endPresented,
  endSession,
  findSession,
  findStandingSessions,
  listSessions,
  openSession,
  renewedIn,
} from './sessions.ts';
import { BY_INSTANCE } from './makers.ts';
import { isSetUpNeeded, makeSetUpLink, setUp } from './set-up.ts';
import { confirmSession, signIn } from './sign-in.ts';
import { mailSignUp, refusalOfSignUp, signUp } from './sign-up.ts';
import { changeUser, listUsers, renameUser, showUser, signUserOut } from './users.ts';
import { authoriseOperator } from '../../domain/workspace-scope.ts';

let db: TestDatabase;
let sql: Sql;
let parts: IdentityParts;
let hasher: PasswordHasher;
let passwordHash: string;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  ({ parts, hasher } = identityParts(sql));
  passwordHash = hashPassword(PASSWORD, { memory: 1_024, passes: 1, parallelism: 1 });
});
afterAll(async () => {
  await hasher.stop();
  await db.stop();
});

const BY_OPERATOR = granted(
  authoriseOperator(
    { actor: { kind: 'operator', tokenId: null, name: 'operator', access: 'all' }, address: null, requestId: null },
    'write',
  ),
);

const by = (email: string, password = PASSWORD, code: string | null = null) =>
  signIn(parts, visitor(someEmail()), { email, password, code });

function refusalIn(result: unknown): Refusal {
  if (!isRefusal(result)) throw new Error('it was not refused');
  return result;
}

async function actions(targetId: string): Promise<readonly string[]> {
  const rows = await sql.query<{ action: string }>('select action from audit_events where target_id = $1 order by id', [
    targetId,
  ]);
  return rows.map(({ action }) => action);
}

test('a user signs in by email address and password, however the address is written', async () => {
  const { email, userId } = await signedIn(sql, { passwordHash });
  const session = granted(await by(`  ${email.toUpperCase()} `));
  expect(session.act.actor).toMatchObject({ kind: 'session', userId, email });
  expect(await findSession(sql, session.secret, '192.0.2.9')).toMatchObject({ userId });
  expect(await actions(session.act.actor.sessionId)).toEqual(['session.begin']);
});

test('an unknown address, a wrong password, an account without one and a disabled one are refused alike', async () => {
  const known = await signedIn(sql, { passwordHash });
  const without = await signedIn(sql);
  const disabled = await signedIn(sql, { passwordHash });
  await changeUser(sql, BY_OPERATOR, disabled.userId, { isDisabled: true });
  const refusals = [
    await by(someEmail()),
    await by(known.email, 'a wrong password'),
    await by(without.email),
    await by(disabled.email),
    await by('no address at all'),
  ].map(refusalIn);
  expect(refusals[0]).toEqual(refuse('UNAUTHENTICATED', 'The email address or the password is wrong.'));
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
});

test('an unknown address takes as long to be refused as a wrong password', async () => {
  const hashed = hashPassword(PASSWORD);
  const refusedMs = async (address: string): Promise<number> => {
    const before = performance.now();
    refusalIn(await by(address, 'a wrong password'));
    return performance.now() - before;
  };
  // A busy machine delays single answers, and never all of them.
  let [unknownMs, knownMs] = [Infinity, Infinity];
  const isAlike = (): boolean => unknownMs < 3 * knownMs && knownMs < 3 * unknownMs;
  for (let round = 0; round < 30 && !(round >= 5 && isAlike()); round++) {
    unknownMs = Math.min(unknownMs, await refusedMs(someEmail()));
    knownMs = Math.min(knownMs, await refusedMs((await signedIn(sql, { passwordHash: hashed })).email));
  }
  expect({ unknownMs, knownMs, isAlike: isAlike() }).toMatchObject({ isAlike: true });
});

test('passwords of an account are guessed a few times only, by the right one as well', async () => {
  const { email } = await signedIn(sql, { passwordHash });
  const here = visitor('203.0.113.5');
  for (let guess = 0; guess < 6; guess++) {
    refusalIn(await signIn(parts, here, { email, password: `guess number ${guess}`, code: null }));
  }
  const stopped = refusalIn(await signIn(parts, here, { email, password: PASSWORD, code: null }));
  expect(stopped).toMatchObject({ code: 'RATE_LIMITED' });
  expect(isRefusal(await by(email))).toBe(false);
});

test('wrong guesses from many networks lock the owner out neither from where they signed in before nor in a session', async () => {
  const { email, act } = await signedIn(sql, { passwordHash });
  const check = (password: string) => Promise.resolve({ isRight: password === PASSWORD, isOutdated: false });
  const quick: IdentityParts = { ...parts, hasher: { hash: () => Promise.reject(new Error('no hash')), check } };
  const home = visitor('203.0.113.77');
  granted(await signIn(quick, home, { email, password: PASSWORD, code: null }));
  const guess = (address: string) => signIn(quick, visitor(address), { email, password: 'a wrong guess', code: null });
  const guessed = async (addresses: readonly string[]): Promise<number> => {
    const refusals = [];
    for (const address of addresses) refusals.push(refusalIn(await guess(address)));
    return refusals.filter(({ code }) => code === 'UNAUTHENTICATED').length;
  };
  const index = Array.from({ length: 90 }, (_, each) => each);
  expect(await guessed(index.map((each) => `2001:db8:77:${each.toString(16)}::1`))).toBe(12);
  expect(await guessed(index.map((each) => `2001:db8:${(100 + each).toString(16)}::1`))).toBe(48);
  const elsewhere = refusalIn(await signIn(quick, visitor('198.51.100.7'), { email, password: PASSWORD, code: null }));
  expect(elsewhere.code).toBe('RATE_LIMITED');
  granted(await confirmSession(quick, visitor('198.51.100.7'), act, { password: PASSWORD, code: null }));
  granted(await signIn(quick, home, { email, password: PASSWORD, code: null }));
});

test('a network counts no more as known once the password is another', async () => {
  const { email, act, userId } = await signedIn(sql, { passwordHash });
  granted(await signIn(parts, visitor('203.0.113.78'), { email, password: PASSWORD, code: null }));
  granted(await setOwnPassword(parts, visitor('203.0.113.79'), act, 'another long secret'));
  const known = await sql.query('select network from sign_in_networks where user_id = $1', [userId]);
  expect(known).toEqual([{ network: '203.0.113.79' }]);
});

test('a user sets a few new passwords a minute', async () => {
  const { act } = await signedIn(sql);
  const results = [];
  for (let count = 0; count < 6; count++)
    results.push(await setOwnPassword(parts, visitor(), act, `secret of ${count} words`));
  expect(results.filter(isRefusal)).toMatchObject([{ code: 'RATE_LIMITED' }]);
});

test('a password hash of former cost is replaced when its user signs in', async () => {
  const { email, userId } = await signedIn(sql, { passwordHash });
  granted(await by(email));
  const [user] = await sql.query<{ hash: string }>('select password_hash as hash from users where id = $1', [userId]);
  expect(user?.hash).toContain('$m=19456,t=2,p=1$');
  granted(await by(email));
});

test('a session ends by its user, and with all others if they say so', async () => {
  const { email, act } = await signedIn(sql, { passwordHash });
  const first = granted(await by(email));
  const second = granted(await by(email));
  expect((await listSessions(sql, act)).items).toHaveLength(3);
  expect(await endSession(sql, act, first.act.actor.sessionId)).toBeNull();
  expect(await findSession(sql, first.secret, '192.0.2.9')).toBeNull();
  expect(refusalIn(await endSession(sql, act, first.act.actor.sessionId)).code).toBe('NOT_FOUND');
  expect(await endOwnSessions(sql, act, { keepsThis: true })).toBe(1);
  expect(await findSession(sql, second.secret, '192.0.2.9')).toBeNull();
  expect((await listSessions(sql, act)).items).toMatchObject([{ id: act.actor.sessionId, userAgent: 'a browser' }]);
});

test("a session of another user's can't be ended", async () => {
  const [one, other] = [await signedIn(sql), await signedIn(sql)];
  expect(refusalIn(await endSession(sql, one.act, other.act.actor.sessionId)).code).toBe('NOT_FOUND');
  expect(await findSession(sql, other.secret, '192.0.2.9')).not.toBeNull();
});

test.each(['expires_at = now()', `last_seen_at = now() - interval '8 days'`])(
  'a session counts no more once %s',
  async (change) => {
    const { act, secret } = await signedIn(sql);
    expect((await findStandingSessions(sql, [act.actor.sessionId])).size).toBe(1);
    await sql.query(`update sessions set ${change} where id = $1`, [act.actor.sessionId]);
    expect(await findSession(sql, secret, '192.0.2.9')).toBeNull();
    expect((await findStandingSessions(sql, [act.actor.sessionId])).size).toBe(0);
    expect((await listSessions(sql, act)).items).toEqual([]);
  },
);

test('a session of a user who is disabled ends immediately', async () => {
  const { userId, secret } = await signedIn(sql);
  expect(granted(await changeUser(sql, BY_OPERATOR, userId, { isDisabled: true })).disabledAt).not.toBeNull();
  expect(await findSession(sql, secret, '192.0.2.9')).toBeNull();
  expect(granted(await changeUser(sql, BY_OPERATOR, userId, { isDisabled: false })).disabledAt).toBeNull();
  expect(await findSession(sql, secret, '192.0.2.9')).toBeNull();
  expect(await actions(userId)).toEqual(['user.update', 'user.update']);
});

test('a session whose user confirms who they are has a new secret, and the old one is worth nothing', async () => {
  const { act, secret } = await signedIn(sql, { passwordHash });
  await sql.query(`update sessions set authenticated_at = now() - interval '1 hour' where id = $1`, [
    act.actor.sessionId,
  ]);
  refusalIn(await confirmSession(parts, visitor(), act, { password: 'a wrong password', code: null }));
  const confirmed = granted(await confirmSession(parts, visitor(), act, { password: PASSWORD, code: null }));
  expect(Date.now() - confirmed.act.actor.authenticatedAtMs).toBeLessThan(60_000);
  expect(confirmed.act.actor.sessionId).toBe(act.actor.sessionId);
  expect(await findSession(sql, secret, '192.0.2.9')).toBeNull();
  expect(await findSession(sql, confirmed.secret, '192.0.2.9')).not.toBeNull();
});

test('the session secret is stored as its hash alone', async () => {
  const { secret, act } = await signedIn(sql);
  const [row] = await sql.query<{ row: string }>('select to_jsonb(s)::text as row from sessions s where id = $1', [
    act.actor.sessionId,
  ]);
  expect(row?.row).not.toContain(secret);
  expect(row?.row).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
});

// The second factor ---------------------------------------------------------------------------------------------------

async function withAuthenticator() {
  const person = await signedIn(sql, { passwordHash });
  const secret = seedOf(granted(await beginAuthenticator(sql, parts.keyring, person.act)).secret);
  const code = (steps: number): string => codeOf(secret, stepAt(Date.now()) + steps);
  const recoveryCodes = granted(
    await sql.transaction((tx) => confirmAuthenticator(tx, parts.keyring, person.act, code(-1))),
  );
  return { ...person, code, recoveryCodes };
}

test('an authenticator counts only once a code of it was confirmed', async () => {
  const person = await signedIn(sql, { passwordHash });
  const { secret, uri } = granted(await beginAuthenticator(sql, parts.keyring, person.act));
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri).toContain(`otpauth://totp/Faregate:${encodeURIComponent(person.email)}?secret=${secret}&issuer=Faregate`);
  expect((await showUser(sql, person.userId))?.hasAuthenticator).toBe(false);
  granted(await by(person.email));
  const wrong = await sql.transaction((tx) => confirmAuthenticator(tx, parts.keyring, person.act, '000'));
  expect(refusalIn(wrong)).toMatchObject({ code: 'UNAUTHENTICATED', param: 'code' });
});

test('with an authenticator the password alone does not sign in, and asks for the code', async () => {
  const { email, code } = await withAuthenticator();
  expect(refusalIn(await by(email))).toMatchObject({ code: 'UNAUTHENTICATED', param: 'code' });
  expect(refusalIn(await by(email, 'a wrong password', code(0))).param).toBeNull();
  expect(refusalIn(await by(email, PASSWORD, '123 45'))).toMatchObject({ param: 'code' });
  granted(await by(email, PASSWORD, code(0)));
});

test('a code of an authenticator counts once, also for two sign-ins at the same time', async () => {
  const { email, code } = await withAuthenticator();
  // The one that confirmed the authenticator.
  refusalIn(await by(email, PASSWORD, code(-1)));
  const current = code(0);
  const results = await Promise.all([by(email, PASSWORD, current), by(email, PASSWORD, current)]);
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
  refusalIn(await by(email, PASSWORD, current));
});

test('a recovery code takes the place of a code, once', async () => {
  const { email, recoveryCodes } = await withAuthenticator();
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = ''] = recoveryCodes;
  granted(await by(email, PASSWORD, first.replaceAll('-', ' ')));
  refusalIn(await by(email, PASSWORD, first));
});

test('recovery codes that are replaced count no more', async () => {
  const { email, act, recoveryCodes } = await withAuthenticator();
  const [second = ''] = granted(await replaceRecoveryCodes(sql, act));
  refusalIn(await by(email, PASSWORD, recoveryCodes[0] ?? ''));
  granted(await by(email, PASSWORD, second));
  expect(refusalIn(await replaceRecoveryCodes(sql, (await signedIn(sql)).act)).code).toBe('NOT_FOUND');
});

test('codes of an account are guessed a few times only', async () => {
  const { email, code } = await withAuthenticator();
  for (let guess = 0; guess < 6; guess++) refusalIn(await by(email, PASSWORD, 'wrong code'));
  expect(refusalIn(await by(email, PASSWORD, code(0))).code).toBe('RATE_LIMITED');
});

test('an authenticator that is there is neither replaced nor confirmed again, and goes with its recovery codes', async () => {
  const { email, act, userId, code, recoveryCodes } = await withAuthenticator();
  expect(refusalIn(await beginAuthenticator(sql, parts.keyring, act)).code).toBe('CONFLICT');
  const again = await sql.transaction((tx) => confirmAuthenticator(tx, parts.keyring, act, code(0)));
  expect(refusalIn(again).code).toBe('CONFLICT');
  expect(await sql.transaction((tx) => removeAuthenticator(tx, act))).toBeNull();
  granted(await by(email));
  expect(recoveryCodes.length).toBeGreaterThan(0);
  expect(await sql.query('select from recovery_codes where user_id = $1', [userId])).toEqual([]);
  expect(await actions(userId)).toEqual(['authenticator.add', 'authenticator.remove']);
});

// Users ---------------------------------------------------------------------------------------------------------------

test('users are found by a part of their address or name, and are renamed', async () => {
  const { userId, email, act } = await signedIn(sql);
  const [local = ''] = email.toUpperCase().split('@');
  granted(await renameUser(sql, act, userId, 'Zoë Unusual'));
  const found = async (search: string) => (await listUsers(sql, BY_OPERATOR, search)).items.map(({ id }) => id);
  expect(await found(local)).toEqual([userId]);
  expect(await found('zoë unus')).toEqual([userId]);
  expect(await found('100%')).toEqual([]);
  expect((await showUser(sql, userId))?.version).toBe(2);
});

test('a user becomes an operator by an operator, and is none again', async () => {
  const { userId, secret } = await signedIn(sql);
  granted(await changeUser(sql, BY_OPERATOR, userId, { isOperator: true }));
  expect(await findSession(sql, secret, '')).toMatchObject({ isOperator: true });
  granted(await changeUser(sql, BY_OPERATOR, userId, { isOperator: false }));
  expect(await findSession(sql, secret, '')).toMatchObject({ isOperator: false });
  expect(refusalIn(await changeUser(sql, BY_OPERATOR, crypto.randomUUID(), {})).code).toBe('NOT_FOUND');
});

// Passwords -----------------------------------------------------------------------------------------------------------

test('a new password ends all other sessions and gives this one a new secret', async () => {
  const { email, act, secret } = await signedIn(sql, { passwordHash });
  const other = granted(await by(email));
  const session = granted(await setOwnPassword(parts, visitor(), act, 'another good secret'));
  expect(await findSession(sql, secret, '192.0.2.9')).toBeNull();
  expect(await findSession(sql, other.secret, '192.0.2.9')).toBeNull();
  expect(await findSession(sql, session.secret, '192.0.2.9')).not.toBeNull();
  refusalIn(await by(email));
  granted(await by(email, 'another good secret'));
  expect(refusalIn(await setOwnPassword(parts, visitor(), session.act, 'password123')).param).toBe('password');
});

test('a link for a new password works once, ends all sessions and proves the address that it was mailed to', async () => {
  const { parts: mailing, mails, hasher: own } = identityParts(sql, { hasMail: true });
  const { email, userId, secret: session } = await signedIn(sql, { passwordHash });
  await mailReset(mailing, email.toUpperCase());
  expect(mails).toMatchObject([{ to: email, subject: 'Set a new password' }]);
  expect(mails[0]?.text).toContain('https://gateway.example/reset-password#');
  const token = secretIn(mails[0]?.text ?? '');
  expect(refusalIn(await resetPassword(mailing, visitor(), { token, password: 'short' })).param).toBe('password');
  const password = 'another good secret';
  const results = await Promise.all([
    resetPassword(mailing, visitor(), { token, password }),
    resetPassword(mailing, visitor(), { token, password }),
  ]);
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
  expect(refusalIn(await resetPassword(mailing, visitor(), { token, password })).param).toBe('token');
  expect(await findSession(sql, session, '192.0.2.9')).toBeNull();
  granted(await by(email, password));
  expect(await showUser(sql, userId)).toMatchObject({ isEmailVerified: true });
  await own.stop();
});

test('a link for a new password ends the access tokens, and what proved nothing when the address was nobody’s yet', async () => {
  const { parts: mailing, mails, hasher: own } = identityParts(sql, { hasMail: true });
  const workspaceId = await newWorkspace(sql);
  const { email, userId, act } = await signedIn(sql, { passwordHash, roles: { [workspaceId]: 'viewer' } });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = granted(await createAccessToken(sql, act, { workspaceId, name: 'ci', scopes: [], expiresAt }));
  const thief = { issuer: 'https://login.example', subject: email, email: null, isEmailVerified: false, name: null };
  expect(await linkOpenId(sql, act, thief)).toBeNull();
  const identities = () => sql.query('select from user_identities where user_id = $1', [userId]);
  const reset = async () => {
    await mailReset(mailing, email);
    const link = secretIn(mails.at(-1)?.text ?? '');
    return granted(await resetPassword(mailing, visitor(), { token: link, password: PASSWORD }));
  };
  expect(await findAccessToken(sql, token.secret ?? '', null)).not.toBeNull();
  const session = await reset();
  expect(await findAccessToken(sql, token.secret ?? '', null)).toBeNull();
  expect(await identities()).toEqual([]);
  expect(await linkOpenId(sql, session?.act ?? act, thief)).toBeNull();
  await reset();
  expect(await identities()).toHaveLength(1);
  await own.stop();
});

test('an address without an account is sent no link for a new password', async () => {
  const { parts: mailing, mails } = identityParts(sql, { hasMail: true });
  await mailReset(mailing, someEmail());
  await mailReset(mailing, 'no address at all');
  expect(mails).toEqual([]);
});

test('a link for a new password ends when a later one is made, when it has expired, and when the password is set', async () => {
  const { userId, act } = await signedIn(sql, { passwordHash });
  const link = async (): Promise<string> => secretIn(granted(await makeResetLink(parts, BY_OPERATOR, userId)));
  const dead = async (token: string) =>
    refusalIn(await resetPassword(parts, visitor(), { token, password: 'another good secret' })).param;
  const former = await link();
  const expired = await link();
  expect(await dead(former)).toBe('token');
  await sql.query('update one_time_links set expires_at = now() where user_id = $1 and claimed_at is null', [userId]);
  expect(await dead(expired)).toBe('token');
  const last = await link();
  granted(await setOwnPassword(parts, visitor(), act, 'another good secret'));
  expect(await dead(last)).toBe('token');
});

test('a link for a new password does not sign a user in who has an authenticator', async () => {
  const { email, userId, code } = await withAuthenticator();
  const token = secretIn(granted(await makeResetLink(parts, BY_OPERATOR, userId)));
  expect(await resetPassword(parts, visitor(), { token, password: 'another good secret' })).toBeNull();
  expect(await sql.query('select from sessions where user_id = $1', [userId])).toEqual([]);
  granted(await by(email, 'another good secret', code(0)));
});

// New accounts --------------------------------------------------------------------------------------------------------

test('a sign-up proves the address by a mail first, then makes an account with a workspace of its own', async () => {
  const { parts: open, mails, hasher: own } = identityParts(sql, { hasMail: true, allowsSignUp: true });
  const email = someEmail();
  expect(refusalOfSignUp(open, visitor(), email)).toBeNull();
  await mailSignUp(open, email);
  const token = secretIn(mails[0]?.text ?? '');
  const given = { token, name: 'New', password: PASSWORD, workspace: `of ${email}` };
  const results = await Promise.all([signUp(open, visitor(), given), signUp(open, visitor(), given)]);
  const session = results.find((result) => !isRefusal(result));
  if (session === undefined || isRefusal(session)) throw new Error('no sign-up succeeded');
  expect(results.filter(isRefusal)).toHaveLength(1);
  expect([...session.act.actor.roles.values()]).toEqual(['owner']);
  expect(await findSession(sql, session.secret, '')).toMatchObject({ email, roles: session.act.actor.roles });
  expect(await showUser(sql, session.act.actor.userId)).toMatchObject({ isEmailVerified: true, isOperator: false });
  await own.stop();
});

test('a sign-up with an address that has an account is answered alike, and its owner is informed by mail', async () => {
  const { parts: open, mails } = identityParts(sql, { hasMail: true, allowsSignUp: true });
  const { email } = await signedIn(sql);
  expect(refusalOfSignUp(open, visitor(), email)).toBeNull();
  await mailSignUp(open, email);
  expect(mails).toMatchObject([{ to: email, subject: 'You have an account' }]);
});

test('a sign-up whose workspace is refused makes nothing, and its link still works', async () => {
  const { parts: open, mails, hasher: own } = identityParts(sql, { hasMail: true, allowsSignUp: true });
  const [{ name }] = (await sql.query<{ name: string }>('select name from workspaces where id = $1', [
    await newWorkspace(sql),
  ])) as [{ name: string }];
  const email = someEmail();
  await mailSignUp(open, email);
  const token = secretIn(mails[0]?.text ?? '');
  expect(
    refusalIn(await signUp(open, visitor(), { token, name: 'N', password: PASSWORD, workspace: name })).param,
  ).toBe('name');
  expect(await sql.query('select from users where email = $1', [email])).toEqual([]);
  granted(await signUp(open, visitor(), { token, name: 'N', password: PASSWORD, workspace: null }));
  await own.stop();
});

test('sign-ups are refused unless they are open and mail is configured', () => {
  expect(refusalOfSignUp(parts, visitor(), someEmail())).toMatchObject({ code: 'FORBIDDEN' });
  const { parts: mailless } = identityParts(sql, { allowsSignUp: true });
  expect(refusalOfSignUp(mailless, visitor(), someEmail())).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('mails to one address are limited, from any network that asks for them', () => {
  const { parts: open } = identityParts(sql, { hasMail: true, allowsSignUp: true });
  const email = someEmail();
  const allowed = Array.from({ length: 10 }, (_, index) => refusalOfSignUp(open, visitor(`net ${index}`), email));
  expect(allowed.filter((refusal) => refusal === null)).toHaveLength(3);
});

test('of two people who set the instance up at the same time one becomes its owner, with one link or with two', async () => {
  const fresh = await startTestDatabase();
  const { parts: own, hasher: ownHasher } = identityParts(fresh.control);
  const workspaceId = await newWorkspace(fresh.control);
  await newWorkspace(fresh.control);
  const token = async (): Promise<string> => (await makeSetUpLink(fresh.control, BY_INSTANCE)) ?? '';
  const [first, second] = [await token(), await token()];
  expect(await isSetUpNeeded(fresh.control)).toBe(true);
  const given = () => ({ email: someEmail(), name: 'Owner', password: PASSWORD });
  expect(refusalIn(await setUp(own, visitor(), { ...given(), token: 'x'.repeat(43) })).param).toBe('token');
  const results = await Promise.all(
    [first, first, second].map((each) => setUp(own, visitor(), { ...given(), token: each })),
  );
  const made = results.filter((result) => !isRefusal(result));
  expect(made).toHaveLength(1);
  const [session] = made;
  expect(session).toMatchObject({ act: { actor: { isOperator: true } } });
  expect(session === undefined || isRefusal(session) ? [] : [...session.act.actor.roles]).toEqual([
    [workspaceId, 'owner'],
  ]);
  expect(await fresh.control.query('select from users')).toHaveLength(1);
  expect(await makeSetUpLink(fresh.control, BY_INSTANCE)).toBeNull();
  expect(await isSetUpNeeded(fresh.control)).toBe(false);
  expect(refusalIn(await setUp(own, visitor(), { ...given(), token: second })).param).toBe('token');
  await ownHasher.stop();
  await fresh.stop();
});

// What is counted, recorded and said ------------------------------------------------------------------------------------

interface HashRequest {
  readonly by: HashClient;
  readonly isAgainstHash: boolean;
}

/** Parts whose hasher computes nothing, with limits of their own: any hash is of the password of tests. */
function quickParts(more: Parameters<typeof identityParts>[1] = {}) {
  const asked: HashRequest[] = [];
  const hasherOfTest: IdentityParts['hasher'] = {
    check: (password, hash, client) => {
      asked.push({ by: client, isAgainstHash: hash !== null });
      return Promise.resolve({ isRight: hash !== null && password === PASSWORD, isOutdated: false });
    },
    hash: (_password, client) => {
      asked.push({ by: client, isAgainstHash: false });
      return Promise.resolve(passwordHash);
    },
  };
  return { ...identityParts(sql, { hasher: hasherOfTest, ...more }), asked };
}

const DEAD_LINK = refuse(
  'INVALID_REQUEST',
  'This link does not work any more: it was used, has expired, or was cut off.',
  { param: 'token' },
);
const WRONG_CODE = refuse('UNAUTHENTICATED', 'The code is wrong, or was used before.', { param: 'code' });
const NO_CODE = refuse('UNAUTHENTICATED', 'Send the code of your authenticator app as well.', { param: 'code' });
const NOBODY = crypto.randomUUID();

/** The events with these targets, oldest first. */
async function eventsOf(...targetIds: readonly string[]): Promise<readonly unknown[]> {
  return await sql.query(
    `select action, actor_name as by, target_kind as kind, target_name as name, before, after from audit_events
     where target_id = any ($1) order by id`,
    [targetIds],
  );
}

test('a sign-in is hashed for the site of a stranger, and for the user at a network where they have signed in', async () => {
  const { parts: quick, asked } = quickParts();
  const { email, userId, act } = await signedIn(sql, { passwordHash });
  const here = visitor('203.0.113.20');
  const enter = (address: string, password = PASSWORD) => signIn(quick, here, { email: address, password, code: null });
  refusalIn(await enter(someEmail()));
  refusalIn(await enter(email, 'a wrong password'));
  granted(await enter(email));
  granted(await enter(email));
  granted(await confirmSession(quick, visitor('198.51.100.20'), act, { password: PASSWORD, code: null }));
  const asStranger = { isKnown: false, key: here.site };
  const asKnown = { isKnown: true, key: userId };
  expect(asked).toEqual([
    { by: asStranger, isAgainstHash: false },
    { by: asStranger, isAgainstHash: true },
    { by: asStranger, isAgainstHash: true },
    { by: asKnown, isAgainstHash: true },
    { by: asKnown, isAgainstHash: true },
  ]);
});

test('only wrong sign-ins and confirmations count, and none that found the hasher busy', async () => {
  const { parts: quick } = quickParts();
  const busy = refuse('SERVICE_UNAVAILABLE', 'busy');
  const full: IdentityParts = {
    ...quick,
    hasher: { check: () => Promise.resolve(busy), hash: () => Promise.resolve(busy) },
  };
  const { email, act } = await signedIn(sql, { passwordHash });
  let session = act;
  const enter = (own: IdentityParts) => signIn(own, visitor('203.0.113.21'), { email, password: PASSWORD, code: null });
  const confirm = (own: IdentityParts, password = PASSWORD) =>
    confirmSession(own, visitor('203.0.113.21'), session, { password, code: null });
  for (let round = 0; round < 7; round++) {
    expect(await enter(full)).toBe(busy);
    granted(await enter(quick));
    expect(await confirm(full)).toBe(busy);
    session = granted(await confirm(quick)).act;
  }
  for (let guess = 0; guess < 6; guess++) expect(refusalIn(await confirm(quick, 'wrong')).code).toBe('UNAUTHENTICATED');
  expect(await confirm(quick)).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'Too many attempts: wait a while before you try again.',
  });
});

test('guesses at what is no address are counted by as much of it as an address may have', async () => {
  const { parts: quick } = quickParts();
  const guess = (ending: number) =>
    signIn(quick, visitor('203.0.113.22'), { email: `${'x'.repeat(254)}${ending}`, password: 'any', code: null });
  for (let count = 0; count < 6; count++) expect(refusalIn(await guess(count)).code).toBe('UNAUTHENTICATED');
  expect(refusalIn(await guess(7)).code).toBe('RATE_LIMITED');
});

test('an account under attack is guessed a few times only from a network that it has signed in from, too', async () => {
  const { parts: quick } = quickParts();
  const { email } = await signedIn(sql, { passwordHash });
  const [home, other] = [visitor('203.0.113.23'), visitor('203.0.113.24')];
  const enter = (from: typeof home, password: string) => signIn(quick, from, { email, password, code: null });
  for (const from of [home, other]) granted(await enter(from, PASSWORD));
  for (let index = 0; index < 60; index++)
    quick.limits.take(guessAt(email, visitor(`2001:db8:${index.toString(16)}::1`)));
  expect(refusalIn(await enter(visitor('198.51.100.24'), PASSWORD))).toMatchObject({ code: 'RATE_LIMITED' });
  const codes: string[] = [];
  for (let guess = 0; guess < 7; guess++) codes.push(refusalIn(await enter(home, 'a wrong guess')).code);
  expect(codes).toEqual([...Array.from({ length: 6 }, () => 'UNAUTHENTICATED'), 'RATE_LIMITED']);
  expect(refusalIn(await enter(home, PASSWORD)).code).toBe('RATE_LIMITED');
  granted(await enter(other, PASSWORD));
});

test('a hash that can not be renewed now keeps nobody from signing in, and one that was replaced since stays', async () => {
  const { email, userId } = await signedIn(sql, { passwordHash });
  const hashOf = async () => (await sql.query('select password_hash as hash from users where id = $1', [userId]))[0];
  const entering = async (hash: () => Promise<string | Refusal>) => {
    const check = () => Promise.resolve({ isRight: true, isOutdated: true });
    const renewing = { ...parts, hasher: { check, hash } };
    granted(await signIn(renewing, visitor('203.0.113.25'), { email, password: PASSWORD, code: null }));
  };
  await entering(() => Promise.resolve(refuse('SERVICE_UNAVAILABLE', 'busy')));
  expect(await hashOf()).toEqual({ hash: passwordHash });
  await entering(async () => {
    await sql.query(`update users set password_hash = 'another' where id = $1`, [userId]);
    return 'a renewed one';
  });
  expect(await hashOf()).toEqual({ hash: 'another' });
  await entering(() => Promise.resolve('a renewed one'));
  expect(await hashOf()).toEqual({ hash: 'a renewed one' });
});

test('codes that are right count for nobody, and wrong ones of strangers not against the network of the user', async () => {
  const { email, userId, code, recoveryCodes, act } = await withAuthenticator();
  const { parts: quick } = quickParts();
  const home = visitor('203.0.113.26');
  const enter = (from: typeof home, given: string | null) =>
    signIn(quick, from, { email, password: PASSWORD, code: given });
  for (const each of recoveryCodes.slice(0, 8)) granted(await enter(home, each));
  expect(await enter(home, null)).toEqual(NO_CODE);
  for (let guess = 0; guess < 6; guess++) {
    expect(await enter(visitor(someEmail()), '000 000 0')).toEqual(WRONG_CODE);
  }
  expect(refusalIn(await enter(visitor(someEmail()), code(0))).code).toBe('RATE_LIMITED');
  granted(await enter(home, code(0)));
  expect(await confirmSession(quick, visitor(), act, { password: PASSWORD, code: null })).toEqual(NO_CODE);
  granted(await confirmSession(quick, home, act, { password: PASSWORD, code: recoveryCodes[8] ?? '' }));
  expect(await eventsOf(act.actor.sessionId, userId)).toEqual([
    { action: 'authenticator.add', by: email, kind: 'user', name: email, before: null, after: null },
    { action: 'session.confirm', by: email, kind: 'session', name: email, before: null, after: null },
  ]);
});

test('what an authenticator is not ready for is refused with the reason', async () => {
  const { act } = await signedIn(sql);
  const confirm = (code: string) => sql.transaction((tx) => confirmAuthenticator(tx, parts.keyring, act, code));
  expect(await confirm('000000')).toEqual(refuse('NOT_FOUND', 'No authenticator is being set up: begin again.'));
  expect(await replaceRecoveryCodes(sql, act)).toEqual(refuse('NOT_FOUND', 'There is no authenticator.'));
  expect(await sql.transaction((tx) => removeAuthenticator(tx, act))).toEqual(
    refuse('NOT_FOUND', 'There is no authenticator.'),
  );
  const former = seedOf(granted(await beginAuthenticator(sql, parts.keyring, act)).secret);
  // Begun again before it counts, it has another seed.
  const seed = seedOf(granted(await beginAuthenticator(sql, parts.keyring, act)).secret);
  const now = stepAt(Date.now());
  expect(await confirm(codeOf(former, now))).toEqual(WRONG_CODE);
  expect(await useCode(sql, parts.keyring, act.actor.userId, codeOf(seed, now))).toBe(false);
  const codes = granted(await confirm(codeOf(seed, now)));
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^[0-9A-Za-z]{4}(-[0-9A-Za-z]{4}){3}$/);
  expect(await beginAuthenticator(sql, parts.keyring, act)).toEqual(
    refuse('CONFLICT', 'There is an authenticator already: remove it first.'),
  );
  expect(granted(await replaceRecoveryCodes(sql, act))).toHaveLength(10);
  const { userId, email } = act.actor;
  expect((await eventsOf(userId)).at(-1)).toEqual({
    action: 'recovery_codes.replace',
    by: email,
    kind: 'user',
    name: email,
    before: null,
    after: null,
  });
});

test('links that are wrong are tried thirty times from one network, whatever they are for', async () => {
  const token = 'A'.repeat(43);
  const tries: readonly ((own: IdentityParts) => Promise<unknown>)[] = [
    (own) => resetPassword(own, visitor(), { token, password: PASSWORD }),
    (own) => signUp(own, visitor(), { token, name: 'N', password: PASSWORD, workspace: null }),
    (own) => setUp(own, visitor(), { token, email: someEmail(), name: 'N', password: PASSWORD }),
  ];
  for (const attempt of tries) {
    const { parts: own, asked } = quickParts({ allowsSignUp: true });
    for (let count = 0; count < 29; count++) own.limits.take(guessFrom(visitor()));
    expect(await attempt(own)).toEqual(DEAD_LINK);
    expect(refusalIn(await attempt(own)).code).toBe('RATE_LIMITED');
    // Nothing is computed for somebody without a link.
    expect(asked).toEqual([]);
  }
});

// Sessions and users ----------------------------------------------------------------------------------------------------

test('a session is listed with its browser, cut to what fits, and for how long it lasts', async () => {
  const { userId, act } = await signedIn(sql);
  const begin = (userAgent: string | null) =>
    sql.transaction((tx) => openSession(tx, userId, { ...visitor('203.0.113.30'), userAgent }));
  const opened = await begin('b'.repeat(400));
  await begin(null);
  const { items, next } = await listSessions(sql, act, { limit: 2 });
  expect(items[1]).toEqual({
    id: opened.act.actor.sessionId,
    createdAt: expect.any(Date),
    lastSeenAt: expect.any(Date),
    expiresAt: opened.expiresAt,
    address: '203.0.113.30',
    userAgent: 'b'.repeat(300),
  });
  expect(opened.expiresAt.getTime() - (items[1]?.createdAt.getTime() ?? 0)).toBe(30 * 86_400_000);
  expect((await listSessions(sql, act, { after: next })).items).toMatchObject([{ userAgent: null }]);
});

test('a session notes its last use and address once a minute', async () => {
  const { act, secret } = await signedIn(sql);
  const { sessionId } = act.actor;
  const seen = async () =>
    (
      await sql.query<{ at: Date; address: string }>('select last_seen_at as at, address from sessions where id = $1', [
        sessionId,
      ])
    )[0];
  await sql.query(
    `update sessions set last_seen_at = date_trunc('milliseconds', now()) - interval '1 hour' where id = $1`,
    [sessionId],
  );
  const before = await seen();
  vi.useFakeTimers({ toFake: ['Date'], now: (before?.at.getTime() ?? 0) + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  await findSession(sql, secret, '203.0.113.31');
  expect(await seen()).toEqual(before);
  vi.setSystemTime((before?.at.getTime() ?? 0) + 60_001);
  expect(await findSession(sql, secret, '203.0.113.31')).toMatchObject({ sessionId });
  expect(await seen()).toEqual({ at: expect.any(Date), address: '203.0.113.31' });
  expect((await seen())?.at).not.toEqual(before?.at);
});

test('a user ends one of their sessions or all of them, this one too, which is recorded with how many they were', async () => {
  const { act, userId, email } = await signedIn(sql);
  const open = () => sql.transaction((tx) => openSession(tx, userId, visitor()));
  const one = await open();
  await open();
  expect(await endSession(sql, act, one.act.actor.sessionId)).toBeNull();
  expect(await endSession(sql, act, one.act.actor.sessionId)).toEqual(refuse('NOT_FOUND', 'There is no such session.'));
  expect(await endOwnSessions(sql, act, { keepsThis: false })).toBe(2);
  expect((await listSessions(sql, act)).items).toEqual([]);
  expect(await eventsOf(one.act.actor.sessionId, userId)).toEqual([
    { action: 'session.end', by: email, kind: 'session', name: email, before: null, after: null },
    { action: 'session.end_all', by: email, kind: 'user', name: email, before: null, after: { ended: 2 } },
  ]);
});

test('a session that a browser brings along ends when another one begins in it, and no other', async () => {
  const [brought, other] = [await signedIn(sql), await signedIn(sql)];
  await endPresented(sql, brought.secret);
  await endPresented(sql, 'no secret');
  expect(await findSession(sql, brought.secret, '')).toBeNull();
  expect(await findSession(sql, other.secret, '')).not.toBeNull();
});

test('a change of what proves who a user is gives their session a new secret, and needs one that has not ended', async () => {
  const { act, userId, secret } = await signedIn(sql);
  const rename = (name: string) =>
    renewedIn(sql, act, visitor(), async (tx) => {
      await tx.query('update users set name = $2 where id = $1', [userId, name]);
      return name === 'refused' ? refuse('CONFLICT', 'no') : name;
    });
  await sql.query(`update sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [userId]);
  expect(await rename('refused')).toEqual(refuse('CONFLICT', 'no'));
  expect(await showUser(sql, userId)).toMatchObject({ name: 'A user' });
  const renamed = granted(await rename('one'));
  expect(renamed.value).toBe('one');
  expect(await findSession(sql, secret, '')).toBeNull();
  const actor = await findSession(sql, renamed.session.secret, '');
  // The user has proved nothing again.
  expect(Date.now() - (actor?.authenticatedAtMs ?? 0)).toBeGreaterThan(3_000_000);
  await sql.query('delete from sessions where user_id = $1', [userId]);
  const ended = refuse('UNAUTHENTICATED', 'This session has ended: sign in again.');
  expect(await rename('two')).toEqual(ended);
  expect(await showUser(sql, userId)).toMatchObject({ name: 'one' });
  const { parts: quick } = quickParts();
  expect(await setOwnPassword(quick, visitor(), act, 'another good secret')).toEqual(ended);
  expect(await showUser(sql, userId)).toMatchObject({ hasPassword: false });
});

test('operators see users with their sessions and workspaces, page by page', async () => {
  const name = `Listed ${crypto.randomUUID()}`;
  const [second, first] = [await newWorkspace(sql), await newWorkspace(sql)];
  await sql.query(`update workspaces set name = case id when $1 then 'B ' else 'a ' end || name where id = any ($2)`, [
    second,
    [first, second],
  ]);
  const archived = await newWorkspace(sql);
  const people = [
    await signedIn(sql, {
      roles: { [second]: 'viewer', [first]: 'owner', [archived]: 'owner' },
      isEmailVerified: true,
    }),
    await signedIn(sql, { isOperator: true }),
    await signedIn(sql, { passwordHash }),
  ];
  await sql.query('update workspaces set archived_at = now() where id = $1', [archived]);
  await sql.query('update users set name = $2 where id = any ($1)', [people.map(({ userId }) => userId), name]);
  await sql.query(`update sessions set expires_at = now() where user_id = $1`, [people[1]?.userId ?? '']);
  const page = await listUsers(sql, BY_OPERATOR, name.toUpperCase(), { limit: 2 });
  const rest = await listUsers(sql, BY_OPERATOR, name, { after: page.next });
  expect(rest.next).toBeNull();
  const [one, two, three] = [...page.items, ...rest.items];
  expect([page.items.length, rest.items.length]).toEqual([2, 1]);
  expect(one).toEqual({
    id: people[0]?.userId,
    email: people[0]?.email,
    isEmailVerified: true,
    name,
    hasPassword: false,
    hasAuthenticator: false,
    hasPasskey: false,
    isOperator: false,
    disabledAt: null,
    erasedAt: null,
    createdAt: expect.any(Date),
    version: 1,
    lastSeenAt: expect.any(Date),
    sessions: 1n,
    workspaces: [
      { id: first, name: expect.stringMatching(/^a /), role: 'owner' },
      { id: second, name: expect.stringMatching(/^B /), role: 'viewer' },
    ],
  });
  expect(two).toMatchObject({ isOperator: true, sessions: 0n, lastSeenAt: null, workspaces: [] });
  expect(three).toMatchObject({ hasPassword: true, sessions: 1n });
});

test('what operators do to an account is recorded with what it was before', async () => {
  const { userId, email, secret, act } = await signedIn(sql, { isOperator: true });
  const noUser = refuse('NOT_FOUND', 'There is no such user.');
  expect(await changeUser(sql, BY_OPERATOR, NOBODY, { isDisabled: true })).toEqual(noUser);
  expect(await signUserOut(sql, BY_OPERATOR, NOBODY)).toEqual(noUser);
  expect(await renameUser(sql, act, NOBODY, 'x')).toEqual(noUser);
  expect(await signUserOut(sql, BY_OPERATOR, userId)).toBe(1);
  expect(await findSession(sql, secret, '')).toBeNull();
  const changed = granted(await changeUser(sql, BY_OPERATOR, userId, { isOperator: false }));
  expect(changed).toMatchObject({ isOperator: false, disabledAt: null, version: 2 });
  const disabled = granted(await changeUser(sql, BY_OPERATOR, userId, { isDisabled: true }));
  expect(disabled).toMatchObject({ isOperator: false, disabledAt: expect.any(Date) });
  const again = granted(await changeUser(sql, BY_OPERATOR, userId, { isDisabled: true }));
  expect(again.disabledAt).toEqual(disabled.disabledAt);
  const renamed = granted(await renameUser(sql, act, userId, 'Renamed'));
  expect(renamed).toEqual(await showUser(sql, userId));
  expect(renamed).toMatchObject({ name: 'Renamed', version: 5 });
  const byOperator = { action: 'user.update', by: 'operator', kind: 'user', name: email };
  expect(await eventsOf(userId)).toEqual([
    { ...byOperator, action: 'session.end_all', before: null, after: { ended: 1 } },
    { ...byOperator, before: { operator: true }, after: { operator: false } },
    { ...byOperator, before: { disabled: false }, after: { disabled: true } },
    { ...byOperator, before: {}, after: {} },
    { ...byOperator, by: email, before: { name: 'A user' }, after: { name: 'Renamed' } },
  ]);
});

// Mails, links and new accounts -----------------------------------------------------------------------------------------

test('a mail with a link for a new password says whose it is, and is sent to nobody who is disabled', async () => {
  const { parts: mailing, mails, asked } = quickParts({ hasMail: true });
  const { email, userId } = await signedIn(sql);
  await mailReset(parts, email);
  expect(await sql.query('select from one_time_links where user_id = $1', [userId])).toEqual([]);
  await mailReset(mailing, email);
  const token = secretIn(mails[0]?.text ?? '');
  expect(mails).toEqual([
    {
      to: email,
      subject: 'Set a new password',
      text: `Somebody asked for a new password for your account, ${email}. To set one, open this link within two hours:\n\nhttps://gateway.example/reset-password#${token}\n\nIf it was not you, ignore this mail: your password stays as it is.`,
    },
  ]);
  const [link] = await sql.query<{ life: number }>(
    'select extract(epoch from expires_at - created_at)::float8 as life from one_time_links where user_id = $1',
    [userId],
  );
  expect(link).toEqual({ life: 7_200 });
  const session = granted(await resetPassword(mailing, visitor(), { token, password: PASSWORD }));
  expect(asked).toEqual([{ by: { isKnown: true, key: userId }, isAgainstHash: false }]);
  expect((await eventsOf(userId)).at(-1)).toEqual({
    action: 'password.reset',
    by: email,
    kind: 'user',
    name: email,
    before: null,
    after: null,
  });
  expect(await eventsOf(session?.act.actor.sessionId ?? '')).toMatchObject([{ after: { by: 'link' } }]);
  await mailReset(mailing, email);
  await sql.query('update users set disabled_at = now() where id = $1', [userId]);
  const ofDisabled = secretIn(mails[1]?.text ?? '');
  expect(await resetPassword(mailing, visitor(), { token: ofDisabled, password: PASSWORD })).toEqual(DEAD_LINK);
  await mailReset(mailing, email);
  expect(mails).toHaveLength(2);
});

test('a link for a new password that an operator passes on proves no address', async () => {
  const { parts: quick } = quickParts();
  const { userId, email } = await signedIn(sql);
  const token = secretIn(granted(await makeResetLink(quick, BY_OPERATOR, userId)));
  granted(await resetPassword(quick, visitor(), { token, password: PASSWORD }));
  expect(await showUser(sql, userId)).toMatchObject({ isEmailVerified: false, hasPassword: true, version: 2 });
  const event = { kind: 'user', name: email, before: null, after: null };
  expect(await eventsOf(userId)).toEqual([
    { ...event, action: 'password.reset_link', by: 'operator' },
    { ...event, action: 'password.reset', by: email },
  ]);
});

test('a new password is hashed for its user, recorded, and counts as a proof of who they are', async () => {
  const { parts: quick, asked } = quickParts();
  const { act, userId, email } = await signedIn(sql);
  await sql.query(`update sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [userId]);
  const { act: renewed } = granted(await setOwnPassword(quick, visitor(), act, 'another good secret'));
  expect(Date.now() - renewed.actor.authenticatedAtMs).toBeLessThan(60_000);
  expect(asked).toEqual([{ by: { isKnown: true, key: userId }, isAgainstHash: false }]);
  expect(await eventsOf(userId)).toEqual([
    { action: 'password.set', by: email, kind: 'user', name: email, before: null, after: null },
  ]);
});

test('the mails of a sign-up say what to do, to those with an account and to those without', async () => {
  const { parts: open, mails } = quickParts({ hasMail: true, allowsSignUp: true });
  const { email } = await signedIn(sql);
  const fresh = someEmail();
  await mailSignUp(open, email);
  await mailSignUp(open, ` ${fresh.toUpperCase()}`);
  await mailSignUp(open, 'no address');
  await mailSignUp(parts, someEmail());
  const token = secretIn(mails[1]?.text ?? '');
  expect(mails).toEqual([
    {
      to: email,
      subject: 'You have an account',
      text: `Somebody asked for an account for ${email}, which has one: sign in at https://gateway.example/sign-in, where you can set a new password, too.`,
    },
    {
      to: fresh,
      subject: 'Create your account',
      text: `To create your account, open this link within a day:\n\nhttps://gateway.example/sign-up#${token}\n\nIf you did not ask for it, ignore this mail.`,
    },
  ]);
  const links = await sql.query(
    `select email, extract(epoch from expires_at - created_at)::float8 as life from one_time_links where email = $1`,
    [fresh],
  );
  expect(links).toEqual([{ email: fresh, life: 86_400 }]);
});

test('a sign-up is refused with the reason: closed, no address, a weak password, a used link or one of another kind', async () => {
  const { parts: open, mails, asked } = quickParts({ hasMail: true, allowsSignUp: true });
  const closed = refuse('FORBIDDEN', 'This instance takes no sign-ups: ask for an invitation.');
  expect(refusalOfSignUp(parts, visitor(), someEmail())).toEqual(closed);
  expect(refusalOfSignUp(open, visitor(), 'no address')).toEqual(
    refuse('INVALID_REQUEST', '"email" must be an email address.', { param: 'email' }),
  );
  const mailless = quickParts({ allowsSignUp: true }).parts;
  expect(refusalOfSignUp(mailless, visitor(), someEmail())).toEqual(
    refuse('INVALID_REQUEST', 'This instance sends no mail: ask an owner of your workspace for a link.'),
  );
  const email = someEmail();
  await mailSignUp(open, email);
  await mailSignUp(open, email);
  const [token = '', second = ''] = mails.map(({ text }) => secretIn(text));
  const given = { token, name: 'New', password: PASSWORD, workspace: null };
  expect(await signUp({ ...open, allowsSignUp: false }, visitor(), given)).toEqual(closed);
  expect(refusalIn(await signUp(open, visitor(), { ...given, password: 'short' })).param).toBe('password');
  expect(await resetPassword(open, visitor(), { token, password: PASSWORD })).toEqual(DEAD_LINK);
  const { userId } = granted(await signUp(open, visitor(), given)).act.actor;
  expect(await signUp(open, visitor(), given)).toEqual(DEAD_LINK);
  // The address has an account by now.
  expect(await signUp(open, visitor(), { ...given, token: second })).toEqual(DEAD_LINK);
  expect(asked.every(({ by: client }) => client.isKnown && client.key !== '')).toBe(true);
  expect(await eventsOf(userId)).toEqual([
    { action: 'user.sign_up', by: email, kind: 'user', name: email, before: null, after: null },
  ]);
});

test('mails are limited by network as well, and by any text that is no address', () => {
  const { parts: open } = quickParts({ hasMail: true, allowsSignUp: true });
  const refused = Array.from({ length: 31 }, () => refusalOfMail(open, visitor(), someEmail()));
  expect(refused.map((each) => each?.code ?? null)).toEqual([
    ...Array.from({ length: 30 }, () => null),
    'RATE_LIMITED',
  ]);
  const long = (index: number): string => `${'x'.repeat(254)}${index}`;
  const texts = Array.from({ length: 4 }, (_, index) => refusalOfMail(open, visitor(`net ${index}`), long(index)));
  expect(texts.map((each) => each?.code ?? null)).toEqual([null, null, null, 'RATE_LIMITED']);
});

test('an instance is set up by a link that works until somebody has an account by it', async () => {
  const fresh = await startTestDatabase();
  onTestFinished(() => fresh.stop());
  const own: IdentityParts = { ...quickParts().parts, sql: fresh.control };
  const token = (await makeSetUpLink(fresh.control, BY_INSTANCE)) ?? '';
  const email = someEmail();
  const given = { token, email, name: 'Owner', password: PASSWORD };
  const closed = await newWorkspace(fresh.control);
  await fresh.control.query('update workspaces set archived_at = now() where id = $1', [closed]);
  const disabled = await signedIn(fresh.control, { isOperator: true });
  await fresh.control.query('update users set disabled_at = now() where id = $1', [disabled.userId]);
  expect(await isSetUpNeeded(fresh.control)).toBe(true);
  expect(await setUp(own, visitor(), { ...given, email: 'no address' })).toEqual(
    refuse('INVALID_REQUEST', '"email" must be an email address.', { param: 'email' }),
  );
  expect(refusalIn(await setUp(own, visitor(), { ...given, password: 'short' })).param).toBe('password');
  // The link is there for another try.
  expect(await setUp(own, visitor(), { ...given, email: disabled.email })).toEqual(
    refuse('CONFLICT', 'There is an account with this email address already.'),
  );
  const { act } = granted(await setUp(own, visitor(), given));
  const { userId, roles } = act.actor;
  expect([...roles]).toEqual([]);
  expect(await showUser(fresh.control, userId)).toMatchObject({
    email,
    name: 'Owner',
    isEmailVerified: false,
    isOperator: true,
  });
  const events = await fresh.control.query(
    'select action, target_kind as kind, target_name as name, after from audit_events where user_id = $1 order by id',
    [userId],
  );
  expect(events).toEqual([
    { action: 'session.begin', kind: 'session', name: email, after: { by: 'link' } },
    { action: 'instance.set_up', kind: 'user', name: email, after: { operator: true } },
  ]);
});
