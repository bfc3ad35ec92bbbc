import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../../../test/support/accounts.ts';
import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { adminIdentity, identifyOwn } from '../../../../test/support/admin-identity.ts';
import { Browser, toApp } from '../../../../test/support/browser.ts';
import { changeAccessOf, provenDomain } from '../../../../test/support/company.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { newWorkspace, type Person, type PersonOptions, signedIn } from '../../../../test/support/identity.ts';
import { SoftwarePasskey } from '../../../../test/support/software-passkey.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { type AccessChange } from '../../identity/workspace-access.ts';
import { createAdminApp } from '../admin-app.ts';
import type { AdminApp } from '../route-access.ts';

const PUBLIC = 'https://gateway.example';

let db: TestDatabase;
let sql: ControlSql;
let app: AdminApp;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  app = appAt(PUBLIC);
});
afterAll(() => db.stop());

function appAt(configuredUrl: string | null): AdminApp {
  return createAdminApp({
    ...adminDependencies(sql),
    identify: identifyOwn(sql, 'own', configuredUrl),
    identity: adminIdentity(sql, { configuredUrl, publicUrl: () => configuredUrl ?? 'http://localhost:8080' }),
    hostNames: ['gateway.example'],
  });
}

const newBrowser = (): Browser => new Browser(toApp(app), PUBLIC);

interface Holder extends Person {
  readonly browser: Browser;
  readonly passkey: SoftwarePasskey;
  readonly id: string;
}

/** Somebody who has added a passkey. */
async function holder(options: PersonOptions = {}, passkey = new SoftwarePasskey({ origin: PUBLIC })): Promise<Holder> {
  const person = await signedIn(sql, options);
  const browser = newBrowser();
  browser.cookies.set('__Host-fg', person.secret);
  const { body } = await browser.post('/me/passkeys/begin');
  const added = await browser.post('/me/passkeys', { name: 'Laptop', credential: passkey.make(body) });
  expect(added).toMatchObject({ status: 200, body: { name: 'Laptop', last_used_at: null } });
  return { ...person, browser, passkey, id: String(added.body['id']) };
}

async function signIn(passkey: SoftwarePasskey, wrong: Parameters<SoftwarePasskey['show']>[1] = {}) {
  const browser = newBrowser();
  const { body } = await browser.post('/passkeys/begin');
  const credential = passkey.show(body, wrong);
  return { browser, credential, answer: await browser.post('/passkeys/sign-in', { credential }) };
}

async function access(workspaceId: string, change: AccessChange): Promise<void> {
  granted(await changeAccessOf(sql, workspaceId, change));
}

test('a passkey signs its user in, is listed with its last use, and signs in no more once it is removed', async () => {
  const { browser, passkey, id, email } = await holder();
  expect((await browser.get('/me')).body).toMatchObject({ user: { has_passkey: true } });
  const signed = await signIn(passkey);
  expect(signed.answer).toMatchObject({ status: 200, body: { signed_in: true } });
  expect((await signed.browser.get('/me')).body).toMatchObject({ user: { email } });
  const [event] = await sql.query<{ after: object }>(
    `select after from audit_events where action = 'session.begin' and actor_name = $1 order by id desc limit 1`,
    [email],
  );
  expect(event?.after).toEqual({ by: 'passkey' });
  const used = { id, name: 'Laptop', last_used_at: expect.any(String) as string };
  expect((await browser.get('/me/passkeys')).body).toMatchObject({ data: [used] });
  const stranger = await holder();
  expect((await stranger.browser.delete(`/me/passkeys/${id}`)).status).toBe(404);
  expect((await browser.delete(`/me/passkeys/${id}`)).status).toBe(200);
  expect((await signIn(passkey)).answer).toMatchObject({ status: 401, param: 'credential' });
});

