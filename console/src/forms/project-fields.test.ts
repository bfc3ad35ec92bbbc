import { expect, test } from 'vitest';
import type { ProjectJson } from '../../../src/admin/accounts/account-contract.ts';
import { entryOf, type ProjectEntry, settingsOf } from './project-fields.tsx';

const SETTINGS = {
  name: 'web',
  budget_usd: '20.00',
  budget_period: 'week',
  requests_per_minute: 60,
  tokens_per_minute: 70_000,
  concurrency: 8,
  models: ['a/one', 'b/*'],
  member_key_spend_limit_usd: '5.00',
  member_keys_max: 3,
  report_cost: true,
};

test('what the form shows of a project is what it sends when nothing is changed', () => {
  expect(settingsOf(entryOf(SETTINGS as unknown as ProjectJson))).toEqual(SETTINGS);
});

test('a field of a project that is left empty is no limit', () => {
  expect(settingsOf({ ...entryOf(null), name: ' web ' })).toEqual({
    name: 'web',
    budget_usd: null,
    budget_period: 'month',
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    models: null,
    member_key_spend_limit_usd: null,
    member_keys_max: null,
    report_cost: false,
  });
});

test.each<[Partial<ProjectEntry>, object]>([
  [{ budget: '1,000' }, { budget_usd: '1000.00' }],
  [{ budget: 'ten' }, { budget_usd: 'ten' }],
  [{ memberKeyLimit: '.5' }, { member_key_spend_limit_usd: '0.50' }],
  [{ requestsPerMinute: ' 7 ' }, { requests_per_minute: 7 }],
  [{ tokensPerMinute: '0' }, { tokens_per_minute: 0 }],
  [{ models: 'a/one, b/two\n\nc/*' }, { models: ['a/one', 'b/two', 'c/*'] }],
])('what is typed for a project is sent as the API reads it: %j', (typed, sent) => {
  expect(settingsOf({ ...entryOf(null), ...typed })).toMatchObject(sent);
});
