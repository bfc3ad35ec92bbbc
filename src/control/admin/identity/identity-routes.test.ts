import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentify } from '../identify.ts';
import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { adminIdentity } from '../../../../test/support/admin-identity.ts';
import { Browser, toApp } from '../../../../test/support/browser.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import {
  addMember,
  newWorkspace,
  PASSWORD,
  type Person,
  type PersonOptions,
  secretIn,
  seedOf,
  signedIn,
  someEmail,
} from '../../../../test/support/identity.ts';
import { CLIENT, type OpenIdIssuer, startOpenIdIssuer } from '../../../../test/support/openid-issuer.ts';
import type { Mail } from '../../identity/identity-parts.ts';
import { codeOf, stepAt } from '../../identity/one-time-passwords.ts';
import { OpenIdProvider } from '../../identity/openid-provider.ts';
import { hashPassword } from '../../identity/password-hash.ts';
import { BY_INSTANCE } from '../../identity/makers.ts';
import { makeSetUpLink } from '../../identity/set-up.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { createAdminApp } from '../admin-app.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import type { AdminApp } from '../route-access.ts';

const PUBLIC = 'https://gateway.example';
const LOCAL = 'http://127.0.0.1:8080';
const OWN_TOKEN = 'own-operator-token';

let db: TestDatabase;
let sql: ControlSql;
let app: AdminApp;
let issuer: OpenIdIssuer;
let passwordHash: string;
const mails: Mail[] = [];
const works: Promise<void>[] = [];

/** An app with parts of its own; by default the one of all tests. */
function appWith(own: Partial<IdentityDependencies> = {}, publicUrl: string | null = PUBLIC): AdminApp {
  const identity = adminIdentity(sql, { configuredUrl: publicUrl, publicUrl: () => publicUrl ?? LOCAL, ...own });
  const isOwnToken = (token: string): Promise<boolean> => Promise.resolve(token === OWN_TOKEN);
  return createAdminApp({
    ...adminDependencies(sql),
    identify: createIdentify({ sql, isOwnToken, publicUrl }),
    identity,
    hostNames: ['gateway.example'],
    trustedProxies: [],
  });
}

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  passwordHash = hashPassword(PASSWORD, { memory: 1_024, passes: 1, parallelism: 1 });
  issuer = await startOpenIdIssuer(`${PUBLIC}/admin/v1/openid/callback`);
  app = appWith({
    sendMail: (_tx, mail) => Promise.resolve(void mails.push(mail)),
    allowsSignUp: true,
    openId: new OpenIdProvider({ issuer: issuer.issuer, ...CLIENT, name: 'Test' }, () => undefined),
    later: (work) => void works.push(work()),
  });
});
afterAll(async () => {
  await issuer.stop();
  await db.stop();
});

const browserAt = (origin = PUBLIC, at = app): Browser => new Browser(toApp(at), origin);

/** A signed-in user and their browser. */
async function signedInBrowser(options: PersonOptions = {}): Promise<Person & { readonly browser: Browser }> {
  const person = await signedIn(sql, { passwordHash, ...options });
  const browser = browserAt();
  browser.cookies.set('__Host-fg', person.secret);
  return { ...person, browser };
}

