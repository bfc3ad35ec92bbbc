import { expect, test } from 'vitest';
import type { UsageJson } from '../../../src/admin/usage-contract.ts';
import { totalOf } from '../charts/stack.ts';
import { usageBars } from './usage-bars.ts';

type Group = UsageJson['groups'][number];

/** A group that was charged so much on each of these days. */
function group(id: string, charges: Readonly<Record<string, bigint>>): Group {
  const points = Object.entries(charges).map(([day, charge]) => ({
    starts_at: `${day}T00:00:00.000Z`,
    sums: { net_charge_nano_usd: charge.toString() },
  }));
  return { group: id, name: null, points } as unknown as Group;
}

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'];

test('the bars of usage add up to the nano-dollar to what all groups were charged, however many there are', () => {
  const groups = Array.from({ length: 12 }, (_, index) =>
    group(`model-${index}`, { '2026-11-20': 9_007_199_254_740_993n + BigInt(index), '2026-11-22': 1n }),
  );
  const { bars, series } = usageBars({ groups }, DAYS);
  expect(series.map(({ id }) => id)).toEqual([...groups.slice(0, 7).map((each) => each.group), 'other']);
  expect(bars.map((bar) => totalOf(bar, series))).toEqual([12n * 9_007_199_254_740_993n + 66n, 0n, 12n]);
  expect(bars.map(({ unfinished }) => unfinished)).toEqual([false, false, true]);
});

test('usage of few groups has no series of others', () => {
  const { series } = usageBars({ groups: [group('only', { '2026-11-21': 5n })] }, DAYS);
  expect(series).toEqual([{ id: 'only', label: 'only' }]);
});
