import { reserveReceiptLayout } from '../../control/ledger/receipt-layout.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';
import { uuid7Ms } from '../../lib/uuid7.ts';

// Receipts are partitioned by week. Their key is a UUIDv7, whose first 48 bits are its time in milliseconds, so a week
// is a range of ids. Partitions are made ahead of time; rows without a partition of their own are kept in the default
// one.

/** One week's partition: its table and its range of ids, excluding the upper bound. */
export interface ReceiptPartition {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const weeksAhead = 2;
const lockNumber = 4_610_273_002n;

/**
 * Creates missing partitions of this week and the next two, and returns their names. Idempotent, also in several
 * processes concurrently. Creates none while a proof or a backup reads receipts, since partitions are needed only weeks
 * later. Fails with 55P03 rather than delay others for long.
 * @throws SqlFault, DatabaseUnavailable
 */
export async function ensureReceiptPartitions(db: Sql, nowMs: number): Promise<string[]> {
  const wanted = Array.from({ length: weeksAhead + 1 }, (_, week) => receiptPartitionAt(nowMs + week * weekMs));
  const missing = await missingAmong(db, wanted);
  const made: string[] = [];
  for (const partition of missing) {
    if (await db.transaction((tx) => ensureReceiptPartition(tx, partition))) made.push(partition.name);
  }
  return made;
}

/**
 * Creates the missing partitions from that of this receipt on. False if some are still missing, because a proof or a backup reads
 * receipts. @throws SqlFault, DatabaseUnavailable
 */
export async function ensurePartitionsSince(db: Sql, firstReceipt: string, nowMs: number): Promise<boolean> {
  const fromMs = uuid7Ms(firstReceipt);
  const count = Math.max(0, Math.ceil((nowMs - fromMs) / weekMs)) + 1;
  const wanted = Array.from({ length: count }, (_, week) => receiptPartitionAt(fromMs + week * weekMs));
  for (const partition of await missingAmong(db, wanted)) {
    await db.transaction((tx) => ensureReceiptPartition(tx, partition));
  }
  return (await missingAmong(db, wanted)).length === 0;
}

/** The partition of ids made at `timeMs`. Weeks are those of ISO 8601, Monday to Sunday, in UTC. */
export function receiptPartitionAt(timeMs: number): ReceiptPartition {
  const mondayMs = Math.floor((timeMs + 3 * dayMs) / weekMs) * weekMs - 3 * dayMs;
  const thursday = new Date(mondayMs + 3 * dayMs);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / weekMs);
  const name = `receipts_${year}_w${String(week).padStart(2, '0')}`;
  return { name, from: leastIdAt(mondayMs), to: leastIdAt(mondayMs + weekMs) };
}

function leastIdAt(timeMs: number): string {
  const hex = timeMs.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

async function missingAmong(db: SqlRunner, wanted: readonly ReceiptPartition[]): Promise<readonly ReceiptPartition[]> {
  const present = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'receipts'::regclass`,
  );
  return wanted.filter(({ name }) => !present.some((row) => row.name === name));
}

/**
 * Creates the table separately and attaches it, which blocks only writers of the default partition, and moves its rows
 * from there. Returns whether it was created: it may exist already, or the layout of receipts may be in use. Must run
 * in a transaction.
 */
export async function ensureReceiptPartition(tx: SqlRunner, partition: ReceiptPartition): Promise<boolean> {
  const { name, from, to } = partition;
  await takeTransactionLock(tx, lockNumber);
  if ((await missingAmong(tx, [partition])).length === 0) return false;
  if (!(await reserveReceiptLayout(tx))) return false;
  await tx.query(`set local lock_timeout = '5s'`);
  await tx.query(`create table ${name} (like receipts including all)`);
  await tx.query('lock table receipts in share update exclusive mode');
  await tx.query('lock table receipts_default in access exclusive mode');
  await tx.query(
    `with early as (delete from receipts_default where request_id >= $1 and request_id < $2 returning *)
     insert into ${name} select * from early`,
    [from, to],
  );
  await tx.query(`alter table receipts attach partition ${name} for values from ('${from}') to ('${to}')`);
  return true;
}
