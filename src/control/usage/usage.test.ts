import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, granted, openAccount, openKey, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { operatorIn, scopeOf } from '../../../test/support/scopes.ts';
import { expectedReport, readReceipts, wholeReport } from '../../../test/support/usage-model.ts';
import { countUsageIn, pacedBy, UNPACED, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { applyCatalogue } from '../catalogue/price-versions.ts';
import { ensureReceiptPartition, receiptPartitionAt } from '../../program/database/partitions.ts';
import { openDatabase } from '../../program/database/pool.ts';
import { OUTCOMES, type Receipt } from '../../domain/receipt.ts';
import type { Rates } from '../../domain/price.ts';
import { NO_TOKENS, TOKEN_CLASSES } from '../../domain/usage.ts';
import { correctReceipt } from '../ledger/corrections.ts';
import { sealReceipts } from '../ledger/seals.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { recountUsage } from './count-usage.ts';
import { UsageFolding } from './folding.ts';
import { rebuildRestoredUsage, rebuildUsage } from './rebuilding.ts';
import { exportUsage, refuseUncounted, type UsageExport } from './usage-export.ts';
import { readUsage, stretchBefore, type UsageReport, type UsageRequest } from './usage-report.ts';
import { bucketEnd, bucketStart } from './segments.ts';
import { canBePaired, GROUPINGS, type UsageGrouping } from '../../domain/usage-groupings.ts';
import { ownerOf, type UsageFilter } from './usage-sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Around the end of a month and of a week, and the change to winter time in Europe. */
const BASE_MS = Date.UTC(2026, 9, 24);
const OLD_MS = Date.now() - 100 * DAY_MS;

let anchor: TestDatabase;
beforeAll(async () => {
  anchor = await startTestDatabase({ migrated: false });
});
afterAll(() => anchor.stop());

let testDatabase: TestDatabase;
let sql: Sql;
let accounts: Account[];
let spender: Spender;
let made = 0;
/** The user who made the first workspace's second key. */
const CREATOR = '01990000-0000-7000-8000-000000000001';

beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  accounts = [await openAccount(sql, { credit: 10n ** 15n }), await openAccount(sql, { credit: 10n ** 15n })];
  const [first] = accounts;
  if (first === undefined) throw new Error('no account');
  accounts.push({
    ...first,
    key: await openKey(sql, first.project, { name: 'other' }),
  });
  await sql.query(`update keys set created_by = $1 where name = 'other'`, [CREATOR]);
  spender = await Spender.begin(sql);
});
afterEach(() => testDatabase.stop());

const count = (): Promise<void> => countUsageIn(sql)();

/** Makes a request that was admitted then, whose id is of the same time. */
async function spendAt(timeMs: number, account: number, details: Partial<Receipt> & { charge?: bigint } = {}) {
  made += 1;
  const requestId = leastUuid7At(timeMs).slice(0, -12) + made.toString(16).padStart(12, '0');
  const { charge = 20n, ...rest } = details;
  return await spender.spend(
    accounts[account] as Account,
    { hold: 100n, charge },
    { requestId, admittedAtMs: timeMs, ...rest },
  );
}

const REQUEST: UsageRequest = {
  stretch: { fromMs: BASE_MS - 40 * DAY_MS, toMs: BASE_MS + 40 * DAY_MS },
  filter: {},
  groupBy: null,
  groupsMax: 200,
  bucket: 'day',
  before: null,
  withLatency: false,
};

/** Without names, which the model doesn't know. */
async function report(account: Account, request: UsageRequest): Promise<UsageReport> {
  const read = wholeReport(granted(await readUsage(sql, operatorIn(account.workspace.id, 'usage:read'), request)));
  const unnamed = (second: UsageReport['groups'][number]['second']) => second && { ...second, name: null };
  return {
    ...read,
    groups: read.groups.map((group) => ({ ...group, name: null, second: unnamed(group.second) })),
  };
}

const BUCKETS = ['hour', 'day', null] as const;

/** Nothing, each grouping, and each two that go together. */
const GROUPED: readonly (readonly [UsageGrouping | null, UsageGrouping | null])[] = [
  [null, null],
  ...GROUPINGS.map((by) => [by, null] as const),
  ...GROUPINGS.flatMap((by) =>
    GROUPINGS.filter((other) => canBePaired(by, other)).map((other) => [by, other] as const),
  ),
];

