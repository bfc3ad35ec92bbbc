import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { pacedBy, UNPACED } from '../../../test/support/verify-ledger.ts';
import type { Sql } from '../../lib/sql.ts';
import { findRunningProof, listProofs, type RunningProof } from './proof-history.ts';
import { makeProof } from './verifications.ts';

let db: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.database;
});
afterAll(() => db.stop());

test('a proof that any process makes is seen while it is made, with the receipts that it has added up', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  for (let n = 0; n < 3; n++) await spender.spend(account, { hold: 10n, charge: 5n });
  // Those of dropped partitions count as added up from the beginning.
  await sql.query(
    `insert into sealed_partitions (name, from_id, up_to, receipts, write_off_nano_usd, dropped_at)
     values ('receipts_dropped', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001', 1000000, 0, now())`,
  );
  expect(await findRunningProof(sql)).toBeNull();
  const seen: (RunningProof | null)[] = [];
  const pacer = pacedBy(async () => seen.push(await findRunningProof(sql)));
  const begunMs = Date.now();
  await makeProof({ sql, pacer }, { night: null, now: new Date() });
  const expected = seen.map((proof) => proof?.expected ?? 0n);
  expect(seen.map((proof) => (proof?.startedAt.getTime() ?? 0) >= begunMs - 1_000)).not.toContain(false);
  expect(expected.every((count) => count > 1_000_000n)).toBe(true);
  expect(seen.map((proof) => proof?.receipts)).toContain(1_000_000n);
  expect(await findRunningProof(sql)).toBeNull();
});

test('proofs are listed with what they have found, those of nights and those on request, newest first', async () => {
  const night = new Date(Date.now() - 3_600_000);
  const bent = await openAccount(sql, { credit: 1_000n });
  await makeProof({ sql, pacer: UNPACED }, { night, now: night });
  const bend = (by: number) =>
    sql.query(`update purses set limit_nano_usd = limit_nano_usd + $1 where kind = 'credit' and workspace_id = $2`, [
      by,
      bent.workspace.id,
    ]);
  await bend(1);
  await makeProof({ sql, pacer: UNPACED }, { night: null, now: new Date() });
  await bend(-1);
  const [last, former, ...others] = await listProofs(sql, 2);
  expect(others).toEqual([]);
  expect(last).toMatchObject({
    isNightly: false,
    differenceCount: 1n,
    differences: [{ check: 'workspace_balance', subjectId: bent.workspace.id, expected: '1000', actual: '1001' }],
  });
  expect(former?.differenceCount).toBe(0n);
  const nightly = (await listProofs(sql, 10)).filter(({ isNightly }) => isNightly);
  expect(nightly.map(({ startedAt }) => startedAt)).toEqual([night]);
});
