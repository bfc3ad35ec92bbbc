import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, granted, openAccount, openKey, Spender } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { operatorIn, scopeOf } from '../../test/support/scopes.ts';
import { expectedReport, readReceipts } from '../../test/support/usage-model.ts';
import { countUsageIn, UNPACED, verifyLedger } from '../../test/support/verify-ledger.ts';
import { applyCatalogue } from '../catalogue/price-versions.ts';
import { ensureReceiptPartition, receiptPartitionAt } from '../database/partitions.ts';
import { openDatabase } from '../database/pool.ts';
import { OUTCOMES, type Receipt } from '../domain/receipt.ts';
import type { Rates } from '../domain/price.ts';
import { NO_TOKENS, TOKEN_CLASSES } from '../domain/usage.ts';
import { correctReceipt } from '../ledger/corrections.ts';
import { sealReceipts } from '../ledger/seals.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';
import { leastUuid7At } from '../lib/uuid7.ts';
import { recountUsage } from './count-usage.ts';
import { readUsage, stretchBefore, type UsageReport, type UsageRequest } from './usage-report.ts';
import { bucketEnd, bucketStart } from './segments.ts';
import { GROUPINGS, ownerOf, type UsageFilter } from './usage-sql.ts';

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
  const read = granted(await readUsage(sql, operatorIn(account.workspace.id, 'usage:read'), request));
  return { ...read, groups: read.groups.map((group) => ({ ...group, name: null })) };
}

const BUCKETS = ['hour', 'day', null] as const;

/** Usage by every grouping, in one kind of bucket each, that is not what the receipts add up to. */
async function differences(): Promise<readonly object[]> {
  const receipts = await readReceipts(sql);
  const found: object[] = [];
  for (const [turn, account] of accounts.entries()) {
    for (const [index, groupBy] of [null, ...GROUPINGS].entries()) {
      const request = { ...REQUEST, groupBy, bucket: BUCKETS[(turn + index) % BUCKETS.length] ?? null };
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
  for (const account of [0, 2]) await spendAt(BASE_MS + account * DAY_MS, account, { extras: { session: 'one' } });
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
          const read = granted(await readUsage(elsewhere, scope, request));
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
  expect(await readUsage(sql, scope, REQUEST)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await count();
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
  const read = granted(await readUsage(sql, scopeOf(account.workspace.id, 'usage:read'), request));
  expect(read.total).toMatchObject({ requests: 2n, costs: null });
  expect(read.groups).toMatchObject([{ sums: { costs: null }, points: [{ sums: { costs: null } }] }]);
  expect(read.others.costs).toBeNull();
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
    groupBy: fc.constantFrom(null, ...GROUPINGS),
    groupsMax: fc.integer({ min: 1, max: 3 }),
    bucket: fc.constantFrom(null, 'hour' as const, 'day' as const),
    filtered: fc.constantFrom('nothing', 'model', 'key', 'project', 'dialect'),
    withBefore: fc.boolean(),
    withLatency: fc.boolean(),
  })
  .map(({ fromHour, hours, filtered, withBefore, withLatency, ...rest }) => {
    const fromMs = BASE_MS + fromHour * HOUR_MS;
    const stretch = { fromMs, toMs: fromMs + hours * HOUR_MS };
    return { ...rest, stretch, filtered, before: withBefore ? stretchBefore(stretch) : null, withLatency };
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
            ...(hour % 3 === 0 ? {} : { extras: { session: `session ${(hour + charge) % 4}` } }),
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
        const byKey = ownerOf(rest.groupBy, filter) !== 'projects';
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