/** Usage by every grouping, in one kind of bucket each, that is not what the receipts add up to. */
async function differences(): Promise<readonly object[]> {
  const receipts = await readReceipts(sql);
  const found: object[] = [];
  for (const [turn, account] of accounts.entries()) {
    for (const [index, [groupBy, andBy]] of GROUPED.entries()) {
      const request = { ...REQUEST, groupBy, andBy, bucket: BUCKETS[(turn + index) % BUCKETS.length] ?? null };
      const filter = { workspaceId: account.workspace.id };
      const read = await report(account, request);
      const expected = expectedReport(receipts, { ...request, filter });
      if (!isDeepStrictEqual(read, expected)) found.push({ request, read, expected });
    }
  }
  return found;
}

test('usage by every grouping is what receipts and corrections add up to, counted or not', async () => {
  const first = await spendAt(BASE_MS, 0);
  await count();
  await spendAt(BASE_MS + 5 * HOUR_MS, 1, { outcome: 'failed', charge: 0n, writeOff: 7n, firstEventMs: 51 });
  const second = await spendAt(BASE_MS + 9 * DAY_MS, 2, { model: 'other', dialect: 'embeddings', durationMs: 50 });
  for (const account of [0, 2]) {
    const extras = { session: 'one', serviceTier: 'priority' };
    await spendAt(BASE_MS + account * DAY_MS, account, { extras });
  }
  expect(await differences()).toEqual([]);
  granted(
    await correctReceipt(sql, scopeOf(first.workspaceId), {
      requestId: first.requestId,
      charge: 3n,
      reason: 'counted',
    }),
  );
  granted(
    await correctReceipt(sql, scopeOf(second.workspaceId), {
      requestId: second.requestId,
      charge: 90n,
      reason: 'not counted',
    }),
  );
  expect(await differences()).toEqual([]);
  await count();
  expect(await differences()).toEqual([]);
  await recountUsage({ sql, pacer: UNPACED, nowMs: Date.now });
  expect(await differences()).toEqual([]);
  await sql.transaction((tx) => rebuildRestoredUsage(tx, Date.now()));
  expect(await differences()).toEqual([]);
});

test('the keys that a report names first were charged most after corrections, or as much for more requests', async () => {
  const [one, other] = [accounts[0], accounts[2]].map((account) => account?.key.id ?? '');
  const first = { ...REQUEST, groupBy: 'key', groupsMax: 1, bucket: null } as const;
  const keys = async (): Promise<readonly string[]> => {
    const read = await readUsage(sql, scopeOf(accounts[0]?.workspace.id ?? ''), first);
    return granted(read).groups.map(({ group }) => group);
  };
  const large = await spendAt(BASE_MS, 0, { charge: 50n });
  const small = await spendAt(BASE_MS, 2, { charge: 20n });
  await count();
  expect(await keys()).toEqual([one]);
  const correct = async ({ workspaceId, requestId }: Receipt) =>
    granted(await correctReceipt(sql, scopeOf(workspaceId), { requestId, charge: 0n, reason: 'a test' }));
  await correct(large);
  expect(await keys()).toEqual([other]);
  await correct(small);
  expect(await keys()).toEqual([one]);
  await spendAt(BASE_MS, 2, { charge: 0n });
  expect(await keys()).toEqual([other]);
});

test('a filter leaves the same usage of whole months in every grouping', async () => {
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const kinds = [{}, { outcome: 'failed', charge: 0n }, { model: 'other' }, { dialect: 'embeddings' }] as const;
  for (const [index, details] of kinds.entries()) {
    for (const number of [0, 2]) await spendAt(BASE_MS + index * 9 * DAY_MS, number, details);
    if (index === 1) await count();
  }
  const receipts = await readReceipts(sql);
  const filters: readonly UsageFilter[] = [
    { outcome: 'failed' },
    { model: 'other' },
    { dialect: 'embeddings' },
    { keyId: account.key.id },
    { projectId: account.project.id },
    { keyId: account.key.id, model: 'other' },
  ];
  for (const filter of filters) {
    for (const groupBy of [null, 'key', 'member', 'session', 'service_tier'] as const) {
      const request = { ...REQUEST, bucket: null, groupBy, filter };
      const expected = expectedReport(receipts, {
        ...request,
        filter: { ...filter, workspaceId: account.workspace.id },
      });
      expect({ request, read: await report(account, request) }).toEqual({ request, read: expected });
    }
  }
});

