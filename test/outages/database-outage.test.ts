import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeKey } from '../../src/domain/key.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { CHARGE, outputPricedConfig, USAGE } from '../support/output-priced.ts';
import type { PostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startProxiedPostgres } from '../support/proxied-postgres.ts';

// The database goes away for a few seconds and comes back: who is known goes on being served, nobody is called a
// stranger, nothing is lost, and nobody has to restart anything.

const EPOCH_MS = 4_000;
const IN_OUTAGE = 5;
/** Seldom enough that what the leases hold lasts for as long as the process may spend it. */
const ASK_EVERY_MS = 500;
const CREDIT = 5_000_000_000n;
/** Well formed, and nobody's: a key of another instance. */
const FOREIGN_KEY = composeKey('00Abcdefghijkl', 'm'.repeat(33));

let proxy: PostgresProxy;
let upstream: MockUpstream;
let program: Program;

beforeAll(async () => {
  upstream = await startMockUpstream({ usage: () => USAGE });
  const postgres = await startProxiedPostgres();
  ({ proxy } = postgres);
  program = await startProgram({
    beside: [upstream, postgres],
    args: ['--bootstrap'],
    env: { DATABASE_URL: postgres.url },
    config: outputPricedConfig(upstream, `timeouts: { epoch: ${EPOCH_MS}ms }`),
  });
});

afterAll(() => program.dispose());

const ask = (key: string, stream = false): Promise<Response> =>
  program.chat(key, {
    model: 'output-priced',
    max_tokens: 1_000,
    stream,
    messages: [{ role: 'user', content: 'hi' }],
  });

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
}

/** Asks every now and then until somebody is refused; what was admitted joins the answers that are waited for. */
async function firstRefusal(key: string, answers: Promise<Response>[]): Promise<Response> {
  for (;;) {
    const answer = ask(key);
    const refusal = await Promise.race([answer, delay(ASK_EVERY_MS, null)]);
    if (refusal !== null) return refusal;
    answers.push(answer);
  }
}

const readiness = async (): Promise<readonly [status: number, failing: readonly string[]]> => {
  const response = await fetch(`${program.url}/readyz`);
  return [response.status, ((await response.json()) as { readonly failing: readonly string[] }).failing];
};
const READY = [200, []];

/**
 * Waits until the program knows of all changes so far, which it reads in their order: one that came with the outage would
 * have called a lease's slack back.
 */
async function hearAllChanges(): Promise<void> {
  const { key, keyId } = await program.createTenant({});
  const models = async (): Promise<number> =>
    (await fetch(`${program.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await models()).toBe(200);
  await program.admin.revokeKey(keyId);
  await expect.poll(models, { interval: 20, timeout: 20_000 }).toBe(401);
}

test('an outage of the database delays and refuses, and loses nothing', async () => {
  const known = await program.createTenant({ credit: '5' });
  const unknown = await program.createTenant({ credit: '5' });
  // Enough for three requests one after the other, so little of it is leased ahead of them.
  const scarce = await program.createTenant({ credit: '0.004' });
  for (const { key } of [known, scarce]) expect((await ask(key)).status).toBe(200);
  await hearAllChanges();
  expect((await ask(known.key)).status).toBe(200);
  expect((await ask(FOREIGN_KEY)).status).toBe(401);
  expect(await readiness()).toEqual(READY);
  const servedBefore = upstream.served();

  const seen: unknown[] = [];
  const unready = (async () => {
    for (let status = 200; status !== 503; await delay(20)) {
      const now = await readiness();
      seen.push(now);
      [status] = now;
    }
  })();
  proxy.cut();
  const cutMs = performance.now();
  // Admitted from memory: the upstream is called though the database is away. Their ends wait for their receipts.
  const answers = Array.from({ length: IN_OUTAGE }, (_, index) => ask(known.key, index % 2 === 1));
  await expect.poll(() => upstream.served(), { interval: 10, timeout: 20_000 }).toBe(servedBefore + IN_OUTAGE);
  await expectUnavailable(await ask(unknown.key));
  await expectUnavailable(await ask(scarce.key));
  await delay(1_100);
  await expectUnavailable(await ask(FOREIGN_KEY));
  expect((await ask('fg_live_malformed')).status).toBe(401);
  // Load balancers are asked to go on sending requests as long as there are leases.
  await unready;
  expect(seen).toContainEqual([200, ['database reachable']]);
  expect(seen.at(-1)).toEqual([503, ['database reachable', 'epoch live']]);
  expect((await fetch(`${program.url}/livez`)).status).toBe(200);

  // Once it may count as dead it admits nobody, which is no verdict about anybody's money.
  await expectUnavailable(await firstRefusal(known.key, answers));
  expect(performance.now() - cutMs).toBeGreaterThan(EPOCH_MS / 2);

  proxy.mend();
  for (const answer of await Promise.all(answers)) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/"usage"|\[DONE\]\n\n$/);
  }
  await expect.poll(readiness, { interval: 50, timeout: 20_000 }).toEqual(READY);
  for (const key of [known.key, unknown.key, scarce.key]) {
    await expect.poll(async () => (await ask(key)).status, { interval: 50, timeout: 20_000 }).toBe(200);
  }
  expect((await ask(FOREIGN_KEY)).status).toBe(401);
  const charged = BigInt(upstream.served() - 3) * CHARGE;
  expect(await program.admin.showWorkspace(known.workspaceId)).toMatchObject({
    balance_nano_usd: String(CREDIT - charged),
  });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
