import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAccount } from '../../test/support/accounts.ts';
import { controlOf, startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { LedgerReport } from '../ledger/verify.ts';
import type { Sql } from '../lib/sql.ts';
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

/** A process's watch at this time. */
function watchAt(iso: string): LedgerWatch {
  const clock = { nowMs: () => Date.parse(iso), after: () => () => undefined };
  return new LedgerWatch({ sql: testDatabase.control, clock, onDifferences: (report) => void found.push(report) });
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

describe('the nightly proof', () => {
  test('is made once a night, by one process of all, and by the next one that comes if none was there', async () => {
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

  test('tells of what it found, and every process hears of it until a proof holds again', async () => {
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

  test('leaves a night to others when its process dies over it', async () => {
    const dying: Sql = {
      ...sql,
      transaction: (work, options) =>
        sql.transaction(async (tx) => {
          await work(tx);
          throw new Error('the process dies before it commits');
        }, options),
    };
    const clock = { nowMs: () => Date.parse('2027-03-01T04:00:00Z'), after: () => () => {} };
    const watch = new LedgerWatch({ sql: controlOf(dying), clock, onDifferences: () => undefined });
    await expect(watch.run()).rejects.toThrow('dies');
    await watchAt('2027-03-01T04:01:00Z').run();
    expect(await nights()).toBe(1n);
  });
});
