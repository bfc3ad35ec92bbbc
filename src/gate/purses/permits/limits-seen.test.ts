import { expect, test } from 'vitest';
import { PARTS_PER_PERMIT } from '../../../domain/token-bucket.ts';
import { NO_STOCK, type PermitReply } from '../ports/database.ts';
import { LimitsSeen } from './limits-seen.ts';

const LIMITS = { requestsPerMinute: 160, tokensPerMinute: 1_600, concurrency: 32 };
const AT_MS = 1_000;
const MUCH = { requests: 10, tokens: 100, slots: 2 };

interface Seen {
  readonly limits?: Partial<PermitReply['limits']>;
  readonly requests?: number;
  readonly tokens?: number;
  readonly slots?: number;
  readonly share?: number;
}

/** The limits after a draw that left this many whole permits. */
function seenWith({ limits = {}, requests = 160, tokens = 1_600, slots = 32, share = 1 }: Seen = {}): LimitsSeen {
  const under = { ...LIMITS, ...limits };
  const left = {
    requestParts: under.requestsPerMinute === null ? null : requests * PARTS_PER_PERMIT,
    tokenParts: under.tokensPerMinute === null ? null : tokens * PARTS_PER_PERMIT,
    slots: under.concurrency === null ? null : slots,
  };
  return new LimitsSeen({ limits: under, left, share }, AT_MS);
}

test('limits are those that a draw has shown only where all three are', () => {
  const seen = seenWith();
  expect(seen.isUnder(LIMITS)).toBe(true);
  for (const limit of ['requestsPerMinute', 'tokensPerMinute', 'concurrency']) {
    expect(seen.isUnder({ ...LIMITS, [limit]: 1 })).toBe(false);
  }
});

test.each(['requests', 'tokens', 'slots'] as const)(
  'a stock of %s is low below half of what is wished for, which is a sixteenth of the limit at most',
  (kind) => {
    const low = (wished: number, has: number): boolean =>
      seenWith().mayRestock({ ...NO_STOCK, [kind]: wished }, { ...MUCH, [kind]: has }, AT_MS);
    const most = MUCH[kind];
    expect(low(most, most / 2)).toBe(false);
    expect(low(most, most / 2 - 1)).toBe(true);
    expect(low(100 * most, most / 2)).toBe(false);
    expect(low(100 * most, most / 2 - 1)).toBe(true);
    expect(low(most / 2, most / 2 - 1)).toBe(most === 2);
  },
);

test.each([
  ['requests', 80],
  ['tokens', 800],
  ['slots', 16],
] as const)('a stock of %s is not refilled from the half of a limit that is there for every process', (kind, half) => {
  const target = { ...NO_STOCK, [kind]: MUCH[kind] };
  expect(seenWith({ [kind]: half }).mayRestock(target, NO_STOCK, AT_MS)).toBe(false);
  expect(seenWith({ [kind]: half + 1 }).mayRestock(target, NO_STOCK, AT_MS)).toBe(true);
});

test('a stock is refilled again once its bucket has regrown beyond the half', () => {
  const seen = seenWith({ requests: 80 });
  const target = { ...NO_STOCK, requests: 10 };
  // 160 a minute: one in 375 ms.
  expect(seen.mayRestock(target, NO_STOCK, AT_MS + 374)).toBe(false);
  expect(seen.mayRestock(target, NO_STOCK, AT_MS + 375)).toBe(true);
});

test('a stock of what has no limit is never low', () => {
  const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
  expect(seenWith({ limits }).mayRestock(MUCH, NO_STOCK, AT_MS)).toBe(false);
});

test('a place that comes free is missing elsewhere beyond a process’s stock, or where half of all are taken', () => {
  expect(seenWith().isSlotMissing(2, AT_MS)).toBe(false);
  expect(seenWith().isSlotMissing(3, AT_MS)).toBe(true);
  expect(seenWith({ slots: 17 }).isSlotMissing(1, AT_MS)).toBe(false);
  expect(seenWith({ slots: 16 }).isSlotMissing(1, AT_MS)).toBe(true);
});

test('what a caller is told of limits is what the buckets have, what has regrown, and what is at hand', () => {
  const seen = seenWith({ requests: 100, tokens: 1_000 });
  expect(seen.standing({ requests: 20, tokens: 200 }, AT_MS + 3_750)).toEqual({
    requests: { limit: 160, remaining: 130, resetMs: 11_250 },
    tokens: { limit: 1_600, remaining: 1_300, resetMs: 11_250 },
  });
  const none = seenWith({ limits: { requestsPerMinute: null, tokensPerMinute: null } });
  expect(none.standing({ requests: 20, tokens: 200 }, AT_MS)).toEqual({ requests: null, tokens: null });
});

test('what a caller is told of a limit that it exceeds is the limit itself, and how long it has to wait', () => {
  for (const [shortOf, most] of [
    ['requests', 160],
    ['tokens', 1_600],
    ['concurrency', 32],
  ] as const) {
    const said = seenWith().exceeded({ shortOf, waitMs: 70 }, { requests: 0, tokens: 0 }, AT_MS);
    expect(said).toMatchObject({ kind: 'exceeded', limit: shortOf, most, retryAfterMs: 70 });
    expect(said.standing.requests).toMatchObject({ remaining: 160 });
  }
});

