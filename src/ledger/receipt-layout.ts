import type { SqlRunner } from '../lib/sql.ts';

// Which partition holds which receipts. Those who read all receipts in slices need it to stay as it is; those who make,
// seal or drop partitions change it. Neither waits for the other: readers take minutes, and a lock that is waited for
// keeps settlements waiting behind it.

const LAYOUT_LOCK = 4_611_220_105_103_823n;

/**
 * Keeps every receipt where it is until the transaction ends. False if partitions are being changed. The lock of the
 * tables keeps out what does not ask: a DROP or VACUUM FULL by hand.
 */
export async function keepReceiptsInPlace(tx: SqlRunner): Promise<boolean> {
  const [row] = await tx.query<{ kept: boolean }>('select pg_try_advisory_xact_lock_shared($1) as kept', [LAYOUT_LOCK]);
  if (row?.kept !== true) return false;
  await tx.query('lock table receipts in access share mode');
  return true;
}

/** Reserves changes of the partitions until the transaction ends. False while all receipts are read, or somebody else changes them. */
export async function reserveReceiptLayout(tx: SqlRunner): Promise<boolean> {
  const [row] = await tx.query<{ reserved: boolean }>('select pg_try_advisory_xact_lock($1) as reserved', [
    LAYOUT_LOCK,
  ]);
  return row?.reserved === true;
}
