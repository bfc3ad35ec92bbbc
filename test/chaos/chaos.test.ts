import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../simulation/random.ts';
import {
  answersLost,
  cutOff,
  databaseRestarted,
  diskFull,
  type Failure,
  halted,
  killed,
  killedWithJournal,
  paused,
  workerKilled,
} from './failures.ts';
import { type Fleet, startFleet } from './fleet.ts';

// Four gateways on one PostgreSQL, all of them really started, no two on the same kind of machine, and what may happen to
// them. Clients, the upstream and the
// database each keep their own account, and after every failure the three agree. For longer, or the same again:
// npm run chaos -- --seconds 60 --seed 7

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 0);
const seed = Number(process.env['CHAOS_SEED'] ?? 1);
const random = new Random(seed);
const DEADLINE_MS = 300_000;

const FAILURES: readonly (readonly [name: string, failure: Failure])[] = [
  ['is killed again and again while one purse is spent to its end', killed(3)],
  ['stands still until its peers have declared it dead, and goes on', paused],
  ['loses the database for longer than its time-out while the others have it', cutOff],
  ['sees PostgreSQL crash and stop at once, and come back', databaseRestarted],
  ['is killed with charges that only its journal has', killedWithJournal],
  ['hears nothing of what its statements did', answersLost],
  ['has a connection that stands still in the middle of a statement', halted],
  ['loses one of its workers', workerKilled],
  ['has no room on its disk while the database is away', diskFull],
];

let fleet: Fleet;

beforeAll(async () => {
  fleet = await startFleet({ isMixed: true });
}, DEADLINE_MS);

afterAll(async () => {
  await fleet.dispose();
});

test.each(seconds === 0 ? FAILURES : [])(
  'money stays true when a gateway %s',
  { timeout: DEADLINE_MS },
  async (_name, failure) => {
    await failure(fleet, random);
    expect(fleet.gateways.every(({ isServing }) => isServing)).toBe(true);
  },
);

test.each(seconds === 0 ? [] : [seconds])(
  `money stays true when gateways meet random failures for %d seconds, with seed ${seed}`,
  { timeout: seconds * 1_000 + DEADLINE_MS },
  async () => {
    const untilMs = performance.now() + seconds * 1_000;
    for (let count = 1; performance.now() < untilMs; count++) {
      const [name, failure] = random.pick(FAILURES);
      process.stdout.write(`  failure ${count}: a gateway ${name}\n`);
      await failure(fleet, random);
      expect(fleet.gateways.every(({ isServing }) => isServing)).toBe(true);
    }
  },
);
