import { expect, test } from 'vitest';
import { changeEvents, firstEvents } from './live-events.ts';
import type { LiveState } from './live-state.ts';

const REQUEST = { id: 'r1', outcome: 'completed', charge: 5n, settledAt: new Date(0), ageMs: 7 } as const;
const STATE: LiveState = {
  balance: 10_000_000_000n,
  held: 1n,
  leased: 2n,
  owed: 3n,
  burn: 1_000_000_000n,
  request: REQUEST,
  requestsOf: new Map(),
  topUps: new Map([['t1', 'pending']]),
  alerts: new Map([['a1', false]]),
  keys: [],
};
const FIRST = { request_id: 'r1', outcome: 'completed', charge_nano_usd: '5', charge_usd: '0.000000005' };

test('a stream begins with the balance, and with the last request if there was one', () => {
  expect(firstEvents(STATE).map(({ event }) => event)).toEqual([
    {
      name: 'balance',
      data: {
        balance_nano_usd: '10000000000',
        balance_usd: '10.00',
        held_nano_usd: '1',
        held_usd: '0.000000001',
        leased_nano_usd: '2',
        leased_usd: '0.000000002',
        owed_nano_usd: '3',
        owed_usd: '0.000000003',
        burn_nano_usd: '1000000000',
        burn_usd: '1.00',
        runway_days: 10,
      },
    },
    { name: 'request', data: { ...FIRST, settled_at: '1970-01-01T00:00:00.000Z', age_ms: 7, is_first: false } },
  ]);
  expect(firstEvents({ ...STATE, request: null }).map(({ event }) => event.name)).toEqual(['balance']);
});

test.each<[string, Partial<LiveState>, number | null]>([
  ['rounded down to whole days', { balance: 10_999_999_999n }, 10],
  ['nothing of a workspace that owes', { balance: -10_000_000_000n }, 0],
  ['not known where nothing is spent', { burn: 0n }, null],
  ['not known before there is a burn', { burn: null }, null],
])('the runway is %s', (_, more, days) => {
  expect(firstEvents({ ...STATE, ...more })[0]?.event.data).toMatchObject({ runway_days: days });
});

// What has changed since the last look, and the names of the events with the data that says so.
test.each<[string, Partial<LiveState>, readonly (readonly [string, object])[]]>([
  ['nothing', {}, []],
  ['the balance', { balance: 9n }, [['balance', { balance_nano_usd: '9' }]]],
  ['what is held', { held: 0n }, [['balance', { held_nano_usd: '0' }]]],
  ['what is leased', { leased: 0n }, [['balance', { leased_nano_usd: '0' }]]],
  ['what is owed', { owed: 0n }, [['balance', { owed_nano_usd: '0' }]]],
  ['the burn', { burn: 2_000_000_000n }, [['balance', { runway_days: 5 }]]],
  ['the last request', { request: { ...REQUEST, id: 'r2' } }, [['request', { request_id: 'r2', is_first: false }]]],
  ['the state of a top-up', { topUps: new Map([['t1', 'paid']]) }, [['payment', { id: 't1', state: 'paid' }]]],
  [
    'a top-up that is new',
    {
      topUps: new Map([
        ['t1', 'pending'],
        ['t2', 'failed'],
      ]),
    },
    [['payment', { id: 't2', state: 'failed' }]],
  ],
  ['an alert that is resolved', { alerts: new Map([['a1', true]]) }, [['alert', { id: 'a1', resolved: true }]]],
  [
    'an alert that is new',
    {
      alerts: new Map([
        ['a1', false],
        ['a2', false],
      ]),
    },
    [['alert', { id: 'a2', resolved: false }]],
  ],
  [
    'a key',
    { keys: [{ id: 'k1', projectId: 'p1', change: 'revoked', madeBy: 'u1' }] },
    [['key', { id: 'k1', project_id: 'p1', change: 'revoked' }]],
  ],
])('what is reported of a change of %s is that alone', (_, more, events) => {
  const found = changeEvents(STATE, { ...STATE, ...more }).map(({ event }) => event);
  expect(found.map(({ name }) => name)).toEqual(events.map(([name]) => name));
  expect(found).toMatchObject(events.map(([name, data]) => ({ name, data })));
});

test('the first request of a workspace is reported as that', () => {
  const [first] = changeEvents({ ...STATE, request: null }, STATE);
  expect(first?.event).toMatchObject({ name: 'request', data: { request_id: 'r1', is_first: true } });
});

test('a request and a key are reported to the one who made the key too, and nothing else is reported to one alone', () => {
  const mine = { ...REQUEST, id: 'r2' };
  const key = { id: 'k1', projectId: 'p1', change: 'created', madeBy: 'u1' } as const;
  const now = { ...STATE, balance: 9n, request: REQUEST, requestsOf: new Map([['u1', mine]]), keys: [key] };
  const seen = changeEvents(STATE, now).map(({ event, isForAll, of }) => [event.name, isForAll, of]);
  expect(seen).toEqual([
    ['balance', true, null],
    ['request', false, 'u1'],
    ['key', true, 'u1'],
  ]);
  expect(changeEvents(now, { ...now, keys: [] })).toEqual([]);
  const first = firstEvents(now).map(({ event, isForAll, of }) => [event.name, isForAll, of]);
  expect(first).toEqual([
    ['balance', true, null],
    ['request', true, null],
    ['request', false, 'u1'],
  ]);
});