test('an answer counts once, in the browser that was asked, from the own origin, with its user verified', async () => {
  const { passkey } = await holder();
  for (const wrong of [{ origin: 'https://evil.example' }, { isVerified: false }]) {
    expect((await signIn(passkey, wrong)).answer).toMatchObject({ status: 401, param: 'credential' });
  }
  const asked = newBrowser();
  const { body: options } = await asked.post('/passkeys/begin');
  const kept = asked.cookies.get('__Host-fg-passkey') ?? '';
  const other = newBrowser();
  await other.post('/passkeys/begin');
  const credential = passkey.show(options);
  expect((await other.post('/passkeys/sign-in', { credential })).status).toBe(401);
  expect((await newBrowser().post('/passkeys/sign-in', { credential })).status).toBe(401);
  expect((await asked.post('/passkeys/sign-in', { credential })).status).toBe(200);
  const again = newBrowser();
  again.cookies.set('__Host-fg-passkey', kept);
  expect((await again.post('/passkeys/sign-in', { credential: passkey.show(options) })).status).toBe(401);
  const late = newBrowser();
  const { body } = await late.post('/passkeys/begin');
  await sql.query(`update passkey_challenges set expires_at = now() - interval '1 second'`);
  expect((await late.post('/passkeys/sign-in', { credential: passkey.show(body) })).status).toBe(401);
});

test('a passkey whose counter went back is refused as a copy; one that does not count signs in each time', async () => {
  const { passkey } = await holder();
  expect((await signIn(passkey, { counter: 7 })).answer.status).toBe(200);
  for (const counter of [7, 3, 0]) expect((await signIn(passkey, { counter })).answer.status).toBe(401);
  expect((await signIn(passkey, { counter: 8 })).answer.status).toBe(200);
  const { passkey: uncounted } = await holder({}, new SoftwarePasskey({ origin: PUBLIC, counts: false }));
  for (let use = 0; use < 2; use++) expect((await signIn(uncounted)).answer.status).toBe(200);
});

test('of two sign-ins by copies of one passkey at the same time, one is let in', async () => {
  const { passkey } = await holder();
  const browsers = [newBrowser(), newBrowser()];
  const answers = await Promise.all(
    browsers.map(async (browser) => {
      const { body } = await browser.post('/passkeys/begin');
      return await browser.post('/passkeys/sign-in', { credential: passkey.show(body, { counter: 5 }) });
    }),
  );
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401]);
});

test('a passkey is made for the session that asked, once, verified, and without certificates that name addresses', async () => {
  const { browser, passkey } = await holder();
  const other = await holder();
  const begin = async () => (await browser.post('/me/passkeys/begin')).body;
  const add = (credential: object) => browser.post('/me/passkeys', { name: 'Another', credential });
  const fresh = () => new SoftwarePasskey({ origin: PUBLIC });
  expect((await begin())['excludeCredentials']).toMatchObject([{ id: passkey.id.toString('base64url') }]);
  expect((await add(passkey.make(await begin()))).status).toBe(409);
  expect((await add(fresh().make(await begin(), { isVerified: false }))).status).toBe(400);
  expect((await add(fresh().make(await begin(), { origin: 'https://evil.example' }))).status).toBe(400);
  // {"x5c": []}
  const statement = Buffer.from([0xa1, 0x63, 0x78, 0x35, 0x63, 0x80]);
  for (const format of ['packed', 'fido-u2f', 'apple', 'tpm']) {
    expect((await add(fresh().make(await begin(), { format, statement }))).status).toBe(400);
  }
  const options = await begin();
  const stolen = browser.cookies.get('__Host-fg-passkey') ?? '';
  other.browser.cookies.set('__Host-fg-passkey', stolen);
  const credential = fresh().make(options);
  expect((await other.browser.post('/me/passkeys', { name: 'Mine', credential })).status).toBe(401);
  expect((await add(credential)).status).toBe(200);
  expect((await add(fresh().make(options))).status).toBe(401);
  expect((await begin())['excludeCredentials']).toHaveLength(2);
});

test('a disabled user is not signed in by a passkey', async () => {
  const { passkey, userId } = await holder();
  await sql.query('update users set disabled_at = now() where id = $1', [userId]);
  expect((await signIn(passkey)).answer.status).toBe(401);
});

