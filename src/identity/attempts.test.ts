import { expect, test } from 'vitest';
import { visitor } from '../../test/support/identity.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { type Attempt, AttemptLimits, guessAt as guessAtFrom, guessFromKnown } from './attempts.ts';

const guessAt = (account: string, address: string): Attempt => guessAtFrom(account, visitor(address));

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
      many((index) => guessAt('a@example.com', `10.0.${index % 250}.${index}`)),
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

test.each([
  ['IPv6 of a /48', (index: number) => `2001:db8:1:${index.toString(16)}::1`],
  ['IPv4 of a /24', (index: number) => `192.0.2.${index % 256}`],
])('guesses at one account from all networks of a site are limited together: %s', (_site, address) => {
  const limits = new AttemptLimits(new ManualClock());
  expect(
    tries(
      limits,
      many((index) => guessAt('a@example.com', address(index))),
    ),
  ).toBe(12);
  expect(limits.take(guessAt('a@example.com', '198.51.100.1'))).toBeNull();
});

test('a network where the account has signed in before guesses on when strangers have used all guesses up', () => {
  const limits = new AttemptLimits(new ManualClock());
  tries(
    limits,
    many((index) => guessAt('a@example.com', `10.0.${index % 250}.${index}`)),
  );
  expect(limits.take(guessAt('a@example.com', '203.0.113.1'))).not.toBeNull();
  expect(
    tries(
      limits,
      many(() => guessFromKnown('a@example.com', visitor('203.0.113.1'))),
    ),
  ).toBe(6);
});

test('refused guesses from thousands of networks do not make a network forget what it has guessed', () => {
  const limits = new AttemptLimits(new ManualClock());
  const guess = guessAt('victim@example.com', '203.0.113.1');
  expect(
    tries(
      limits,
      many(() => guess),
    ),
  ).toBe(6);
  for (let index = 0; index < 30_000; index++) {
    limits.take(guessAt('victim@example.com', `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`));
    limits.take(guessAt(`other ${index}@example.com`, `2001:db8:${index.toString(16)}::1`));
  }
  expect(limits.take(guess)).not.toBeNull();
  expect(limits.take({ networkAndAccount: guess.networkAndAccount ?? '' })).not.toBeNull();
});
