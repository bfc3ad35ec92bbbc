import { randomFillSync } from 'node:crypto';
import { assert } from './assert.ts';

// Time-ordered ids: UUID version 7 of RFC 9562, always lower-case text. Between the version and the variant is a
// 26-bit counter (12 bits of rand_a, then 14 of rand_b; the RFC's fixed-length dedicated counter), whose lower half is
// seeded at random for each new millisecond; 48 random bits follow. Ids of one source rise strictly, as text too.

const COUNTER_LOW_BITS = 14;
const COUNTER_END = 2 ** (12 + COUNTER_LOW_BITS);
const COUNTER_LOW_MASK = 2 ** COUNTER_LOW_BITS - 1;
const TAIL_DIGITS = 12;
const POOL_TAILS = 512;
const TIME_END_MS = 2 ** 48;

/** Stands before every id. */
export const ID_BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether the text is a UUID in its canonical, lower-case form; of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The time that a UUIDv7 carries, in milliseconds since the epoch. Asserts that it is one. */
export function uuid7Ms(id: string): number {
  assert(UUID_7.test(id), 'the time of an id that is not a UUIDv7');
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

function timeDigits(timeMs: number): string {
  const digits = timeMs.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`;
}

/** The least id that a UUIDv7 made at or after the time can have. */
export function leastUuid7At(timeMs: number): string {
  return `${timeDigits(Math.max(0, timeMs))}0000-0000-000000000000`;
}

/** Random hexadecimal digits, drawn many at a time because one call to the generator costs more than an id may. */
function createTails(): () => string {
  const bytes = Buffer.alloc((POOL_TAILS * TAIL_DIGITS) / 2);
  let digits = '';
  let position = 0;
  return () => {
    if (position === digits.length) {
      digits = randomFillSync(bytes).toString('hex');
      position = 0;
    }
    position += TAIL_DIGITS;
    return digits.slice(position - TAIL_DIGITS, position);
  };
}

/**
 * Makes a source of UUIDv7s on the given clock (milliseconds since the epoch; fractions are dropped). If the clock
 * stops or steps back, the time of the last id stays in use; a counter overflow advances it by one.
 */
export function createIds(now: () => number): () => string {
  const nextTail = createTails();
  let timeMs = Number.NEGATIVE_INFINITY;
  let counter = 0;
  let prefix = '';

  function startMillisecond(newTimeMs: number): void {
    assert(newTimeMs >= 0 && newTimeMs < TIME_END_MS, 'a clock outside the range of UUIDv7');
    timeMs = newTimeMs;
    prefix = timeDigits(timeMs);
    counter = Number.parseInt(nextTail().slice(0, 8), 16) % (COUNTER_END / 2);
  }

  return () => {
    const clockMs = Math.floor(now());
    if (!(clockMs <= timeMs)) startMillisecond(clockMs);
    else if (++counter === COUNTER_END) startMillisecond(timeMs + 1);
    const high = (0x7000 | (counter >>> COUNTER_LOW_BITS)).toString(16);
    const low = (0x8000 | (counter & COUNTER_LOW_MASK)).toString(16);
    return `${prefix}${high}-${low}-${nextTail()}`;
  };
}

/** A new id: those of a process rise in the order in which it made them, also within a millisecond. */
export const newId = createIds(Date.now);
