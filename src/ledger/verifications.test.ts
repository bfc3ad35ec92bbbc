import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { grantCredit, openAccount, Spender } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';
import { makeProof } from './verifications.ts';
import { proveLedger, type LedgerReport } from './verify.ts';

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

/** The same database, where something else is committed once the first statement that reads the ledger has run. */
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

test('a proof tells how the ledger stood at one moment, whatever is committed while it is made', async () => {
  const before = (await makeProof(sql, { night: null, now: new Date() })) as LedgerReport;
  const proof = await makeProof(
    interrupted(() => grantCredit(sql, workspaceId, 7n)),
    { night: null, now: new Date() },
  );
  expect(proof).toEqual(before);
  const after = await makeProof(sql, { night: null, now: new Date() });
  expect(after).toMatchObject({ ok: true, credit: before.credit + 7n, postings: before.postings + 1n });
});

test('a proof names a credit that is spent and leased beyond its limit', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 700n, charge: 100n });
  const undone = new Error('undone');
  const proving = sql.transaction(async (tx) => {
    await tx.query('alter table purses drop constraint purses_credit_never_overdrawn');
    await tx.query(`update purses set limit_nano_usd = 650 where workspace_id = $1 and kind = 'credit'`, [
      account.workspace.id,
    ]);
    const { differences } = await proveLedger(tx);
    expect(differences.filter(({ check }) => check === 'purse_overdrawn')).toEqual([
      expect.objectContaining({ workspaceId: account.workspace.id, expected: 0n, actual: 50n }),
    ]);
    throw undone;
  });
  await expect(proving).rejects.toBe(undone);
  await spender.end();
});
