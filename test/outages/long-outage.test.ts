import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { composeKey } from '../../src/domain/key.ts';
import { type Fleet, type Gateway, latestEpoch, startFleet } from '../chaos/fleet.ts';
import { ask, type Seen } from '../chaos/load.ts';
import { expectNobodyShort, expectTruth } from '../chaos/proof.ts';
import { type Account, openAccount } from '../support/accounts.ts';

// PostgreSQL is away from two gateways that go on being asked. From one of them it is refused, from the other nothing is
// heard any more. Then it is restarted. How fast the machine is changes no verdict: the outage lasts until the gateways know
// of it and what must not wait for the database has come.

/**
 * Longer than any wait of the program for its database: it gives up a silent connection after four seconds, and an answer
 * that is to be settled waits for five. All that comes later in an outage is the same again.
 */
const OUTAGE_MS_MIN = 10_000;
/** Longer than any of this takes. */
const EPOCH_MS = 300_000;
const ASK_EVERY_MS = 80;
/** Before the outage, so that the gateways know how much they are asked for. */
const WARM_MS = 4_000;
const WARM_ANSWERS = 40;
/** What is asked in this time of an outage has its answer before its end. */
const EARLY_MS = 5_000;
/** Two polls in a row take longer than a poll that succeeded counts while others fail. */
const SLOW_MS = 1_200;
const SLOW_POLLS = 4;
const PATIENCE = { interval: 50, timeout: 60_000 };
const REQUESTS_PER_MINUTE = 3_000;
/** Well formed, and nobody's: a key of another instance. */
const FOREIGN_KEY = composeKey('00Abcdefghijkl', 'm'.repeat(33));

let fleet: Fleet;
let account: Account;

beforeAll(async () => {
  fleet = await startFleet({ count: 2, epochMs: EPOCH_MS });
  account = await openAccount(fleet.database, {
    credit: 100_000_000_000n,
    project: { requestsPerMinute: REQUESTS_PER_MINUTE },
  });
});

afterAll(async () => {
  await fleet.dispose();
});

/** An answer, and when it was asked for, on performance.now()'s scale. */
interface Timed extends Seen {
  readonly askedMs: number;
}

interface Load {
  /** How many answers have come. */
  answered(): number;
  /** Whether what was asked before this moment has its answers. */
  hasAnswered(beforeMs: number): boolean;
  stop(): Promise<readonly Timed[]>;
}

/** Asks each gateway every now and then, however long answers take, until it is told to stop. */
function load(): Load {
  const answers: Promise<Timed>[] = [];
  const waiting = new Set<{ readonly askedMs: number }>();
  let answered = 0;
  const one = async (gateway: Gateway, stream: boolean): Promise<Timed> => {
    const askedMs = performance.now();
    const wait = { askedMs };
    waiting.add(wait);
    const seen = await ask(gateway, account.key.key, { stream });
    waiting.delete(wait);
    answered += 1;
    return { ...seen, askedMs };
  };
  const timer = setInterval(() => {
    for (const gateway of fleet.gateways) answers.push(one(gateway, answers.length % 4 < 2));
  }, ASK_EVERY_MS);
  return {
    answered: () => answered,
    hasAnswered: (beforeMs) => [...waiting].every(({ askedMs }) => askedMs >= beforeMs),
    stop() {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

/** Asks by a key that nobody has asked by before. */
async function expectUnavailable({ program }: Gateway, key: string): Promise<void> {
  const body = { model: 'output-priced', messages: [{ role: 'user', content: 'hi' }] };
  const response = await program.chat(key, body);
  const answer: unknown = await response.json();
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
}

const READY = { status: 'ready', failing: [] };
const readiness = async ({ program }: Gateway): Promise<unknown> => await (await fetch(`${program.url}/readyz`)).json();

/** Every gateway is ready again, of its own accord. */
async function expectRecovered(keys: readonly string[]): Promise<void> {
  for (const gateway of fleet.gateways) {
    await expect.poll(() => readiness(gateway), PATIENCE).toEqual(READY);
    for (const key of keys) await expect.poll(async () => (await ask(gateway, key)).status, PATIENCE).toBe(200);
  }
}

const epochs = (): Promise<unknown[]> => Promise.all(fleet.gateways.map((gateway) => latestEpoch(fleet, gateway)));

test('a time without the database delays answers, and loses none', async () => {
  const [refused, silent] = fleet.gateways;
  if (refused === undefined || silent === undefined) throw new Error('there are two gateways');
  const unknown = await openAccount(fleet.database, { credit: 1_000_000_000n });
  const epochsBefore = await epochs();
  const running = load();
  await delay(WARM_MS);
  await vi.waitUntil(() => running.answered() >= WARM_ANSWERS, PATIENCE);

  refused.proxy.cut();
  silent.proxy.swallow();
  const cutMs = performance.now();
  const wasAway = async (gateway: Gateway): Promise<void> => {
    const failing = expect.arrayContaining(['database reachable']);
    await expect.poll(() => readiness(gateway), PATIENCE).toMatchObject({ failing });
    await expectUnavailable(gateway, unknown.key.key);
    await expectUnavailable(gateway, FOREIGN_KEY);
    expect((await fetch(`${gateway.program.url}/livez`)).status).toBe(200);
  };
  await Promise.all([...fleet.gateways.map(wasAway), delay(OUTAGE_MS_MIN)]);
  await vi.waitUntil(() => running.hasAnswered(cutMs + EARLY_MS), PATIENCE);
  for (const { proxy } of fleet.gateways) proxy.mend();
  await expectRecovered([account.key.key, unknown.key.key]);

  const seen = await running.stop();
  expect(seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([]);
  const early = seen.filter(({ askedMs }) => askedMs > cutMs && askedMs < cutMs + EARLY_MS);
  expect(early.length).toBeGreaterThan(0);
  expect(await epochs()).toEqual(epochsBefore);
  await expectTruth(fleet, account, seen);
  await expectNobodyShort(fleet, seen);
});

test('a database that takes more than a second for each answer leaves the gateways ready', async () => {
  await Promise.all(fleet.gateways.map((gateway) => expect.poll(() => readiness(gateway), PATIENCE).toEqual(READY)));
  for (const { proxy } of fleet.gateways) proxy.slow(SLOW_MS);
  const seen = new Set<string>();
  const watch = async (gateway: Gateway): Promise<void> => {
    const polls = (): number =>
      gateway.proxy.statements.filter(({ text }) => text.includes('from changes order by')).length;
    const before = polls();
    await vi.waitUntil(async () => {
      seen.add(JSON.stringify(await readiness(gateway)));
      return polls() >= before + SLOW_POLLS;
    }, PATIENCE);
  };
  await Promise.all(fleet.gateways.map(watch));
  for (const { proxy } of fleet.gateways) proxy.slow(0);
  expect([...seen]).toEqual([JSON.stringify(READY)]);
});

test('a restart of PostgreSQL delays answers, and loses none', async () => {
  const running = load();
  await vi.waitUntil(() => running.answered() >= WARM_ANSWERS, PATIENCE);
  await fleet.postgres.end('SIGINT');
  await Promise.all(
    fleet.gateways.map((gateway) => expect.poll(() => readiness(gateway), PATIENCE).not.toEqual(READY)),
  );
  await fleet.postgres.start();
  await expectRecovered([account.key.key]);
  const seen = await running.stop();
  expect(seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([]);
  await expectTruth(fleet, account, seen);
  await expectNobodyShort(fleet, seen);
});
