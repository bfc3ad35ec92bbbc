import { groupDigits } from '../../../src/domain/money.ts';

const SHORT_UNITS = ['', 'k', 'M', 'B', 'T'];

/** A whole number of things: "1,204". Strings are integers of the API that a number may not hold. */
export function formatCount(count: number | bigint | string): string {
  const digits = typeof count === 'number' ? Math.round(count).toString() : count.toString();
  return digits.startsWith('-') ? `−${groupDigits(digits.slice(1))}` : groupDigits(digits);
}

/** A number for the axis of a chart: "950", "1.2 k", "34 M". */
export function formatCountShort(count: number): string {
  let rest = count;
  let unit = 0;
  while (Math.abs(rest) >= 999.5 && unit < SHORT_UNITS.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && Math.abs(rest) < 9.95 ? rest.toFixed(1).replace(/\.0$/, '') : Math.round(rest).toString();
  return unit === 0 ? digits : `${digits} ${SHORT_UNITS[unit] ?? ''}`;
}

/** "1 key", "1,204 keys"; irregular plurals are given. */
export function formatNumberOf(count: number | bigint, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 || count === 1n ? one : many}`;
}

export const formatTokens = (count: number | bigint): string => formatNumberOf(count, 'token');

/** A part of a whole as a percentage, which is 0% or 100% only if it is none or all of it: "<0.1%", "12.0%". */
export function formatShare(part: number | bigint, whole: number | bigint): string {
  const [some, all] = [Number(part), Number(whole)];
  if (some === 0 || all === 0) return '0%';
  if (part === whole) return '100%';
  const percent = (some / all) * 100;
  if (percent < 0.1) return '<0.1%';
  if (percent < 100 && percent > 99.9) return '>99.9%';
  return `${percent.toFixed(1)}%`;
}
