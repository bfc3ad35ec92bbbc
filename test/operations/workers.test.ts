import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import { readSchemaFiles, schemaDirectory } from '../../src/program/database/schema-files.ts';
import { startMockUpstream } from '../support/aimock.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// Two workers share the port and the money, and come and go one by one: killed, replaced in turn, told to end, orphaned.

const WORKERS = 2;
const PARALLEL = 200;
const CAP = 1_000;
const NANO_PER_TOKEN = 2_000n;
const HOLD = BigInt(CAP) * NANO_PER_TOKEN;
const AFFORDABLE = 37;
const CREDIT = HOLD * BigInt(AFFORDABLE);
const AMPLE = 100_000_000_000n;
/** The program's own time-outs. */
const EPOCH_MS = 30_000;
const DRAIN_MS = 30_000;
const PATIENCE = { timeout: 60_000, interval: 20 };

const DONE = 'data: [DONE]\n\n';
const LONG = 'a text of many chunks, so that its stream takes a while, '.repeat(4);

let used = CAP;
let text = 'short';
let program: Program;
let database: Database;

beforeAll(async () => {
  const upstream = await startMockUpstream({
    answerDelayMs: 20,
    chunkDelayMs: 10,
    chunkCharacters: 5,
    text: () => text,
    usage: () => ({ prompt_tokens: 0, completion_tokens: used }),
  });
  program = await startProgram({
    beside: [upstream],
    args: ['--workers', String(WORKERS)],
    makesDatabase: true,
    // Patient, so that a busy machine changes no verdict.
    config: outputPricedConfig(upstream, 'timeouts: { hold_wait: 20s, lame_duck: 100ms }'),
  });
  database = await program.openDatabase();
});

afterAll(() => program.dispose());

interface Epoch {
  readonly id: bigint;
  readonly pid: number;
}

/** The epochs of the workers that live, oldest first. */
async function liveEpochs(): Promise<readonly Epoch[]> {
  const rows = await database.query<{ id: bigint; process_name: string }>(
    'select id, process_name from epochs where fenced_at is null order by id',
  );
  return rows.map(({ id, process_name: name }) => ({ id, pid: Number(/\d+$/.exec(name)?.[0]) }));
}

async function restarted(): Promise<void> {
  program = await program.restart();
  database = await program.openDatabase();
}

function ask(tenant: Tenant, stream: boolean): Promise<Response> {
  const messages = [{ role: 'user', content: 'hi' }];
  return program.chat(tenant.key, { model: 'output-priced', max_tokens: CAP, stream, messages });
}

/** What became of one request: its status, or how its connection ended. */
async function outcomeOf(tenant: Tenant, stream: boolean): Promise<string> {
  try {
    const response = await ask(tenant, stream);
    const answer = await response.text();
    if (response.status === 200 && stream && !answer.endsWith(DONE)) return 'cut off';
    return String(response.status);
  } catch {
    return 'cut off';
  }
}

/** Clients that ask again and again until they are stopped; answers with what became of all their requests. */
function startLoad(tenant: Tenant, clients: number): { served: () => number; stop(): Promise<readonly string[]> } {
  const outcomes: string[] = [];
  const load = { isStopped: false };
  const running = Array.from({ length: clients }, async (_, index) => {
    while (!load.isStopped) outcomes.push(await outcomeOf(tenant, index % 4 !== 0));
  });
  return {
    served: () => outcomes.filter((outcome) => outcome === '200').length,
    async stop() {
      load.isStopped = true;
      await Promise.all(running);
      return outcomes;
    },
  };
}

