import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Reachability } from './reachability.ts';

const SILENCE_MS = 2_000;
/** It looks this often. */
const LOOK_MS = SILENCE_MS / 4;

let clock: ManualClock;
let isAsking: boolean;
let bytes: number;
let isBarred: boolean;
let tries: PromiseWithResolvers<boolean>[];
/** How long the last try may take. */
let patience: number;
let reachability: Reachability;

beforeEach(() => {
  clock = new ManualClock();
  [isAsking, bytes, isBarred, tries, patience] = [true, 0, false, [], 0];
  reachability = new Reachability(SILENCE_MS, clock, {
    isAsking: () => isAsking,
    bytesHeard: () => bytes,
    tryFresh: (withinMs) => {
      patience = withinMs;
      const answer = Promise.withResolvers<boolean>();
      tries.push(answer);
      return answer.promise;
    },
    bar: () => (isBarred = true),
    unbar: () => (isBarred = false),
  });
});

/** Lets what the last try was answered with be taken in. */
async function answerLast(isThere: boolean): Promise<void> {
  tries.at(-1)?.resolve(isThere);
  for (let turn = 0; turn < 3; turn += 1) await clock.advance(0);
}

test('a database is away once it has said nothing to those who ask, nor to a fresh connection', async () => {
  await clock.advance(SILENCE_MS - 1);
  expect(tries).toHaveLength(0);
  await clock.advance(LOOK_MS);
  expect({ tries: tries.length, isAway: reachability.isAway }).toEqual({ tries: 1, isAway: false });
  await answerLast(false);
  expect({ isBarred, isAway: reachability.isAway }).toEqual({ isBarred: true, isAway: true });
});

test('a database is back with the first fresh connection that is answered, whichever was tried first', async () => {
  await clock.advance(SILENCE_MS + LOOK_MS);
  await answerLast(false);
  await clock.advance(SILENCE_MS);
  expect(tries.length).toBeGreaterThan(2);
  expect(reachability.isAway).toBe(true);
  await answerLast(true);
  expect({ isBarred, isAway: reachability.isAway }).toEqual({ isBarred: false, isAway: false });
});

test('a database that is back is not doubted before it has been silent for as long again', async () => {
  await clock.advance(SILENCE_MS + LOOK_MS);
  await answerLast(false);
  await clock.advance(SILENCE_MS);
  await answerLast(true);
  const tried = tries.length;
  await clock.advance(SILENCE_MS - 1);
  expect(tries).toHaveLength(tried);
});

test('a database that comes back slow is back: a fresh connection may take as long as two answers of three seconds', async () => {
  await clock.advance(SILENCE_MS + LOOK_MS);
  await answerLast(false);
  await clock.advance(SILENCE_MS);
  expect(patience).toBeGreaterThanOrEqual(2 * 3_000);
});

test('a database that is slow is not away: a fresh connection is answered', async () => {
  for (let time = 0; time < 3; time += 1) {
    await clock.advance(SILENCE_MS + LOOK_MS);
    await answerLast(true);
  }
  expect(tries.length).toBeGreaterThan(1);
  expect({ isBarred, isAway: reachability.isAway }).toEqual({ isBarred: false, isAway: false });
});

test('a database that speaks while a fresh connection is tried is not away, though that has no answer', async () => {
  await clock.advance(SILENCE_MS + LOOK_MS);
  bytes += 1;
  await answerLast(false);
  expect({ isBarred, isAway: reachability.isAway }).toEqual({ isBarred: false, isAway: false });
});

test('a database whose answers this process was too busy to read is not away: they are read before it is given up', async () => {
  await clock.advance(SILENCE_MS + LOOK_MS);
  // As sockets do, after the timers of the same turn.
  setImmediate(() => (bytes += 1));
  tries.at(-1)?.resolve(false);
  await answerLast(false);
  expect(reachability.isAway).toBe(false);
});

test('a database that is asked nothing, or answers, is never doubted', async () => {
  isAsking = false;
  await clock.advance(10 * SILENCE_MS);
  isAsking = true;
  for (let time = 0; time < 20; time += 1) {
    bytes += 1;
    await clock.advance(LOOK_MS);
  }
  expect(tries).toHaveLength(0);
});

test('no connection is tried once the watch for the database is closed', async () => {
  reachability.close();
  await clock.advance(10 * SILENCE_MS);
  expect(tries).toHaveLength(0);
});
