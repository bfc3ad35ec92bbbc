import { expect, test } from 'vitest';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import type { Role } from '../../../src/domain/roles.ts';
import { whyNot } from './access.ts';

const WORKSPACE = '0199a9a2-0000-7000-8000-000000000001';

function meAs(role: Role | null, isOperator = false): MeJson {
  return {
    user: {
      id: '0199a9a2-0000-7000-8000-000000000002',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada',
      has_password: true,
      has_authenticator: false,
      has_passkey: false,
      is_operator: isOperator,
      disabled_at: null,
      erased_at: null,
      created_at: '2026-01-01T00:00:00.000Z',
      version: 1,
    },
    session: {
      id: '0199a9a2-0000-7000-8000-000000000003',
      authenticated_at: '2026-01-01T00:00:00.000Z',
      provider_workspace_id: null,
    },
    workspaces:
      role === null
        ? []
        : [{ id: WORKSPACE, name: 'acme', role, state: 'active', withheld: null, moved_to: null, moved_to_url: null }],
  };
}

const close = { permission: 'workspace:close', action: 'close a workspace' } as const;

test('an action that the role lacks says who may take it', () => {
  expect(whyNot(meAs('owner'), WORKSPACE, close)).toBeNull();
  expect(whyNot(meAs('admin'), WORKSPACE, close)).toBe('Only owners can close a workspace.');
  expect(whyNot(meAs('viewer'), WORKSPACE, { permission: 'projects:write', action: 'create projects' })).toBe(
    'Only owners and admins can create projects.',
  );
});

test('a member who may change only what they made is told so about what others made', () => {
  const revoke = { permission: 'keys:write', action: 'revoke keys of others' } as const;
  expect(whyNot(meAs('developer'), WORKSPACE, { ...revoke, isOwn: true })).toBeNull();
  expect(whyNot(meAs('developer'), WORKSPACE, { ...revoke, isOwn: false })).toBe(
    'Only owners and admins can revoke keys of others.',
  );
});

test('an operator may everything, also where they are no member, and others nothing there', () => {
  expect(whyNot(meAs(null, true), WORKSPACE, { permission: 'postings:write', action: 'grant credit' })).toBeNull();
  expect(whyNot(meAs('owner'), WORKSPACE, { permission: 'postings:write', action: 'grant credit' })).toBe(
    'Only operators of this instance can grant credit.',
  );
  expect(whyNot(meAs(null), WORKSPACE, close)).not.toBeNull();
});