const stale = (person: Person) =>
  sql.query(`update sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [person.userId]);

const cookieLine = (headers: Headers): string => headers.getSetCookie().find((line) => line.includes('fg=')) ?? '';

// Sign-in over HTTP ---------------------------------------------------------------------------------------------------

test('a browser signs in, is known by its cookie, and signs out', async () => {
  const { email } = await signedIn(sql, { passwordHash });
  const browser = browserAt();
  expect(await browser.get('/me')).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
  const answer = await browser.post('/session', { email, password: PASSWORD });
  expect(answer).toMatchObject({ status: 200, body: { signed_in: true } });
  expect((await browser.get('/me')).body).toMatchObject({ user: { email }, workspaces: [] });
  expect((await browser.delete('/session')).status).toBe(200);
  expect(browser.cookies.size).toBe(0);
  expect((await browser.get('/me')).status).toBe(401);
});

test('who is signed in is shown to everybody: without a session, after its end and by a token it is nobody', async () => {
  const person = await signedIn(sql, { passwordHash });
  const browser = browserAt();
  const nobody = { status: 200, body: { me: null } };
  expect(await browser.get('/session')).toMatchObject(nobody);
  expect(await browser.get('/session', { authorization: `Bearer ${OWN_TOKEN}` })).toMatchObject(nobody);
  browser.cookies.set('__Host-fg', person.secret);
  const shown = (await browser.get('/session')).body;
  expect(shown).toMatchObject({ me: { user: { email: person.email } } });
  expect(shown).toEqual({ me: (await browser.get('/me')).body });
  await sql.query('update sessions set expires_at = created_at where user_id = $1', [person.userId]);
  expect(await browser.get('/session')).toMatchObject(nobody);
});

test.each([
  [PUBLIC, PUBLIC, '__Host-fg', true],
  [PUBLIC, 'http://10.0.0.7:8080', 'fg', false],
  [null, LOCAL, '__Host-fg', true],
  [null, 'http://localhost:8080', '__Host-fg', true],
  [null, 'http://10.0.0.7:8080', 'fg', false],
  ['http://10.0.0.7:8080', 'http://10.0.0.7:8080', 'fg', false],
])('with the public address %s a browser at %s keeps the cookie %s', async (publicUrl, origin, name, isSecure) => {
  const { email } = await signedIn(sql, { passwordHash });
  const browser = browserAt(origin, appWith({}, publicUrl));
  const line = cookieLine((await browser.post('/session', { email, password: PASSWORD })).headers);
  expect(line.startsWith(`${name}=`)).toBe(true);
  expect(line).toMatch(/; Path=\/(;|$)/);
  expect(line).toContain('; HttpOnly');
  expect(line).toContain('; SameSite=Lax');
  expect(line.includes('; Secure')).toBe(isSecure);
  expect(line).not.toContain('Domain');
  expect((await browser.get('/me')).status).toBe(200);
});

test('a plain cookie does not count where browsers keep one for TLS', async () => {
  const { secret } = await signedIn(sql);
  const browser = browserAt();
  browser.cookies.set('fg', secret);
  expect((await browser.get('/me')).status).toBe(401);
});

test('a session that somebody planted in the browser is not the one that signs in, and ends with it', async () => {
  const attacker = await signedIn(sql);
  const { email } = await signedIn(sql, { passwordHash });
  const browser = browserAt();
  browser.cookies.set('__Host-fg', attacker.secret);
  await browser.post('/session', { email, password: PASSWORD });
  expect(browser.cookies.get('__Host-fg')).not.toBe(attacker.secret);
  expect((await browser.get('/me')).body).toMatchObject({ user: { email } });
  const planted = browserAt();
  planted.cookies.set('__Host-fg', attacker.secret);
  expect((await planted.get('/me')).status).toBe(401);
});

test('a session that confirms who its user is has another cookie', async () => {
  const { browser, secret } = await signedInBrowser();
  expect((await browser.post('/session/confirm', { password: 'a wrong password' })).status).toBe(401);
  expect((await browser.post('/session/confirm', { password: PASSWORD })).status).toBe(200);
  expect(browser.cookies.get('__Host-fg')).not.toBe(secret);
  expect((await browser.get('/me')).status).toBe(200);
});

test('what an old session must not do by itself it does after its user was confirmed', async () => {
  const person = await signedInBrowser();
  await stale(person);
  const { browser } = person;
  const change = { password: 'another good secret' };
  expect(await browser.post('/me/password', change)).toMatchObject({ status: 401, param: 'recent_sign_in' });
  await browser.post('/session/confirm', { password: PASSWORD });
  expect((await browser.post('/me/password', change)).status).toBe(200);
});

test('answers to a sign-in are the same for an unknown address and a wrong password', async () => {
  const { email } = await signedIn(sql, { passwordHash });
  const wrong = await browserAt().post('/session', { email, password: 'a wrong password' });
  const unknown = await browserAt().post('/session', { email: someEmail(), password: 'a wrong password' });
  expect(wrong.status).toBe(401);
  expect({ ...wrong, headers: null }).toEqual({ ...unknown, headers: null });
  expect([...wrong.headers.keys()]).toEqual([...unknown.headers.keys()]);
});

test('a reset and a sign-up are answered before it is known whether the address has an account', async () => {
  const { email } = await signedIn(sql);
  for (const path of ['/password-resets', '/sign-ups']) {
    const known = await browserAt().post(path, { email });
    const unknown = await browserAt().post(path, { email: someEmail() });
    expect(known.status).toBe(200);
    expect(known.body).toEqual(unknown.body);
  }
  await Promise.all(works);
  const sent = mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  expect(sent.toSorted()).toEqual(['Set a new password', 'You have an account']);
});

test('a user who forgot the password sets another by the mailed link, once', async () => {
  const { email } = await signedIn(sql, { passwordHash });
  await browserAt().post('/password-resets', { email });
  await Promise.all(works);
  const token = secretIn(mails.findLast(({ to }) => to === email)?.text ?? '');
  const browser = browserAt();
  const given = { token, password: 'another good secret' };
  expect((await browser.post('/password-resets/complete', given)).body).toEqual({ signed_in: true });
  expect((await browser.get('/me')).status).toBe(200);
  expect(await browserAt().post('/password-resets/complete', given)).toMatchObject({ status: 400, param: 'token' });
});

test('somebody signs up by a mailed link and owns a workspace of their own', async () => {
  const email = someEmail();
  const browser = browserAt();
  await browser.post('/sign-ups', { email });
  await Promise.all(works);
  const token = secretIn(mails.findLast(({ to }) => to === email)?.text ?? '');
  const given = { token, name: 'New', password: PASSWORD, workspace: `Of ${email}` };
  expect((await browser.post('/sign-ups/complete', given)).status).toBe(200);
  expect((await browser.get('/me')).body).toMatchObject({ workspaces: [{ name: `Of ${email}`, role: 'owner' }] });
});

// Other sites ---------------------------------------------------------------------------------------------------------

test.each([
  ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another origin of the same site', { origin: 'https://evil.gateway.example', 'sec-fetch-site': 'same-site' }],
  ['the same host without TLS', { origin: 'http://gateway.example', 'sec-fetch-site': 'same-site' }],
  ['no known origin', { origin: 'null' }],
  ['nowhere', {}],
])('a session changes nothing by a request from %s', async (_from, headers: Record<string, string>) => {
  const { browser } = await signedInBrowser();
  const answer = await browser.request('PATCH', '/me', { name: 'Changed' }, headers);
  expect([400, 403]).toContain(answer.status);
  expect((await browser.get('/me')).body).toMatchObject({ user: { name: 'A user' } });
});

test('a session changes nothing by a body that a form could send', async () => {
  const { browser } = await signedInBrowser();
  const headers = { origin: PUBLIC, 'content-type': 'text/plain' };
  expect((await browser.request('PATCH', '/me', { name: 'Changed' }, headers)).code).toBe('UNSUPPORTED_MEDIA_TYPE');
});

test("a page under a name that is not the instance's does not even sign in", async () => {
  const { email } = await signedIn(sql, { passwordHash });
  const rebound = browserAt('http://evil.example:8080');
  expect(await rebound.post('/session', { email, password: PASSWORD })).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(rebound.cookies.size).toBe(0);
});

test('a session does not open the routes of the operator, unless its user is one', async () => {
  const person = await signedInBrowser();
  expect((await person.browser.get('/users')).code).toBe('FORBIDDEN');
  expect((await person.browser.get('/operator-tokens')).code).toBe('FORBIDDEN');
  const operator = await signedInBrowser({ isOperator: true });
  expect((await operator.browser.get('/users')).status).toBe(200);
  await stale(operator);
  expect(await operator.browser.post('/operator-tokens', { name: 'x' })).toMatchObject({ param: 'recent_sign_in' });
});

// Accounts ------------------------------------------------------------------------------------------------------------

test('an authenticator is added, asked for at the next sign-in, and removed', async () => {
  const { browser, email } = await signedInBrowser();
  const { body } = await browser.post('/me/authenticator');
  expect(String(body['uri'])).toContain('otpauth://totp/');
  const code = (steps: number): string => codeOf(seedOf(String(body['secret'])), stepAt(Date.now()) + steps);
  const before = browser.cookies.get('__Host-fg');
  const confirmed = await browser.post('/me/authenticator/confirm', { code: code(-1) });
  expect(confirmed.body['recovery_codes']).toHaveLength(10);
  expect(browser.cookies.get('__Host-fg')).not.toBe(before);
  const other = browserAt();
  expect(await other.post('/session', { email, password: PASSWORD })).toMatchObject({ status: 401, param: 'code' });
  expect((await other.post('/session', { email, password: PASSWORD, code: code(0) })).status).toBe(200);
  expect((await browser.post('/me/recovery-codes')).body['recovery_codes']).toHaveLength(10);
  expect((await browser.delete('/me/authenticator')).status).toBe(200);
  expect((await browser.get('/me')).body).toMatchObject({ user: { has_authenticator: false } });
});

test('a user lists their sessions, ends one, and ends all others', async () => {
  const { browser, email } = await signedInBrowser();
  const others = [browserAt(), browserAt(), browserAt()];
  for (const other of others) await other.post('/session', { email, password: PASSWORD });
  const { data } = (await browser.get('/me/sessions')).body as { data: { id: string; is_this: boolean }[] };
  expect(data.map(({ is_this: isThis }) => isThis)).toEqual([true, false, false, false]);
  expect((await browser.delete(`/me/sessions/${data[1]?.id}`)).status).toBe(200);
  expect((await others[0]?.get('/me'))?.status).toBe(401);
  expect((await browser.delete('/me/sessions')).body).toEqual({ ended: 2 });
  expect((await browser.get('/me')).status).toBe(200);
});

test('an access token made in a browser acts by itself, and not as its user', async () => {
  const workspaceId = await newWorkspace(sql);
  const { browser } = await signedInBrowser({ roles: { [workspaceId]: 'developer' } });
  const given = { workspace_id: workspaceId, name: 'ci', scopes: ['projects:read'], expires_at: '2026-12-31' };
  const made = await browser.post('/me/access-tokens', { ...given, expires_at: inDays(30) });
  expect(made.status).toBe(201);
  const token = String(made.body['token']);
  const program = browserAt();
  const as = { authorization: `Bearer ${token}` };
  expect((await program.get(`/workspaces/${workspaceId}/projects`, as)).status).toBe(200);
  expect((await program.get(`/workspaces/${workspaceId}/members`, as)).code).toBe('FORBIDDEN');
  expect((await program.get('/me', as)).code).toBe('FORBIDDEN');
  expect((await browser.post('/me/access-tokens', { ...given, expires_at: inDays(366) })).param).toBe('expires_at');
  expect((await browser.post('/me/access-tokens', { ...given, scopes: ['everything'] })).status).toBe(400);
  const { data } = (await browser.get('/me/access-tokens')).body as { data: { id: string }[] };
  expect(JSON.stringify(data)).not.toContain(token.slice(7, 40));
  expect((await browser.post(`/me/access-tokens/${data[0]?.id}/revoke`)).status).toBe(200);
  expect((await program.get(`/workspaces/${workspaceId}/projects`, as)).status).toBe(401);
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

// Members over HTTP ---------------------------------------------------------------------------------------------------

test('an owner invites somebody, who joins, is given another role, and is removed', async () => {
  const workspaceId = await newWorkspace(sql);
  const { browser } = await signedInBrowser({ roles: { [workspaceId]: 'owner' } });
  const at = `/workspaces/${workspaceId}`;
  const email = someEmail();
  expect((await browser.post(`${at}/invitations`, { email, role: 'viewer' })).body).toMatchObject({ link: null });
  const token = secretIn(mails.findLast(({ to }) => to === email)?.text ?? '');
  const joining = browserAt();
  expect((await joining.post('/invitations/show', { token })).body).toMatchObject({ email, has_account: false });
  const joined = await joining.post('/invitations/join', { token, name: 'New', password: PASSWORD });
  expect(joined.status).toBe(200);
  const again = await browserAt().post('/invitations/show', { token });
  expect(again.code).toBe('CONFLICT');
  expect(again.body).toMatchObject({ error: { message: expect.stringContaining(`sign in as ${email}`) } });
  const { data } = (await browser.get(`${at}/members`)).body as { data: { id: string; version: number }[] };
  const member = `${at}/members/${data[1]?.id}`;
  expect((await browser.patch(member, { role: 'admin' })).param).toBe('if-match');
  expect((await browser.patch(member, { role: 'admin' }, { 'if-match': '"1"' })).status).toBe(200);
  expect((await browser.patch(member, { role: 'viewer' }, { 'if-match': '"1"' })).code).toBe('PRECONDITION_FAILED');
  expect((await browser.delete(member)).status).toBe(200);
  expect((await joining.get(at)).code).toBe('NOT_FOUND');
  expect((await browser.delete(`/me/workspaces/${workspaceId}`)).code).toBe('CONFLICT');
});

test('a user with an account accepts an invitation in their session, and may leave', async () => {
  const workspaceId = await newWorkspace(sql);
  const owner = await signedInBrowser({ roles: { [workspaceId]: 'owner' } });
  const guest = await signedInBrowser();
  await owner.browser.post(`/workspaces/${workspaceId}/invitations`, { email: guest.email, role: 'viewer' });
  const token = secretIn(mails.findLast(({ to }) => to === guest.email)?.text ?? '');
  expect((await guest.browser.post('/me/invitations', { token })).status).toBe(200);
  expect((await guest.browser.get('/me')).body).toMatchObject({
    workspaces: [{ id: workspaceId, role: 'viewer', state: 'active' }],
  });
  expect((await guest.browser.delete(`/me/workspaces/${workspaceId}`)).status).toBe(200);
  expect((await guest.browser.get('/me')).body).toMatchObject({ workspaces: [] });
});

test('an invitation is listed until it is revoked, and its link is dead then', async () => {
  const workspaceId = await newWorkspace(sql);
  const { browser } = await signedInBrowser({ roles: { [workspaceId]: 'admin' } });
  const at = `/workspaces/${workspaceId}/invitations`;
  const email = someEmail();
  const { body } = await browser.post(at, { email, role: 'viewer' });
  expect((await browser.get(at)).body).toMatchObject({ data: [{ email, mailed: true }] });
  expect((await browser.delete(`${at}/${String(body['id'])}`)).status).toBe(200);
  expect((await browser.get(at)).body).toMatchObject({ data: [] });
  const token = secretIn(mails.findLast(({ to }) => to === email)?.text ?? '');
  expect((await browserAt().post('/invitations/show', { token })).param).toBe('token');
});

test('an owner makes a link for the password of a member, an admin none, and an operator for anybody', async () => {
  const workspaceId = await newWorkspace(sql);
  const { browser } = await signedInBrowser({ roles: { [workspaceId]: 'owner' } });
  const member = await signedIn(sql);
  await addMember(sql, workspaceId, member.userId, 'viewer');
  const made = await browser.post(`/workspaces/${workspaceId}/members/${member.userId}/reset-link`);
  expect(String(made.body['link'])).toContain(`${PUBLIC}/reset-password#`);
  const admin = await signedInBrowser({ roles: { [workspaceId]: 'admin' } });
  expect((await admin.browser.post(`/workspaces/${workspaceId}/members/${member.userId}/reset-link`)).status).toBe(403);
  const operator = await signedInBrowser({ isOperator: true });
  expect((await operator.browser.post(`/users/${member.userId}/reset-link`)).status).toBe(201);
});

