import { expect, test } from 'vitest';
import { visitor } from '../../../test/support/identity.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Attempt, AttemptLimits, guessAt as guessAtFrom, guessFrom, guessFromKnown } from './attempts.ts';
import { refuse } from '../../domain/refusals.ts';

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

test.each<[keyof Attempt, number, number]>([
  ['network', 30, 5_000],
  ['site', 120, 1_250],
  ['networkAndAccount', 6, 60_000],
  ['siteAndAccount', 12, 60_000],
  ['account', 60, 30_000],
  ['session', 6, 60_000],
  ['newPassword', 5, 60_000],
  ['code', 6, 300_000],
  ['mail', 3, 600_000],
])(
  'of the guesses that are counted by %s, %d are allowed in a row, and then one every %d ms',
  async (kind, most, everyMs) => {
    const clock = new ManualClock(1_800_000_000_000.25);
    const limits = new AttemptLimits(clock);
    const guess = (): Attempt => ({ [kind]: 'the same' });
    expect(tries(limits, many(guess))).toBe(most);
    expect(limits.take(guess())).toEqual(
      refuse('RATE_LIMITED', 'Too many attempts: wait a while before you try again.', { retryAfterMs: everyMs }),
    );
    expect(limits.take({ [kind]: 'another' })).toBeNull();
    await clock.advance(everyMs - 1);
    expect(limits.take(guess())).toMatchObject({ retryAfterMs: 1 });
    await clock.advance(1);
    expect(tries(limits, many(guess))).toBe(1);
  },
);

test('a guess is counted by all that it came from and was at, and at a link by its origin alone', () => {
  const from = visitor('192.0.2.1');
  expect(guessFrom(from)).toEqual({ network: '192.0.2.1', site: from.site });
  expect(guessFromKnown('a@example.com', from)).toEqual({
    network: '192.0.2.1',
    networkAndAccount: '192.0.2.1 a@example.com',
  });
  expect(guessAtFrom('a@example.com', from)).toEqual({
    network: '192.0.2.1',
    site: from.site,
    networkAndAccount: '192.0.2.1 a@example.com',
    siteAndAccount: `${from.site} a@example.com`,
    account: 'a@example.com',
  });
});
