import { reserveReceiptLayout } from '../ledger/receipt-layout.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';

// Receipts lie in partitions by week. Their key is a UUIDv7, whose first 48 bits are its time in milliseconds, so a
// week is a range of ids. Partitions are made ahead of time; rows that came before theirs wait in the default one.

/** One week's partition: its table and the ids it takes, the upper bound not among them. */
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
 * Sees to it that this week and the next two have partitions; answers with the names of those it made. Harmless to
 * repeat and to run in several processes concurrently. Makes none while a proof or a backup reads receipts: they are made
 * weeks before they are needed. Fails with 55P03 rather than hold up others for long.
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

/** Names the partition that takes ids made at `timeMs`. Weeks are ISO 8601's, Monday to Sunday, in UTC. */
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
 * Makes the table apart and attaches it, which locks out nobody but writers of the default partition, and takes
 * along the rows that came too early for it. Answers whether it was made: it may be there already, and the layout of
 * receipts may be in use. Wants a transaction.
 */
export async function ensureReceiptPartition(tx: SqlRunner, partition: ReceiptPartition): Promise<boolean> {
  const { name, from, to } = partition;
  await tx.query('select pg_advisory_xact_lock($1)', [lockNumber]);
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
