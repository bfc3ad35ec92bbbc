import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResultWindow } from './result-window.ts';

const WINDOW_MS = 1_000;
const SLOT_MS = WINDOW_MS / 10;

test('results count for the window, and no longer', () => {
  const window = new ResultWindow(WINDOW_MS);
  window.add(false, 0);
  window.add(true, 950);
  expect([window.count, window.badRatio]).toEqual([2, 0.5]);
  window.add(true, 1_050);
  expect([window.count, window.badRatio]).toEqual([2, 0]);
  window.add(false, 900_000);
  expect([window.count, window.badRatio]).toEqual([1, 1]);
  window.clear();
  expect([window.count, window.badRatio]).toEqual([0, 0]);
});

test('whatever comes when, the counts are those of the last ten slots', () => {
  const results = fc.array(fc.record({ isGood: fc.boolean(), afterMs: fc.nat(350) }), { maxLength: 100 });
  fc.assert(
    fc.property(results, (all) => {
      const window = new ResultWindow(WINDOW_MS);
      let nowMs = 0;
      const seen = all.map(({ isGood, afterMs }) => {
        nowMs += afterMs;
        window.add(isGood, nowMs);
        return { isGood, slot: Math.floor(nowMs / SLOT_MS) };
      });
      const recent = seen.filter(({ slot }) => slot > Math.floor(nowMs / SLOT_MS) - 10);
      expect(window.count).toBe(recent.length);
      const bad = recent.filter(({ isGood }) => !isGood).length;
      expect(window.badRatio).toBe(recent.length === 0 ? 0 : bad / recent.length);
    }),
  );
});
