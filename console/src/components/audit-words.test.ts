import { expect, test } from 'vitest';
import type { AuditEventJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { actionWords, differences } from './audit-words.ts';

test('an action is named by its verb and its thing', () => {
  expect(actionWords('key.rotate')).toBe('rotate key');
  expect(actionWords('workspace.refund_and_archive')).toBe('refund and archive workspace');
});

test('a change shows each field as it was and as it is, also those that came or went', () => {
  const event = { before: { name: 'a', models: null }, after: { name: 'b', limit: 5 } } as unknown as AuditEventJson;
  expect(differences(event)).toEqual([
    { field: 'name', before: 'a', after: 'b' },
    { field: 'models', before: null, after: undefined },
    { field: 'limit', before: undefined, after: 5 },
  ]);
  expect(differences({ before: null, after: null } as AuditEventJson)).toEqual([]);
});