// The operator --------------------------------------------------------------------------------------------------------

const BY_TOKEN = { authorization: `Bearer ${OWN_TOKEN}` };

test('an operator makes, lists and revokes tokens; a read-only one reads', async () => {
  const program = browserAt();
  const made = await program.post('/operator-tokens', { name: 'reader', read_only: true }, BY_TOKEN);
  expect(made.body).toMatchObject({ name: 'reader', read_only: true });
  const as = { authorization: `Bearer ${String(made.body['token'])}` };
  expect((await program.get('/users', as)).status).toBe(200);
  expect((await program.post('/operator-tokens', { name: 'other' }, as)).code).toBe('FORBIDDEN');
  expect((await program.post('/operator-tokens/rotate', {}, as)).code).toBe('FORBIDDEN');
  expect((await app.request(`${LOCAL}/metrics`, { headers: as })).status).toBe(200);
  expect((await program.get('/operator-tokens', BY_TOKEN)).body).toMatchObject({ data: [{ name: 'reader' }] });
  expect((await program.post('/operator-tokens/reader/revoke', {}, BY_TOKEN)).status).toBe(200);
  expect((await program.get('/users', as)).status).toBe(401);
});

test('a token for backups that is not read-only is refused, for it would be one for everything', async () => {
  for (const access of [{ backup: true }, { backup: true, read_only: false }]) {
    const made = await browserAt().post('/operator-tokens', { name: 'nightly', ...access }, BY_TOKEN);
    expect(made).toMatchObject({ status: 400, code: 'INVALID_REQUEST', param: 'backup' });
  }
});