/** Settles a copy of a receipt in a transaction that is open while something else runs. */
async function settleDuring(receipt: Receipt, work: () => Promise<unknown>): Promise<void> {
  made += 1;
  const settle = async (tx: SqlRunner): Promise<void> => {
    await tx.query(
      `insert into receipts select (r).* from (
         select jsonb_populate_record(receipts, jsonb_build_object('settled_xid', pg_current_xact_id(), 'request_id',
           overlay(request_id::text placing lpad(to_hex($2::int), 12, 'f') from 25))) as r
         from receipts where request_id = $1
       ) copies`,
      [receipt.requestId, made],
    );
    await work();
  };
  await sql.transaction(settle, { idleMsMax: 60_000 });
}

test('a correction that is made while the buckets of its week are, and they lack it, waits for them', async () => {
  const { workspaceId, requestId } = await spendAt(BASE_MS, 0);
  await count();
  const corrections: Promise<unknown>[] = [];
  /** Ends a transaction that has made a week's buckets once a correction waits, or was made all the same. */
  const slow: Sql = {
    ...sql,
    transaction: (work, options) =>
      sql.transaction(async (tx) => {
        const result = await work(tx);
        const [unbuilt] = await tx.query<{ weeks: number }>('select cardinality(unbuilt) as weeks from usage_folding');
        if (unbuilt?.weeks !== 0 || corrections.length > 0) return result;
        let isOver = false;
        const correction = { requestId, charge: 3n, reason: 'wrong' };
        corrections.push(correctReceipt(sql, scopeOf(workspaceId), correction).finally(() => (isOver = true)));
        const waiting = `select from pg_locks where locktype = 'advisory' and not granted`;
        await expect.poll(async () => isOver || (await sql.query(waiting)).length > 0, { interval: 2 }).toBe(true);
        return result;
      }, options),
  };
  await rebuildUsage({ sql: slow, nowMs: Date.now });
  await Promise.all(corrections);
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  expect((await report(account, REQUEST)).total).toMatchObject({ requests: 1n, charge: 20n, corrected: 17n });
});

test('a receipt whose transaction commits after later ones were counted is counted once', async () => {
  const receipt = await spendAt(BASE_MS, 0);
  await count();
  await settleDuring(receipt, async () => {
    await spendAt(BASE_MS, 0);
    await settleDuring(receipt, async () => {
      await count();
      await spendAt(BASE_MS, 0);
      expect(await differences()).toEqual([]);
    });
    expect(await differences()).toEqual([]);
    await count();
  });
  expect(await differences()).toEqual([]);
  await count();
  expect(await differences()).toEqual([]);
});

test('usage is right whatever the time zone of the session is', async () => {
  for (let hour = 0; hour < 60; hour += 5) await spendAt(BASE_MS + hour * HOUR_MS + 1, hour % 2);
  const receipts = await readReceipts(sql);
  const { database } = testDatabase.connection;
  for (const zone of ['Asia/Kolkata', 'America/St_Johns', 'Europe/Berlin']) {
    await sql.query(`alter database ${database} set timezone = '${zone}'`);
    const elsewhere = openDatabase({ connection: testDatabase.connection, connectionsMax: 2, applicationName: 'zone' });
    try {
      await recountUsage({ sql: elsewhere, pacer: UNPACED, nowMs: Date.now });
      for (const bucket of ['hour', 'day'] as const) {
        for (const keyId of [undefined, accounts[0]?.key.id]) {
          const request = { ...REQUEST, bucket, filter: keyId === undefined ? {} : { keyId } };
          const scope = operatorIn(accounts[0]?.workspace.id ?? '', 'usage:read');
          const read = wholeReport(granted(await readUsage(elsewhere, scope, request)));
          const filter = { ...request.filter, workspaceId: accounts[0]?.workspace.id ?? '' };
          expect(read).toEqual(expectedReport(receipts, { ...request, filter }));
        }
      }
    } finally {
      await elsewhere.close();
    }
  }
});