/** How many requests have reached an upstream, as the metrics tell it. */
async function requestsCounted(): Promise<number> {
  const counts = (await program.metrics()).matchAll(/^faregate_requests_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const createTenant = (credit: bigint): Promise<Tenant> => program.createTenant({ credit: usd(credit) });

async function balanceOf(tenant: Tenant): Promise<bigint> {
  return BigInt((await program.admin.showWorkspace(tenant.workspaceId)).balance_nano_usd);
}

async function expectWholeLedger(): Promise<void> {
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
}

function usd(nano: bigint): string {
  return (Number(nano) / 1e9).toFixed(9);
}

test('both workers serve on the one port, and their numbers are told as one', async () => {
  const tenant = await createTenant(AMPLE);
  let sent = 0;
  await vi.waitUntil(
    async () => {
      sent += 50;
      await Promise.all(Array.from({ length: 50 }, () => outcomeOf(tenant, false)));
      const [row] = await database.query<{ epochs: bigint }>('select count(distinct epoch_id) as epochs from receipts');
      return row?.epochs === BigInt(WORKERS);
    },
    { ...PATIENCE, interval: 0 },
  );
  expect(await requestsCounted()).toBe(sent);
});

test('both workers’ attempts stand in one list of providers', async () => {
  const health = await program.admin.listProviders();
  expect(health).toMatchObject({ processes: WORKERS, processes_answered: WORKERS });
  const [route] = health.data.flatMap(({ routes }) => routes);
  const { answering = 0, idle = 0 } = route?.processes ?? {};
  expect(answering + idle).toBe(WORKERS);
});

const storms = [
  { name: 'the charge is the whole hold', tokens: CAP },
  { name: 'the charge is less than the hold', tokens: 300 },
];

for (const { name, tokens } of storms) {
  test(`when ${name}, ${PARALLEL} parallel requests to both spend all the money allows and no more`, async () => {
    used = tokens;
    text = 'short';
    const charge = BigInt(tokens) * NANO_PER_TOKEN;
    const most = Number((CREDIT - HOLD) / charge) + 1;
    const tenant = await createTenant(CREDIT);
    const outcomes = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => outcomeOf(tenant, index % 2 === 0)),
    );
    used = CAP;
    const succeeded = outcomes.filter((outcome) => outcome === '200').length;
    expect(outcomes.filter((outcome) => outcome === '402')).toHaveLength(PARALLEL - succeeded);
    expect(await balanceOf(tenant)).toBe(CREDIT - charge * BigInt(succeeded));
    expect(succeeded).toBe(most);
    await expectWholeLedger();
  });
}

test('a worker that is killed under load takes only its own requests along, and its money comes back immediately', async () => {
  text = LONG;
  const bystander = await createTenant(AMPLE);
  const tenant = await createTenant(CREDIT);
  const load = startLoad(bystander, 20);
  await vi.waitUntil(() => load.served() >= 20, { ...PATIENCE, interval: 5 });
  const small = await Promise.all(Array.from({ length: 8 }, () => ask(tenant, true)));
  const texts = Promise.allSettled(small.map((response) => response.text()));
  const before = await liveEpochs();
  const killed = before[0];
  expect(before).toHaveLength(WORKERS);

  const [clock] = await database.query<{ now: Date }>('select clock_timestamp() as now');
  process.kill(killed?.pid ?? 0, 'SIGKILL');
  const reaped = await vi.waitUntil(async () => {
    const [row] = await database.query<{ reaped_at: Date | null }>('select reaped_at from epochs where id = $1', [
      killed?.id ?? 0n,
    ]);
    return row?.reaped_at;
  }, PATIENCE);
  // Nobody waits for its epoch's time-out.
  expect(reaped.getTime() - (clock?.now.getTime() ?? 0)).toBeLessThan(EPOCH_MS / 2);

  const servedByThen = load.served();
  await vi.waitUntil(() => load.served() > servedByThen + 20, { ...PATIENCE, interval: 5 });
  await vi.waitUntil(async () => (await liveEpochs()).length === WORKERS, PATIENCE);
  const outcomes = await load.stop();
  expect(outcomes.filter((outcome) => outcome !== '200' && outcome !== 'cut off')).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'cut off').length).toBeLessThanOrEqual(20);
  await texts;

  const left = Number((await balanceOf(tenant)) / HOLD);
  expect(left).toBeGreaterThan(0);
  const spent = await Promise.all(Array.from({ length: left }, () => outcomeOf(tenant, false)));
  expect(spent).toEqual(Array.from({ length: left }, () => '200'));
  expect(await balanceOf(tenant)).toBe(0n);
  await expectWholeLedger();
});

test('what needs the supervisor is a 503 with a time to retry while it is silent, and models are served all the same', async () => {
  const tenant = await createTenant(AMPLE);
  const supervisor = program.pid;
  process.kill(supervisor, 'SIGSTOP');
  try {
    const asked = await program.admin.listProviders().catch((fault: unknown) => fault);
    expect(asked).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    expect(await outcomeOf(tenant, false)).toBe('200');
  } finally {
    process.kill(supervisor, 'SIGCONT');
  }
  await expect.poll(() => program.admin.listProviders().catch(() => null), PATIENCE).not.toBeNull();
});

