import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { LatestTask } from './latest-task.ts';

const RETRY_MS = 1_000;

let clock: ManualClock;
let begun: string[];
let runs: PromiseWithResolvers<void>[];
let faults: unknown[];
let task: LatestTask<string>;

beforeEach(() => {
  clock = new ManualClock();
  [begun, runs, faults] = [[], [], []];
  task = new LatestTask({
    clock,
    run: (input) => {
      begun.push(input);
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    onFault: (fault) => faults.push(fault),
    retryMs: RETRY_MS,
  });
});

test('one task runs at a time, and of those that come while it does only the last', async () => {
  for (const input of ['a', 'b', 'c']) task.submit(input);
  expect(begun).toEqual(['a']);
  runs[0]?.resolve();
  await clock.advance(0);
  expect(begun).toEqual(['a', 'c']);
  runs[1]?.resolve();
  await clock.advance(RETRY_MS);
  expect(begun).toEqual(['a', 'c']);
  task.submit('d');
  expect(begun).toEqual(['a', 'c', 'd']);
});

test('a task that fails is repeated after the pause, and gives way immediately to a newer one', async () => {
  task.submit('a');
  runs[0]?.reject(new Error('no luck'));
  await clock.advance(RETRY_MS - 1);
  expect(begun).toEqual(['a']);
  await clock.advance(1);
  expect(begun).toEqual(['a', 'a']);
  runs[1]?.reject(new Error('no luck again'));
  await clock.advance(0);
  task.submit('b');
  await clock.advance(0);
  expect(begun).toEqual(['a', 'a', 'b']);
  task.submit('c');
  runs[2]?.reject(new Error('and again'));
  await clock.advance(0);
  expect(begun).toEqual(['a', 'a', 'b', 'c']);
  expect(faults.map(String)).toEqual(['Error: no luck', 'Error: no luck again', 'Error: and again']);
});

test('a stop waits for the task that runs, and nothing follows it', async () => {
  task.submit('a');
  task.submit('b');
  let hasStopped = false;
  const stopped = task.stop().then(() => (hasStopped = true));
  await clock.advance(0);
  expect(hasStopped).toBe(false);
  runs[0]?.reject(new Error('no luck'));
  await stopped;
  task.submit('c');
  await clock.advance(RETRY_MS);
  expect(begun).toEqual(['a']);
});

test('a stop ends the pause before a repeated task', async () => {
  task.submit('a');
  runs[0]?.reject(new Error('no luck'));
  await clock.advance(0);
  await task.stop();
  await clock.advance(RETRY_MS);
  expect(begun).toEqual(['a']);
});
