import { expect, test } from 'vitest';
import type { Profile } from '../../bench/profile.ts';
import { PROFILES, profilesNamed } from '../../bench/profiles/profiles.ts';
import { summarise } from '../../bench/report.ts';

// The benchmark still runs: a moment of it, which says nothing about speed. Each round proves by itself that every
// answer was whole and has its receipt, that commits were durable, and that the ledger is right.

const MOMENT = { rounds: 1, seconds: 0.2, scale: 0.01, progress: () => undefined };

function only(name: string): Profile {
  const [profile] = profilesNamed(name);
  if (profile === undefined) throw new Error(`there is no profile ${name}`);
  return profile;
}

test.each(['small-32', 'burst'])(
  'the benchmark measures %s and verifies what it was charged',
  async (name) => {
    const measures = summarise(await only(name).run(MOMENT));
    const costs = Object.entries(measures).filter(([measure]) => measure.startsWith('gateway CPU µs/'));
    expect(costs).toEqual([[expect.any(String), expect.objectContaining({ median: expect.any(Number) })]]);
  },
  300_000,
);

test('the benchmark has one profile of each name', () => {
  const names = PROFILES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