test('an operator finds users and disables one, whose session ends', async () => {
  const { email, userId, browser } = await signedInBrowser();
  const program = browserAt();
  const found = await program.get(`/users?search=${encodeURIComponent(email)}`, BY_TOKEN);
  expect(found.body).toMatchObject({ data: [{ id: userId, email }] });
  expect((await program.patch(`/users/${userId}`, { disabled: true }, BY_TOKEN)).status).toBe(200);
  expect((await browser.get('/me')).status).toBe(401);
});

test('the set-up link makes the first owner over HTTP, and none can be made after it', async () => {
  const fresh = await startTestDatabase();
  const identity = adminIdentity(fresh.control, { configuredUrl: PUBLIC, publicUrl: () => PUBLIC });
  const isOwnToken = (token: string): Promise<boolean> => Promise.resolve(token === OWN_TOKEN);
  const own = createAdminApp({
    ...adminDependencies(fresh.control),
    identify: createIdentify({ sql: fresh.control, isOwnToken, publicUrl: PUBLIC }),
    identity,
    hostNames: ['gateway.example'],
  });
  const browser = browserAt(PUBLIC, own);
  expect((await browser.get('/sign-in-options')).body).toMatchObject({ set_up_needed: true, openid: null });
  const token = (await makeSetUpLink(fresh.control, BY_INSTANCE)) ?? '';
  const given = { token, email: 'Owner@Example.com', name: 'Owner', password: PASSWORD };
  expect((await browser.post('/set-up', { ...given, password: 'short' })).param).toBe('password');
  expect((await browser.post('/set-up', given)).status).toBe(200);
  expect((await browser.get('/me')).body).toMatchObject({ user: { email: 'owner@example.com', is_operator: true } });
  expect((await browser.get('/sign-in-options')).body).toMatchObject({ set_up_needed: false });
  expect((await browserAt(PUBLIC, own).post('/set-up', given)).param).toBe('token');
  expect((await browser.post('/set-up-links')).code).toBe('CONFLICT');
  await fresh.stop();
});