test('buckets of dropped receipts stay as they are when all others are made again', async () => {
  await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(OLD_MS)));
  const old = await spendAt(OLD_MS, 0);
  await spendAt(OLD_MS + 7 * DAY_MS, 0);
  await spendAt(BASE_MS, 1);
  granted(
    await correctReceipt(sql, scopeOf(old.workspaceId), {
      requestId: old.requestId,
      charge: 3n,
      reason: 'wrong',
    }),
  );
  const request = { ...REQUEST, stretch: { fromMs: bucketStart('day', OLD_MS), toMs: bucketEnd('month', Date.now()) } };
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  await count();
  const before = await report(account, request);
  expect(before.total).toMatchObject({ requests: 2n, charge: 40n, corrected: 17n });
  const sealing = {
    before: new Date(OLD_MS + 7 * DAY_MS),
    drop: true,
    nowMs: Date.now(),
    countUsage: countUsageIn(sql),
  };
  expect(granted(await sealReceipts(sql, sealing)).dropped).toHaveLength(1);
  expect(await report(account, request)).toEqual(before);
  await recountUsage({ sql, pacer: UNPACED, nowMs: Date.now });
  expect(await report(account, request)).toEqual(before);
});

test('the last use of a key is its latest request, in whichever order requests and corrections are counted', async () => {
  const lastUse = async () => {
    const rows = await sql.query<{ at: Date | null }>('select last_used_at as at from usage_key_hours');
    return rows.map(({ at }) => at?.getTime());
  };
  const latest = await spendAt(BASE_MS + 600_000, 0);
  await count();
  await spendAt(BASE_MS, 0);
  await count();
  expect(await lastUse()).toEqual([BASE_MS + 600_000]);
  const { workspaceId, requestId } = latest;
  granted(await correctReceipt(sql, scopeOf(workspaceId), { requestId, charge: 3n, reason: 'a test' }));
  await recountUsage({ sql, pacer: UNPACED, nowMs: Date.now });
  expect(await lastUse()).toEqual([BASE_MS + 600_000]);
});

test('a proof compares usage with the ledger, whether it is counted or not', async () => {
  const verify = async (): Promise<readonly string[]> =>
    (await verifyLedger(sql)).differences.map(({ check }) => check).toSorted();
  const receipt = await spendAt(BASE_MS, 0);
  expect(await verify()).toEqual([]);
  await count();
  const correction = { requestId: receipt.requestId, charge: 3n, reason: 'wrong' };
  granted(await correctReceipt(sql, scopeOf(receipt.workspaceId), correction));
  await settleDuring(await spendAt(BASE_MS, 1), async () => {
    await count();
    await spendAt(BASE_MS, 2);
    expect(await verify()).toEqual([]);
  });
  await sql.query('delete from receipts where request_id::text like $1', ['%-ffff%']);
  await recountUsage({ sql, pacer: UNPACED, nowMs: Date.now });
  expect(await verify()).toEqual([]);
});

test('usage by member is that of all keys that each has made, and names those who are members alone', async () => {
  const [first] = accounts;
  if (first === undefined) throw new Error('no account');
  await sql.query(`insert into users (id, email, name) values ($1, 'ada@example.com', 'Ada')`, [CREATOR]);
  const third = { ...first, key: await openKey(sql, first.project, { name: 'third' }) };
  await sql.query(`update keys set created_by = $1 where name = 'third'`, [CREATOR]);
  accounts.push(third);
  await spendAt(BASE_MS, 0, { charge: 5n });
  await spendAt(BASE_MS, 2, { charge: 11n });
  await count();
  await spendAt(BASE_MS + 9 * DAY_MS, 3, { charge: 13n });
  const scope = scopeOf(first.workspace.id, 'usage:read');
  const byMember = async () => {
    const { groups, total } = granted(await readUsage(sql, scope, { ...REQUEST, groupBy: 'member' }));
    expect(total.charge).toBe(29n);
    return groups.map(({ group, name, sums }) => [group, name, sums.charge]);
  };
  expect(await byMember()).toEqual([
    [CREATOR, null, 24n],
    ['', null, 5n],
  ]);
  const join = (workspaceId: string) =>
    sql.query(`insert into members (workspace_id, user_id, role) values ($1, $2, 'viewer')`, [workspaceId, CREATOR]);
  await join(accounts[1]?.workspace.id ?? '');
  expect((await byMember())[0]).toEqual([CREATOR, null, 24n]);
  await join(first.workspace.id);
  expect((await byMember())[0]).toEqual([CREATOR, 'ada@example.com', 24n]);
});

test('a partition is not sealed while a transaction that settles into it is not counted', async () => {
  await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(OLD_MS)));
  await spendAt(OLD_MS, 0);
  const sealing = { before: new Date(OLD_MS + 7 * DAY_MS), drop: false, nowMs: Date.now() };
  const refused = await sealReceipts(sql, { ...sealing, countUsage: () => Promise.resolve() });
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  granted(await sealReceipts(sql, { ...sealing, countUsage: countUsageIn(sql) }));
});

