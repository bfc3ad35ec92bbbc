import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Pacer } from './pacer.ts';

/** A slice that takes so long, and notes when it began. */
function slice(clock: ManualClock, begun: number[], ms: number): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      begun.push(clock.monotonicMs());
      clock.after(ms, resolve);
    });
}

test('slices of all work run one at a time, and rest for four times as long as they took, 25 ms at least', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  const begun: number[] = [];
  const all = Promise.all([5, 10, 1].map((ms) => pacer.slice(slice(clock, begun, ms))));
  await clock.advance(200);
  await all;
  expect(begun).toEqual([0, 30, 80]);
});

test('a slice that takes long holds up the others for a moment only', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  const begun: number[] = [];
  const all = Promise.all([5_000, 1].map((ms) => pacer.slice(slice(clock, begun, ms))));
  await clock.advance(10_000);
  await all;
  expect(begun).toEqual([0, 100]);
});

test('a slice that fails holds up nobody', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  const failed = pacer.slice(() => Promise.reject(new Error('bug'))).catch((fault: unknown) => fault);
  const next = pacer.slice(() => Promise.resolve('done'));
  await clock.advance(25);
  expect([await failed, await next]).toEqual([new Error('bug'), 'done']);
});
