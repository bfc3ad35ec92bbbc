import { expect, test } from 'vitest';
import { DRAW_RULE, firstAhead, isMaterial, largestReserve, refillBelow, refillTo, reserveAt } from './draw-rule.ts';

const SEEN = { purseId: 1n, sequence: 1n, granted: 0n, open: false, mode: 'wet' } as const;

test('a lease is refilled below its peak, half a second of charges and three quarters of its reserve, to all three', () => {
  const needs = { peak: 1_000n, rate: 200n, reserve: 40n };
  expect(refillBelow(needs)).toBe(1_130n);
  expect(refillTo(needs)).toBe(1_240n);
  expect(firstAhead(10n)).toBe(80n);
});

test('slack is worth the way back where it is more than a sixty-fourth of what its purse has left', () => {
  expect(isMaterial(1n, 64n)).toBe(false);
  expect(isMaterial(1n, 63n)).toBe(true);
  expect(isMaterial(1n, null)).toBe(true);
  expect(isMaterial(0n, null)).toBe(false);
  // A limit that was lowered below what is used leaves less than nothing.
  expect(isMaterial(0n, -1n)).toBe(false);
});

test('a reserve is a sixteenth of what a purse has left beyond eight times what others have in use', () => {
  // Others hold 100 of the limit: 2,000 − 300 − 200 − 1,400.
  const seen = { ...SEEN, limit: 2_000n, available: 1_400n, spentByOthers: 300n };
  expect(largestReserve(seen, 200n)).toBe((1_400n - 800n) / 16n);
  expect(largestReserve({ ...seen, limit: 2_100n }, 200n)).toBe(0n);
  expect(largestReserve({ ...seen, limit: 1_976n }, 200n)).toBe((1_400n - 8n * 76n) / 16n);
  expect(largestReserve({ ...seen, limit: null, available: null }, 200n)).toBe(0n);
});

test('a reserve lasts for thirty seconds of charges, if its purse has so much to spare', () => {
  expect(reserveAt(10n, 1_000n)).toBe(300n);
  expect(reserveAt(10n, 200n)).toBe(200n);
});

test('a lease without history is drawn for holds of a cent, and idle slack goes back after two seconds', () => {
  expect(DRAW_RULE).toMatchObject({ firstHold: 10_000_000n, firstHolds: 8n, idleMs: 2_000, forgetMs: 600_000 });
});
