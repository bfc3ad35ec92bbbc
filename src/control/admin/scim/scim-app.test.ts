import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../../../test/support/accounts.ts';
import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { adminIdentity, identifyOwn } from '../../../../test/support/admin-identity.ts';
import { Browser, toApp } from '../../../../test/support/browser.ts';
import { openCompany, provenDomain } from '../../../../test/support/company.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { addMember, newWorkspace, signedIn } from '../../../../test/support/identity.ts';
import { scopeOf } from '../../../../test/support/scopes.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { makeDirectoryToken } from '../../identity/directory/directory-tokens.ts';
import { listMembers } from '../../identity/members.ts';
import { type AccessChange } from '../../identity/workspace-access.ts';
import { createAdminApp } from '../admin-app.ts';
import type { AdminApp } from '../route-access.ts';

const PUBLIC = 'https://gateway.example';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const USERS = '/Users';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

let db: TestDatabase;
let sql: ControlSql;
let app: AdminApp;
/** Of some directory. */
let anyToken: string;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  app = createAdminApp({
    ...adminDependencies(sql),
    identify: identifyOwn(sql, 'own', PUBLIC),
    identity: adminIdentity(sql, { configuredUrl: PUBLIC, publicUrl: () => PUBLIC }),
    hostNames: ['gateway.example'],
  });
  ({ secret: anyToken } = await company());
});
afterAll(() => db.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { readonly id: string };
}

type Call = (method: string, path: string, body?: object) => Promise<Answer>;

function callsWith(token: string): Call {
  return async (method, path, body) => {
    const response = await app.request(`${PUBLIC}/scim/v2${path}`, {
      method,
      headers: {
        host: 'gateway.example',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] };
  };
}

/** A workspace of a company with a proven domain, an owner elsewhere, and a connected directory. */
async function company(given: AccessChange = {}) {
  const access = { defaultRole: 'none', groupRoles: { engineers: 'developer', heads: 'admin' }, ...given } as const;
  const { workspaceId, domain } = await openCompany(sql, access);
  await signedIn(sql, { roles: { [workspaceId]: 'owner' } });
  const { secret } = granted(await makeDirectoryToken(sql, scopeOf(workspaceId)));
  return { workspaceId, domain, secret, call: callsWith(secret) };
}

async function roles(workspaceId: string): Promise<Readonly<Record<string, string>>> {
  const { items } = await listMembers(sql, scopeOf(workspaceId));
  return Object.fromEntries(items.map(({ email, role }) => [email.split('@')[0], role]));
}

/** The same, without the owner whose address is of another domain. */
async function rolesOfPeople(workspaceId: string): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(Object.entries(await roles(workspaceId)).filter(([name]) => !name.startsWith('user-')));
}

function oktaUser(userName: string, more: object = {}) {
  return {
    schemas: [USER],
    userName,
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Ada Lovelace',
    locale: 'en-US',
    externalId: `00u-${userName}`,
    groups: [],
    password: 'never kept',
    active: true,
    ...more,
  };
}

const patch = (...operations: object[]) => ({ schemas: [PATCH], Operations: operations });

