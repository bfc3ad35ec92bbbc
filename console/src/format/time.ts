import { dayOf, formatDay, MS_PER_DAY } from './day.ts';

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;

function span(ms: number): string {
  if (ms < MS_PER_MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < MS_PER_HOUR) return `${Math.floor(ms / MS_PER_MINUTE)} min`;
  return `${Math.floor(ms / MS_PER_HOUR)} h`;
}

/** A moment as people say it: "3 min ago" or "in 5 h" within a day, "14 Nov, 09:12 UTC" beyond. */
export function formatTime(moment: Date, now: Date): string {
  const ms = now.getTime() - moment.getTime();
  if (Math.abs(ms) >= MS_PER_DAY) return `${formatDay(dayOf(moment), now)}, ${moment.toISOString().slice(11, 16)} UTC`;
  if (Math.abs(ms) < 1000) return 'now';
  return ms > 0 ? `${span(ms)} ago` : `in ${span(-ms)}`;
}

/** How long until `formatTime` may say something else, in milliseconds; null beyond a day. */
export function timeChangesAfter(moment: Date, now: Date): number | null {
  const ms = Math.abs(now.getTime() - moment.getTime());
  if (ms >= MS_PER_DAY) return null;
  if (ms < MS_PER_MINUTE) return 1000;
  return MS_PER_MINUTE;
}

const LOCAL = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'shortOffset',
});

/** A moment to the millisecond in UTC, and to the second where the reader is. */
export function formatTimeExactly(moment: Date): string {
  const utc = `${moment.toISOString().slice(0, 23).replace('T', ' ')} UTC`;
  return `${utc}\n${LOCAL.format(moment)} for you`;
}
