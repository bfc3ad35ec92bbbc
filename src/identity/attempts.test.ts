import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { type Attempt, AttemptLimits, guessAt } from './attempts.ts';

function tries(limits: AttemptLimits, attempts: readonly Attempt[]): number {
  return attempts.filter((attempt) => limits.take(attempt) === null).length;
}

const many = (attempt: (index: number) => Attempt): readonly Attempt[] =>
  Array.from({ length: 500 }, (_, i) => attempt(i));

test('guesses at one account from one network stop after a few, and come back one by one', async () => {
  const clock = new ManualClock();
  const limits = new AttemptLimits(clock);
  const guess = guessAt('a@example.com', '192.0.2.1');
  expect(
    tries(
      limits,
      many(() => guess),
    ),
  ).toBe(6);
  expect(limits.take(guess)).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
  await clock.advance(60_000);
  expect(
    tries(
      limits,
      many(() => guess),
    ),
  ).toBe(1);
});

test('guesses at many accounts from one network are limited together', () => {
  const limits = new AttemptLimits(new ManualClock());
  expect(
    tries(
      limits,
      many((index) => guessAt(`${index}@example.com`, '192.0.2.1')),
    ),
  ).toBe(30);
  expect(limits.take(guessAt('0@example.com', '198.51.100.1'))).toBeNull();
});

test('guesses at one account from many networks are limited together', () => {
  const limits = new AttemptLimits(new ManualClock());
  expect(
    tries(
      limits,
      many((index) => guessAt('a@example.com', `192.0.2.${index}`)),
    ),
  ).toBe(60);
});

test('one network that guesses for ever does not lock the owner of an account out of another network', async () => {
  const clock = new ManualClock();
  const limits = new AttemptLimits(clock);
  for (let minute = 0; minute < 600; minute++) {
    tries(
      limits,
      Array.from({ length: 20 }, () => guessAt('a@example.com', '192.0.2.1')),
    );
    await clock.advance(60_000);
  }
  expect(limits.take(guessAt('a@example.com', '198.51.100.1'))).toBeNull();
});

test('a guess that was right counts for nobody', () => {
  const limits = new AttemptLimits(new ManualClock());
  const guess = guessAt('a@example.com', '192.0.2.1');
  for (let round = 0; round < 100; round++) {
    expect(limits.take(guess)).toBeNull();
    limits.giveBack(guess);
  }
  expect(
    tries(
      limits,
      many(() => guess),
    ),
  ).toBe(6);
});

test('a refused guess is not counted where it was still allowed', () => {
  const limits = new AttemptLimits(new ManualClock());
  tries(
    limits,
    many(() => guessAt('a@example.com', '192.0.2.1')),
  );
  expect(
    tries(
      limits,
      many((index) => guessAt(`${index}@example.com`, '192.0.2.1')),
    ),
  ).toBe(24);
});

test('limits of guesses keep a bounded number of accounts and networks', () => {
  const limits = new AttemptLimits(new ManualClock());
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 40_000; index++) limits.take(guessAt(`${index}@example.com`, `net ${index}`));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
});
