import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, grantCredit, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { sessionsWithSnapshot } from '../../../test/support/held-snapshots.ts';
import { pacedBy, UNPACED } from '../../../test/support/verify-ledger.ts';
import { DatabaseUnavailable, type Sql, type SqlRunner } from '../../lib/sql.ts';
import type { SliceParts } from './receipt-slices.ts';
import { makeProof } from './verifications.ts';
import { KEY_USAGE_COMPARISONS } from './verify-key-usage.ts';
import type { LedgerReport } from './verify.ts';

let db: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.database;
});
afterAll(() => db.stop());

let workspaceId: string;
beforeEach(async () => {
  workspaceId = (await openAccount(sql, { credit: 1_000n })).workspace.id;
});

/** The same database, where something else is committed once the first check has been made. */
function interrupted(by: () => Promise<void>): Sql {
  let isDone = false;
  const between = (tx: SqlRunner): SqlRunner => ({
    async query(text, values, options) {
      const rows = await tx.query<never>(text, values, options);
      if (!isDone && text.includes('expected <> actual')) {
        isDone = true;
        await by();
      }
      return rows;
    },
  });
  return {
    query: (...query) => sql.query(...query),
    transaction: (work, options) => sql.transaction((tx) => work(between(tx)), options),
  };
}

const prove = (database: Sql = sql, pacer: SliceParts['pacer'] = UNPACED) =>
  makeProof({ sql: database, pacer }, { night: null, now: new Date() }) as Promise<LedgerReport>;

test('a proof tells how the ledger stood at one moment, whatever is committed while it is made', async () => {
  const before = await prove();
  expect(await prove(interrupted(() => grantCredit(sql, workspaceId, 7n)))).toEqual(before);
  const after = await prove();
  expect(after).toMatchObject({ ok: true, credit: before.credit + 7n, postings: before.postings + 1n });
});

test('a proof names a credit that is spent and leased beyond its limit', async () => {
  const damaged = await startTestDatabase();
  try {
    const account = await openAccount(damaged.database, { credit: 1_000n });
    const spender = await Spender.begin(damaged.database);
    await spender.spend(account, { hold: 700n, charge: 100n });
    await damaged.database.query('alter table purses drop constraint purses_credit_never_overdrawn');
    await damaged.database.query(`update purses set limit_nano_usd = 650 where kind = 'credit'`);
    const { differences } = await prove(damaged.database);
    expect(differences.filter(({ check }) => check === 'purse_overdrawn')).toEqual([
      expect.objectContaining({ workspaceId: account.workspace.id, expected: 0n, actual: 50n }),
    ]);
  } finally {
    await damaged.stop();
  }
});

test('a proof reads receipts in slices and holds no snapshot between them', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 7n, charge: 5n });
  const seen: (readonly object[])[] = [];
  const pacer = pacedBy(async () => seen.push(await sessionsWithSnapshot(sql)));
  expect(await prove(sql, pacer)).toMatchObject({ ok: true });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.flat()).toEqual([]);
  await spender.end();
});

test('a proof reads receipts in slices and counts those that its snapshot shows, however many are settled then', async () => {
  const spenders = await Promise.all(Array.from({ length: 4 }, () => Spender.begin(sql)));
  const another = await Spender.begin(sql);
  const accounts = await Promise.all(Array.from({ length: 3 }, () => openAccount(sql, { credit: 100_000n })));
  const settle = (seed: number) =>
    Promise.all(
      spenders.map(async (spender, index) => {
        const account = accounts[(seed + index) % accounts.length] as Account;
        const charge = BigInt(1 + ((seed * 7 + index * 3) % 11));
        await spender.spend(account, { hold: 20n, charge });
      }),
    );
  await settle(0);
  for (let seed = 1; seed <= 15; seed++) {
    let going = settle(seed);
    const pacer = pacedBy(async () => {
      await going;
      going = settle(seed + 1);
      // At least one is settled between the snapshot and the slice; the others at any time.
      await another.spend(accounts[seed % accounts.length] as Account, { hold: 9n, charge: 9n });
    });
    const { ok, differences } = await prove(sql, pacer);
    expect({ seed, ok, differences }).toEqual({ seed, ok: true, differences: [] });
    await going;
  }
  await Promise.all([another, ...spenders].map((spender) => spender.end()));
  expect(await prove()).toMatchObject({ ok: true });
});

test('a proof reads receipts in slices and leaves out a settlement that spans the moment of its snapshot', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const settled = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const slow: Sql = {
    transaction: (work, options) => sql.transaction(work, options),
    // The function that the procedure calls before it commits.
    query: (text, values, options) =>
      text.includes('call commit_settle_receipts')
        ? sql.transaction(async (tx) => {
            const rows = await tx.query<never>(text.replace('call commit_', 'select '), values, options);
            settled.resolve();
            await commit.promise;
            return rows;
          })
        : sql.query(text, values, options),
  };
  const spender = await Spender.begin(slow);
  const spending = spender.spend(account, { hold: 7n, charge: 5n });
  await settled.promise;
  // Takes a later number, so that the snapshot's end lies beyond that of the settlement.
  await grantCredit(sql, account.workspace.id, 1n);
  const { receipts } = await prove(
    sql,
    pacedBy(async () => {
      commit.resolve();
      await spending;
    }),
  );
  expect(await prove()).toMatchObject({ ok: true, receipts: receipts + 1n });
  await spender.end();
});

test('a proof reads receipts in slices and counts receipts of the time before they named their transactions', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 7n, charge: 5n });
  const known = await prove();
  await sql.query('update receipts set settled_xid = null');
  expect(await prove()).toEqual(known);
  await spender.end();
});

test('a proof reads receipts in slices and adds nothing to the sums of the next one when it has lost its turn', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 7n, charge: 5n });
  const lost = Promise.withResolvers<void>();
  const isLost = Promise.withResolvers<void>();
  let slices = 0;
  const losing = prove(
    sql,
    pacedBy(async () => {
      slices += 1;
      // Usage by key is compared before receipts are read.
      if (slices <= KEY_USAGE_COMPARISONS.length) return;
      await sql.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock'
           and database = (select oid from pg_database where datname = current_database())`,
      );
      isLost.resolve();
      await lost.promise;
    }),
  );
  const outcome = losing.catch((fault: unknown) => fault);
  await isLost.promise;
  const next = await onceFreed(() =>
    prove(
      sql,
      pacedBy(async () => {
        lost.resolve();
        await outcome;
      }),
    ),
  );
  expect(await outcome).toBeInstanceOf(DatabaseUnavailable);
  expect(next).toMatchObject({ ok: true });
  await spender.end();
});

/** Makes a proof as soon as the server has noticed that the former one is gone. */
async function onceFreed(make: () => Promise<LedgerReport | string>): Promise<LedgerReport> {
  for (;;) {
    const report = await make();
    if (typeof report !== 'string') return report;
  }
}