// OpenID over HTTP ----------------------------------------------------------------------------------------------------

const RETURNING = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

/** Leads a browser to the provider and back; resolves with where the console sends it. */
async function byOpenId(browser: Browser, login: string, purpose = 'sign_in'): Promise<string> {
  const begun = await browser.get(`/openid/begin?purpose=${purpose}`, { 'sec-fetch-mode': 'navigate' });
  expect(begun.status).toBe(303);
  const callback = await issuer.signIn(begun.headers.get('location') ?? '', login);
  const ended = await browser.get(`/openid/callback${callback.search}`, RETURNING);
  return ended.headers.get('location') ?? '';
}

test('a browser signs in at the OpenID provider, confirms there, and adds another account', async () => {
  const browser = browserAt();
  const login = `login-${crypto.randomUUID()}`;
  expect(await byOpenId(browser, login)).toBe(`${PUBLIC}/`);
  expect([...browser.cookies.keys()]).toEqual(['__Host-fg']);
  expect((await browser.get('/me')).body).toMatchObject({ user: { email: `${login}@example.com` } });
  const before = browser.cookies.get('__Host-fg');
  expect(await byOpenId(browser, login, 'confirm')).toBe(`${PUBLIC}/`);
  expect(browser.cookies.get('__Host-fg')).not.toBe(before);
  expect(await byOpenId(browser, `${login}-2`, 'confirm')).toBe(`${PUBLIC}/?sign_in_error=another_account`);
  expect(await byOpenId(browser, `${login}-2`, 'link')).toBe(`${PUBLIC}/`);
  const other = browserAt();
  await byOpenId(other, `${login}-2`);
  expect((await other.get('/me')).body).toMatchObject({ user: { email: `${login}@example.com` } });
});

