import * as z from 'zod';
import { NANO_PER_USD, type NanoUsd, parseUsd } from '../domain/money.ts';
import { parsePercent } from '../domain/price-adjustment.ts';
import { nearestName } from '../lib/nearest-name.ts';
import { DURATION_PATTERN, parseDuration, parseSize, SIZE_PATTERN } from './units.ts';
import { withoutTrailingSlashes } from '../lib/trailing-slashes.ts';

// The kinds of field that the config file is made of. The `error` of each names the remedy; the fault is
// added where the value and its place in the file are known (file-problem.ts).

/** A mapping with exactly these keys. An unknown one is refused with the nearest known one. */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape, right: string) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      if (unknown === undefined) return right;
      return knownNames(unknown, known);
    },
  });
}

/** Which name may be meant by one that isn't known. */
export function knownNames(unknown: string, known: readonly string[]): string {
  const meant = nearestName(unknown, known);
  return meant === null ? `the keys known here are ${known.join(', ')}` : `did you mean "${meant}"?`;
}

/** A whole number, or a string of digits, which is what `${VAR}` makes of one. */
export function wholeNumber(min: number, max: number) {
  const error = `write a whole number from ${min} to ${max}`;
  const inRange = z.int({ error }).min(min, { error }).max(max, { error });
  const digits = z
    .string({ error })
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(inRange);
  return z.union([inRange, digits], { error });
}

/** Milliseconds, from a string such as "30s". */
export function duration(minMs: number, maxMs: number) {
  const error = 'write a whole number and a unit (ms, s, m, h), such as "30s" or "250ms"';
  return z
    .string({ error })
    .regex(DURATION_PATTERN, { error })
    .transform((text, context) => {
      const ms = parseDuration(text);
      if (ms !== null && ms >= minMs && ms <= maxMs) return ms;
      context.addIssue({
        code: 'custom',
        message: `write a duration from ${minMs}ms to ${maxMs / 3_600_000}h`,
        params: { wrong: 'is out of range' },
      });
      return z.NEVER;
    });
}

/** A number of days, from a string such as "90d". */
export function days(min: number, max: number) {
  const error = `write a number of days from ${min}d to ${max}d`;
  return z
    .string({ error })
    .regex(/^\d{1,6}d$/, { error })
    .transform((text) => Number.parseInt(text, 10))
    .pipe(z.int({ error }).min(min, { error }).max(max, { error }));
}

/** Bytes, from a string such as "32MiB". */
export function size(minBytes: number) {
  const error = 'write a whole number and a unit (B, KiB, MiB, GiB), such as "32MiB"';
  return z
    .string({ error })
    .regex(SIZE_PATTERN, { error })
    .transform((text, context) => {
      const bytes = parseSize(text);
      if (bytes !== null && bytes >= minBytes) return bytes;
      context.addIssue({ code: 'custom', message: `write at least ${minBytes}B`, params: { wrong: 'is too small' } });
      return z.NEVER;
    });
}

const PRICE_RIGHT =
  'write USD per million tokens as a quoted decimal string with at most nine decimals, such as "0.25"';
const DECIMAL_NUMBER = /^\d{1,9}(\.\d{1,9})?$/;

/** USD per million tokens, or per use. The most keeps what the answers of a request cost within what the database can count. */
export const RATE_MAX = 10_000n * NANO_PER_USD;

/** Nano-USD per million tokens. */
export function rate() {
  return amount(PRICE_RIGHT).refine((given) => given <= RATE_MAX, {
    error: 'write at most "10000", USD per million tokens',
    params: { wrong: 'is too large' },
  });
}

const MARKUP_RIGHT = 'write a percentage from 0% to 900% with at most two decimals, such as 10%';

/** Basis points, from a percentage such as "10%" that is not below zero. */
export function markup() {
  return z.string({ error: MARKUP_RIGHT }).transform((text, context) => {
    const basisPoints = text.endsWith('%') ? parsePercent(text.slice(0, -1)) : null;
    if (basisPoints !== null && basisPoints >= 0) return basisPoints;
    context.addIssue({ code: 'custom', message: MARKUP_RIGHT, params: { wrong: 'is not a mark-up' } });
    return z.NEVER;
  });
}

const FEE_RIGHT = 'write USD per use as a quoted decimal string with at most nine decimals, such as "0.01"';

/** Nano-USD per use, of a price or a cost. */
export function fee() {
  return amount(FEE_RIGHT).refine((given) => given <= RATE_MAX, {
    error: 'write at most "10000", USD per use',
    params: { wrong: 'is too large' },
  });
}

/** Nano-USD, from a decimal string of USD. A YAML number is a float, which money never is. */
export function amount(right: string) {
  return z
    .string({
      error: (issue) => {
        const text = String(issue.input);
        return typeof issue.input === 'number' && DECIMAL_NUMBER.test(text) ? `quote it: "${text}"` : right;
      },
    })
    .regex(DECIMAL_NUMBER, { error: right })
    .transform((text, context): NanoUsd => {
      const parsed = parseUsd(text);
      if (parsed !== null) return parsed;
      context.addIssue({ code: 'custom', message: right, params: { wrong: 'is not an amount' } });
      return z.NEVER;
    });
}

/** True or false, as YAML writes them. */
export function yesOrNo() {
  return z.boolean({ error: 'write true or false' });
}

/** A string that isn't empty and has no control characters. */
export function plainText(right: string, max = 4_096) {
  return z
    .string({ error: right })
    .min(1, { error: right })
    .max(max, { error: right })
    .regex(/^\P{Cc}*$/u, { error: right });
}

/** An absolute address without credentials, query or fragment; a slash at its end is dropped. */
export function baseUrl() {
  const error = 'write an http or https address without credentials or query, such as "https://api.openai.com/v1"';
  return z
    .string({ error })
    .min(1, { error })
    .transform((written, context) => {
      const url = URL.canParse(written) ? new URL(written) : null;
      const plain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
      if (plain && (url.protocol === 'http:' || url.protocol === 'https:')) return withoutTrailingSlashes(url.href);
      context.addIssue({ code: 'custom', message: error, params: { wrong: 'is not a usable address' } });
      return z.NEVER;
    });
}
