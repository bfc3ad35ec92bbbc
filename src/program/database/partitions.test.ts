import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { keepReceiptsInPlace } from '../../control/ledger/receipt-layout.ts';
import { ensureReceiptPartitions, receiptPartitionAt } from './partitions.ts';

let db: TestDatabase;
beforeAll(async () => void (db = await startTestDatabase()));
afterAll(() => db.stop());

const at = (text: string): number => Date.parse(`${text}Z`);

function idAt(timeMs: number, number: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}

async function insertReceipt(requestId: string, workspaceId: string = randomUUID()): Promise<void> {
  await db.database.query(
    `insert into receipts (workspace_id, request_id, project_id, key_id, epoch_id, credit_purse_id, project_purse_id,
       key_purse_id, dialect, model, price_version_id, outcome, charge_nano_usd, hold_nano_usd, write_off_nano_usd,
       usage_certainty, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens,
       audio_input_tokens, output_tokens, audio_output_tokens, streamed, admitted_at, duration_ms, attempts)
     values ($2, $1, gen_random_uuid(), gen_random_uuid(), 1, 1, 1, 1, 'chat_completions', 'm', 1, 'completed', 1, 1, 0,
       'exact', 1, 0, 0, 0, 0, 1, 0, false, now(), 1, '[]')`,
    [requestId, workspaceId],
  );
}

async function partitionOf(requestId: string): Promise<string | undefined> {
  const [row] = await db.database.query<{ name: string }>(
    'select tableoid::regclass::text as name from receipts where request_id = $1',
    [requestId],
  );
  return row?.name;
}

test.each([
  ['2026-11-21T08:00:00', 'receipts_2026_w47'],
  ['2026-11-22T23:59:59.999', 'receipts_2026_w47'],
  ['2026-11-23T00:00:00', 'receipts_2026_w48'],
  ['2026-12-31T00:00:00', 'receipts_2026_w53'],
  ['2027-01-03T23:59:59', 'receipts_2026_w53'],
  ['2027-01-04T00:00:00', 'receipts_2027_w01'],
  ['2024-12-30T00:00:00', 'receipts_2025_w01'],
])('a receipt of %s is in the partition %s', (time, name) => {
  expect(receiptPartitionAt(at(time)).name).toBe(name);
});

test('weeks follow one another without a gap', () => {
  const week = receiptPartitionAt(at('2026-12-28T00:00:00'));
  expect(receiptPartitionAt(at('2027-01-04T00:00:00')).from).toBe(week.to);
  expect(week.from < week.to).toBe(true);
});

test('partitions are made for this week and the next two, once, by however many processes together', async () => {
  const now = at('2031-05-05T12:00:00');
  const made = await Promise.all(Array.from({ length: 5 }, () => ensureReceiptPartitions(db.database, now)));
  expect(made.flat().toSorted()).toEqual(['receipts_2031_w19', 'receipts_2031_w20', 'receipts_2031_w21']);
  expect(await ensureReceiptPartitions(db.database, now)).toEqual([]);
});

test('partitions take the ids of their week, and rows that were there before them', async () => {
  const now = at('2032-01-15T00:00:00');
  await insertReceipt(idAt(now, 1));
  expect(await partitionOf(idAt(now, 1))).toBe('receipts_default');
  await ensureReceiptPartitions(db.database, now);
  expect(await partitionOf(idAt(now, 1))).toBe('receipts_2032_w03');
  await insertReceipt(idAt(now, 2));
  expect(await partitionOf(idAt(now, 2))).toBe('receipts_2032_w03');
});

test('partitions are not made, nor rows moved into them, while all receipts are read', async () => {
  const now = at('2034-06-01T00:00:00');
  await insertReceipt(idAt(now, 1));
  await db.database.transaction(async (guard) => {
    expect(await keepReceiptsInPlace(guard)).toBe(true);
    expect(await ensureReceiptPartitions(db.database, now)).toEqual([]);
    expect(await partitionOf(idAt(now, 1))).toBe('receipts_default');
  });
  expect(await ensureReceiptPartitions(db.database, now)).toHaveLength(3);
  expect(await partitionOf(idAt(now, 1))).toBe('receipts_2034_w22');
});

test('partitions refuse the same request of the same workspace twice, as the default one does', async () => {
  const now = at('2033-06-01T00:00:00');
  await ensureReceiptPartitions(db.database, now);
  const workspace = randomUUID();
  await insertReceipt(idAt(now, 1), workspace);
  await expect(insertReceipt(idAt(now, 1), workspace)).rejects.toMatchObject({ sqlState: '23505' });
});