test('a passkey is the second factor that a workspace demands, in a sign-in and in a session', async () => {
  const workspaceId = await newWorkspace(sql);
  await access(workspaceId, { secondFactor: true });
  const { browser, passkey, secret, id } = await holder({ roles: { [workspaceId]: 'developer' } });
  const keys = `/workspaces/${workspaceId}/keys`;
  expect((await browser.get(keys)).status).toBe(200);
  expect((await (await signIn(passkey)).browser.get(keys)).status).toBe(200);
  await sql.query(
    'update sessions set second_factor_at = null where user_id = (select user_id from passkeys where id = $1)',
    [id],
  );
  expect(secret).not.toBe(browser.cookies.get('__Host-fg'));
  expect((await browser.get(keys)).param).toBe('second_factor');
  const { body } = await browser.post('/session/passkey/begin');
  expect(body['allowCredentials']).toMatchObject([{ id: passkey.id.toString('base64url'), transports: ['internal'] }]);
  const stranger = await holder();
  const { body: theirs } = await stranger.browser.post('/session/passkey/begin');
  const wrong = { credential: { ...passkey.show(theirs), user_handle: null } };
  expect((await stranger.browser.post('/session/passkey', wrong)).status).toBe(401);
  expect((await browser.post('/session/passkey', { credential: passkey.show(body) })).status).toBe(200);
  expect((await browser.get(keys)).status).toBe(200);
  expect((await browser.delete(`/me/passkeys/${id}`)).status).toBe(200);
  expect((await browser.get(keys)).param).toBe('second_factor');
});

test('a workspace whose people sign in at its provider alone is not entered by a passkey', async () => {
  const workspaceId = await newWorkspace(sql);
  const domain = await provenDomain(sql, workspaceId);
  const { browser, passkey } = await holder({ email: `ada@${domain}`, roles: { [workspaceId]: 'owner' } });
  await access(workspaceId, { issuer: 'https://login.acme.example', clientId: 'c', onlyOpenid: true });
  expect((await signIn(passkey)).answer).toMatchObject({ status: 403, param: 'company_alone' });
  const { body } = await browser.post('/session/passkey/begin');
  expect((await browser.post('/session/passkey', { credential: passkey.show(body) })).status).toBe(200);
  expect((await browser.get(`/workspaces/${workspaceId}/keys`)).param).toBe('company_sign_in');
});

test('a passkey needs a sign-in of the last 15 minutes to be added or removed, and gives one', async () => {
  const { browser, passkey, id } = await holder();
  const userOf = '(select user_id from passkeys where id = $1)';
  await sql.query(`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${userOf}`, [id]);
  expect((await browser.post('/me/passkeys/begin')).param).toBe('recent_sign_in');
  expect((await browser.delete(`/me/passkeys/${id}`)).param).toBe('recent_sign_in');
  const { body } = await browser.post('/session/passkey/begin');
  expect((await browser.post('/session/passkey', { credential: passkey.show(body) })).status).toBe(200);
  expect((await browser.post('/me/passkeys/begin')).status).toBe(200);
});

test.each([
  [PUBLIC, 'gateway.example', 'gateway.example'],
  ['http://gateway.example', 'gateway.example', null],
  ['https://192.0.2.1', '192.0.2.1', null],
  [null, 'localhost:8080', 'localhost'],
  [null, '127.0.0.1:8080', null],
  [null, 'evil.example', null],
])('with the public address %s, passkeys at %s are those of %s', async (configured, host, id) => {
  const at = appAt(configured);
  const post = (path: string) => at.request(`http://${host}/admin/v1${path}`, { method: 'POST', headers: { host } });
  const options = await at.request(`http://${host}/admin/v1/sign-in-options`, { headers: { host } });
  expect(await options.json()).toMatchObject({ passkeys: id !== null });
  const begun = (await (await post('/passkeys/begin')).json()) as object;
  expect(begun).toMatchObject(id === null ? { error: { code: 'CONFLICT' } } : { rpId: id });
});
