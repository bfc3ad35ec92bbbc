import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeKey } from '../../src/domain/key.ts';
import { type Fleet, type Gateway, latestEpoch, startFleet } from '../chaos/fleet.ts';
import { ask, type Seen } from '../chaos/load.ts';
import { expectNobodyShort, expectTruth } from '../chaos/proof.ts';
import { type Account, openAccount } from '../support/accounts.ts';
import { chat } from '../support/tenant.ts';

// PostgreSQL is away for twenty seconds from two gateways that go on being asked, with the time-outs that the program
// comes with. From one of them it is refused, from the other nothing is heard any more. Then it is restarted.

const OUTAGE_MS = 20_000;
const ASK_EVERY_MS = 80;
/** Before the outage, so that the gateways know how much they are asked for. */
const WARM_MS = 4_000;
const RECOVERED_MS = 2_000;
/** What an answer's end waits for the database, and something for a busy machine. */
const ANSWERED_MS = 8_000;
const REQUESTS_PER_MINUTE = 3_000;
/** Well formed, and nobody's: a key of another instance. */
const FOREIGN_KEY = composeKey('Abcdefghijkl', 'm'.repeat(33));

let fleet: Fleet;
let account: Account;

beforeAll(async () => {
  fleet = await startFleet({ count: 2, epochMs: null });
  account = await openAccount(fleet.database, {
    credit: 100_000_000_000n,
    project: { requestsPerMinute: REQUESTS_PER_MINUTE },
  });
});

afterAll(async () => {
  await fleet.dispose();
});

/** Asks each gateway every now and then, however long answers take, until it is told to stop. */
function load(): { stop(): Promise<readonly (Seen & { readonly tookMs: number })[]> } {
  const answers: Promise<Seen & { tookMs: number }>[] = [];
  const one = async (gateway: Gateway, stream: boolean): Promise<Seen & { tookMs: number }> => {
    const sinceMs = performance.now();
    const seen = await ask(gateway, account.key.key, { stream });
    return { ...seen, tookMs: performance.now() - sinceMs };
  };
  const timer = setInterval(() => {
    for (const gateway of fleet.gateways) answers.push(one(gateway, answers.length % 4 < 2));
  }, ASK_EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

async function expectUnavailable({ program }: Gateway, key: string): Promise<void> {
  const body = { model: 'output-priced', messages: [{ role: 'user', content: 'hi' }] };
  const sinceMs = performance.now();
  const response = await chat(program, key, body);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  expect(performance.now() - sinceMs).toBeLessThan(ANSWERED_MS);
}

const readiness = async ({ program }: Gateway): Promise<unknown> => await (await fetch(`${program.url}/readyz`)).json();

/** Every gateway is ready again, of its own accord, in the epoch in which it was. */
async function expectRecovered(keys: readonly string[]): Promise<void> {
  for (const gateway of fleet.gateways) {
    const patience = { interval: 50, timeout: RECOVERED_MS };
    await expect.poll(() => readiness(gateway), patience).toEqual({ status: 'ready', failing: [] });
    for (const key of keys) {
      await expect.poll(async () => (await ask(gateway, key)).status, patience).toBe(200);
    }
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

  refused.proxy.cut();
  silent.proxy.swallow();
  const cutMs = performance.now();
  const wasAway = async (gateway: Gateway): Promise<void> => {
    await expectUnavailable(gateway, unknown.key.key);
    await expectUnavailable(gateway, FOREIGN_KEY);
    const failing = expect.arrayContaining(['database in touch']);
    await expect.poll(() => readiness(gateway), { timeout: 3_000 }).toEqual({ status: 'not ready', failing });
    expect((await fetch(`${gateway.program.url}/livez`)).status).toBe(200);
  };
  while (performance.now() - cutMs < OUTAGE_MS - ANSWERED_MS) {
    await Promise.all(fleet.gateways.map(wasAway));
    await delay(1_000);
  }
  await delay(OUTAGE_MS - (performance.now() - cutMs));
  for (const { proxy } of fleet.gateways) proxy.mend();
  await expectRecovered([account.key.key, unknown.key.key]);

  const seen = await running.stop();
  expect(seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([]);
  expect(Math.max(...seen.map(({ tookMs }) => tookMs))).toBeLessThan(ANSWERED_MS);
  expect(await epochs()).toEqual(epochsBefore);
  await expectTruth(fleet, account, seen);
  await expectNobodyShort(fleet, seen);
});

test('a restart of PostgreSQL delays answers, and loses none', async () => {
  const running = load();
  await delay(1_000);
  await fleet.postgres.end('SIGINT');
  await delay(1_000);
  await fleet.postgres.start();
  await expectRecovered([account.key.key]);
  const seen = await running.stop();
  expect(seen.filter(({ status, isWhole }) => status !== 200 || !isWhole)).toEqual([]);
  await expectTruth(fleet, account, seen);
  await expectNobodyShort(fleet, seen);
});
