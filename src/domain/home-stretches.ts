/** A stretch of time as queries of usage name it. */
export interface NamedStretch {
  readonly from: string;
  /** Left out: up to now. */
  readonly to?: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
const HOURS = 24;

function monthStartMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

const named = (timeMs: number): string => new Date(timeMs).toISOString();

/** Today and the 29 days before it, and the whole of this month. */
export function homeDays(nowMs: number): NamedStretch {
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
  return { from: named(Math.min(firstMs, monthStartMs(nowMs))) };
}

/** The present hour and the 23 before it. */
export function lastDay(nowMs: number): NamedStretch {
  return { from: named((Math.floor(nowMs / HOUR_MS) - (HOURS - 1)) * HOUR_MS) };
}

/** Last month, as far as this one has come. */
export function lastMonthSoFar(nowMs: number): Required<NamedStretch> {
  const thisMs = monthStartMs(nowMs);
  const fromMs = monthStartMs(thisMs - 1);
  const hours = Math.floor((nowMs - thisMs) / HOUR_MS) + 1;
  return { from: named(fromMs), to: named(Math.min(thisMs, fromMs + hours * HOUR_MS)) };
}
