import { expect, test } from 'vitest';
import { type Act, type OperatorAccess, type Actor } from './actor.ts';
import { isRefusal } from './refusals.ts';
import { isReading, type Permission, PERMISSIONS, type Role, ROLES, rolesWith, SCOPES } from './roles.ts';
import {
  authorise,
  authoriseOperator,
  isForOwnOnly,
  OperatorScope,
  seesCosts,
  type WorkspaceScope,
} from './workspace-scope.ts';
import { assert } from '../lib/assert.ts';

const WORKSPACE = '0193a7a0-0000-7000-8000-000000000001';
const OTHER = '0193a7a0-0000-7000-8000-000000000002';

// Owner, admin, developer, billing, viewer, member. y: everything, o: own things only.
const EXPECTED: Readonly<Record<Permission, string>> = {
  'workspace:read': 'yyyyyo',
  'workspace:write': 'yy----',
  'workspace:close': 'y-----',
  'members:read': 'yyyyyo',
  'members:write': 'yy----',
  'owners:write': 'y-----',
  'access:read': 'yy----',
  'access:write': 'y-----',
  'directory:write': 'y-----',
  'projects:read': 'yyyyyo',
  'projects:write': 'yy----',
  'keys:read': 'yyy-yo',
  'keys:write': 'yyo--o',
  'models:read': 'yyyyyy',
  'usage:read': 'yyyyyo',
  'receipts:read': 'yyyyyo',
  'exports:read': 'yy-y--',
  'credit:read': 'yy-yy-',
  'payments:write': 'y--y--',
  'alerts:read': 'yy-y--',
  'alerts:write': 'yy-y--',
  'audit:read': 'yy----',
  'sinks:write': 'y-----',
  'playground:use': 'yyy--y',
  'postings:write': '------',
  'receipts:correct': '------',
  'prices:write': '------',
  'workspace:suspend': 'y-----',
  'domains:approve': '------',
  'workspace:move': '------',
};

function by(actor: Actor): Act {
  return { actor, address: '127.0.0.1', requestId: null };
}

function session(roles: Readonly<Record<string, Role>>, isOperator = false): Act {
  return by({
    kind: 'session',
    sessionId: 's',
    userId: 'u',
    email: 'ada@example.com',
    isOperator,
    authenticatedAtMs: 0,
    roles: new Map(Object.entries(roles)),
    withheld: new Map(),
    providerId: null,
  });
}

function token(role: Role, scopes: readonly Permission[]): Act {
  return by({
    kind: 'access_token',
    tokenId: 't',
    userId: 'u',
    email: 'ada@example.com',
    workspaceId: WORKSPACE,
    role,
    withheld: null,
    scopes: new Set(scopes),
  });
}

function outcome(act: Act, permission: Permission, workspaceId = WORKSPACE): string {
  const scope = authorise(act, permission, workspaceId);
  if (isRefusal(scope)) return scope.code;
  expect(scope).toMatchObject({ workspaceId, permission, act });
  return scope.ownOnlyOf === null ? 'y' : `o of ${scope.ownOnlyOf}`;
}

const MEANING: Readonly<Record<string, string>> = { y: 'y', o: 'o of u', '-': 'FORBIDDEN' };

