import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { Pulse, type PingedStream } from './pulse.ts';

// One timer pings all streams that are silent for too long.

class Stream implements PingedStream {
  lastSentMs: number;
  isDoubtful = false;
  readonly pings: number[] = [];
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
    this.lastSentMs = clock.monotonicMs();
  }

  ping(): void {
    this.lastSentMs = this.#clock.monotonicMs();
    this.pings.push(this.lastSentMs);
  }
}

/** A clock that counts the timers that wait. */
class CountingClock extends ManualClock {
  waiting = 0;

  override after(delayMs: number, task: () => void) {
    this.waiting += 1;
    return super.after(delayMs, () => {
      this.waiting -= 1;
      task();
    });
  }
}

function stage(intervalMs: number) {
  const clock = new CountingClock(0);
  return { clock, pulse: new Pulse(clock, intervalMs) };
}

test('a silent stream is pinged once in an interval, and one that sends is left alone', async () => {
  const { clock, pulse } = stage(5_000);
  const [silent, busy] = [new Stream(clock), new Stream(clock)];
  pulse.add(silent);
  pulse.add(busy);
  for (let second = 1; second <= 12; second++) {
    await clock.advance(1_000);
    busy.lastSentMs = clock.monotonicMs();
  }
  expect(silent.pings).toEqual([5_000, 10_000]);
  expect(busy.pings).toEqual([]);
});

test('a stream whose caller may have left is pinged each second, or each interval where that is shorter', async () => {
  for (const [intervalMs, pings] of [
    [5_000, [1_000, 2_000]],
    [400, [400, 800, 1_200, 1_600, 2_000]],
  ] as const) {
    const { clock, pulse } = stage(intervalMs);
    const stream = new Stream(clock);
    stream.isDoubtful = true;
    pulse.add(stream);
    await clock.advance(2_000);
    expect(stream.pings).toEqual(pings);
  }
});

test('a stream that has ended is pinged no more, and no timer runs without a stream', async () => {
  const { clock, pulse } = stage(1_000);
  const [one, other] = [new Stream(clock), new Stream(clock)];
  expect(clock.waiting).toBe(0);
  pulse.add(one);
  pulse.add(other);
  expect(clock.waiting).toBe(1);
  await clock.advance(1_000);
  pulse.remove(one);
  await clock.advance(1_000);
  expect([one.pings.length, other.pings.length]).toEqual([1, 2]);
  pulse.remove(other);
  await clock.advance(10_000);
  expect([other.pings.length, clock.waiting]).toEqual([2, 0]);
  pulse.add(one);
  await clock.advance(1_000);
  expect(one.pings).toHaveLength(2);
});
