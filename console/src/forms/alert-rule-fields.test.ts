import { expect, test } from 'vitest';
import type { AlertRuleJson } from '../../../src/control/admin/alerts/alert-contract.ts';
import type { AlertKind } from '../components/alert-words.ts';
import { ruleEntryOf, ruleSettingsOf, termsOf, withNameOf } from './alert-rule-fields.tsx';

const ENTRY = { name: 'Mine', amount: '5', percent: '90', days: '3', roles: ['owner'] as const, addresses: '' };

// Each kind, the threshold that is sent for it, and as the form says it.
test.each<[AlertKind, object, object]>([
  ['balance_below', { threshold_usd: '5.00' }, { threshold_nano_usd: '5000000000' }],
  ['balance_share', { percent: 90 }, { percent: 90 }],
  ['runway', { days: 3 }, { days: 3 }],
  ['project_budget', { percent: 90 }, { percent: 90 }],
  ['key_limit', { percent: 90 }, { percent: 90 }],
  ['auto_top_up_stopped', {}, {}],
  ['payment_after_closing', {}, {}],
  ['provider_key_refused', {}, {}],
  ['ledger_difference', {}, {}],
])('a rule of the kind %s is sent with its own threshold alone', (kind, sent, terms) => {
  const about = { kind, subject_id: null, subject_name: null };
  expect(ruleSettingsOf(about, ENTRY)).toEqual({ name: 'Mine', mail_roles: ['owner'], mail_to: [], ...sent });
  const none = { threshold_nano_usd: null, percent: null, days: null };
  expect(termsOf(about, ENTRY)).toEqual({ ...about, ...none, ...terms });
});

test('a rule without a name is called by what it watches, and lines, commas or blanks may part its mail addresses', () => {
  const about = { kind: 'runway', subject_id: null, subject_name: null } as const;
  const entry = { ...ENTRY, name: ' ', addresses: 'a@b.example, c@d.example\n e@f.example;' };
  const { name, mail_to: mailTo } = ruleSettingsOf(about, entry);
  expect(name.length).toBeGreaterThan(5);
  expect(mailTo).toEqual(['a@b.example', 'c@d.example', 'e@f.example']);
});

test('an amount of a rule that can not be read is sent as it is, so that the answer says what would be right', () => {
  const about = { kind: 'balance_below', subject_id: null, subject_name: null } as const;
  expect(ruleSettingsOf(about, { ...ENTRY, amount: 'ten' })).toMatchObject({ threshold_usd: 'ten' });
  expect(termsOf(about, { ...ENTRY, amount: 'ten' })).toMatchObject({ threshold_nano_usd: null });
});

test('a name that says the percentage or the amount follows it, and one that was typed stays', () => {
  const rule = { name: 'Key limit used to 80 %', percent: 80, threshold_nano_usd: null };
  const entry = { ...ENTRY, name: rule.name, percent: '60' };
  expect(withNameOf(rule, entry).name).toBe('Key limit used to 60 %');
  expect(withNameOf(rule, { ...entry, name: 'Look at 80 %' }).name).toBe('Look at 80 %');
  expect(withNameOf({ ...rule, percent: null }, entry).name).toBe(rule.name);
  const balance = { name: 'Balance below 1 USD', percent: null, threshold_nano_usd: '1000000000' };
  const below = (amount: string) => withNameOf(balance, { ...ENTRY, name: balance.name, amount }).name;
  expect([below('20'), below('2.50'), below('ten')]).toEqual([
    'Balance below 20 USD',
    'Balance below 2.50 USD',
    balance.name,
  ]);
  expect(withNameOf({ ...balance, threshold_nano_usd: '5' }, { ...ENTRY, name: balance.name }).name).toBe(balance.name);
});

test('the form shows a rule as it is, and proposes one where there is none', () => {
  const rule = {
    name: 'Low',
    threshold_usd: '1.00',
    percent: null,
    days: 4,
    mail_roles: ['viewer'],
    mail_to: ['a@b.example', 'c@d.example'],
  };
  expect(ruleEntryOf(rule as unknown as AlertRuleJson)).toEqual({
    name: 'Low',
    amount: '1.00',
    percent: '',
    days: '4',
    roles: ['viewer'],
    addresses: 'a@b.example\nc@d.example',
  });
  expect(ruleEntryOf(null)).toMatchObject({
    name: '',
    amount: '20.00',
    percent: '80',
    days: '7',
    roles: ['owner', 'admin', 'billing'],
  });
});
