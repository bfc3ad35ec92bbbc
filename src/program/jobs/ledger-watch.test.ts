import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openAccount } from '../../../test/support/accounts.ts';
import { controlOf, startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { LedgerReport } from '../../control/ledger/verify.ts';
import type { Sql } from '../../lib/sql.ts';
import { LedgerWatch, nightStart } from './ledger-watch.ts';

// Stays open for as long as the file runs, so that its server does.
let anchor: TestDatabase;
beforeAll(async () => {
  anchor = await startTestDatabase({ migrated: false });
});
afterAll(() => anchor.stop());

let testDatabase: TestDatabase;
let sql: Sql;
let found: LedgerReport[];
beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  found = [];
});
afterEach(() => testDatabase.stop());

/** Stands for a process elsewhere in the middle of a proof, until what it returns is called. */
async function proveElsewhere(): Promise<() => Promise<void>> {
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const proof = sql.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(4611220105103820)');
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  return async () => {
    end.resolve();
    await proof;
  };
}

async function proofs(): Promise<bigint> {
  const [row] = await sql.query<{ count: bigint }>('select count(*) as count from ledger_verifications');
  return row?.count ?? 0n;
}

/** A process's watch at this time. */
function watchAt(iso: string): LedgerWatch {
  const clock = { nowMs: () => Date.parse(iso), after: () => () => undefined };
  return new LedgerWatch({
    sql: testDatabase.control,
    pacer: UNPACED,
    clock,
    onDifferences: (report) => void found.push(report),
  });
}

async function nights(): Promise<bigint> {
  const [row] = await sql.query<{ count: bigint }>(
    'select count(*) as count from ledger_verifications where night is not null',
  );
  return row?.count ?? 0n;
}

test.each([
  ['2027-03-01T02:59:59.999Z', '2027-02-28T03:00:00.000Z'],
  ['2027-03-01T03:00:00.000Z', '2027-03-01T03:00:00.000Z'],
  ['2027-03-28T23:59:00.000Z', '2027-03-28T03:00:00.000Z'],
])('at %s the proof is due since %s', (now, due) => {
  expect(nightStart(Date.parse(now)).toISOString()).toBe(due);
});

test('the nightly proof is made once a night, by one process of all, and by the next that comes if none was there', async () => {
  await Promise.all(Array.from({ length: 5 }, () => watchAt('2027-03-01T03:05:00Z').run()));
  const first = await nights();
  expect(first).toBe(1n);
  await watchAt('2027-03-01T23:00:00Z').run();
  await watchAt('2027-03-02T02:50:00Z').run();
  expect(await nights()).toBe(1n);
  await watchAt('2027-03-02T15:00:00Z').run();
  expect(await nights()).toBe(2n);
  expect(found).toEqual([]);
});

test('the nightly proof tells of what it found, and every process hears of it until a proof holds again', async () => {
  await openAccount(sql, { credit: 100n });
  await sql.query(`update purses set limit_nano_usd = limit_nano_usd + 1 where kind = 'credit'`);
  const watch = watchAt('2027-03-01T03:05:00Z');
  const other = watchAt('2027-03-01T03:06:00Z');
  await watch.run();
  await other.run();
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ ok: false, differenceCount: 1n });
  expect([watch.differences, other.differences]).toEqual([1, 1]);
  await sql.query(`update purses set limit_nano_usd = limit_nano_usd - 1 where kind = 'credit'`);
  expect(await watchAt('2027-03-01T04:00:00Z').prove()).toMatchObject({ ok: true });
  await other.run();
  expect(other.differences).toBe(0);
});

test('the nightly proof is not made while somebody has one made, and is made the next time', async () => {
  const watch = watchAt('2027-03-01T03:05:00Z');
  await Promise.all([watch.prove(), watch.run()]);
  expect(await nights()).toBe(0n);
  await watch.run();
  expect(await nights()).toBe(1n);
});

test('the nightly proof leaves a night to others when its process dies over it', async () => {
  const dying: Sql = {
    ...sql,
    transaction: (work, options) =>
      sql.transaction(async (tx) => {
        await work(tx);
        throw new Error('the process dies before it commits');
      }, options),
  };
  const clock = { nowMs: () => Date.parse('2027-03-01T04:00:00Z'), after: () => () => {} };
  const watch = new LedgerWatch({ sql: controlOf(dying), pacer: UNPACED, clock, onDifferences: () => undefined });
  await expect(watch.run()).rejects.toThrow('dies');
  await watchAt('2027-03-01T04:01:00Z').run();
  expect(await nights()).toBe(1n);
});

test('a proof that is asked for is one for all who ask while it runs', async () => {
  const watch = watchAt('2027-03-01T12:00:00Z');
  const reports = await Promise.all(Array.from({ length: 12 }, () => watch.prove()));
  expect(new Set(reports).size).toBe(1);
  expect(await proofs()).toBe(1n);
  await watch.prove();
  expect(await proofs()).toBe(2n);
});

test('a proof that is asked for fails for all who share it, and the next is made afresh', async () => {
  let isAway = true;
  const away: Sql = {
    ...sql,
    transaction: (work, options) =>
      isAway ? Promise.reject(new Error('the database is away')) : sql.transaction(work, options),
  };
  const watch = new LedgerWatch({
    sql: controlOf(away),
    pacer: UNPACED,
    clock: new ManualClock(),
    onDifferences: () => undefined,
  });
  const outcomes = await Promise.allSettled([watch.prove(), watch.prove()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await watch.prove()).toMatchObject({ ok: true });
});

test('a proof that is asked for waits for the one of another process, and sees what was committed until then', async () => {
  const clock = new ManualClock();
  const watch = new LedgerWatch({ sql: testDatabase.control, pacer: UNPACED, clock, onDifferences: () => undefined });
  const endElsewhere = await proveElsewhere();
  let isProven = false;
  const proof = watch.prove().finally(() => (isProven = true));
  await openAccount(sql, { credit: 100n });
  await clock.advance(5_000);
  expect([isProven, await proofs()]).toEqual([false, 0n]);
  await endElsewhere();
  await expect.poll(() => clock.advance(500).then(() => isProven), { timeout: 20_000 }).toBe(true);
  expect(await proof).toMatchObject({ ok: true, credit: 100n });
});

test('a proof that is asked for makes the nightly one of another process wait for its next turn', async () => {
  const endElsewhere = await proveElsewhere();
  await watchAt('2027-03-01T03:05:00Z').run();
  expect(await proofs()).toBe(0n);
  await endElsewhere();
  await watchAt('2027-03-01T03:15:00Z').run();
  expect(await nights()).toBe(1n);
});
