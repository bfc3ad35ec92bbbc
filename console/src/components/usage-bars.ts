import type { UsageJson } from '../../../src/admin/usage-contract.ts';
import { OTHER, type Series } from '../charts/series.ts';
import type { Bar } from '../charts/stack.ts';
import { formatDay, type UtcDay } from '../format/day.ts';

const SERIES_MAX = 7;

/**
 * Bars of what was charged on each of these days, the last of which still grows: a series for each of the groups that were
 * charged most, and one for all others.
 */
export function usageBars(
  { groups }: Pick<UsageJson, 'groups'>,
  days: readonly UtcDay[],
): { readonly bars: readonly Bar[]; readonly series: readonly Series[] } {
  const shown = groups.slice(0, SERIES_MAX).map(({ group, name }) => ({ id: group, label: name ?? group }));
  const series = groups.length > SERIES_MAX ? [...shown, { id: OTHER, label: 'other' }] : shown;
  const values = new Map<UtcDay, Record<string, bigint>>(days.map((day) => [day, {}]));
  for (const [index, { group, points }] of groups.entries()) {
    const id = index < SERIES_MAX ? group : OTHER;
    for (const { starts_at: at, sums } of points) {
      const ofDay = values.get(at.slice(0, 10));
      if (ofDay !== undefined) ofDay[id] = (ofDay[id] ?? 0n) + BigInt(sums.net_charge_nano_usd);
    }
  }
  const last = days.at(-1);
  const bars = days.map((day) => ({
    id: day,
    label: formatDay(day),
    values: values.get(day) ?? {},
    unfinished: day === last,
  }));
  return { bars, series };
}
