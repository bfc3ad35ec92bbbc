import { adminDependencies } from '../../test/support/admin-dependencies.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount } from '../../test/support/accounts.ts';
import { adminIdentity } from '../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { Actor, SessionActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusals.ts';
import type { Role } from '../domain/roles.ts';
import { createAdminApp } from './admin-app.ts';
import type { AdminApp } from './route-access.ts';

interface Operation {
  readonly operationId?: string;
  readonly 'x-access'?: string;
  readonly 'x-permission'?: string;
}

let testDatabase: TestDatabase;
let account: Account;
let app: AdminApp;
const actors = new Map<string, Actor>();

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  const { database: sql, control } = testDatabase;
  account = await openAccount(sql);
  app = createAdminApp({
    ...adminDependencies(control),
    identity: adminIdentity(control),
    identify: ({ authorization = '' }) => {
      const actor = actors.get(authorization);
      const act = actor === undefined ? null : { actor, address: null, requestId: null };
      return Promise.resolve(act ?? refuse('UNAUTHENTICATED', 'Sign in.'));
    },
  });
  actors.set('operator', { kind: 'operator', tokenId: null, name: 'operator', access: 'all' });
  actors.set('reader', { kind: 'operator', tokenId: 't', name: 'reader', access: 'read' });
  for (const role of ['owner', 'viewer'] as const) actors.set(role, member(role));
  actors.set('stale owner', { ...member('owner'), authenticatedAtMs: Date.now() - 1_000_000 });
  actors.set('stranger', { ...member('owner'), roles: new Map([['0193a7a0-0000-7000-8000-000000000001', 'owner']]) });
});
afterAll(() => testDatabase.stop());

function member(role: Role): SessionActor {
  return {
    kind: 'session',
    sessionId: 's',
    userId: '0193a7a0-0000-7000-8000-000000000002',
    email: 'ada@example.com',
    isOperator: false,
    authenticatedAtMs: Date.now(),
    roles: new Map([[account.workspace.id, role]]),
  };
}

async function call(as: string, method: string, path: string, body?: object): Promise<string> {
  const response = await app.request(`/admin/v1${path}`, {
    method,
    headers: { authorization: as, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { error?: { code: string } };
  return answer.error?.code ?? String(response.status);
}

test('every operation of the document has a name of its own and says who may call it', async () => {
  const { paths } = (await (await app.request('/admin/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  );
  const names = operations.map(({ operationId }) => operationId);
  expect(names.filter((name) => name === undefined)).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, 'x-access': access, 'x-permission': permission } of operations) {
    const isInWorkspace = path.startsWith('/admin/v1/workspaces/{workspace}');
    expect({ path, access: access !== undefined }).toEqual({ path, access: true });
    expect({ path, isInWorkspace, hasPermission: permission !== undefined }).toEqual({
      path,
      isInWorkspace: access === 'workspace',
      hasPermission: access === 'workspace',
    });
  }
});

test('a route of a workspace answers its members by their role, and others as if it did not exist', async () => {
  const at = `/workspaces/${account.workspace.id}`;
  expect(await call('nobody', 'GET', at)).toBe('UNAUTHENTICATED');
  expect(await call('stranger', 'GET', at)).toBe('NOT_FOUND');
  expect(await call('viewer', 'GET', at)).toBe('200');
  expect(await call('viewer', 'POST', `${at}/projects`, { name: 'A' })).toBe('FORBIDDEN');
  expect(await call('owner', 'POST', `${at}/projects`, { name: 'A' })).toBe('201');
  expect(await call('owner', 'POST', `${at}/postings`, { kind: 'grant', amount_usd: '1', reason: 'x' })).toBe(
    'FORBIDDEN',
  );
});

test('a workspace is found by its name for the operator alone', async () => {
  const at = `/workspaces/${encodeURIComponent(account.workspace.name)}`;
  expect(await call('operator', 'GET', at)).toBe('200');
  expect(await call('owner', 'GET', at)).toBe('NOT_FOUND');
});

test('a route of the operator refuses members, and changes nothing for a read-only token', async () => {
  expect(await call('owner', 'GET', '/workspaces')).toBe('FORBIDDEN');
  expect(await call('reader', 'GET', '/workspaces')).toBe('200');
  expect(await call('reader', 'POST', '/workspaces', { name: 'B' })).toBe('FORBIDDEN');
});

test('a session that signed in long ago makes no key until its user has proved who they are again', async () => {
  const at = `/workspaces/${account.workspace.id}/projects/${account.project.id}/keys`;
  expect(await call('stale owner', 'POST', at, {})).toBe('UNAUTHENTICATED');
  expect(await call('stale owner', 'GET', at)).toBe('200');
  expect(await call('owner', 'POST', at, {})).toBe('201');
});
