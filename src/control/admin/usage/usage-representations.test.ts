import { expect, test } from 'vitest';
import type { UsageRow } from '../../usage/usage-export.ts';
import { usageColumns } from './usage-representations.ts';

const TOKENS = {
  input: 1n,
  cached_input: 2n,
  cache_write_5m: 3n,
  cache_write_1h: 4n,
  audio_input: 5n,
  output: 6n,
  audio_output: 7n,
};
const SUMS = {
  requests: 10n,
  charge: 100n,
  corrected: 30n,
  writeOff: 8n,
  tokens: TOKENS,
  latency: null,
  costs: { amount: 50n, requests: 9n },
};
const ROW = { startsAt: new Date(0), group: 'm', sums: SUMS } as unknown as UsageRow;

const readAll = (withCosts: boolean, row: UsageRow) =>
  Object.fromEntries(usageColumns({ withCosts, withSecond: false }).map(({ name, read }) => [name, read(row)]));

const PLAIN = {
  starts_at: new Date(0),
  group: 'm',
  requests: 10,
  charge: 100n,
  correction: -30n,
  net_charge: 70n,
  write_off: 8n,
  input_tokens: 1,
  cached_input_tokens: 2,
  cache_write_5m_tokens: 3,
  cache_write_1h_tokens: 4,
  audio_input_tokens: 5,
  output_tokens: 6,
  audio_output_tokens: 7,
};

test('exported usage has a column for each sum, and costs and margins for the operator alone', () => {
  expect(readAll(false, ROW)).toEqual(PLAIN);
  expect(readAll(true, ROW)).toEqual({ ...PLAIN, cost: 50n, costed_requests: 9, margin: 20n });
});

test('exported usage whose costs are not known has none, and all of its charge is margin', () => {
  const unknown = { ...ROW, sums: { ...SUMS, costs: null } } as unknown as UsageRow;
  expect(readAll(true, unknown)).toMatchObject({ cost: 0n, costed_requests: 0, margin: 70n });
});
