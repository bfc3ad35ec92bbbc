import { tryTransactionLock } from '../../lib/transaction-lock.ts';
import type { SqlRunner } from '../../lib/sql.ts';

// The layout of receipts in partitions. Reading all receipts in slices needs it unchanged; creating, sealing and
// dropping partitions change it. Neither waits for the other: readers take minutes, and settlements would queue behind
// a waiting lock request.

const LAYOUT_LOCK = 4_611_220_105_103_823n;

/**
 * Reserves the reading of all receipts for one kind of work, identified by its lock, until the transaction ends. False
 * if another process does such work, or changes partitions.
 */
export async function takeReadersTurn(guard: SqlRunner, lock: bigint): Promise<boolean> {
  return (await tryTransactionLock(guard, lock)) && (await keepReceiptsInPlace(guard));
}

/**
 * Keeps every receipt where it is until the transaction ends. False if partitions are being changed. The table lock
 * keeps out a manual DROP or VACUUM FULL, which take no advisory lock.
 */
export async function keepReceiptsInPlace(tx: SqlRunner): Promise<boolean> {
  if (!(await tryTransactionLock(tx, LAYOUT_LOCK, { shared: true }))) return false;
  await tx.query('lock table receipts in access share mode');
  return true;
}

/**
 * Reserves changes of the partitions until the transaction ends. False while all receipts are read, or another process
 * changes partitions.
 */
export async function reserveReceiptLayout(tx: SqlRunner): Promise<boolean> {
  return await tryTransactionLock(tx, LAYOUT_LOCK);
}
