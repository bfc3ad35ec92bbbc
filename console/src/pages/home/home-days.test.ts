import { expect, test } from 'vitest';
import type { UsageJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { barsOf, spentInMonth } from './home-days.ts';

/** Usage as it is read on this day, with this much on each of these. */
function usageOn(today: string, spent: Readonly<Record<string, string>>): UsageJson {
  const points = Object.entries(spent).map(([day, amount]) => ({
    starts_at: `${day}T00:00:00.000Z`,
    sums: { net_charge_nano_usd: amount },
  }));
  const to = new Date(Date.parse(today) + 86_400_000).toISOString();
  return { to, groups: [{ points }] } as unknown as UsageJson;
}

test('the last 30 days of UTC have a bar each, of which only today is unfinished', () => {
  const bars = barsOf(usageOn('2026-03-01', { '2026-01-30': '9', '2026-02-28': '5', '2026-03-01': '7' }));
  expect([bars.length, bars[0]?.id, bars.at(-1)?.id]).toEqual([30, '2026-01-31', '2026-03-01']);
  expect(bars.filter(({ unfinished }) => unfinished).map(({ id }) => id)).toEqual(['2026-03-01']);
  expect(bars.slice(-3).map(({ values }) => values?.['charge'])).toEqual([0n, 5n, 7n]);
});

test('what was spent this month has all of its days, also those older than 30, and none of another month', () => {
  const huge = '9007199254740993';
  expect(spentInMonth(usageOn('2026-01-31', { '2026-01-01': huge, '2026-01-31': '1' }))).toBe(BigInt(huge) + 1n);
  expect(spentInMonth(usageOn('2026-03-01', { '2026-02-28': '5' }))).toBe(0n);
});