test('usage is refused until receipts were counted on this server, and then is that of all of them', async () => {
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const scope = scopeOf(account.workspace.id, 'usage:read');
  await spendAt(BASE_MS, 0);
  const refused = {
    code: 'SERVICE_UNAVAILABLE',
    message: 'Usage is being counted from the receipts: try again in a moment.',
    retryAfterMs: 5_000,
  };
  expect(await readUsage(sql, scope, REQUEST)).toMatchObject(refused);
  expect(await refuseUncounted(sql)).toMatchObject(refused);
  await count();
  expect(await refuseUncounted(sql)).toBeNull();
  expect(await differences()).toEqual([]);
  // As after a move by pg_dump: numbers of transactions are another server's, which has seen more of them or fewer.
  await sql.query(`update receipts set settled_xid = '9000000000000000'`);
  await spendAt(BASE_MS, 0);
  await sql.query(`update usage_folding set server = 1, folded = '900000:900000:'`);
  expect(await readUsage(sql, scope, REQUEST)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await count();
  await spendAt(BASE_MS, 0);
  expect(await differences()).toEqual([]);
  await count();
  expect(await differences()).toEqual([]);
});

/** Applies a catalogue of one model whose route costs this for each million tokens. */
async function applyCost(perMillion: bigint): Promise<void> {
  const rates = Object.fromEntries(TOKEN_CLASSES.map((name) => [name, perMillion])) as Rates;
  const price = { rates, tiers: [] };
  const media = { imageTokens: null, audioTokens: null, fileTokens: null };
  const model = {
    id: 'small-chat',
    terms: { kind: 'chat', price, contextWindow: 100, maxOutput: 10, media } as const,
    routes: [{ provider: 'local', upstreamModel: 'qwen3', cost: price }],
    reasoning: false,
  };
  await applyCatalogue(sql, [model], { accept: ['small-chat'] });
}

test('a request costs what its route cost when it was admitted, whenever it is counted, and counted again', async () => {
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const nowMs = Date.now();
  const request = { ...REQUEST, stretch: { fromMs: nowMs - 40 * DAY_MS, toMs: nowMs + DAY_MS } };
  const costs = async () => (await report(account, request)).total.costs;
  await spendAt(Date.now(), 0);
  await count();
  await applyCost(1_000_000n);
  // Of 7 and 11 tokens, rounded up; and of one whose process has a clock that is an hour ahead.
  await spendAt(Date.now() + 1, 0);
  await spendAt(Date.now() + HOUR_MS, 0);
  expect(await costs()).toEqual({ amount: 36n, requests: 2n });
  await count();
  await applyCost(1_000_001n);
  await spendAt(Date.now() + 1, 0);
  await spendAt(Date.now() + 2 * HOUR_MS, 0);
  expect(await costs()).toEqual({ amount: 36n + 18n + 19n, requests: 4n });
  await count();
  expect(await costs()).toEqual({ amount: 36n + 18n + 19n, requests: 4n });
  expect((await verifyLedger(sql)).differences).toEqual([]);
  await recountUsage({ sql, pacer: UNPACED, nowMs: Date.now });
  expect(await costs()).toEqual({ amount: 36n + 18n + 19n, requests: 4n });
  expect((await verifyLedger(sql)).differences).toEqual([]);
});

test('usage that somebody but the operator reads has no costs, counted or not', async () => {
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  await applyCost(1_000_000n);
  await spendAt(Date.now() + 1, 0);
  await count();
  await spendAt(Date.now() + 1, 0);
  const request = { ...REQUEST, stretch: { fromMs: Date.now() - DAY_MS, toMs: Date.now() + DAY_MS } };
  const read = wholeReport(granted(await readUsage(sql, scopeOf(account.workspace.id, 'usage:read'), request)));
  expect(read.total).toMatchObject({ requests: 2n, costs: null });
  expect(read.groups).toMatchObject([{ sums: { costs: null }, points: [{ sums: { costs: null } }] }]);
  expect(read.others.costs).toBeNull();
});

test('usage by session is refused where more receipts have one than an answer adds up, in either stretch', async () => {
  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const scope = scopeOf(account.workspace.id, 'usage:read');
  const request = { ...REQUEST, groupBy: 'session', stretch: { fromMs: BASE_MS, toMs: BASE_MS + DAY_MS } } as const;
  const before = stretchBefore(request.stretch);
  expect(before).toEqual({ fromMs: BASE_MS - DAY_MS, toMs: BASE_MS });
  for (const hour of [-20, 1, 2]) await spendAt(BASE_MS + hour * HOUR_MS, 0, { extras: { session: 'one' } });
  // They count for nothing: one has no session, one is another workspace's.
  await spendAt(BASE_MS + HOUR_MS, 0);
  await spendAt(BASE_MS + HOUR_MS, 1, { extras: { session: 'one' } });
  // A request's id may be older than its admission.
  const early = {
    requestId: leastUuid7At(BASE_MS - HOUR_MS / 2),
    admittedAtMs: BASE_MS + 1,
    extras: { session: 'one' },
  };
  await spender.spend(account, { hold: 100n, charge: 5n }, early);
  await count();
  const read = (more: Partial<UsageRequest>, most: number) => readUsage(sql, scope, { ...request, ...more }, most);
  expect(granted(await read({}, 3)).groups).toMatchObject([
    { group: 'one', sums: { requests: 3n, charge: 45n } },
    { group: '', sums: { requests: 1n } },
  ]);
  expect(await read({}, 2)).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'In this time more than 2 requests are of sessions: ask for a shorter time.',
    param: 'from',
  });
  const late = { fromMs: BASE_MS + 2 * HOUR_MS, toMs: BASE_MS + DAY_MS };
  expect(granted(await read({ stretch: late, before }, 2)).before).toMatchObject({ requests: 1n });
  expect(await read({ stretch: late, before }, 1)).toMatchObject({ param: 'from' });
  expect(granted(await read({ stretch: { fromMs: 0, toMs: HOUR_MS } }, 1)).total.requests).toBe(0n);
});

