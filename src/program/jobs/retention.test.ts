import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Account, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { operatorScope } from '../../../test/support/scopes.ts';
import { countUsageIn, UNPACED, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { keepReceiptsInPlace } from '../../control/ledger/receipt-layout.ts';
import { GUARD_LIMITS } from '../../control/ledger/receipt-slices.ts';
import { listSeals } from '../../control/ledger/seal-list.ts';
import type { Sql } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { ensureReceiptPartition, receiptPartitionAt } from '../database/partitions.ts';
import { nightStart } from './ledger-watch.ts';
import { Retention } from './retention.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.now();
const OLD_MS = NOW_MS - 120 * DAY_MS;
const WEEK = receiptPartitionAt(OLD_MS).name;

let testDatabase: TestDatabase;
let sql: Sql;
let accounts: readonly Account[];
let spender: Spender;
let folder: string;
let made = 0;
beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  await sql.transaction((tx) => ensureReceiptPartition(tx, receiptPartitionAt(OLD_MS)));
  accounts = [await openAccount(sql, { credit: 10_000n }), await openAccount(sql, { credit: 10_000n })];
  spender = await Spender.begin(sql);
  folder = await mkdtemp(join(tmpdir(), 'faregate-retention-'));
});
afterEach(async () => {
  await testDatabase.stop();
  await rm(folder, { recursive: true, force: true });
});

async function spendAt(timeMs: number, account: Account | undefined = accounts[0]): Promise<string> {
  made += 1;
  const requestId = leastUuid7At(timeMs).slice(0, -12) + made.toString(16).padStart(12, '0');
  if (account !== undefined) await spender.spend(account, { hold: 30n, charge: 20n }, { requestId, writeOff: 3n });
  return requestId;
}

function retention(more: Partial<ConstructorParameters<typeof Retention>[0]> = {}): Retention {
  return new Retention({
    sql,
    pacer: UNPACED,
    nowMs: () => NOW_MS,
    countUsage: countUsageIn(sql),
    receiptDays: 90,
    auditDays: null,
    exportTo: folder,
    instanceId: 'one',
    ...more,
  });
}

const receiptsLeft = async (): Promise<number> => (await sql.query('select from receipts')).length;

test('old receipts are exported whole, then dropped, and the ledger is proven before and after', async () => {
  const old = [await spendAt(OLD_MS), await spendAt(OLD_MS), await spendAt(OLD_MS, accounts[1])];
  await spendAt(NOW_MS);
  const before = await verifyLedger(sql);
  expect(await retention().run()).toEqual({ sealed: [WEEK], exported: [WEEK], dropped: [WEEK], auditEvents: 0 });
  expect([await receiptsLeft(), await verifyLedger(sql)]).toEqual([1, before]);
  const [file = ''] = await readdir(folder);
  const bytes = await readFile(join(folder, file));
  const lines = gunzipSync(bytes).toString().trim().split('\n');
  const receipts = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(receipts.map((each) => String(each['request_id'])).toSorted()).toEqual(old.toSorted());
  expect(receipts[2]).toMatchObject({ charge_nano_usd: '20' });
  const ids = accounts.map(({ workspace }) => workspace.id).toSorted();
  expect([...new Set(receipts.map((each) => each['workspace_id']))]).toEqual(ids);
  const { items } = await listSeals(sql, operatorScope(), {});
  const exportSha256 = createHash('sha256').update(bytes).digest('hex');
  expect(items).toMatchObject([{ name: WEEK, exportFile: join(folder, file), exportSha256 }]);
  expect(file).toBe(`${WEEK}.${exportSha256.slice(0, 12)}.ndjson.gz`);
});

test('without a wish for exports old receipts are dropped, and nothing is written', async () => {
  await spendAt(OLD_MS);
  expect(await retention({ exportTo: null }).run()).toMatchObject({ exported: [], dropped: [WEEK] });
  expect([await receiptsLeft(), await readdir(folder)]).toEqual([0, []]);
});

test.each([
  ['missing', () => rm(folder, { recursive: true }), 'does not exist'],
  ['a file', () => rm(folder, { recursive: true }).then(() => writeFile(folder, '')), 'is no folder'],
])('nothing is dropped while the folder for exports is %s', async (_, spoil, reason) => {
  await spendAt(OLD_MS);
  await spoil();
  await expect(retention().run()).rejects.toMatchObject({
    name: 'WorkFault',
    message: expect.stringMatching(new RegExp(`of ledger.export_to ${reason}`)) as string,
  });
  expect(await receiptsLeft()).toBe(1);
});

test('a program that dies between the export and the drop leaves one file, and the drop is made up for', async () => {
  await spendAt(OLD_MS);
  const dying: Sql = {
    query: (text, ...rest) =>
      text.includes('set exported_at') ? Promise.reject(new Error('the program dies')) : sql.query(text, ...rest),
    transaction: (work, options) => sql.transaction(work, options),
  };
  await expect(retention({ sql: dying }).run()).rejects.toThrow('dies');
  expect(await receiptsLeft()).toBe(1);
  expect(await retention().run()).toMatchObject({ sealed: [], exported: [WEEK], dropped: [WEEK] });
  expect([await receiptsLeft(), (await readdir(folder)).length]).toEqual([0, 1]);
});

test('a week whose receipts are not those that were sealed is neither exported nor dropped', async () => {
  for (const charge of [1, 2]) await spendAt(OLD_MS + charge);
  await retention({ exportTo: join(folder, 'missing') })
    .run()
    .catch(() => undefined);
  await sql.query(`do $$ begin
    set local session_replication_role = replica;
    delete from ${WEEK} where ctid in (select ctid from ${WEEK} limit 1);
  end $$`);
  await expect(retention().run()).rejects.toThrow(/not what was sealed/);
  await expect(retention({ exportTo: null }).run()).rejects.toThrow(/do not add up/);
  expect([await receiptsLeft(), await readdir(folder)]).toEqual([1, []]);
});

test('receipts that are being read are dropped the next time', async () => {
  await spendAt(OLD_MS);
  const reading = Promise.withResolvers<void>();
  const isRead = Promise.withResolvers<void>();
  const reader = sql.transaction(async (guard) => {
    await keepReceiptsInPlace(guard);
    isRead.resolve();
    await reading.promise;
  }, GUARD_LIMITS);
  await isRead.promise;
  expect(await retention().run()).toBeNull();
  expect(await receiptsLeft()).toBe(1);
  reading.resolve();
  await reader;
  expect(await retention().run()).toMatchObject({ dropped: [WEEK] });
});

test('nothing is dropped before the proofs of three nights running have found no difference', async () => {
  const night = nightStart(NOW_MS);
  const prove = (nightsAgo: number, differences: number) =>
    sql.query(
      `insert into ledger_verifications (night, started_at, difference_count, differences) values ($1, now(), $2, '[]')`,
      [new Date(night.getTime() - nightsAgo * DAY_MS), differences],
    );
  await prove(0, 0);
  await prove(2, 0);
  expect(await retention().isReady(night)).toBe(false);
  await prove(1, 1);
  expect(await retention().isReady(night)).toBe(false);
  await sql.query('update ledger_verifications set difference_count = 0');
  expect(await retention().isReady(night)).toBe(true);
  const ahead = new Date(night.getTime() + 400 * DAY_MS);
  expect(await retention().isReady(ahead)).toBe(false);
});
