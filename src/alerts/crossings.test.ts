import fc from 'fast-check';
import { expect, test } from 'vitest';
import { standingOfBalance, standingOfShare } from './crossings.ts';
import { dailyBurn, type SpendingMark, withMark } from './daily-burn.ts';

const DAY_MS = 86_400_000;

test.each([
  [0n, 'crossed'],
  [99n, 'crossed'],
  [100n, 'between'],
  [109n, 'between'],
  [110n, 'clear'],
  [-5n, 'crossed'],
] as const)('a balance of %s against a threshold of 100 is %s', (balance, standing) => {
  expect(standingOfBalance(balance, 100n)).toBe(standing);
});

test.each([
  [80n, 80n, 'crossed'],
  [79n, 80n, 'between'],
  [75n, 80n, 'between'],
  [74n, 80n, 'clear'],
  [99n, 100n, 'crossed'],
  [98n, 100n, 'between'],
  [93n, 100n, 'clear'],
  [1n, 1n, 'crossed'],
  [0n, 1n, 'clear'],
] as const)('a share of %s used of 100 against %s percent is %s', (used, percent, standing) => {
  expect(standingOfShare(used, 100n, percent)).toBe(standing);
});

test('a value is always crossed on one side of its threshold and clear far enough on the other', () => {
  const amount = fc.bigInt({ min: 1n, max: 9_000_000_000_000_000_000n });
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 100n }), (limit, percent) => {
      expect(standingOfBalance(limit - 1n, limit)).toBe('crossed');
      expect(standingOfBalance(limit * 2n, limit)).toBe('clear');
      expect(standingOfShare(limit, limit, percent)).toBe('crossed');
      expect(standingOfShare(0n, limit, percent)).toBe('clear');
    }),
  );
});

test('nothing is said of the burn until a day is known', () => {
  expect(dailyBurn([], { atMs: 0, spent: 5n })).toBeNull();
  expect(dailyBurn([{ atMs: 0, spent: 0n }], { atMs: DAY_MS - 1, spent: 5n })).toBeNull();
  expect(dailyBurn([{ atMs: 0, spent: 0n }], { atMs: DAY_MS, spent: 5n })).toBe(5n);
});

test('the burn is that of the last week, however long the watch has been looking and however often', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 40 }),
      fc.integer({ min: 1, max: 50 }),
      fc.bigInt({ min: 0n, max: 1_000n }),
      (days, looksPerDay, perDay) => {
        let marks: readonly SpendingMark[] = [];
        let now: SpendingMark = { atMs: 0, spent: 0n };
        for (let look = 0; look <= days * looksPerDay; look++) {
          const atMs = Math.round((look * DAY_MS) / looksPerDay);
          // Much in the first day, which the last week has nothing of.
          const spent = atMs === 0 ? 0n : 1_000_000n + (BigInt(atMs) * perDay) / BigInt(DAY_MS);
          now = { atMs, spent };
          marks = withMark(marks, now);
        }
        expect(marks.length).toBeLessThanOrEqual(10);
        const burn = dailyBurn(marks, now);
        expect(burn === null || (burn >= perDay - 1n && burn <= perDay + 1n)).toBe(true);
        expect(burn).not.toBeNull();
      },
    ),
  );
});
