// Budget windows. All of them are UTC, so no window is ever longer or shorter for daylight saving.

/** Periods that end. */
export const ENDING_PERIODS = ['day', 'week', 'month'] as const;

export const PERIODS = [...ENDING_PERIODS, 'never'] as const;

/** How often a budget resets; weeks are ISO weeks (Monday). */
export type Period = (typeof PERIODS)[number];

/** Milliseconds since the epoch; `endMs` is exclusive, and null if the window never ends. */
export interface Window {
  readonly period: Period;
  readonly startMs: number;
  readonly endMs: number | null;
}

const DAY_MS = 86_400_000;

/** The window of the period that holds the instant. A window without end starts at 0. */
export function windowAt(period: Period, nowMs: number): Window {
  const now = new Date(nowMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  switch (period) {
    case 'day': {
      const startMs = Date.UTC(year, month, day);
      return { period, startMs, endMs: startMs + DAY_MS };
    }
    case 'week': {
      const daysSinceMonday = (now.getUTCDay() + 6) % 7;
      const startMs = Date.UTC(year, month, day - daysSinceMonday);
      return { period, startMs, endMs: startMs + 7 * DAY_MS };
    }
    case 'month':
      return { period, startMs: Date.UTC(year, month, 1), endMs: Date.UTC(year, month + 1, 1) };
    case 'never':
      return { period, startMs: 0, endMs: null };
  }
}
