import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { composeKey } from '../../src/domain/key.ts';
import { type Fleet, type Gateway, latestEpoch, startFleet } from '../chaos/fleet.ts';
import { ask, type Seen } from '../chaos/load.ts';
import { expectNobodyShort, expectTruth } from '../chaos/proof.ts';
import { type Account, openAccount } from '../support/accounts.ts';

// PostgreSQL is away for twenty seconds from two gateways that go on being asked. From one of them it is refused, from the
// other nothing is heard any more. Then it is restarted. How fast the machine is changes no verdict: the gateways are given
// time enough to be away, and what must not wait for the database has come before it is back.

const OUTAGE_MS = 20_000;
/** Longer than any of this takes. */
const EPOCH_MS = 300_000;
const ASK_EVERY_MS = 80;
/** Before the outage, so that the gateways know how much they are asked for. */
const WARM_MS = 4_000;
const WARM_ANSWERS = 40;
/** What is asked in this time of an outage has its answer long before its end: it waits five seconds for the database. */
const EARLY_MS = 5_000;
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

/** An answer, and when it was asked for and had come whole, on performance.now()'s scale. */
interface Timed extends Seen {
  readonly askedMs: number;
  readonly hadMs: number;
}

interface Load {
  /** How many answers have come. */
  answered(): number;
  stop(): Promise<readonly Timed[]>;
}

/** Asks each gateway every now and then, however long answers take, until it is told to stop. */
function load(): Load {
  const answers: Promise<Timed>[] = [];
  let answered = 0;
  const one = async (gateway: Gateway, stream: boolean): Promise<Timed> => {
    const askedMs = performance.now();
    const seen = await ask(gateway, account.key.key, { stream });
    answered += 1;
    return { ...seen, askedMs, hadMs: performance.now() };
  };
  const timer = setInterval(() => {
    for (const gateway of fleet.gateways) answers.push(one(gateway, answers.length % 4 < 2));
  }, ASK_EVERY_MS);
  return {
    answered: () => answered,
    stop() {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

/** Asks by a key that nobody has asked by before; what is said once `isOver` is about another time. */
async function expectUnavailable({ program }: Gateway, key: string, isOver: () => boolean): Promise<void> {
  const body = { model: 'output-priced', messages: [{ role: 'user', content: 'hi' }] };
  const response = await program.chat(key, body);
  const answer: unknown = await response.json();
  if (isOver()) return;
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

test('twenty seconds without the database delay answers, and lose none', async () => {
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
  let mendedMs = Infinity;
  const isMended = (): boolean => mendedMs < Infinity;
  const over = delay(OUTAGE_MS).then(() => {
    for (const { proxy } of fleet.gateways) proxy.mend();
    mendedMs = performance.now();
  });
  const wasAway = async (gateway: Gateway): Promise<void> => {
    const failing = expect.arrayContaining(['database reachable']);
    await expect.poll(() => readiness(gateway), PATIENCE).toEqual({ status: 'not ready', failing });
    await expectUnavailable(gateway, unknown.key.key, isMended);
    await expectUnavailable(gateway, FOREIGN_KEY, isMended);
    expect((await fetch(`${gateway.program.url}/livez`)).status).toBe(200);
  };
  await Promise.all(fleet.gateways.map(wasAway));
  await over;
  await expectRecovered([account.key.key, unknown.key.key]);

  const seen = await running.stop();
  expect(seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([]);
  const early = seen.filter(({ askedMs }) => askedMs > cutMs && askedMs < cutMs + EARLY_MS);
  expect(early.length).toBeGreaterThan(0);
  expect(early.filter(({ hadMs }) => hadMs >= mendedMs)).toEqual([]);
  expect(await epochs()).toEqual(epochsBefore);
  await expectTruth(fleet, account, seen);
  await expectNobodyShort(fleet, seen);
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
