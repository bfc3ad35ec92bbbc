import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, type ExternalPostgres, startExternalPostgres } from '../support/external-postgres.ts';
import { printFigure } from '../support/figures.ts';
import { AFFORDABLE, CHARGE, CREDIT, outputPricedConfig, REQUEST, USAGE } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';

// Two gateways, each with a data directory of its own, share one database and the money in it.

const PARALLEL = 200;
/** So long that nobody is declared dead for their silence here. */
const EPOCH_MS = 120_000;

let postgres: ExternalPostgres;
let upstream: MockUpstream;
let first: Program;
let second: Program;

/** What is to be ended in the end, the last first, however far it has come. */
const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());

beforeAll(async () => {
  upstream = await startMockUpstream({ answerDelayMs: 20, usage: () => USAGE });
  running.defer(() => upstream.stop());
  postgres = await startExternalPostgres();
  running.defer(() => postgres.stop());
  const options = {
    args: ['--bootstrap'],
    env: { DATABASE_URL: databaseUrl(postgres, await postgres.createDatabase(), postgres.port) },
    // Patient, so that on a busy machine nobody gives up on money that is about to come free.
    config: outputPricedConfig(upstream, 'timeouts: { hold_wait: 20s }'),
  };
  // At once, so that migrations, prices and the first workspace are made by two.
  const start = async (): Promise<Program> =>
    running.adopt(await startProgram(options), (program) => program.dispose());
  [first, second] = await Promise.all([start(), start()]);
});

test('one of two gateways that start together makes the first workspace', async () => {
  expect([first.key, second.key].filter((key) => key !== '')).toHaveLength(1);
  const { data } = await first.json<{ data: object[] }>('workspace', 'list');
  expect(data).toHaveLength(1);
});

test('two gateways never spend more together than there is', async () => {
  const tenant = await first.createTenant({ credit: '0.074' });
  const statuses = await Promise.all(
    Array.from({ length: PARALLEL }, async (_, index) => {
      const response = await (index % 2 === 0 ? first : second).chat(tenant.key, { ...REQUEST, stream: index % 4 > 1 });
      await response.text();
      return response.status;
    }),
  );
  const succeeded = statuses.filter((status) => status === 200).length;
  printFigure('two gateways spend', (succeeded / AFFORDABLE) * 100, '% of what one could');
  expect(statuses.filter((status) => status === 402)).toHaveLength(PARALLEL - succeeded);
  expect(succeeded).toBeLessThanOrEqual(AFFORDABLE);
  expect(succeeded).toBeGreaterThan(AFFORDABLE / 2);
  for (const program of [first, second]) {
    expect(await program.admin.showWorkspace(tenant.workspaceId)).toMatchObject({
      balance_nano_usd: String(CREDIT - CHARGE * BigInt(succeeded)),
    });
    expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
  }
});

test('a key that is revoked through one stops working at the other', async () => {
  const tenant = await first.createTenant({ credit: '1' });
  expect((await second.chat(tenant.key, REQUEST)).status).toBe(200);
  await first.admin.revokeKey(tenant.keyId);
  await expect
    .poll(async () => (await second.chat(tenant.key, REQUEST)).status, { timeout: 30_000, interval: 20 })
    .toBe(401);
});

test('a gateway that is killed costs the other nothing but the time until it is back', async () => {
  const tenant = await second.createTenant({ credit: '1' });
  expect((await first.chat(tenant.key, REQUEST)).status).toBe(200);
  await first.signal('SIGKILL');
  expect((await second.chat(tenant.key, REQUEST)).status).toBe(200);
  first = running.adopt(await first.restart(), (program) => program.dispose());
  expect((await first.chat(tenant.key, REQUEST)).status).toBe(200);
  expect(await second.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('what a killed gateway had leased of a small workspace is there again as soon as it is back', async () => {
  const tenant = await second.createTenant({ credit: '0.0026' });
  expect((await first.chat(tenant.key, REQUEST)).status).toBe(200);
  // The rest is just one hold, and the process that has it dies.
  const served = upstream.served();
  const lost = first.chat(tenant.key, REQUEST).catch(() => null);
  await expect.poll(() => upstream.served(), { interval: 1 }).toBe(served + 1);
  await first.signal('SIGKILL');
  expect(await lost).toBeNull();
  expect((await second.chat(tenant.key, REQUEST)).status).toBe(402);
  const killedMs = performance.now();
  first = running.adopt(await first.restart(), (program) => program.dispose());
  for (const program of [second, first]) {
    const answer = await program.chat(tenant.key, REQUEST);
    // What is left after the first of the two covers no other hold.
    expect(answer.status).toBe(program === second ? 200 : 402);
  }
  expect(performance.now() - killedMs).toBeLessThan(EPOCH_MS);
});
