import type { UsageJson, UsageSumsJson } from '../../../src/control/admin/usage/usage-contract.ts';
import { OTHER, type Series } from '../charts/series.ts';
import type { Bar } from '../charts/stack.ts';
import type { TimeSlot } from './time-slots.ts';

const SERIES_MAX = 7;

/** What is looked at of usage. */
export type Measure = (sums: UsageSumsJson) => bigint;

export const netCharge: Measure = (sums) => BigInt(sums.net_charge_nano_usd);

interface BarOptions {
  readonly measure: Measure;
  readonly seriesOf: (group: UsageJson['groups'][number]) => Series;
}

type Course = readonly UsageJson['points'][number][];

/** What each point comes to, by when it begins. */
export function courseOf(points: Course, measure: Measure): ReadonlyMap<string, bigint> {
  return new Map(points.map(({ starts_at: at, sums }) => [new Date(at).toISOString(), measure(sums)]));
}

/** The groups of a report, those with the most first. */
export function byMeasure({ groups }: Pick<UsageJson, 'groups'>, measure: Measure): UsageJson['groups'] {
  return groups.toSorted((one, other) => {
    const more = measure(other.total) - measure(one.total);
    return more > 0n ? 1 : more < 0n ? -1 : 0;
  });
}

/** Bars of usage: a series for each of the groups with the most, and one for all others, so that each bar is the whole. */
export function usageBars(
  usage: Pick<UsageJson, 'groups' | 'others' | 'points'>,
  slots: readonly TimeSlot[],
  { measure, seriesOf }: BarOptions,
): { readonly bars: readonly Bar[]; readonly series: readonly Series[] } {
  const groups = byMeasure(usage, measure);
  const shown = groups.slice(0, SERIES_MAX).map((group) => ({
    series: seriesOf(group),
    course: courseOf(group.points, measure),
  }));
  const isCut = groups.length > SERIES_MAX || usage.others.requests > 0;
  const whole = courseOf(usage.points, measure);
  const bars = slots.map((slot) => {
    const values = shown.map(({ series, course }) => [series.id, course.get(slot.id) ?? 0n] as const);
    const rest = values.reduce((left, [, value]) => left - value, whole.get(slot.id) ?? 0n);
    return { ...slot, values: Object.fromEntries(isCut ? [...values, [OTHER, rest] as const] : values) };
  });
  const series = shown.map((one) => one.series);
  return { bars, series: isCut ? [...series, { id: OTHER, label: 'other' }] : series };
}
