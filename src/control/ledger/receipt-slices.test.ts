import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { keepReceiptsInPlace, reserveReceiptLayout } from './receipt-layout.ts';
import { GUARD_LIMITS, readSlices, snapshotOfReceipts } from './receipt-slices.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

const WEEK_MS = 7 * 86_400_000;
let made = 0;

/** Settles a receipt of this week, of the next, or of a week that has no partition. */
async function settle(week: number): Promise<string> {
  made += 1;
  const id = leastUuid7At(Date.now() + week * WEEK_MS).slice(0, -12) + made.toString(16).padStart(12, '0');
  await db.database.query(
    `insert into receipts (workspace_id, request_id, project_id, key_id, epoch_id, credit_purse_id, project_purse_id,
       key_purse_id, model, price_version_id, outcome, charge_nano_usd, hold_nano_usd, write_off_nano_usd,
       usage_certainty, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
       audio_input_tokens, output_tokens, audio_output_tokens, streamed, admitted_at, duration_ms, attempts, dialect)
     values ($1, $2, $1, $1, 1, 1, 1, 1, $3, 1, 'completed', 1, 1, 0, 'exact', 1, 0, 0, 0, 0, 1, 0, false, now(), 1, '[]', 'chat_completions')`,
    [randomUUID(), id, Array.from({ length: 40 }, () => randomUUID()).join('')],
  );
  return id;
}

test('slices have every receipt that the snapshot shows, once, and none that is settled while they are read', async () => {
  const shown: string[] = [];
  for (let round = 0; round < 40; round++) shown.push(await settle([0, 1, 10][round % 3] ?? 0));
  const { database: sql } = db;
  const read: string[] = [];
  let slices = 0;
  await sql.transaction(async (guard) => {
    const snapshot = await sql.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read');
      const taken = await snapshotOfReceipts(tx);
      await settle(0);
      return taken;
    });
    const statement = { pages: 1, text: (slice: string) => `select request_id as id from ${slice} receipts` };
    for await (const rows of readSlices<{ id: string }>({ sql, pacer: UNPACED, guard }, snapshot, statement)) {
      slices += 1;
      read.push(...rows.map(({ id }) => id));
      for (const week of [0, 1, 10]) await settle(week);
    }
  }, GUARD_LIMITS);
  expect(read.toSorted()).toEqual(shown.toSorted());
  expect(slices).toBeGreaterThan(6);
});

test('slices have receipts whose transaction this server has not begun, because another server settled them', async () => {
  const { database: sql } = db;
  const foreign = await settle(0);
  await sql.query(`update receipts set settled_xid = '9000000000000000000' where request_id = $1`, [foreign]);
  const read: string[] = [];
  await sql.transaction(async (guard) => {
    const snapshot = await sql.transaction((tx) => snapshotOfReceipts(tx));
    const statement = { pages: 100, text: (slice: string) => `select request_id as id from ${slice} receipts` };
    for await (const rows of readSlices<{ id: string }>({ sql, pacer: UNPACED, guard }, snapshot, statement)) {
      read.push(...rows.map(({ id }) => id));
    }
  }, GUARD_LIMITS);
  await sql.query('delete from receipts where request_id = $1', [foreign]);
  expect(read).toContain(foreign);
});

test('receipts are kept where they are from everybody, also from those who do not ask', async () => {
  const { database: sql } = db;
  await sql.transaction(async (guard) => {
    expect(await keepReceiptsInPlace(guard)).toBe(true);
    const rewriting = sql.transaction((tx) => tx.query('lock table receipts_default in access exclusive mode'), {
      settings: { lock_timeout: 50 },
    });
    await expect(rewriting).rejects.toMatchObject({ reason: 'contended' });
    expect(await sql.transaction(keepReceiptsInPlace)).toBe(true);
    expect(await sql.transaction(reserveReceiptLayout)).toBe(false);
  }, GUARD_LIMITS);
  expect(await sql.transaction(reserveReceiptLayout)).toBe(true);
});
