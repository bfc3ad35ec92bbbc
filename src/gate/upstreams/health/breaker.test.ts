import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Breaker } from './breaker.ts';

const SETTINGS = { windowMs: 10_000, resultsMin: 4, failureRatio: 0.5, restMs: 1_000 };

/** A breaker that failures opened at time 10, so that it lets a probe through at 1,010. */
function opened(): Breaker {
  const breaker = new Breaker(SETTINGS);
  for (let count = 0; count < SETTINGS.resultsMin; count++) breaker.failed(10, 10);
  return breaker;
}

test('a closed breaker opens once enough results have come and enough of them are failures', () => {
  const breaker = new Breaker(SETTINGS);
  expect([1, 2, 3].map((at) => breaker.failed(at, at))).toEqual([false, false, false]);
  expect(breaker.waitMs(3)).toBe(0);
  expect(breaker.failed(4, 4)).toBe(true);
  expect(breaker.waitMs(4)).toBe(1_000);
  expect(breaker.waitMs(1_004)).toBe(0);
});

test('a closed breaker stays closed while most attempts are answered', () => {
  const breaker = new Breaker(SETTINGS);
  for (let at = 0; at < 100; at++) {
    breaker.answered(at, at);
    if (at % 3 === 2) expect(breaker.failed(at, at)).toBe(false);
  }
  expect(breaker.waitMs(100)).toBe(0);
});

test('a closed breaker forgets failures that are older than its window', () => {
  const breaker = new Breaker(SETTINGS);
  for (let at = 0; at < 3; at++) breaker.failed(at, at);
  expect(breaker.failed(20_000, 20_000)).toBe(false);
});

test('an open breaker lets one probe through after its time', () => {
  const breaker = opened();
  expect(breaker.waitMs(1_009)).toBe(1);
  breaker.begin(1_010);
  expect(breaker.waitMs(1_010)).toBe(1_000);
});

test('an open breaker is closed by its probe’s answer, and counts from zero', () => {
  const breaker = opened();
  breaker.begin(1_010);
  breaker.answered(1_010, 1_050);
  expect(breaker.waitMs(1_050)).toBe(0);
  expect(breaker.failed(1_060, 1_070)).toBe(false);
});

test('an open breaker is opened again by its probe’s failure', () => {
  const breaker = opened();
  breaker.begin(1_010);
  expect(breaker.failed(1_010, 1_500)).toBe(true);
  expect(breaker.waitMs(1_500)).toBe(1_000);
});

test('an open breaker lets another probe through immediately where the first left, later where it says nothing', () => {
  const left = opened();
  left.begin(1_010);
  left.undecided(1_010, 1_100);
  expect(left.waitMs(1_100)).toBe(0);
  const silent = opened();
  silent.begin(1_010);
  expect(silent.waitMs(2_010)).toBe(0);
});

test('an open breaker doesn’t care for what began before it opened', () => {
  const breaker = opened();
  breaker.begin(1_010);
  breaker.answered(5, 1_020);
  expect(breaker.failed(5, 1_020)).toBe(false);
  breaker.undecided(5, 1_020);
  expect(breaker.waitMs(1_020)).toBe(990);
});

test('whatever happens, at most one probe goes per open time, and an answered probe always closes it', () => {
  const step = fc.record({
    afterMs: fc.nat(700),
    result: fc.constantFrom('answered', 'failed', 'undecided', 'silent'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const breaker = opened();
      let nowMs = 10;
      let lastProbeMs = Number.NEGATIVE_INFINITY;
      for (const { afterMs, result } of steps) {
        nowMs += afterMs;
        if (breaker.waitMs(nowMs) > 0) continue;
        expect(nowMs - lastProbeMs).toBeGreaterThanOrEqual(SETTINGS.restMs);
        lastProbeMs = nowMs;
        breaker.begin(nowMs);
        if (result === 'silent') continue;
        breaker[result](nowMs, nowMs);
        if (result === 'undecided') lastProbeMs = Number.NEGATIVE_INFINITY;
        if (result !== 'answered') continue;
        expect(breaker.waitMs(nowMs)).toBe(0);
        return;
      }
    }),
  );
});
