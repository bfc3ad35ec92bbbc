import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import {
  identityParts,
  newWorkspace,
  PASSWORD,
  secretIn,
  seedOf,
  signedIn,
  someEmail,
  visitor,
} from '../../test/support/identity.ts';
import { isRefusal, type Refusal } from '../domain/refusals.ts';
import { type Sql } from '../lib/sql.ts';
import { createAccessToken, findAccessToken } from './access-tokens.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from './authenticators.ts';
import { type IdentityParts } from './identity-parts.ts';
import { codeOf, stepAt } from './one-time-passwords.ts';
import { hashPassword } from './password-hash.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { linkOpenId } from './openid-sign-in.ts';
import { mailReset, makeResetLink, resetPassword, setOwnPassword } from './passwords.ts';
import { endOwnSessions, endSession, findSession, findStandingSessions, listSessions } from './sessions.ts';
import { BY_INSTANCE } from './makers.ts';
import { isSetUpNeeded, makeSetUpLink, setUp } from './set-up.ts';
import { confirmSession, signIn } from './sign-in.ts';
import { mailSignUp, refusalOfSignUp, signUp } from './sign-up.ts';
import { changeUser, listUsers, renameUser, showUser } from './users.ts';
import { authoriseOperator } from '../domain/workspace-scope.ts';

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
  expect(refusals[0]).toMatchObject({ code: 'UNAUTHENTICATED' });
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

test('wrong guesses from many networks lock the owner out neither from where they have signed in before, nor in a session', async () => {
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
  expect(await findAccessToken(sql, token.secret ?? '')).not.toBeNull();
  const session = await reset();
  expect(await findAccessToken(sql, token.secret ?? '')).toBeNull();
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
