import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Bulkhead, BulkheadFull } from './bulkhead.ts';

function bulkhead(clock = new ManualClock()): Bulkhead {
  return new Bulkhead({ clock, places: 3, longPlaces: 2, waitingMax: 2, waitMsMax: 1_000 });
}

/** Work that runs until it is ended, and whether it has begun. */
function longWork() {
  const end = Promise.withResolvers<void>();
  const work = { begun: false, end: () => end.resolve() };
  return {
    ...work,
    get begun() {
      return work.begun;
    },
    run: (): Promise<void> => {
      work.begun = true;
      return end.promise;
    },
  };
}

test('work beyond the places waits for one, first come, first served', async () => {
  const clock = new ManualClock();
  const limit = bulkhead(clock);
  const works = Array.from({ length: 5 }, () => longWork());
  const runs = works.map((work) => limit.run(work.run));
  await clock.advance(0);
  expect(works.map(({ begun }) => begun)).toEqual([true, true, true, false, false]);
  works[1]?.end();
  await clock.advance(0);
  expect(works.map(({ begun }) => begun)).toEqual([true, true, true, true, false]);
  for (const work of works) work.end();
  await Promise.all(runs);
});

test('long work leaves a place to short work, which passes it in the queue', async () => {
  const clock = new ManualClock();
  const limit = bulkhead(clock);
  const long = Array.from({ length: 3 }, () => longWork());
  const longRuns = long.map((work) => limit.run(work.run, { isLong: true }));
  const short = [longWork(), longWork()];
  const shortRuns = short.map((work) => limit.run(work.run));
  await clock.advance(0);
  expect([...long, ...short].map(({ begun }) => begun)).toEqual([true, true, false, true, false]);
  short[0]?.end();
  await clock.advance(0);
  expect([long[2]?.begun, short[1]?.begun]).toEqual([false, true]);
  for (const work of [...long, ...short]) work.end();
  await Promise.all([...longRuns, ...shortRuns]);
});

test('what waits for too long, or behind too many, is refused and takes no place later', async () => {
  const clock = new ManualClock();
  const limit = bulkhead(clock);
  const running = Array.from({ length: 3 }, () => longWork());
  const runs = running.map((work) => limit.run(work.run));
  const late = [longWork(), longWork()];
  const refused = Promise.allSettled(late.map((work) => limit.run(work.run)));
  await clock.advance(0);
  await expect(limit.run(longWork().run)).rejects.toThrow(BulkheadFull);
  await clock.advance(1_000);
  expect((await refused).map((result) => result.status === 'rejected' && result.reason)).toEqual([
    expect.any(BulkheadFull),
    expect.any(BulkheadFull),
  ]);
  for (const work of running) work.end();
  await Promise.all(runs);
  expect(late.map(({ begun }) => begun)).toEqual([false, false]);
  expect(await limit.run(() => Promise.resolve('free'))).toBe('free');
});

test('work that fails gives its place back, once', async () => {
  const limit = bulkhead();
  for (let time = 0; time < 4; time += 1) {
    await expect(limit.run(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  }
  const leave = await limit.enter();
  leave();
  leave();
  const leaves = [await limit.enter(), await limit.enter(), await limit.enter()];
  const fourth = limit.enter();
  leaves[0]?.();
  (await fourth)();
});
