import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import type { Place } from '../../../lib/bag.ts';
import { Deadlines, type Deadline } from './deadlines.ts';

const TICK_MS = 200;

class Work implements Deadline {
  expiresMs: number;
  readonly expiredAtMs: number[] = [];
  readonly #deadlines: Deadlines;
  readonly #place: Place<Deadline>;

  constructor(deadlines: Deadlines, expiresMs: number) {
    this.#deadlines = deadlines;
    this.expiresMs = expiresMs;
    this.#place = deadlines.add(this);
  }

  end(): void {
    this.#deadlines.remove(this.#place);
  }

  expire(nowMs: number): void {
    this.expiredAtMs.push(nowMs);
    this.end();
  }
}

/** A clock that counts the timers that were ever set. */
class CountingClock extends ManualClock {
  timers = 0;

  override after(delayMs: number, task: () => void): () => void {
    this.timers += 1;
    return super.after(delayMs, task);
  }
}

test('what lasts too long is ended within a tick of its deadline, and what ends in time is left alone', async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock, TICK_MS);
  const [short, done, long] = [300, 300, 1_000].map((ms) => new Work(deadlines, clock.monotonicMs() + ms)) as [
    Work,
    Work,
    Work,
  ];
  await clock.advance(250);
  done.end();
  await clock.advance(2_000);
  expect([short, done, long].map(({ expiredAtMs }) => expiredAtMs.length)).toEqual([1, 0, 1]);
  for (const { expiredAtMs, expiresMs } of [short, long]) {
    expect((expiredAtMs[0] ?? 0) - expiresMs).toBeLessThan(TICK_MS);
  }
});

test('a deadline is up at the tick that it falls on, and one that is set when another is up has a tick of its own', async () => {
  const clock = new CountingClock();
  const deadlines = new Deadlines(clock, TICK_MS);
  const atMs = clock.monotonicMs() + 2 * TICK_MS;
  const works: Work[] = [];
  const place = deadlines.add({
    expiresMs: atMs,
    expire: () => {
      deadlines.remove(place);
      works.push(new Work(deadlines, atMs));
    },
  });
  await clock.advance(2 * TICK_MS);
  expect(works.map(({ expiredAtMs }) => expiredAtMs)).toEqual([[]]);
  await clock.advance(TICK_MS);
  expect(works.map(({ expiredAtMs }) => expiredAtMs)).toEqual([[atMs + TICK_MS]]);
  expect(clock.timers).toBe(3);
});

test('a deadline that is moved counts as it is then', async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock, TICK_MS);
  const work = new Work(deadlines, clock.monotonicMs() + 300);
  await clock.advance(250);
  work.expiresMs += 5_000;
  await clock.advance(4_000);
  expect(work.expiredAtMs).toEqual([]);
  await clock.advance(2_000);
  expect(work.expiredAtMs).toHaveLength(1);
});

test('no timer runs while there is nothing to wait for', async () => {
  const clock = new CountingClock();
  const deadlines = new Deadlines(clock, TICK_MS);
  const work = new Work(deadlines, clock.monotonicMs() + 100);
  await clock.advance(1_000);
  expect(work.expiredAtMs).toHaveLength(1);
  const before = clock.timers;
  await clock.advance(60_000);
  expect(clock.timers).toBe(before);
  deadlines.add({ expiresMs: 0, expire: () => undefined });
  expect(clock.timers).toBe(before + 1);
  const other = new Work(deadlines, Infinity);
  expect(clock.timers).toBe(before + 1);
  other.end();
});
