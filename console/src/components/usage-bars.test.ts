import { expect, test } from 'vitest';
import type { UsageJson } from '../../../src/control/admin/usage/usage-contract.ts';
import { totalOf } from '../charts/stack.ts';
import { startOf } from '../format/day.ts';
import { timeSlots } from './time-slots.ts';
import { netCharge, usageBars } from './usage-bars.ts';

type Group = UsageJson['groups'][number];
type Charges = Readonly<Record<string, bigint>>;

function pointsOf(charges: Charges): UsageJson['points'] {
  return Object.entries(charges).map(([day, charge]) => ({
    starts_at: `${day}T00:00:00.000Z`,
    sums: { net_charge_nano_usd: charge.toString() },
  })) as unknown as UsageJson['points'];
}

/** A group that was charged so much on each of these days. */
function group(id: string, charges: Charges): Group {
  const net = Object.values(charges).reduce((sum, charge) => sum + charge, 0n);
  return {
    group: id,
    name: null,
    total: { net_charge_nano_usd: net.toString() },
    points: pointsOf(charges),
  } as unknown as Group;
}

const NOW = Date.parse('2026-11-22T14:00:00Z');
const SLOTS = timeSlots(
  { fromMs: startOf('2026-11-20').getTime(), toMs: startOf('2026-11-23').getTime(), bucket: 'day' },
  NOW,
);
const OPTIONS = { measure: netCharge, seriesOf: ({ group: id }: Group) => ({ id, label: id }) };

const others = (requests: number) => ({ requests }) as UsageJson['others'];

test('bars add up to the nano-dollar to all usage, with more groups than colours and with groups that have no name', () => {
  const groups = Array.from({ length: 12 }, (_, index) =>
    group(`model-${index}`, { '2026-11-20': 9_007_199_254_740_993n + BigInt(index), '2026-11-22': 1n }),
  );
  const whole = { '2026-11-20': 12n * 9_007_199_254_740_993n + 66n, '2026-11-21': 5n, '2026-11-22': 12n };
  const { bars, series } = usageBars({ groups, others: others(1), points: pointsOf(whole) }, SLOTS, OPTIONS);
  const largest = groups.toReversed().slice(0, 7);
  expect(series.map(({ id }) => id)).toEqual([...largest.map((each) => each.group), 'other']);
  expect(bars.map((bar) => totalOf(bar, series))).toEqual(Object.values(whole));
  expect(bars.map(({ unfinished }) => unfinished)).toEqual([false, false, true]);
});

test('usage of few groups has no series of others, unless some are not named', () => {
  const usage = { groups: [group('only', { '2026-11-21': 5n })], points: pointsOf({ '2026-11-21': 7n }) };
  const { series } = usageBars({ ...usage, others: others(0) }, SLOTS, OPTIONS);
  expect(series).toEqual([{ id: 'only', label: 'only' }]);
  const cut = usageBars({ ...usage, others: others(2) }, SLOTS, OPTIONS);
  expect(cut.series.map(({ id }) => id)).toEqual(['only', 'other']);
  expect(cut.bars[1]?.values).toEqual({ only: 5n, other: 2n });
});

test('a day or an hour is itself in UTC, and only the present one is not over', () => {
  const hours = timeSlots({ fromMs: NOW - 7_200_000, toMs: NOW + 3_600_000, bucket: 'hour' }, NOW + 1);
  expect(hours.map(({ label, unfinished }) => [label, unfinished])).toEqual([
    ['22 Nov, 12:00', false],
    ['22 Nov, 13:00', false],
    ['22 Nov, 14:00', true],
  ]);
  expect(SLOTS.map(({ id }) => id.slice(0, 10))).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
});
