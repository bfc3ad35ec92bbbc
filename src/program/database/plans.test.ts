import { hash, randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { printFigure } from '../../../test/support/figures.ts';
import { receiptWith } from '../../../test/support/receipts.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { PERIODS, windowAt } from '../../domain/window.ts';
import { SystemClock } from '../../lib/clock.ts';
import { EVENT_LOOP } from '../../gate/turns/stages.ts';
import { type DrawReply, NO_STOCK } from '../../gate/purses/ports/database.ts';
import { PostgresIdempotencyStore } from './idempotency-store.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresPermitStore } from './permit-store.ts';
import { PostgresPurseStore } from './purse-store.ts';
import { ResponseKeeper } from './response-keeper.ts';
import { PostgresResponseStore } from './response-store.ts';

// What a request waits for costs as much in an instance with many workspaces as in a small one: its statements find
// their rows by index, whatever PostgreSQL guesses of their number.

const PROJECTS = 20_000;
const COLD_KEYS = 400;
const KEYS_AT_ONCE = 40;

let db: TestDatabase;

beforeAll(async () => {
  db = await startTestDatabase({ connectionsMax: 1 });
  await db.database.query(`
    with w as (insert into workspaces (id, name) select gen_random_uuid(), 'many' returning id)
    insert into projects (workspace_id, id, name)
    select w.id, gen_random_uuid(), 'project ' || number from w, generate_series(1, ${PROJECTS}) as number`);
  await db.database.query('analyze');
});

afterAll(() => db.stop());

const SPENT_FROM = ['projects', 'keys', 'purses', 'leases', 'rate_buckets', 'rate_leases'];

/** How often each of these tables has been read from end to end so far. */
async function wholeReads(tables: readonly string[]): Promise<unknown> {
  await db.database.query('select pg_stat_force_next_flush()');
  return db.database.query(
    `select relname, seq_scan from pg_stat_user_tables
     where relname = any ($1) order by relname`,
    [tables],
  );
}

/** Rows that were found by index so far: each one that was looked at counts, whether or not it was wanted. */
async function rowsFound(): Promise<number> {
  await db.database.query('select pg_stat_force_next_flush()');
  const [row] = await db.database.query<{ found: bigint }>(
    `select sum(idx_tup_read)::bigint as found from pg_stat_user_indexes
     where relname in ('workspaces', 'projects', 'keys', 'purses', 'leases', 'epochs', 'rate_buckets', 'rate_leases')`,
  );
  return Number(row?.found);
}

function receiptOf({ workspace, project, key }: Account, leases: ReadonlyMap<string, DrawReply>): Receipt {
  const purseOf = (subjectId: string): bigint => leases.get(subjectId)?.purseId ?? 0n;
  return receiptWith({
    requestId: randomUUIDv7(),
    workspaceId: workspace.id,
    projectId: project.id,
    keyId: key.id,
    creditPurseId: purseOf(workspace.id),
    projectPurseId: purseOf(project.id),
    keyPurseId: purseOf(key.id),
    charge: 1n,
  });
}

test('a cold key costs as much after hundreds of others, of which PostgreSQL knows nothing yet', async () => {
  const [epoch] = await db.database.query<{ id: bigint }>(
    `insert into epochs (instance_id, process_name) values ($1, 'test') returning id`,
    [randomUUID()],
  );
  const store = new PostgresKeyStore(db.database);
  const purses = new PostgresPurseStore(db.database);
  // What it knows of most tables is from when they were empty.
  await db.database.query('analyze');
  const windows = PERIODS.map((period) => windowAt(period, Date.now()));
  const costs: number[] = [];
  for (let at = 1; at <= COLD_KEYS; at += KEYS_AT_ONCE) {
    const opened = Array.from({ length: KEYS_AT_ONCE }, () =>
      openAccount(db.database, { credit: 1_000_000n, project: { requestsPerMinute: 6_000 } }),
    );
    const accounts = await Promise.all(opened);
    const secrets = accounts.map(({ key }) => hash('sha256', key.key, 'buffer'));
    const draw = { windows, sequence: BigInt(at), ahead: 100n, permitSequence: at, tokens: 1 };
    const before = await rowsFound();
    const { leases } = await store.findAndDraw(epoch?.id ?? 0n, secrets, draw);
    expect(leases.size).toBe(3 * KEYS_AT_ONCE);
    await purses.settle(
      epoch?.id ?? 0n,
      accounts.map((account) => receiptOf(account, leases)),
      new Map(),
    );
    costs.push((await rowsFound()) - before);
  }
  const [first = 0] = costs;
  printFigure(
    'a cold key and its receipt, with three purses and rate limits,',
    first / KEYS_AT_ONCE,
    'rows found by index',
  );
  expect(Math.max(...costs)).toBeLessThan(1.3 * first);
});

test('draws, settlements and permits read no table from end to end', async () => {
  const account = await openAccount(db.database, { credit: 1_000_000n });
  const spender = await Spender.begin(db.database);
  const epochs = await db.database.query<{ id: bigint }>(
    `insert into epochs (instance_id, process_name) values ($1, 'test') returning id`,
    [randomUUID()],
  );
  const permits = new PostgresPermitStore(db.database);
  const draw = {
    workspaceId: account.workspace.id,
    projectId: account.project.id,
    taken: 0,
    running: 0,
    stock: NO_STOCK,
    keep: NO_STOCK,
    returned: { requests: 0, tokens: 0 },
    needs: [1],
    target: NO_STOCK,
  };
  const before = await wholeReads(SPENT_FROM);
  for (let sequence = 1; sequence <= 3; sequence += 1) {
    await spender.spend(account, { hold: 100n, charge: 10n });
    await permits.drawPermits(epochs[0]?.id ?? 0n, [{ ...draw, sequence }]);
  }
  expect(await wholeReads(SPENT_FROM)).toEqual(before);
});

test('claims of idempotency keys read no table from end to end, nor do the receipts that complete them', async () => {
  // What PostgreSQL knows of these tables is from when they were empty, and its plans are kept.
  const account = await openAccount(db.database, { credit: 1_000_000n });
  const spender = await Spender.begin(db.database);
  const store = new PostgresIdempotencyStore(db.database);
  const purses = new PostgresPurseStore(db.database);
  const epoch = await purses.beginEpoch(randomUUID(), 'test', 30_000);
  const claimed = async (idempotencyKey: string) => {
    const request = {
      workspaceId: account.workspace.id,
      keyId: account.key.id,
      idempotencyKey,
      requestId: randomUUIDv7(),
    };
    expect(await store.claim(epoch, request, Buffer.alloc(32))).toEqual({ state: 'claimed' });
    return request;
  };
  const serve = async (name: string): Promise<void> => {
    await store.release(await claimed(`given up ${name}`), true);
    const request = await claimed(`served ${name}`);
    const receipt = await spender.spend(account, { hold: 100n, charge: 10n }, request);
    await purses.settleLate(epoch, [{ ...receipt, ...(await claimed(`late ${name}`)) }], new Map());
  };
  for (let time = 1; time <= 6; time++) await serve(`first ${time}`);
  await db.database.query(
    `insert into idempotent_requests (workspace_id, key_id, idempotency_key, body_sha256, epoch_id, request_id)
     select gen_random_uuid(), gen_random_uuid(), 'key', '', 0, gen_random_uuid() from generate_series(1, ${PROJECTS})`,
  );
  await db.database.query(
    `insert into cancelled_claims (request_id) select gen_random_uuid() from generate_series(1, ${PROJECTS})`,
  );
  const before = await wholeReads(['idempotent_requests', 'cancelled_claims']);
  for (let time = 1; time <= 3; time++) await serve(`then ${time}`);
  expect(await wholeReads(['idempotent_requests', 'cancelled_claims'])).toEqual(before);
});

const RESPONSES = ['stored_responses', 'stored_response_items', 'stored_response_bytes'];

test('keeping responses, and going on from them, reads no table from end to end', async () => {
  const keyring = testKeyring(db.control);
  const keeper = new ResponseKeeper({
    sql: db.database,
    keyring,
    clock: new SystemClock(),
    turns: EVENT_LOOP,
    onLost: (_requestId, reason) => expect.unreachable(String(reason)),
  });
  const limits = { keepMs: 60_000, bytesMax: 1_000_000 };
  const store = new PostgresResponseStore({
    sql: db.database,
    control: db.control,
    keyring,
    keeper,
    clock: new SystemClock(),
    limits,
  });
  const workspaceId = randomUUID();
  const output = Buffer.from('{"id":"msg"}');
  const goOn = async (responseId: string): Promise<void> => {
    const chain = await store.findChain(workspaceId, 'resp', 1_000_000);
    const goesOnFrom = typeof chain === 'string' ? [] : chain.requestIds;
    const outputItems = [{ id: 'msg', start: 0, length: output.length }];
    const entry = { responseId, input: [output], output, outputItems, response: output };
    const previousRequestId = goesOnFrom.at(-1) ?? null;
    await store.keep({ workspaceId, requestId: randomUUIDv7(), previousRequestId, goesOnFrom, entry });
    expect(await store.findItems(workspaceId, ['msg'], 1_000)).toMatchObject({ requestIds: [expect.any(String)] });
    expect(await store.findInput(workspaceId, responseId, 1_000_000)).toEqual(expect.any(Array));
    expect(await store.read(workspaceId, responseId)).not.toBeNull();
  };
  // What PostgreSQL knows of these tables is from when they were empty, and its plans are kept.
  for (let time = 1; time <= 8; time++) await goOn('resp');
  await db.database.query(
    `insert into stored_responses select gen_random_uuid(), gen_random_uuid(), 'resp', null, now(), '', 0, '', true
     from generate_series(1, ${PROJECTS})`,
  );
  const before = await wholeReads(RESPONSES);
  for (let time = 1; time <= 3; time++) await goOn('resp');
  expect(await store.delete(workspaceId, 'resp')).toBe(true);
  expect(await wholeReads(RESPONSES)).toEqual(before);
});