/** The rows of an export, and in how many slices they were read. */
async function exported(request: Partial<UsageExport> & Pick<UsageExport, 'stretch'>) {
  let slices = 0;
  const pacer = pacedBy(() => Promise.resolve((slices += 1)));
  const scope = operatorIn(accounts[0]?.workspace.id ?? '', 'usage:read');
  const wanted = { filter: {}, groupBy: 'model', bucket: 'day', ...request } as const;
  const parts = [];
  for await (const rows of exportUsage({ sql, pacer }, scope, wanted)) parts.push(rows);
  return { slices, parts };
}

test('an export has every bucket once, in its order, however few days and rows a slice reads', async () => {
  const startMs = Date.UTC(2026, 0, 1);
  await count();
  await sql.query(
    `insert into usage_days (starts_at, workspace_id, project_id, model, dialect, outcome, requests, charge_nano_usd)
     select $1::timestamptz + day * interval '24 hours', $2, $3, 'model ' || lpad(number::text, 4, '0'), 'messages', 'completed', 1, number
     from (select 0 as day, generate_series(1, 1000) as number union all select 30, 1001 union all select 31, 1002) as made`,
    [new Date(startMs), accounts[0]?.workspace.id ?? '', accounts[0]?.project.id ?? ''],
  );
  const { slices, parts } = await exported({ stretch: { fromMs: startMs, toMs: startMs + 32 * DAY_MS } });
  expect(parts.map((rows) => rows.length)).toEqual([500, 500, 1, 1]);
  expect(slices).toBe(4);
  const rows = parts.flat();
  expect(rows.map(({ sums }) => sums.charge)).toEqual(Array.from({ length: 1_002 }, (_, index) => BigInt(index + 1)));
  expect(rows.slice(-2).map(({ startsAt }) => startsAt.getTime())).toEqual([
    startMs + 30 * DAY_MS,
    startMs + 31 * DAY_MS,
  ]);
  expect(rows.at(-1)).toMatchObject({
    group: 'model 1002',
    sums: { requests: 1n, latency: null, costs: { amount: 0n } },
  });
});