test('the answer of an OpenID provider to another browser signs nobody in', async () => {
  const attacker = browserAt();
  const begun = await attacker.get('/openid/begin');
  const callback = await issuer.signIn(begun.headers.get('location') ?? '', `login-${crypto.randomUUID()}`);
  const victim = browserAt();
  const without = await victim.get(`/openid/callback${callback.search}`, RETURNING);
  expect(without.headers.get('location')).toBe(`${PUBLIC}/?sign_in_error=lost`);
  await victim.get('/openid/begin');
  const withOther = await victim.get(`/openid/callback${callback.search}`, RETURNING);
  expect(withOther.headers.get('location')).toBe(`${PUBLIC}/?sign_in_error=failed`);
  expect([...victim.cookies.keys()]).toEqual([]);
});

test('a page of another site leads a browser to no route but the return from the OpenID provider', async () => {
  const { browser } = await signedInBrowser();
  expect((await browser.get('/me', RETURNING)).code).toBe('INVALID_REQUEST');
  expect((await browser.get('/openid/begin', RETURNING)).code).toBe('INVALID_REQUEST');
  expect((await browser.get('/openid/begin?purpose=link', { 'sec-fetch-site': 'none' })).status).toBe(303);
  expect((await browserAt().get('/openid/begin?purpose=link')).status).toBe(401);
});
