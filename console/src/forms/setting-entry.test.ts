import { expect, test } from 'vitest';
import type { KeyJson, ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { KEY_SETTINGS } from '../../../src/control/resources/key-settings.ts';
import { PROJECT_SETTINGS } from '../../../src/control/resources/project-settings.ts';
import { entryOf, type SettingEntry, settingsOf } from './setting-entry.ts';

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
  end_user_limit_usd: '1.00',
  end_user_period: 'day',
  session_limit_usd: '0.50',
  model_when_spent: 'a/one',
};

test('what the form shows of a project is what it sends when nothing is changed', () => {
  expect(settingsOf(PROJECT_SETTINGS, entryOf(PROJECT_SETTINGS, SETTINGS as unknown as ProjectJson))).toEqual(SETTINGS);
});

test('a field of a project that is left empty is no limit', () => {
  expect(settingsOf(PROJECT_SETTINGS, { ...entryOf(PROJECT_SETTINGS, null), name: ' web ' })).toEqual({
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
    end_user_limit_usd: null,
    end_user_period: 'month',
    session_limit_usd: null,
    model_when_spent: null,
  });
});

test.each<[Partial<SettingEntry<typeof PROJECT_SETTINGS>>, object]>([
  [{ budget: '1,000' }, { budget_usd: '1000.00' }],
  [{ budget: 'ten' }, { budget_usd: 'ten' }],
  [{ memberKeySpendLimit: '.5' }, { member_key_spend_limit_usd: '0.50' }],
  [{ requestsPerMinute: ' 7 ' }, { requests_per_minute: 7 }],
  [{ tokensPerMinute: '0' }, { tokens_per_minute: 0 }],
  [{ models: 'a/one, b/two\n\nc/*' }, { models: ['a/one', 'b/two', 'c/*'] }],
])('what is typed for a project is sent as the API reads it: %j', (typed, sent) => {
  expect(settingsOf(PROJECT_SETTINGS, { ...entryOf(PROJECT_SETTINGS, null), ...typed })).toMatchObject(sent);
});

test('what the form shows of a key is what it sends when nothing is changed, also notes with "=" in their values', () => {
  const settings = {
    name: 'search',
    spend_limit_usd: '12.50',
    models: ['a/one', 'b/*'],
    expires_at: '2099-01-02T00:00:00.000Z',
    allowed_networks: ['203.0.113.0/24', '2001:db8::/32'],
    metadata: { team: 'search', query: 'a=b==' },
  };
  expect(settingsOf(KEY_SETTINGS, entryOf(KEY_SETTINGS, settings as unknown as KeyJson))).toEqual(settings);
});
