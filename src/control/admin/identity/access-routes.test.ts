import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { adminIdentity } from '../../../../test/support/admin-identity.ts';
import { Browser, toApp } from '../../../../test/support/browser.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { newWorkspace, seedOf, signedIn } from '../../../../test/support/identity.ts';
import { CLIENT, type OpenIdIssuer, startOpenIdIssuer } from '../../../../test/support/openid-issuer.ts';
import { testKeyring } from '../../../../test/support/keyring.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { TargetNetwork } from '../../../lib/target-network.ts';
import { codeOf, stepAt } from '../../identity/one-time-passwords.ts';
import { WorkspaceProviders } from '../../identity/workspace-providers.ts';
import { createAdminApp } from '../admin-app.ts';
import { createIdentify } from '../identify.ts';
import type { AdminApp } from '../route-access.ts';

const PUBLIC = 'https://gateway.example';
const RETURNING = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

let db: TestDatabase;
let sql: ControlSql;
let app: AdminApp;
let workspaceId: string;
let issuer: OpenIdIssuer;
let records: readonly (readonly string[])[] = [];

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  workspaceId = await newWorkspace(sql);
  issuer = await startOpenIdIssuer(`${PUBLIC}/admin/v1/openid/callback/${workspaceId}`);
  const network = new TargetNetwork(['127.0.0.0/8']);
  const keyring = testKeyring(sql);
  const identity = adminIdentity(sql, {
    configuredUrl: PUBLIC,
    publicUrl: () => PUBLIC,
    providerNetwork: network,
    providers: new WorkspaceProviders({ sql, keyring, network, onFault: () => undefined }),
    resolveTxt: () => Promise.resolve(records),
  });
  app = createAdminApp({
    ...adminDependencies(sql),
    identify: createIdentify({ sql, isOwnToken: () => Promise.resolve(false), publicUrl: PUBLIC }),
    identity,
    hostNames: ['gateway.example'],
  });
});
afterAll(async () => {
  await issuer.stop();
  await db.stop();
});

async function browserOf(role: 'owner' | 'developer', workspace = workspaceId): Promise<Browser> {
  const { secret } = await signedIn(sql, { roles: { [workspace]: role } });
  const browser = new Browser(toApp(app), PUBLIC);
  browser.cookies.set('__Host-fg', secret);
  return browser;
}

const ANY = { 'if-match': '*' };

test('a company sets up its provider and proves its domain; its people find it by their address and come in by it', async () => {
  const owner = await browserOf('owner');
  const root = `/workspaces/${workspaceId}`;
  expect((await owner.get(`${root}/access`)).body).toMatchObject({
    issuer: null,
    version: 0,
    callback_url: `${PUBLIC}/admin/v1/openid/callback/${workspaceId}`,
  });
  const domain = `d-${randomUUID()}.example`;
  const added = await owner.post(`${root}/domains`, { domain });
  expect(added).toMatchObject({ status: 200, body: { domain, proven_at: null } });
  expect((await owner.post(`${root}/domains/${domain}/prove`)).status).toBe(409);
  expect((await owner.post(`${root}/domains/${domain}/approve`)).status).toBe(403);
  records = [[(added.body as { record_value: string }).record_value]];
  expect((await owner.post(`${root}/domains/${domain}/prove`)).body).toMatchObject({ proven_by: 'dns' });
  const { clientId, clientSecret } = CLIENT;
  const change = {
    issuer: issuer.issuer,
    client_id: clientId,
    client_secret: clientSecret,
    group_roles: { engineers: 'developer' },
  };
  const changed = await owner.patch(`${root}/access`, change, { 'if-match': '"0"' });
  expect(changed).toMatchObject({ status: 200, body: { has_client_secret: true, version: 1, only_openid: false } });
  expect(JSON.stringify(changed.body)).not.toContain(clientSecret);

  const browser = new Browser(toApp(app), PUBLIC);
  expect((await browser.get('/sign-in-options')).body).toMatchObject({ own_providers: true });
  const email = `ada@${domain}`;
  const found = await browser.post('/sign-in-options/provider', { email });
  expect(found.body).toEqual({ workspace_id: workspaceId });
  expect((await browser.post('/sign-in-options/provider', { email: 'a@b.example' })).body).toEqual({
    workspace_id: null,
  });
  const come = async (login: string) => {
    const begun = await browser.get(`/openid/begin?workspace=${workspaceId}`, { 'sec-fetch-mode': 'navigate' });
    return await issuer.signIn(begun.headers.get('location') ?? '', login);
  };
  const mixed = await come(`${email}|engineers`);
  const elsewhere = await browser.get(`/openid/callback/${randomUUID()}${mixed.search}`, RETURNING);
  expect([elsewhere.status, browser.cookies.has('__Host-fg')]).toEqual([404, false]);
  const nobody = await come(`${email}|sales`);
  const refused = await browser.get(`/openid/callback/${workspaceId}${nobody.search}`, RETURNING);
  expect(refused.headers.get('location')).toBe(`${PUBLIC}/?sign_in_error=no_role`);
  const answer = await come(`${email}|engineers`);
  const ended = await browser.get(`/openid/callback/${workspaceId}${answer.search}`, RETURNING);
  expect(ended.headers.get('location')).toBe(`${PUBLIC}/`);
  expect((await browser.get('/me')).body).toMatchObject({
    user: { email, has_password: false },
    session: { provider_workspace_id: workspaceId },
    workspaces: [{ id: workspaceId, role: 'developer', withheld: null }],
  });
});