test("what Okta sends for a person's time in a company gives and takes their membership", async () => {
  const { workspaceId, domain, call } = await company();
  const userName = `ada@${domain}`;
  const search = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;
  expect(await call('GET', '/Users?startIndex=1&count=2')).toMatchObject({ status: 200, body: { totalResults: 0 } });
  expect((await call('GET', search)).body).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
  const made = await call('POST', '/Users', oktaUser(userName));
  expect(made).toMatchObject({
    status: 201,
    body: {
      schemas: [USER],
      userName,
      active: true,
      name: { formatted: 'Ada Lovelace' },
      meta: { resourceType: 'User' },
    },
  });
  const { id } = made.body;
  expect(made.headers.get('location')).toBe(`${PUBLIC}/scim/v2/Users/${id}`);
  expect(made.headers.get('content-type')).toBe('application/scim+json');
  expect(JSON.stringify(made.body)).not.toMatch(/never kept|locale/);
  expect((await call('GET', search)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
  expect(await rolesOfPeople(workspaceId)).toEqual({});
  const group = await call('POST', '/Groups', { schemas: [GROUP], displayName: 'engineers', members: [] });
  expect(group).toMatchObject({ status: 201, body: { displayName: 'engineers', members: [] } });
  const inGroup = `/Groups/${group.body.id}`;
  const member = { value: id, display: userName };
  expect((await call('PATCH', inGroup, patch({ op: 'add', path: 'members', value: [member] }))).status).toBe(204);
  expect(await rolesOfPeople(workspaceId)).toEqual({ ada: 'developer' });
  expect((await call('GET', `${USERS}/${id}`)).body).toMatchObject({ groups: [{ display: 'engineers' }] });
  // A change of the profile is sent as a whole.
  expect((await call('PUT', `${USERS}/${id}`, oktaUser(userName, { displayName: 'Countess' }))).body).toMatchObject({
    displayName: 'Countess',
    active: true,
  });
  const renamed = patch({ op: 'replace', value: { id: group.body.id, displayName: 'heads' } });
  expect((await call('PATCH', inGroup, renamed)).status).toBe(204);
  expect(await rolesOfPeople(workspaceId)).toEqual({ ada: 'admin' });
  const off = await call('PATCH', `${USERS}/${id}`, patch({ op: 'replace', value: { active: false } }));
  expect(off).toMatchObject({ status: 200, body: { active: false } });
  expect(await rolesOfPeople(workspaceId)).toEqual({});
  expect((await call('PUT', `${USERS}/${id}`, oktaUser(userName))).body).toMatchObject({ active: true });
  expect(await rolesOfPeople(workspaceId)).toEqual({ ada: 'admin' });
  const gone = patch({ op: 'remove', path: `members[value eq "${id}"]` });
  expect((await call('PATCH', inGroup, gone)).status).toBe(204);
  expect(await rolesOfPeople(workspaceId)).toEqual({});
  const [user] = await sql.query<{ name: string }>('select name from users where email = $1', [userName]);
  expect(user?.name).toBe('Ada Lovelace');
});

test('what Entra ID sends, in its own spelling, does the same', async () => {
  const { workspaceId, domain, call } = await company();
  const probe = `/Users?filter=${encodeURIComponent(`userName eq "${randomUUID()}"`)}`;
  expect(await call('GET', probe)).toMatchObject({ status: 200, body: { totalResults: 0 } });
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const made = await call('POST', '/Users', {
    schemas: [USER, enterprise],
    externalId: 'grace',
    userName: `Grace@${domain}`,
    active: true,
    displayName: 'Grace Hopper',
    emails: [{ primary: true, type: 'work', value: `grace.hopper@${domain}` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Grace Hopper', familyName: 'Hopper', givenName: 'Grace' },
    roles: [],
    [enterprise]: { department: 'Navy' },
  });
  expect(made).toMatchObject({ status: 201, body: { emails: [{ value: `grace.hopper@${domain}` }] } });
  const { id } = made.body;
  const group = await call('POST', '/Groups', {
    schemas: [GROUP],
    externalId: 'b5a1',
    displayName: 'Engineering',
    meta: { resourceType: 'Group' },
  });
  const inGroup = `/Groups/${group.body.id}`;
  const byName = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "engineering"')}`;
  const found = await call('GET', byName);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Engineering' }] });
  expect(JSON.stringify(found.body)).not.toContain('members');
  const add = patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] });
  expect((await call('PATCH', inGroup, add)).status).toBe(204);
  const isMember = encodeURIComponent(`id eq "${group.body.id}" and members eq "${id}"`);
  expect((await call('GET', `/Groups?filter=${isMember}`)).body).toMatchObject({ totalResults: 1 });
  expect(await rolesOfPeople(workspaceId)).toEqual({});
  const rename = patch({ op: 'Replace', path: 'displayName', value: 'engineers' });
  expect((await call('PATCH', inGroup, rename)).status).toBe(204);
  expect(await rolesOfPeople(workspaceId)).toEqual({ 'grace.hopper': 'developer' });
  const changed = await call(
    'PATCH',
    `${USERS}/${id}`,
    patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `admiral@${domain}` },
      { op: 'Replace', path: 'name.familyName', value: 'Admiral' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Mathematics' },
      { op: 'Replace', value: { displayName: 'The Admiral', 'name.givenName': 'G.' } },
    ),
  );
  expect(changed).toMatchObject({
    status: 200,
    body: {
      displayName: 'The Admiral',
      name: { givenName: 'G.', familyName: 'Admiral' },
      emails: [{ value: `admiral@${domain}` }],
    },
  });
  expect(await rolesOfPeople(workspaceId)).toEqual({ admiral: 'developer' });
  const off = await call('PATCH', `${USERS}/${id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
  expect(off.body).toMatchObject({ active: false });
  expect(await rolesOfPeople(workspaceId)).toEqual({});
  await call('PATCH', `${USERS}/${id}`, patch({ op: 'Replace', path: 'active', value: 'True' }));
  const remove = patch({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] });
  expect((await call('PATCH', inGroup, remove)).status).toBe(204);
  expect((await call('GET', inGroup)).body).toMatchObject({ members: [] });
  expect((await call('DELETE', inGroup)).status).toBe(204);
  expect((await call('DELETE', `${USERS}/${id}`)).status).toBe(204);
  expect(await call('GET', `${USERS}/${id}`)).toMatchObject({ status: 404, body: { schemas: [ERROR], status: '404' } });
  expect((await call('POST', '/Users', oktaUser(`admiral@${domain}`))).status).toBe(201);
});

test('people have addresses of proven domains, and no operator is among them', async () => {
  const { domain, call } = await company();
  for (const email of ['ada@elsewhere.example', `ada@sub.${domain}`]) {
    const refused = await call('POST', '/Users', oktaUser('x', { emails: [{ value: email }] }));
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  }
  await signedIn(sql, { email: `root@${domain}`, isOperator: true });
  expect((await call('POST', '/Users', oktaUser(`root@${domain}`))).status).toBe(403);
  const { body } = await call('POST', '/Users', oktaUser(`ada@${domain}`));
  const away = { op: 'replace', path: 'emails', value: [{ value: 'ada@elsewhere.example' }] };
  expect(await call('PATCH', `${USERS}/${body.id}`, patch(away))).toMatchObject({ status: 400 });
  await call('POST', '/Users', oktaUser(`eve@${domain}`));
  const taken = { op: 'replace', path: 'emails', value: [{ value: `eve@${domain}` }] };
  expect(await call('PATCH', `${USERS}/${body.id}`, patch(taken))).toMatchObject({
    status: 409,
    body: { scimType: 'uniqueness' },
  });
  expect(await call('POST', '/Users', oktaUser(`ADA@${domain}`))).toMatchObject({
    status: 409,
    body: { scimType: 'uniqueness', schemas: [ERROR] },
  });
});

test('an account that somebody else may have made with an address loses what proves its user', async () => {
  const { domain, call } = await company();
  const squatter = await signedIn(sql, { email: `ada@${domain}`, passwordHash: 'x' });
  await call('POST', '/Users', oktaUser(`ada@${domain}`));
  expect(await sql.query('select from sessions where user_id = $1', [squatter.userId])).toEqual([]);
  expect(await sql.query('select from users where id = $1 and password_hash is null', [squatter.userId])).toHaveLength(
    1,
  );
});

test('the only owner of a workspace is neither deactivated nor removed, and nothing of theirs ends', async () => {
  const workspaceId = await newWorkspace(sql);
  const domain = await provenDomain(sql, workspaceId);
  const { secret } = granted(await makeDirectoryToken(sql, scopeOf(workspaceId)));
  const call = callsWith(secret);
  const email = `owner@${domain}`;
  const owner = await signedIn(sql, { email, isEmailVerified: true, roles: { [workspaceId]: 'owner' } });
  const { body } = await call('POST', '/Users', oktaUser(email));
  const off = patch({ op: 'replace', path: 'active', value: false });
  const last = { status: 409, body: { scimType: 'mutability' } };
  expect(await call('PATCH', `${USERS}/${body.id}`, off)).toMatchObject(last);
  expect(await call('DELETE', `${USERS}/${body.id}`)).toMatchObject(last);
  expect((await call('GET', `${USERS}/${body.id}`)).body).toMatchObject({ active: true });
  expect(await sql.query('select from sessions where user_id = $1', [owner.userId])).toHaveLength(1);
  const second = await signedIn(sql);
  await addMember(sql, workspaceId, second.userId, 'owner');
  expect((await call('PATCH', `${USERS}/${body.id}`, off)).status).toBe(200);
  expect(await sql.query('select from sessions where user_id = $1', [owner.userId])).toEqual([]);
});

test('a group with a role that is removed takes the role along', async () => {
  const { workspaceId, domain, call } = await company();
  const { body: ada } = await call('POST', '/Users', oktaUser(`ada@${domain}`));
  const heads = { displayName: 'heads', members: [{ value: ada.id }] };
  const { body: group } = await call('POST', '/Groups', heads);
  expect(await rolesOfPeople(workspaceId)).toEqual({ ada: 'admin' });
  const nobody = { displayName: 'heads', members: [{ value: randomUUID() }] };
  expect(await call('PUT', `/Groups/${group.id}`, nobody)).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue' },
  });
  expect((await call('DELETE', `/Groups/${group.id}`)).status).toBe(204);
  expect(await rolesOfPeople(workspaceId)).toEqual({});
});

test('a directory meets its own workspace alone, and its token ends when it is replaced or ended', async () => {
  const [one, other] = [await company(), await company()];
  const { body } = await one.call('POST', '/Users', oktaUser(`ada@${one.domain}`));
  const { body: group } = await one.call('POST', '/Groups', { displayName: 'engineers' });
  const add = patch({ op: 'add', path: 'members', value: [{ value: body.id }] });
  for (const [method, path, sent] of [
    ['GET', `${USERS}/${body.id}`],
    ['PUT', `${USERS}/${body.id}`, oktaUser(`ada@${other.domain}`)],
    ['PATCH', `${USERS}/${body.id}`, patch()],
    ['DELETE', `${USERS}/${body.id}`],
    ['GET', `/Groups/${group.id}`],
    ['PUT', `/Groups/${group.id}`, { displayName: 'mine' }],
    ['PATCH', `/Groups/${group.id}`, add],
    ['DELETE', `/Groups/${group.id}`],
  ] as const) {
    expect({ method, path, status: (await other.call(method, path, sent)).status }).toMatchObject({ status: 404 });
  }
  expect((await other.call('GET', '/Users')).body).toMatchObject({ totalResults: 0 });
  expect((await other.call('POST', '/Users', oktaUser(`eve@${one.domain}`))).status).toBe(400);
  expect((await other.call('POST', '/Groups', { displayName: 'x', members: [{ value: body.id }] })).status).toBe(400);
  const { secret } = granted(await makeDirectoryToken(sql, scopeOf(one.workspaceId)));
  const refused = await one.call('GET', '/Users');
  expect(refused).toMatchObject({ status: 401, body: { schemas: [ERROR], status: '401' } });
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect((await callsWith(secret)('GET', '/Users')).status).toBe(200);
  expect((await callsWith('own')('GET', '/Users')).status).toBe(401);
});

test.each([
  ['POST', '/Users', { title: 'x' }, 'invalidValue'],
  ['POST', '/Users', { userName: 'x', name: 'x' }, 'invalidSyntax'],
  ['POST', '/Users', [], 'invalidSyntax'],
  ['POST', '/Users', { userName: 'x'.repeat(300) }, 'invalidValue'],
  ['POST', '/Users', { userName: 'x', active: 'maybe' }, 'invalidValue'],
  ['POST', '/Groups', {}, 'invalidValue'],
  ['PATCH', `${USERS}/x`, { Operations: [{ op: 'move' }] }, 'invalidSyntax'],
  ['PATCH', `${USERS}/x`, { Operations: 'x' }, 'invalidSyntax'],
  ['PATCH', `${USERS}/x`, { Operations: [{ op: 'remove' }] }, 'noTarget'],
  ['PATCH', `${USERS}/x`, { Operations: [{ op: 'remove', path: 'userName' }] }, 'mutability'],
  ['PATCH', `${USERS}/x`, { Operations: [{ op: 'add', path: 'a[', value: 1 }] }, 'invalidPath'],
  ['GET', '/Users?filter=userName%20sw%20%22a%22', undefined, 'invalidFilter'],
  ['GET', '/Users?filter=active%20eq%20%22x%22', undefined, 'invalidFilter'],
  ['GET', '/Users?startIndex=first', undefined, 'invalidValue'],
] as const)('a mistake is refused in the form of SCIM: %s %s %j, %s', async (method, path, body, scimType) => {
  expect(await callsWith(anyToken)(method, path, body)).toMatchObject({
    status: 400,
    body: { schemas: [ERROR], status: '400', scimType },
  });
});

test('lists go by index and count, and the API says what it can', async () => {
  const { domain, call } = await company();
  for (const name of ['a', 'b', 'c']) await call('POST', '/Users', oktaUser(`${name}@${domain}`));
  const part = await call('GET', '/Users?startIndex=2&count=1&attributes=userName');
  expect(part.body).toMatchObject({
    totalResults: 3,
    startIndex: 2,
    itemsPerPage: 1,
    Resources: [{ userName: `b@${domain}` }],
  });
  expect(JSON.stringify(part.body)).not.toContain('emails');
  expect((await call('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 3, Resources: [] });
  expect((await call('GET', '/Users?filter=active%20eq%20true')).body).toMatchObject({ totalResults: 3 });
  expect((await call('GET', '/ServiceProviderConfig')).body).toMatchObject({ patch: { supported: true } });
  expect((await call('GET', '/ResourceTypes')).body).toMatchObject({ totalResults: 2 });
  expect((await call('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER });
  expect((await call('GET', '/Me')).status).toBe(404);
});

test('an owner connects and disconnects the directory, and others do not', async () => {
  const workspaceId = await newWorkspace(sql);
  const browserOf = async (role: 'owner' | 'admin' | 'developer'): Promise<Browser> => {
    const { secret } = await signedIn(sql, { roles: { [workspaceId]: role } });
    const browser = new Browser(toApp(app), PUBLIC);
    browser.cookies.set('__Host-fg', secret);
    return browser;
  };
  const path = `/workspaces/${workspaceId}/directory`;
  const [owner, admin, developer] = [await browserOf('owner'), await browserOf('admin'), await browserOf('developer')];
  expect((await admin.post(`${path}/token`)).status).toBe(403);
  expect((await admin.get(path)).body).toMatchObject({ token: null, base_url: `${PUBLIC}/scim/v2` });
  expect((await developer.get(path)).status).toBe(403);
  const { status, body } = await owner.post(`${path}/token`);
  expect([status, body]).toMatchObject([200, { token: { last_used_at: null }, users: 0, groups: 0 }]);
  const secret = String(body['secret']);
  expect((await callsWith(secret)('GET', '/Users')).status).toBe(200);
  const shown = await owner.get(path);
  expect(shown.body).toMatchObject({ token: { last_used_at: expect.any(String) as string } });
  expect(JSON.stringify(shown.body)).not.toContain(secret);
  expect((await owner.delete(`${path}/token`)).body).toMatchObject({ token: null });
  expect((await callsWith(secret)('GET', '/Users')).status).toBe(401);
  expect((await owner.delete(`${path}/token`)).status).toBe(404);
});