test('an export has what was used at the ends of its time, a day at a time where buckets are many', async () => {
  // From noon to noon: two of its days are cut.
  const stretch = { fromMs: BASE_MS + DAY_MS / 2, toMs: BASE_MS + 2.5 * DAY_MS };
  for (const timeMs of [stretch.fromMs - 1, stretch.fromMs, stretch.toMs - 1, stretch.toMs]) await spendAt(timeMs, 0);
  await spendAt(BASE_MS + DAY_MS, 0);
  await count();
  for (const [bucket, groupBy, slices] of [
    ['day', 'model', 1],
    ['hour', 'model', 3],
    ['day', 'key', 3],
    ['day', 'session', 3],
    ['day', 'service_tier', 3],
    ['day', 'member', 1],
  ] as const) {
    const { parts, slices: read } = await exported({ stretch, bucket, groupBy });
    const rows = parts.flat().map(({ startsAt, sums }) => [bucketStart('day', startsAt.getTime()), sums.charge]);
    const days = [0, 1, 2].map((day) => [BASE_MS + day * DAY_MS, 20n]);
    expect({ bucket, groupBy, slices: read, rows }).toEqual({ bucket, groupBy, slices, rows: days });
  }
});

test('counting goes on by as many transactions as have had few receipts, and half as many after many', async () => {
  await count();
  const sizes = { xidsFirst: 2, xidsMax: 8, receiptsMax: 4 };
  const looked: { readonly xids: number; receipts: number }[] = [];
  const watched: Sql = {
    ...sql,
    transaction: (work, options) =>
      sql.transaction((tx) => {
        const query = async (text: string, values?: Parameters<typeof tx.query>[1]) => {
          const rows = await tx.query<never>(text, values);
          if (text.includes('"isAll"')) looked.push({ xids: values?.[0] as number, receipts: 0 });
          const [row] = rows as readonly { readonly receipts?: bigint }[];
          const last = looked.at(-1);
          if (row?.receipts !== undefined && last !== undefined) last.receipts = Number(row.receipts);
          return rows;
        };
        return work({ query });
      }, options),
  };
  const { requestId } = await spendAt(BASE_MS, 0);
  /** Settles so many more receipts in one transaction. */
  const settle = (copies: number): Promise<unknown> => {
    const former = made;
    made += copies;
    return sql.query(
      `insert into receipts select (r).* from (
         select jsonb_populate_record(receipts, jsonb_build_object('settled_xid', pg_current_xact_id(), 'request_id',
           overlay(request_id::text placing lpad(to_hex($2 + number), 12, 'e') from 25))) as r
         from receipts, generate_series(1, $3::int) as number where request_id = $1
       ) copies`,
      [requestId, former, copies],
    );
  };
  const none = Array.from({ length: 16 }, () => 0);
  const many = Array.from({ length: 16 }, () => 5);
  for (const copies of [...none, ...many, 4, 1, 4, ...none]) {
    await (copies === 0 ? sql.query('select pg_current_xact_id()') : settle(copies));
  }
  expect(await new UsageFolding({ sql: watched, pacer: UNPACED, nowMs: Date.now }, sizes).fold()).toBe(true);
  expect(looked[0]?.xids).toBe(2);
  for (const [index, { xids, receipts }] of looked.slice(0, -1).entries()) {
    const change = receipts > 4 ? 0.5 : receipts < 1 ? 2 : 1;
    const next = Math.min(8, Math.max(1, Math.floor(xids * change)));
    expect({ index, looked, next: looked[index + 1]?.xids }).toEqual({ index, looked, next });
  }
  expect(looked.map(({ xids }) => xids)).toEqual(expect.arrayContaining([1, 8]));
  expect(looked.map(({ receipts }) => receipts)).toEqual(expect.arrayContaining([0, 1, 4, 5]));
  expect(await differences()).toEqual([]);
});

interface Step {
  readonly kind: 'spend' | 'count' | 'correct' | 'settle late';
  readonly account: number;
  readonly hour: number;
  readonly charge: number;
}

/** Costs of the models that courses use: one has none, one from some time on, the last another one later, by size of input. */
async function writeCosts(): Promise<void> {
  const periods = [
    ['model 1', BASE_MS + 30 * HOUR_MS, null, 0, null, 1_000_001n],
    ['model 2', BASE_MS, BASE_MS + 50 * HOUR_MS, 0, 6, 2_500_000n],
    ['model 2', BASE_MS, BASE_MS + 50 * HOUR_MS, 6, null, 7n],
    ['model 2', BASE_MS + 50 * HOUR_MS, null, 0, null, 3_000_000n],
  ] as const;
  for (const [model, from, to, inputFrom, inputTo, rate] of periods) {
    await sql.query(
      `insert into cost_versions (model, provider, upstream_model, created_at, retired_at, input_from, input_to, input_rate,
         cached_input_rate, cache_write_5m_rate, cache_write_1h_rate, audio_input_rate, output_rate, audio_output_rate)
       select $1, 'local', 'qwen3', $2, $3, $4, $5, rate, rate + 1, rate + 2, rate + 3, rate + 4, rate + 5, rate + 6
       from (select $6::bigint as rate) rates
       on conflict do nothing`,
      [model, new Date(from), to === null ? null : new Date(to), inputFrom, inputTo, rate],
    );
  }
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('spend', 'spend', 'count', 'correct', 'settle late'),
    account: fc.integer({ min: 0, max: 2 }),
    hour: fc.integer({ min: 0, max: 24 * 12 }),
    charge: fc.integer({ min: 0, max: 100 }),
  }),
  { minLength: 1, maxLength: 14 },
);