test('an attempt that was begun at one provider does not end with the answer of another', async () => {
  const workspace = await newWorkspace(sql);
  const { clientId, clientSecret } = CLIENT;
  const settings = { issuer: issuer.issuer, client_id: clientId, client_secret: clientSecret };
  const owner = await browserOf('owner', workspace);
  expect((await owner.patch(`/workspaces/${workspace}/access`, settings, ANY)).status).toBe(200);
  const browser = new Browser(toApp(app), PUBLIC);
  expect((await browser.get(`/openid/begin?workspace=${workspace}`)).status).toBe(303);
  const kept = browser.cookies.get('__Host-fg-openid') ?? '';
  const attempt = JSON.parse(Buffer.from(kept, 'base64url').toString()) as object;
  const another = { ...attempt, workspaceId: randomUUID() };
  browser.cookies.set('__Host-fg-openid', Buffer.from(JSON.stringify(another)).toString('base64url'));
  const ended = await browser.get(`/openid/callback/${workspace}?code=x&state=y`, RETURNING);
  expect(ended.headers.get('location')).toBe(`${PUBLIC}/?sign_in_error=lost`);
});

test('a member of a workspace that asks for a second factor is told so, sets one up, and comes in', async () => {
  const workspace = await newWorkspace(sql);
  const owner = await browserOf('owner', workspace);
  const root = `/workspaces/${workspace}`;
  expect((await owner.patch(`${root}/access`, { second_factor: true }, ANY)).status).toBe(200);
  const member = await browserOf('developer', workspace);
  expect(await member.get(`${root}/keys`)).toMatchObject({ status: 403, code: 'FORBIDDEN', param: 'second_factor' });
  expect((await member.get('/me')).body).toMatchObject({ workspaces: [{ id: workspace, withheld: 'second_factor' }] });
  const { body } = await member.post('/me/authenticator');
  const seed = seedOf((body as { secret: string }).secret);
  const confirmed = await member.post('/me/authenticator/confirm', { code: codeOf(seed, stepAt(Date.now())) });
  expect((await member.get(`${root}/keys`)).status).toBe(200);
  await sql.query('update sessions set second_factor_at = null where provider_workspace_id is null');
  expect((await member.get(`${root}/keys`)).param).toBe('second_factor');
  expect((await member.post('/session/second-factor', { code: '000000' })).param).toBe('code');
  const [code] = (confirmed.body as { recovery_codes: string[] }).recovery_codes;
  expect((await member.post('/session/second-factor', { code })).status).toBe(200);
  expect((await member.get(`${root}/keys`)).status).toBe(200);
});
