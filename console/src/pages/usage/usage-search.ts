import { USAGE_DAYS_MAX, usageGroupsThatFit } from '../../../../src/domain/usage-bounds.ts';
import {
  canBePaired,
  DAYS_OF_RECEIPTS,
  isReceiptGrouping,
  WORKSPACE_GROUPINGS,
} from '../../../../src/domain/usage-groupings.ts';
import type { Period, UsageQuestion } from '../../api/usage.ts';
import { type BucketedTime, bucketMs, daysOfPeriod, momentOf } from '../../components/time-slots.ts';
import { dayOf, MS_PER_DAY, startOf } from '../../format/day.ts';
import type { SearchTexts } from '../../paths.ts';

// What the address of the page says, which stretch of time that is, and what is asked for it.

export const MEASURES = ['charge', 'requests', 'tokens'] as const;

export type MeasureName = (typeof MEASURES)[number];
export type Grouping = (typeof WORKSPACE_GROUPINGS)[number];

export interface UsageSearch extends SearchTexts<'project' | 'key' | 'model'> {
  /** How far back it goes; without it, `month` and `from`, 30 days. */
  readonly period?: Period | undefined;
  /** A month of UTC, such as "2026-11". */
  readonly month?: string | undefined;
  /** From the day of this moment on, and up to that of this one, which is not in it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly measure?: MeasureName | undefined;
  readonly by?: Grouping | undefined;
  /** A second grouping. */
  readonly and?: Grouping | undefined;
  readonly bucket?: 'hour' | 'day' | undefined;
  /** "true": with the previous period. */
  readonly compare?: 'true' | undefined;
}

/** The time that is shown. */
export interface UsageTime extends BucketedTime {
  /** It is current: `toMs` is the end of the present hour or day. */
  readonly isOpen: boolean;
  readonly chosen: Period | 'month' | 'days';
  /** Bars may be hours. */
  readonly mayBeHours: boolean;
}

const HOURS_A_DAY = 24;
/** More bars than this have no room. */
const DAYS_OF_HOURS_MAX = 8;
/** More groups than this have no colour. */
const GROUPS_MAX = 50;

const startOfDay = (ms: number): number => startOf(dayOf(new Date(ms))).getTime();

/** The first moment of the month after this one. */
function monthEnd(month: string): number {
  const [year = '', number = ''] = month.split('-');
  return Date.UTC(Number(year), Number(number), 1);
}

/** The days that are chosen: their first moment, the first moment after them, and how they were chosen. */
function daysOf(search: UsageSearch, nowMs: number): Pick<UsageTime, 'fromMs' | 'toMs' | 'chosen'> {
  const end = startOfDay(nowMs) + MS_PER_DAY;
  const { period, month } = search;
  if (period === undefined && month !== undefined && startOf(`${month}-01`).getTime() < end) {
    return { fromMs: startOf(`${month}-01`).getTime(), toMs: Math.min(end, monthEnd(month)), chosen: 'month' };
  }
  const from = momentOf(search.from);
  if (period === undefined && from !== null) {
    const toMs = Math.min(end, startOfDay((momentOf(search.to) ?? end) + MS_PER_DAY - 1));
    const fromMs = Math.max(startOfDay(from), toMs - USAGE_DAYS_MAX * MS_PER_DAY);
    if (fromMs < toMs) return { fromMs, toMs, chosen: 'days' };
  }
  const chosen = period === undefined || period === '24h' ? '30d' : period;
  return { ...daysOfPeriod(chosen, nowMs), chosen };
}

/** The time that the page is about, in whole bars. */
export function timeOf(search: UsageSearch, nowMs: number): UsageTime {
  if (search.period === '24h') {
    const hour = bucketMs('hour');
    const toMs = Math.floor(nowMs / hour) * hour + hour;
    const fromMs = toMs - HOURS_A_DAY * hour;
    return { fromMs, toMs, isOpen: true, chosen: '24h', bucket: 'hour', mayBeHours: true };
  }
  const days = daysOf(search, nowMs);
  const count = (days.toMs - days.fromMs) / MS_PER_DAY;
  const mayBeHours = count <= DAYS_OF_HOURS_MAX;
  const wanted = search.bucket ?? (count === 1 ? 'hour' : 'day');
  return { ...days, isOpen: days.toMs > nowMs, bucket: mayBeHours ? wanted : 'day', mayBeHours };
}

/** The bounds of a stretch for the API. What is open has no end, so that it is asked for as it grows. */
function boundsOf({ fromMs, toMs, isOpen }: Pick<UsageTime, 'fromMs' | 'toMs' | 'isOpen'>) {
  return { from: new Date(fromMs).toISOString(), ...(isOpen ? {} : { to: new Date(toMs).toISOString() }) };
}

/** What usage may be grouped by: some of it only for a short time. */
export function groupingsIn({ fromMs, toMs }: Pick<UsageTime, 'fromMs' | 'toMs'>): readonly Grouping[] {
  const days = (toMs - fromMs) / MS_PER_DAY;
  return WORKSPACE_GROUPINGS.filter((by) => !isReceiptGrouping(by) || days <= DAYS_OF_RECEIPTS[by].most);
}

function groupingOf({ by = 'model' }: UsageSearch, time: UsageTime): Grouping {
  return groupingsIn(time).includes(by) ? by : 'model';
}

/** What may be the second grouping beside this one. */
export function secondGroupings(by: Grouping): readonly Grouping[] {
  return WORKSPACE_GROUPINGS.filter((other) => canBePaired(by, other));
}

/** What the page asks. */
export function questionOf(search: UsageSearch, time: UsageTime) {
  const { compare, project, key, model, and } = search;
  const { bucket } = time;
  const by = groupingOf(search, time);
  const second = and !== undefined && canBePaired(by, and) ? and : undefined;
  const bars = (time.toMs - time.fromMs) / bucketMs(bucket);
  return {
    ...boundsOf(time),
    bucket,
    group_by: by,
    ...(second === undefined ? {} : { and_by: second }),
    limit: Math.min(GROUPS_MAX, usageGroupsThatFit(bars)),
    ...(compare === undefined ? {} : { compare }),
    ...(project === undefined ? {} : { project }),
    ...(key === undefined ? {} : { key }),
    ...(model === undefined ? {} : { model }),
  } as const satisfies UsageQuestion;
}

export type AskedUsage = ReturnType<typeof questionOf>;

/** The search parameters of the page of requests that shows the same ones; of one bar, if its start is given. */
export function requestsOf({ from, to, bucket, project, key, model }: AskedUsage, bar?: string) {
  const filters = { project, key, model };
  if (bar === undefined) return { from, to, ...filters };
  return { from: bar, to: new Date(Date.parse(bar) + bucketMs(bucket)).toISOString(), ...filters };
}
