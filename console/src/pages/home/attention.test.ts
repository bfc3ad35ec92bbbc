import { expect, test } from 'vitest';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ProviderJson } from '../../../../src/control/admin/providers/provider-contract.ts';
import type { OverviewJson } from '../../../../src/control/admin/accounts/overview-contract.ts';
import { attentionOf } from './attention.ts';

const WORKSPACE = {
  id: 'w',
  state: 'active',
  suspension_reason: null,
  balance_nano_usd: '5000000000',
  expires_at: null,
} as WorkspaceJson;
const NOTHING: OverviewJson = {
  refused: { recorded: 0, unrecorded: 0 },
  near_limits: [],
  expiring_keys: [],
  auto_top_up_stop: null,
  open_alerts: [],
  figures: null,
};
const NOW = new Date('2026-11-20T12:00:00Z');

function idsOf({
  workspace,
  overview,
  ...others
}: {
  workspace?: Partial<WorkspaceJson>;
  overview?: object;
  runwayDays?: number | null;
  problems?: readonly string[];
  providers?: readonly ProviderJson[];
}): readonly string[] {
  const sources = {
    id: 'w',
    workspace: { ...WORKSPACE, ...workspace },
    overview: { ...NOTHING, ...overview },
    runwayDays: null,
    problems: [],
    providers: [],
    now: NOW,
    ...others,
  };
  return attentionOf(sources).map(({ id, tone, text }) => `${tone} ${id}: ${text}`);
}

const alert = (kind: string, subject: string) => ({ id: kind, kind, subject: { id: subject }, summary: 'An alert.' });
const LIMIT = {
  kind: 'project',
  id: 'p',
  name: 'web',
  used_nano_usd: '4980000000',
  limit_nano_usd: '5000000000',
  resets_at: '2026-12-01T00:00:00Z',
};

test('a workspace with credit and nothing at its limits needs nobody', () => {
  expect(idsOf({ runwayDays: 30 })).toEqual([]);
});

test('credit asks for attention a week before its end, urgently on its last day and when it is gone', () => {
  expect(idsOf({ runwayDays: 6.5 })[0]).toMatch('warn credit: The credit lasts for about 6 days');
  expect(idsOf({ runwayDays: 0.5 })[0]).toMatch('danger credit: The credit lasts for about 12 hours');
  expect(idsOf({ workspace: { balance_nano_usd: '-1' } })).toEqual([
    'danger credit: No credit is left: requests are refused.',
  ]);
});

test('a limit is listed with what was spent and when it resets, and not again for its alert', () => {
  const overview = { near_limits: [LIMIT], open_alerts: [alert('project_budget', 'p'), alert('key_limit', 'k')] };
  expect(idsOf({ overview })).toEqual([
    'danger limit p: Project web has spent $4.98 of its budget of $5.00. It resets on 1 Dec, 00:00 UTC.',
    'warn alert key_limit: An alert.',
  ]);
});

test('alerts of the balance are left out while the balance asks for attention itself', () => {
  const overview = { open_alerts: [alert('balance_below', 'w'), alert('runway', 'w')] };
  expect(idsOf({ overview, runwayDays: 2 })).toHaveLength(1);
  expect(idsOf({ overview, runwayDays: 20 })).toHaveLength(2);
});

const EVERYWHERE = { resting: 2, probing: 0, failing: 0, answering: 0, idle: 0 };
const route = (model: string, more: object = {}) => ({
  model,
  on_sale: true,
  state: 'answering',
  processes: { ...EVERYWHERE, resting: 0, answering: 2 },
  ...more,
});
const resting = (model: string, processes = EVERYWHERE) => route(model, { state: 'resting', processes });
const provider = (name: string, routes: readonly object[], state = 'degraded') =>
  ({ name, state, routes }) as unknown as ProviderJson;

test('routes that rest ask for attention, urgently if a model has no other in any process', () => {
  expect(idsOf({ providers: [provider('main', [route('a')], 'answering')] })).toEqual([]);
  expect(idsOf({ providers: [provider('main', [resting('a'), route('b')]), provider('side', [route('a')])] })).toEqual([
    'warn provider main: 1 of 2 routes to provider main rests.',
  ]);
  const former = provider('side', [route('a', { on_sale: false })], 'answering');
  expect(idsOf({ providers: [provider('main', [resting('a'), route('b')]), former] })).toEqual([
    'danger provider main: 1 of 2 routes to provider main rests. Requests to a are refused.',
  ]);
  const lost = ['a', 'b', 'c', 'd'].map((model) => resting(model));
  expect(idsOf({ providers: [provider('main', lost)] })).toEqual([
    'danger provider main: 4 of 4 routes to provider main rest. Requests to a, b, c and 1 more model are refused.',
  ]);
  expect(
    idsOf({ providers: [provider('main', [resting('a', { ...EVERYWHERE, resting: 1, answering: 1 })])] })[0],
  ).toMatch(/^warn/);
});

test('a provider that refuses its key asks for attention urgently, whatever its routes do', () => {
  expect(idsOf({ providers: [provider('main', [route('a')], 'key_refused')] })).toEqual([
    'danger provider main: Provider main refuses its key.',
  ]);
});

test('what refuses requests now comes before what will', () => {
  const found = idsOf({
    workspace: { state: 'suspended', suspension_reason: 'a dispute' },
    overview: {
      expiring_keys: [{ id: 'k', name: 'laptop', expires_at: '2026-11-20T17:00:00Z' }],
      auto_top_up_stop: 'failures',
      open_alerts: [alert('auto_top_up_stopped', 'w')],
    },
    problems: ['The ledger did not add up.'],
  });
  expect(found.map((text) => text.split(':')[0])).toEqual([
    'danger state',
    'danger auto-top-up',
    'danger problem The ledger did not add up.',
    'warn expiry k',
  ]);
  expect(found[0]).toContain('a dispute');
  expect(found.at(-1)).toContain('Key laptop expires in 5 h.');
});