const requests = fc
  .record({
    fromHour: fc.integer({ min: -30, max: 24 * 12 }),
    hours: fc.integer({ min: 1, max: 24 * 40 }),
    grouped: fc.constantFrom(...GROUPED),
    groupsMax: fc.integer({ min: 1, max: 3 }),
    bucket: fc.constantFrom(null, 'hour' as const, 'day' as const),
    filtered: fc.constantFrom('nothing', 'model', 'key', 'project', 'dialect'),
    withBefore: fc.boolean(),
    withLatency: fc.boolean(),
  })
  .map(({ fromHour, hours, filtered, withBefore, withLatency, grouped: [groupBy, andBy], ...rest }) => {
    const fromMs = BASE_MS + fromHour * HOUR_MS;
    const stretch = { fromMs, toMs: fromMs + hours * HOUR_MS };
    return {
      ...rest,
      groupBy,
      andBy,
      stretch,
      filtered,
      before: withBefore ? stretchBefore(stretch) : null,
      withLatency,
    };
  });

test('any part of usage is that of its receipts, after any course of settling, correcting and counting', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(requests, { minLength: 6, maxLength: 6 }), async (course, wanted) => {
      await writeCosts();
      let last: Receipt | null = null;
      for (const { kind, account, hour, charge } of course) {
        if (kind === 'count') await count();
        else if (kind === 'spend' || last === null) {
          const details = {
            charge: BigInt(charge),
            writeOff: BigInt(hour),
            model: `model ${charge % 3}`,
            dialect: charge % 3 === 0 ? ('embeddings' as const) : ('chat_completions' as const),
            outcome: OUTCOMES[hour % 4] ?? 'completed',
            durationMs: charge * hour,
            firstEventMs: charge % 2 === 0 ? null : hour,
            ...(hour % 3 === 0
              ? {}
              : {
                  extras: {
                    session: `session ${(hour + charge) % 4}`,
                    ...(charge % 2 === 0 && { serviceTier: 'flex' }),
                  },
                }),
            usage: {
              tokens: {
                ...NO_TOKENS,
                input: charge % 8,
                cached_input: hour % 3,
                output: charge,
                audio_output: hour % 2,
              },
              certainty: 'exact' as const,
            },
          };
          last = await spendAt(BASE_MS + hour * HOUR_MS + charge, account, details);
        } else if (kind === 'settle late') await settleDuring(last, count);
        else {
          const correction = { requestId: last.requestId, charge: BigInt(charge), reason: 'wrong' };
          granted(await correctReceipt(sql, scopeOf(last.workspaceId), correction));
        }
      }
      await sql.query(`select from usage_folding`).then((known) => (known.length === 0 ? count() : undefined));
      const receipts = await readReceipts(sql);
      const [account] = accounts;
      if (account === undefined) throw new Error('no account');
      for (const { filtered, ...rest } of wanted) {
        const filters: Readonly<Record<string, UsageFilter>> = {
          model: { model: 'model 1' },
          key: { keyId: account.key.id },
          project: { projectId: account.project.id },
          dialect: { dialect: 'embeddings' },
        };
        const filter = filters[filtered] ?? {};
        const byKey = ownerOf(rest, filter) !== 'projects';
        const request = { ...rest, filter, withLatency: rest.withLatency && !byKey };
        const all = { ...request, filter: { ...filter, workspaceId: account.workspace.id } };
        expect(await report(account, request)).toEqual(expectedReport(receipts, all));
      }
      const { differences: found } = await verifyLedger(sql);
      // Receipts that are copied are in no purse.
      expect(found.filter(({ check }) => check.includes('cost'))).toEqual([]);
    }),
    { numRuns: 12 },
  );
});
