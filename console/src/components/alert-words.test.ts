import { expect, test } from 'vitest';
import { conditionSentence, mailedTo, remedyOf, type RuleTerms, subjectHref } from './alert-words.ts';

const RULE: RuleTerms = {
  kind: 'balance_below',
  threshold_nano_usd: null,
  percent: null,
  days: null,
  subject_id: null,
  subject_name: null,
};

test.each([
  [{ kind: 'balance_below', threshold_nano_usd: '20000000000' }, 'The balance is below $20.00'],
  [{ kind: 'balance_share', percent: 20 }, 'The balance is below 20 % of the last top-up or grant'],
  [{ kind: 'runway', days: 1 }, 'The balance lasts for fewer than 1 day'],
  [{ kind: 'project_budget', percent: 80 }, 'A project has used 80 % of its budget'],
  [
    { kind: 'project_budget', percent: 100, subject_id: 'p', subject_name: 'web' },
    'The project web has used all of its budget',
  ],
  [{ kind: 'key_limit', percent: 80, subject_id: 'k' }, 'The key that is gone has used 80 % of its limit'],
] as const)('a rule of %o is said in one sentence', (terms, sentence) => {
  expect(conditionSentence({ ...RULE, ...terms })).toBe(sentence);
});

test('whom a rule mails is a list of roles and addresses, or nobody', () => {
  expect(mailedTo({ mail_roles: ['owner', 'billing'], mail_to: ['ops@example.com'] })).toBe(
    'owners, billing members, and ops@example.com',
  );
  expect(mailedTo({ mail_roles: [], mail_to: [] })).toBeNull();
});

test('each kind of alert leads to the one page that helps', () => {
  expect(remedyOf('w', 'runway', 'w')).toMatchObject({ label: 'Add credit', href: '/workspaces/w/credit?add=true' });
  expect(remedyOf('w', 'project_budget', 'p').href).toBe('/workspaces/w/projects/p?change=true');
  expect(remedyOf('w', 'key_limit', 'k').href).toBe('/workspaces/w/keys/k?change=true');
  expect(remedyOf(null, 'ledger_difference', 'l').href).toBe('/operator/ledger');
  expect(remedyOf(null, 'provider_key_refused', 'p').href).toBe('/operator/providers');
});

test('what helps against an alert is for those who may do it', () => {
  const kinds = ['project_budget', 'auto_top_up_stopped'] as const;
  expect(kinds.map((kind) => remedyOf('w', kind, 'x').needs?.permission)).toEqual(['projects:write', 'payments:write']);
  expect(remedyOf('w', 'key_limit', 'a-key').raises).toBe('a-key');
});

test.each([
  ['key_limit', '/workspaces/w/keys/s'],
  ['project_budget', '/workspaces/w/projects/s'],
  ['end_user_limit', '/workspaces/w/projects/s'],
  ['member_limit', '/workspaces/w/members?member=s'],
  ['runway', '/workspaces/w/credit'],
] as const)('an alert of %s leads to the page of what it is about', (kind, href) => {
  expect(subjectHref('w', kind, 's')).toBe(href);
});