test('each role has the permissions of the role table, and no others', () => {
  expect(PERMISSIONS.toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  for (const [index, role] of ROLES.entries()) {
    for (const permission of PERMISSIONS) {
      const expected = MEANING[EXPECTED[permission][index] ?? ''];
      expect(`${role} ${permission} ${outcome(session({ [WORKSPACE]: role }), permission)}`).toBe(
        `${role} ${permission} ${expected}`,
      );
      expect(outcome(token(role, PERMISSIONS), permission)).toBe(expected);
    }
  }
});

test('a member of another workspace gets the answer for a workspace that does not exist', () => {
  for (const permission of PERMISSIONS) {
    expect(outcome(session({ [OTHER]: 'owner' }), permission)).toBe('NOT_FOUND');
    expect(outcome(token('owner', SCOPES), permission, OTHER)).toBe('NOT_FOUND');
  }
});

test('an access token does nothing beyond its scopes', () => {
  for (const permission of SCOPES) {
    const others = SCOPES.filter((scope) => scope !== permission);
    expect(outcome(token('owner', others), permission)).toBe('FORBIDDEN');
    expect(outcome(token('owner', [permission]), permission)).toBe('y');
  }
});

test('an operator and a job may do everything, and a read-only operator token only read', () => {
  const operator = (access: OperatorAccess): Act => by({ kind: 'operator', tokenId: null, name: 'operator', access });
  const job = by({ kind: 'job', name: 'first start' });
  for (const permission of PERMISSIONS) {
    expect(outcome(operator('all'), permission)).toBe('y');
    expect(outcome(session({}, true), permission)).toBe('y');
    expect(outcome(job, permission)).toBe('y');
    expect(outcome(operator('read'), permission)).toBe(isReading(permission) ? 'y' : 'FORBIDDEN');
  }
  expect(authoriseOperator(operator('all'), 'write')).toBeInstanceOf(OperatorScope);
  expect(authoriseOperator(session({}, true), 'write')).toBeInstanceOf(OperatorScope);
  expect(authoriseOperator(operator('read'), 'read')).toBeInstanceOf(OperatorScope);
  expect(authoriseOperator(operator('read'), 'write')).toMatchObject({ code: 'FORBIDDEN' });
  expect(authoriseOperator(session({ [WORKSPACE]: 'owner' }), 'read')).toMatchObject({ code: 'FORBIDDEN' });
});

test('an operator token that reads downloads backups only if it was made for them, and changes nothing then either', () => {
  const operator = (access: OperatorAccess): Act => by({ kind: 'operator', tokenId: null, name: 'operator', access });
  expect(authoriseOperator(operator('read'), 'back_up')).toMatchObject({ code: 'FORBIDDEN' });
  expect(authoriseOperator(operator('read_and_backup'), 'back_up')).toBeInstanceOf(OperatorScope);
  expect(authoriseOperator(operator('read_and_backup'), 'read')).toBeInstanceOf(OperatorScope);
  expect(authoriseOperator(operator('read_and_backup'), 'write')).toMatchObject({ code: 'FORBIDDEN' });
  expect(outcome(operator('read_and_backup'), 'keys:write')).toBe('FORBIDDEN');
  expect(authoriseOperator(operator('all'), 'back_up')).toBeInstanceOf(OperatorScope);
});

test('what a read-only operator token may use in a workspace is a list', () => {
  expect(PERMISSIONS.filter(isReading)).toEqual([
    'workspace:read',
    'members:read',
    'access:read',
    'projects:read',
    'keys:read',
    'models:read',
    'usage:read',
    'receipts:read',
    'exports:read',
    'credit:read',
    'alerts:read',
    'audit:read',
  ]);
});

test('an access token may have every permission that some role has', () => {
  const held = PERMISSIONS.filter((permission) => EXPECTED[permission] !== '------');
  expect(SCOPES).toEqual(held);
  expect(rolesWith('payments:write')).toEqual(['owner', 'billing']);
});

test('a refusal says which right is missing, and who has it', () => {
  const message = (result: unknown): unknown => (isRefusal(result) ? result.message : 'allowed');
  const viewer = session({ [WORKSPACE]: 'viewer' });
  const reader = by({ kind: 'operator', tokenId: null, name: 'operator', access: 'read' });
  expect([
    message(authorise(viewer, 'keys:write', WORKSPACE)),
    message(authorise(viewer, 'postings:write', WORKSPACE)),
    message(authorise(viewer, 'usage:read', OTHER)),
    message(authorise(token('owner', []), 'usage:read', WORKSPACE)),
    message(authorise(reader, 'keys:write', WORKSPACE)),
    message(authoriseOperator(viewer, 'read')),
    message(authoriseOperator(reader, 'write')),
    message(authoriseOperator(reader, 'back_up')),
  ]).toEqual([
    'Your role here, viewer, does not include keys:write: it takes owner or admin or developer or member.',
    'Your role here, viewer, does not include postings:write: only the operator has it.',
    'There is no such workspace.',
    'This access token does not have the scope usage:read.',
    'This operator token is read-only.',
    'Only the operator of this instance may do this.',
    'This operator token is read-only.',
    'This operator token is not for backups.',
  ]);
});

test('costs are shown to operators alone, and a job acts as one', () => {
  const job = by({ kind: 'job', name: 'nightly proof' });
  const scoped = (act: Act): WorkspaceScope | OperatorScope => {
    const scope = authorise(act, 'usage:read', WORKSPACE);
    assert(!isRefusal(scope), 'the act may read usage');
    return scope;
  };
  expect(seesCosts(scoped(session({ [WORKSPACE]: 'owner' })))).toBe(false);
  expect(seesCosts(scoped(token('owner', SCOPES)))).toBe(false);
  expect(seesCosts(scoped(session({}, true)))).toBe(true);
  const operator = authoriseOperator(job, 'write');
  assert(operator instanceof OperatorScope, 'a job is an operator');
  expect(operator.act).toBe(job);
  expect(seesCosts(operator)).toBe(true);
});

test('an access token of a user who operates the instance has no right of an operator', () => {
  const forged = by({ ...token('owner', SCOPES).actor, isOperator: true } as Actor);
  expect(authoriseOperator(forged, 'read')).toMatchObject({ code: 'FORBIDDEN' });
  expect(outcome(forged, 'postings:write')).toBe('FORBIDDEN');
});

test('things of members with their own things alone are bound as theirs, by a token too; those of operators are not', () => {
  const bound = (act: Act, permission: Permission): boolean => isForOwnOnly(act, permission, WORKSPACE);
  const operator = (access: OperatorAccess): Act => by({ kind: 'operator', tokenId: null, name: 'operator', access });
  expect(ROLES.map((role) => bound(session({ [WORKSPACE]: role }), 'keys:write'))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(ROLES.map((role) => bound(token(role, []), 'keys:write'))).toEqual([false, false, true, true, true, true]);
  expect(bound(session({ [OTHER]: 'owner' }), 'keys:write')).toBe(true);
  expect(isForOwnOnly(token('owner', SCOPES), 'keys:write', OTHER)).toBe(true);
  for (const act of [operator('all'), operator('read'), session({}, true), by({ kind: 'job', name: 'first start' })]) {
    expect(bound(act, 'keys:write')).toBe(false);
  }
});
