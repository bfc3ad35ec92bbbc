import { expect, test } from 'vitest';
import { type Act, type OperatorAccess, type Actor } from './actor.ts';
import { isRefusal } from './refusals.ts';
import { isReading, type Permission, PERMISSIONS, type Role, ROLES, SCOPES } from './roles.ts';
import { authorise, authoriseOperator, OperatorScope } from './workspace-scope.ts';

const WORKSPACE = '0193a7a0-0000-7000-8000-000000000001';
const OTHER = '0193a7a0-0000-7000-8000-000000000002';

// Owner, admin, developer, billing, viewer. y: everything, o: own things only.
const EXPECTED: Readonly<Record<Permission, string>> = {
  'workspace:read': 'yyyyy',
  'workspace:write': 'yy---',
  'workspace:close': 'y----',
  'members:read': 'yyyyy',
  'members:write': 'yy---',
  'owners:write': 'y----',
  'projects:read': 'yyyyy',
  'projects:write': 'yy---',
  'keys:read': 'yyy-y',
  'keys:write': 'yyo--',
  'models:read': 'yyyyy',
  'usage:read': 'yyyyy',
  'receipts:read': 'yyyyy',
  'exports:read': 'yy-y-',
  'credit:read': 'yy-yy',
  'payments:write': 'y--y-',
  'alerts:read': 'yy-y-',
  'alerts:write': 'yy-y-',
  'audit:read': 'yy---',
  'playground:use': 'yyy--',
  'postings:write': '-----',
  'receipts:correct': '-----',
  'prices:write': '-----',
  'workspace:suspend': '-----',
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
