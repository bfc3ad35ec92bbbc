// Days and months of the console are days and months of UTC, as budgets and usage are.

/** A day of UTC as "2026-11-20". */
export type UtcDay = string;

export const MS_PER_DAY = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The day of UTC that a moment lies in. */
export function dayOf(moment: Date): UtcDay {
  return moment.toISOString().slice(0, 10);
}

/** The first moment of a day. */
export function startOf(day: UtcDay): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The day that is a number of days later, or earlier if negative. */
export function addDays(day: UtcDay, days: number): UtcDay {
  return dayOf(new Date(startOf(day).getTime() + days * MS_PER_DAY));
}

/** A month of UTC as "2026-11". */
export type UtcMonth = string;

/** The month of UTC that a moment lies in. */
export function monthOf(moment: Date): UtcMonth {
  return moment.toISOString().slice(0, 7);
}

/** The month that is a number of months later, or earlier if negative. */
export function addMonths(month: UtcMonth, count: number): UtcMonth {
  const [year = '', number = ''] = month.split('-');
  return monthOf(new Date(Date.UTC(Number(year), Number(number) - 1 + count, 1)));
}

/** Each day from the first to the last, both included. */
export function daysBetween(first: UtcDay, last: UtcDay): readonly UtcDay[] {
  const count = Math.round((startOf(last).getTime() - startOf(first).getTime()) / MS_PER_DAY) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => addDays(first, index));
}

/** "14 Nov", with the year if it is another than that of `now`. */
export function formatDay(day: UtcDay, now?: Date): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const short = `${Number(date)} ${MONTHS[Number(month) - 1] ?? month}`;
  return now === undefined || now.getUTCFullYear() === Number(year) ? short : `${short} ${year}`;
}

/** "November" is "Nov 2026": a month by the day that it begins with, or any other of its days. */
export function formatMonth(day: UtcDay): string {
  const [year = '', month = ''] = day.split('-');
  return `${MONTHS[Number(month) - 1] ?? month} ${year}`;
}
