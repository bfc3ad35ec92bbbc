import { InvalidArgumentError, Option } from 'commander';
import { isNetwork } from '../../lib/network-range.ts';

// Parses the values of options. "none" removes a limit; an omitted option changes nothing. Commander treats a parsed
// null as a missing value, so "none" stays a string until the request is built.

export const NONE = 'none';
export type OrNone<Value> = Value | typeof NONE;

/** The admin API's value for "none": null. An option that was not given stays undefined. */
export function nullForNone<Value>(value: OrNone<Value> | undefined): Value | null | undefined {
  return value === NONE ? null : value;
}

/** A whole number above zero, or "none". */
export function countOrNone(text: string): OrNone<number> {
  if (text === NONE) return NONE;
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('Write a whole number above 0, or none.');
}

/** A whole number of hours, up to this one. */
export function hoursUpTo(most: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,3}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Write a whole number of hours from 0 to ${most}.`);
  };
}

/** A whole number above zero. */
export function countAboveZero(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('Write a whole number above 0.');
}

/** A whole number above zero, up to this one. */
export function countUpTo(most: number): (text: string) => number {
  return (text) => {
    const number = wholeNumber(text);
    if (number > 0 && number <= most) return number;
    throw new InvalidArgumentError(`Write a whole number from 1 to ${most}.`);
  };
}

function wholeNumber(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : 0;
}

/** A status of HTTP that the API answers with, or a class of them such as "4xx". */
export function httpStatus(text: string): string {
  if (/^(200|2xx|[45](\d\d|xx))$/.test(text)) return text;
  throw new InvalidArgumentError('Write a status such as 402, or 2xx, 4xx or 5xx.');
}

/** An amount of USD as a decimal string, or "none". */
export function usdOrNone(text: string): OrNone<string> {
  return text === NONE ? NONE : usd(text);
}

/** An amount of USD as a decimal string, exact to the nano-USD. */
export function usd(text: string): string {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return text;
  throw new InvalidArgumentError('Write an amount of USD such as 5 or 0.25, with at most nine decimals.');
}

/** A percentage above zero or zero, with or without its sign, such as "10%" or "12.5". */
export function percent(text: string): string {
  const digits = text.endsWith('%') ? text.slice(0, -1) : text;
  if (/^\d{1,3}(\.\d{1,2})?$/.test(digits)) return digits;
  throw new InvalidArgumentError('Write a percentage such as 10% or 12.5%, with at most two decimals.');
}

/** An amount of USD above or below zero. */
export function signedUsd(text: string): string {
  return text.startsWith('-') ? `-${usd(text.slice(1))}` : usd(text);
}

/** Comma-separated model ids, or "none", which allows all. */
export function modelsOrNone(text: string): OrNone<string[]> {
  if (text === NONE) return NONE;
  const models = betweenCommas(text);
  if (models.length > 0) return models;
  throw new InvalidArgumentError('Write comma-separated model ids such as small-chat,sandbox/*, or none to allow all.');
}

/** Comma-separated model ids. */
export function modelList(text: string): readonly string[] {
  const models = betweenCommas(text);
  if (models.length > 0) return models;
  throw new InvalidArgumentError('Write comma-separated ids such as gpt-5,claude-sonnet-4-5.');
}

/** Notes such as team=search, added to those of the words before it; "none" alone removes all. */
export function notesOrNone(text: string, former?: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (text === NONE && former === undefined) return {};
  const { name, value } = /^(?<name>[^=]{1,40})=(?<value>.{0,200})$/s.exec(text)?.groups ?? {};
  if (name !== undefined && value !== undefined) return { ...former, [name]: value };
  throw new InvalidArgumentError('Write a note such as team=search, or none to remove all.');
}

/** Names and the words that they stand for, such as engineers=developer, added to those of the words before; "none" alone removes all. */
export function mappingOrNone(
  text: string,
  former?: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (text === NONE && former === undefined) return {};
  const { name, word } = /^(?<name>.{1,200})=(?<word>[^=]+)$/s.exec(text)?.groups ?? {};
  if (name !== undefined && word !== undefined) return { ...former, [name]: word };
  throw new InvalidArgumentError('Write a name and a word, such as engineers=developer, or none to remove all.');
}

/** Comma-separated networks, or "none", which allows every address. */
export function networksOrNone(text: string): OrNone<string[]> {
  if (text === NONE) return NONE;
  const networks = betweenCommas(text);
  if (networks.length > 0 && networks.every(isNetwork)) return networks;
  throw new InvalidArgumentError(
    'Write networks such as 203.0.113.0/24,2001:db8::/32, or none to allow every address.',
  );
}

function betweenCommas(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):\d{2}(:\d{2})?(\.\d{1,3})?(Z|[+-]\d{2}:\d{2}))?$/;

/** A date, which means its start in UTC, or a date and time, as an ISO instant. */
export function instant(text: string): string {
  const day = INSTANT.exec(text)?.[1];
  if (day !== undefined && isInCalendar(day)) {
    const date = new Date(text);
    if (!Number.isNaN(date.getTime())) return date.toISOString();
  }
  throw new InvalidArgumentError('Write a date such as 2027-01-31, or an instant such as 2027-01-31T12:00:00Z.');
}

/** The same, or "none". */
export function instantOrNone(text: string): OrNone<string> {
  return text === NONE ? NONE : instant(text);
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 } as const;

/** A time before now, such as 30m, 12h or 7d, or an instant; as an ISO instant. */
export function timeSince(text: string): string {
  const { count, unit } = /^(?<count>\d{1,5})(?<unit>[mhd])$/.exec(text)?.groups ?? {};
  if (count !== undefined && (unit === 'm' || unit === 'h' || unit === 'd'))
    return new Date(Date.now() - Number(count) * UNIT_MS[unit]).toISOString();
  if (/^\d{4}-/.test(text)) return instant(text);
  throw new InvalidArgumentError('Write a time such as 12h, 7d or 2027-01-31.');
}

/** The same; times before now begin at a whole hour, or at a whole day (UTC) if they are given in days. */
export function wholeTimeSince(text: string): string {
  const unitMs = UNIT_MS[text.endsWith('d') ? 'd' : 'h'];
  const time = timeSince(text);
  return /^\d+[mhd]$/.test(text) ? new Date(Math.floor(Date.parse(time) / unitMs) * unitMs).toISOString() : time;
}

/** Whether the day exists: `Date` reads 30 February as 2 March. */
function isInCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** An idempotency key, so that a repeated command posts or creates once. */
export function onceOption(): Option {
  return new Option('--once <key>', 'an idempotency key: repeating the command with it does nothing more');
}

/** Confirms an irreversible action in advance. */
export function yesOption(): Option {
  return new Option('--yes', 'do not ask for confirmation');
}
