// Durations and sizes as people write them in the file: a whole number and a unit.

export const DURATION_PATTERN = /^\d{1,8}(ms|s|m|h)$/;
export const SIZE_PATTERN = /^\d{1,6}(B|KiB|MiB|GiB)$/;

const DURATION_UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;
const SIZE_UNITS = [
  ['GiB', 1_073_741_824],
  ['MiB', 1_048_576],
  ['KiB', 1_024],
  ['B', 1],
] as const;

type Units = readonly (readonly [string, number])[];

/** Milliseconds in a text that matches DURATION_PATTERN; null for any other. */
export function parseDuration(text: string): number | null {
  return DURATION_PATTERN.test(text) ? parseWithUnit(text, DURATION_UNITS) : null;
}

/** Bytes in a text that matches SIZE_PATTERN; null for any other. */
export function parseSize(text: string): number | null {
  return SIZE_PATTERN.test(text) ? parseWithUnit(text, SIZE_UNITS) : null;
}

/** Milliseconds in the largest unit that needs no fraction: 90000 → "90s". */
export function formatDuration(ms: number): string {
  return formatWithUnit(ms, DURATION_UNITS, 'ms');
}

/** Bytes in the largest unit that needs no fraction: 16384 → "16KiB". */
export function formatSize(bytes: number): string {
  return formatWithUnit(bytes, SIZE_UNITS, 'B');
}

function parseWithUnit(text: string, units: Units): number | null {
  const unit = /[A-Za-z]+/.exec(text)?.[0];
  const factor = units.find(([name]) => name === unit)?.[1];
  return factor === undefined ? null : Number.parseInt(text, 10) * factor;
}

function formatWithUnit(amount: number, units: Units, smallest: string): string {
  const [name, factor] = units.find(([, size]) => amount > 0 && amount % size === 0) ?? [smallest, 1];
  return `${amount / factor}${name}`;
}