test('a rolling restart under streaming load fails no request and loses no count', async () => {
  const tenant = await createTenant(AMPLE);
  const before = await liveEpochs();
  const countedBefore = await requestsCounted();
  const load = startLoad(tenant, 20);
  await vi.waitUntil(() => load.served() >= 20, { ...PATIENCE, interval: 5 });

  expect(await program.json('restart')).toEqual({ workers: WORKERS, replaced: WORKERS });

  const outcomes = await load.stop();
  expect(outcomes.filter((outcome) => outcome !== '200')).toEqual([]);
  const after = await liveEpochs();
  expect(after).toHaveLength(WORKERS);
  expect(after.filter(({ pid }) => before.some((former) => former.pid === pid))).toEqual([]);
  expect(await requestsCounted()).toBe(countedBefore + outcomes.length);
  expect(await balanceOf(tenant)).toBe(AMPLE - HOLD * BigInt(outcomes.length));
  await expectWholeLedger();
});

test('SIGUSR2 replaces the workers too', async () => {
  const before = await liveEpochs();
  process.kill(program.pid, 'SIGUSR2');
  const after = await vi.waitUntil(async () => {
    const live = await liveEpochs();
    return live.length === WORKERS && live.every(({ id }) => before.every((former) => former.id !== id)) && live;
  }, PATIENCE);
  expect(after.filter(({ pid }) => before.some((former) => former.pid === pid))).toEqual([]);
});

test('a restart is refused while the program has another schema than the database, and the old workers serve on', async () => {
  const tenant = await createTenant(AMPLE);
  await database.query(
    `update schema_files set sha256 = 'other' where name = 'draw'; update schema_programs set digest = reverse(digest)`,
  );
  const before = await liveEpochs();
  const { code, stderr } = await program.cli('restart');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/the old ones continue: the database has functions.*is newer/),
  ]);
  const stayed = (await liveEpochs()).filter(({ id }) => before.some((former) => former.id === id));
  expect([stayed.length, await outcomeOf(tenant, true)]).toEqual([WORKERS, '200']);
  const draw = (await readSchemaFiles(schemaDirectory)).functions.find(({ name }) => name === 'draw');
  await database.query(`update schema_files set sha256 = $1 where name = 'draw'`, [draw?.sha256 ?? null]);
  await database.query(`update schema_programs set digest = reverse(digest)`);
});

test('SIGTERM lets running streams end, then all processes are gone', async () => {
  const tenant = await createTenant(1_000_000_000n);
  const workers = await liveEpochs();
  const responses = await Promise.all(Array.from({ length: 10 }, () => ask(tenant, true)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const texts = Promise.all(responses.map((response) => response.text()));

  expect(await program.signal('SIGTERM')).toBe(0);

  expect((await texts).filter((answer) => !answer.endsWith(DONE))).toEqual([]);
  expect(workers.filter(({ pid }) => isAlive(pid))).toEqual([]);
  await restarted();
  expect(await balanceOf(tenant)).toBe(1_000_000_000n - HOLD * 10n);
});

test('workers whose supervisor is killed are gone without a drain, and the next start takes over', async () => {
  const tenant = await createTenant(CREDIT);
  const load = startLoad(tenant, 4);
  await vi.waitUntil(() => load.served() >= 4, { ...PATIENCE, interval: 5 });
  const workers = await liveEpochs();
  expect(workers).toHaveLength(WORKERS);

  process.kill(program.pid, 'SIGKILL');
  const goneMs = { timeout: DRAIN_MS / 2, interval: 10 };
  await vi.waitUntil(() => workers.every(({ pid }) => !isAlive(pid)), goneMs);
  await program.signal('SIGKILL');
  await load.stop();

  await restarted();
  const left = Number((await balanceOf(tenant)) / HOLD);
  expect(left).toBeGreaterThan(0);
  const spent = await Promise.all(Array.from({ length: left }, () => outcomeOf(tenant, true)));
  expect(spent).toEqual(Array.from({ length: left }, () => '200'));
  await expectWholeLedger();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
