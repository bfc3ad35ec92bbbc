import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Pacer } from './pacer.ts';

/** A slice that takes this long, and records its start. */
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

test('a shared slice runs once for all who ask before it begins, and again for those who ask later', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  let state = 0;
  const read = (key: string): Promise<string> => pacer.sharedSlice(key, () => Promise.resolve(`${key}${state++}`));
  const first = read('a');
  await clock.advance(1);
  const waiting = [read('a'), read('b'), read('a')];
  await clock.advance(25);
  const later = read('a');
  await clock.advance(200);
  expect(await Promise.all([first, ...waiting, later])).toEqual(['a0', 'a1', 'b2', 'a1', 'a3']);
});

test('who asks while a shared slice is under way gets another one, as what has been read may be older', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let begun = 0;
  const read = (): Promise<string> => pacer.sharedSlice('a', () => reads[begun++]?.promise ?? Promise.resolve('later'));
  const first = read();
  await clock.advance(1);
  expect(begun).toBe(1);
  const second = read();
  reads[0]?.resolve('before');
  reads[1]?.resolve('after');
  await clock.advance(200);
  expect(await Promise.all([first, second])).toEqual(['before', 'after']);
});

test('all who share a slice that fails hear of it, and the next one is tried', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  await Promise.all([pacer.slice(() => Promise.resolve()), clock.advance(1)]);
  const asked = [1, 2].map(() => pacer.sharedSlice('a', () => Promise.reject(new Error('bug'))).catch(String));
  await clock.advance(200);
  expect(await Promise.all(asked)).toEqual(['Error: bug', 'Error: bug']);
  const next = pacer.sharedSlice('a', () => Promise.resolve('done'));
  await clock.advance(200);
  expect(await next).toBe('done');
});

test('a slice that fails holds up nobody', async () => {
  const clock = new ManualClock(0);
  const pacer = new Pacer(clock);
  const failed = pacer.slice(() => Promise.reject(new Error('bug'))).catch((fault: unknown) => fault);
  const next = pacer.slice(() => Promise.resolve('done'));
  await clock.advance(25);
  expect([await failed, await next]).toEqual([new Error('bug'), 'done']);
});