test('a refusal is repeated for a tenth of a second, as long as its wait is not over, and its wait counts down', () => {
  const seen = seenWith();
  expect(seen.repeatedRefusal(5, AT_MS)).toBeNull();
  seen.noteRefusal({ shortOf: 'requests', waitMs: 300 }, 5);
  expect(seen.repeatedRefusal(5, AT_MS + 99.5)).toEqual({ shortOf: 'requests', waitMs: 201 });
  expect(seen.repeatedRefusal(5, AT_MS + 100)).toBeNull();
  seen.noteRefusal({ shortOf: 'requests', waitMs: 30 }, 5);
  expect(seen.repeatedRefusal(5, AT_MS + 29)).toEqual({ shortOf: 'requests', waitMs: 1 });
  expect(seen.repeatedRefusal(5, AT_MS + 30)).toBeNull();
});

test('a refusal for want of tokens goes for as many tokens alone, any other for no more than were asked for', () => {
  const seen = seenWith();
  const isRepeated = (tokens: number, of = seen): boolean => of.repeatedRefusal(tokens, AT_MS) !== null;
  seen.noteRefusal({ shortOf: 'tokens', waitMs: 300 }, 5);
  expect([4, 5, 6].map((tokens) => isRepeated(tokens))).toEqual([false, true, false]);
  seen.noteRefusal({ shortOf: 'requests', waitMs: 300 }, 5);
  expect([4, 5, 6].map((tokens) => isRepeated(tokens))).toEqual([true, true, false]);
  const unlimited = seenWith({ limits: { tokensPerMinute: null } });
  unlimited.noteRefusal({ shortOf: 'requests', waitMs: 300 }, 5);
  expect(isRepeated(6, unlimited)).toBe(true);
});

test('a refusal for want of a place ends with the first that comes free, and no other does', () => {
  const seen = seenWith();
  seen.noteFreedSlot();
  seen.noteRefusal({ shortOf: 'requests', waitMs: 300 }, 5);
  seen.noteFreedSlot();
  expect(seen.repeatedRefusal(5, AT_MS)).not.toBeNull();
  seen.noteRefusal({ shortOf: 'concurrency', waitMs: 300 }, 5);
  seen.noteFreedSlot();
  expect(seen.repeatedRefusal(5, AT_MS)).toBeNull();
});

const HALF = { limits: { requestsPerMinute: 120, tokensPerMinute: 1_200 }, share: 0.5 };

test('a share regrows as time goes by without the database, in whole permits, and fractions are kept for the next', () => {
  const seen = seenWith(HALF);
  expect(seen.regrow(2_000, 3_500, NO_STOCK)).toEqual({ requests: 1, tokens: 15 });
  // Each continues from the one before, whenever the database went away.
  expect(seen.regrow(0, 4_000, NO_STOCK)).toEqual({ requests: 1, tokens: 5 });
  expect(seen.regrow(0, 4_050, NO_STOCK)).toEqual({ requests: 0, tokens: 0 });
  expect(seen.regrow(0, 4_100, NO_STOCK)).toEqual({ requests: 0, tokens: 1 });
});

test('a share regrows no further than to its part of the limit, and not at all where there is none', () => {
  const seen = seenWith(HALF);
  expect(seen.regrow(0, 3_600_000, { requests: 50, tokens: 598, slots: 0 })).toEqual({ requests: 10, tokens: 2 });
  expect(seen.regrow(0, 7_200_000, { requests: 61, tokens: 900, slots: 0 })).toEqual({ requests: 0, tokens: 0 });
  const none = seenWith({ limits: { requestsPerMinute: null, tokensPerMinute: null } });
  expect(none.regrow(0, 3_600_000, NO_STOCK)).toEqual({ requests: 0, tokens: 0 });
});

test('a share that does not suffice says what is missing for longest, counting the fractions that have regrown', () => {
  const seen = seenWith(HALF);
  expect(seen.regrow(0, 550, NO_STOCK)).toEqual({ requests: 0, tokens: 5 });
  const stock = { requests: 0, tokens: 5, slots: 1 };
  expect(seen.shortageAway(stock, 5)).toEqual({ shortOf: 'requests', waitMs: 450 });
  expect(seen.shortageAway(stock, 35)).toEqual({ shortOf: 'tokens', waitMs: 2_950 });
  expect(seen.shortageAway({ ...stock, requests: 1 }, 6)).toEqual({ shortOf: 'tokens', waitMs: 50 });
});

test('a share that lacks a place alone says so, and one that lacks nothing is worth a second’s wait', () => {
  const stock = { requests: 1, tokens: 5, slots: 0 };
  expect(seenWith(HALF).shortageAway(stock, 5)).toEqual({ shortOf: 'concurrency', waitMs: 1_000 });
  expect(seenWith(HALF).shortageAway({ ...stock, requests: 0 }, 5).shortOf).toBe('requests');
  expect(seenWith(HALF).shortageAway({ ...stock, slots: 1 }, 5)).toEqual({ shortOf: 'requests', waitMs: 1_000 });
  const none = seenWith({ limits: { requestsPerMinute: null, tokensPerMinute: null, concurrency: null } });
  expect(none.shortageAway(NO_STOCK, 5)).toEqual({ shortOf: 'requests', waitMs: 1_000 });
});
