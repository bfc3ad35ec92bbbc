import type { Dialect, Outcome } from '../../../../src/domain/receipt.ts';
import type { ReceiptFilter } from '../../api/requests.ts';
import type { Period } from '../../api/usage.ts';
import { bucketMs, daysOfPeriod, momentOf, type TimeSlot } from '../../components/time-slots.ts';
import type { SearchTexts } from '../../paths.ts';

// What the address of the list says, and which stretch of time that is.

/** The search parameters of the pages about requests. */
export interface RequestSearch extends SearchTexts<'from' | 'to' | 'since' | 'until' | 'model' | 'key' | 'project'> {
  /** How far back the list reaches; without it and without `from` and `to`, a week. `since` and `until` bound what is chosen of it. */
  readonly range?: Period | undefined;
  readonly outcome?: Outcome | undefined;
  readonly dialect?: Dialect | undefined;
  /** Of an agent. */
  readonly session?: string | undefined;
  /** USD. */
  readonly min_charge?: string | undefined;
  /** Of refusals. */
  readonly code?: string | undefined;
  /** The list next to an open request; the served ones by default. */
  readonly list?: 'refused' | undefined;
}

/** A stretch of time, and the bars that it is counted in. */
export interface TimeWindow {
  readonly fromMs: number;
  /** The end of the present bar if it is open. */
  readonly toMs: number;
  /** It ends now, and moves with the clock. */
  readonly isOpen: boolean;
  readonly bucket: 'hour' | 'day';
  /** Null: given by `from` and `to`. */
  readonly range: Period | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_RANGE: Period = '7d';
/** Up to this length, bars are hours. */
const HOURS_MS_MAX = 8 * DAY_MS;

const floorTo = (ms: number, step: number): number => Math.floor(ms / step) * step;
const ceilTo = (ms: number, step: number): number => Math.ceil(ms / step) * step;

function given(search: RequestSearch, nowMs: number): Pick<TimeWindow, 'fromMs' | 'toMs' | 'isOpen' | 'range'> {
  const [from, to] = [momentOf(search.from), momentOf(search.to)];
  if (search.range === undefined && from !== null && (to ?? nowMs) > from) {
    return { fromMs: from, toMs: to ?? nowMs, isOpen: to === null || to > nowMs, range: null };
  }
  const range = search.range ?? DEFAULT_RANGE;
  if (range === '24h' || range === '7d') {
    return { fromMs: nowMs - (range === '24h' ? 1 : 7) * DAY_MS, toMs: nowMs, isOpen: true, range };
  }
  const { fromMs, toMs } = daysOfPeriod(range, nowMs);
  return { fromMs, toMs: Math.min(toMs, nowMs), isOpen: toMs > nowMs, range };
}

/** The time that the list is about. It begins and ends with whole bars, and what is chosen of it is in it. */
export function windowOf(search: RequestSearch, nowMs: number): TimeWindow {
  const { fromMs, toMs, isOpen, range } = given(search, nowMs);
  const first = Math.min(fromMs, chosenIn(search)?.fromMs ?? fromMs);
  const isShort = toMs - first <= HOURS_MS_MAX;
  const step = isShort ? HOUR_MS : DAY_MS;
  const start = floorTo(first, step);
  const end = Math.max(ceilTo(toMs, step), start + step);
  return { fromMs: start, toMs: end, isOpen, bucket: isShort ? 'hour' : 'day', range };
}

/** What is chosen in the histogram; null if nothing is. */
export function chosenIn({ since, until }: RequestSearch): { readonly fromMs: number; readonly toMs: number } | null {
  const [from, to] = [momentOf(since), momentOf(until)];
  return from === null || to === null || from >= to ? null : { fromMs: from, toMs: to };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** Which receipts the address asks for. */
export function filterOf(search: RequestSearch, time: TimeWindow): ReceiptFilter {
  const { outcome, model, key, project, dialect, session, min_charge: charge } = search;
  const chosen = chosenIn(search);
  const to = chosen?.toMs ?? (time.isOpen ? null : time.toMs);
  const wanted = { outcome, model, key, project, dialect, session, min_charge_usd: charge };
  return {
    ...(Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as ReceiptFilter),
    from: iso(chosen?.fromMs ?? time.fromMs),
    ...(to === null ? {} : { to: iso(to) }),
  };
}

/** The bars that the chosen time covers, by the ids of the first and the last one. */
export function chosenSlots(
  search: RequestSearch,
  slots: readonly TimeSlot[],
  { bucket }: TimeWindow,
): { from: string; to: string } | null {
  const chosen = chosenIn(search);
  if (chosen === null) return null;
  const covered = slots.filter(({ id }) => {
    const start = Date.parse(id);
    return start < chosen.toMs && start + bucketMs(bucket) > chosen.fromMs;
  });
  const [first, last] = [covered[0], covered.at(-1)];
  return first === undefined || last === undefined ? null : { from: first.id, to: last.id };
}

/** The end of a bar. */
export function slotEnd(id: string, { bucket }: TimeWindow): string {
  return iso(Date.parse(id) + bucketMs(bucket));
}
