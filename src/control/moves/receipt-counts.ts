import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { SEALED_TO } from '../usage/folding.ts';
import type { ReceiptSums } from './figures.ts';
import { receiptsSince } from './read-rows.ts';

// What the cell that a workspace leaves counts of its receipts: most before the pause, and in it only those that were settled since.

const SUMS = `count(*)::text as receipts, coalesce(sum(charge_nano_usd), 0)::text as charges,
  coalesce(sum(write_off_nano_usd), 0)::text as "writeOffs"`;

/** Of the receipts that were settled before a transaction. */
export interface CountedReceipts extends ReceiptSums {
  readonly before: string;
  readonly sealed: SealedReceipts;
}

/** Of those that are sealed up to an id. */
export interface SealedReceipts {
  readonly to: string;
  readonly receipts: string;
  readonly writeOffs: string;
}

/** Counts the receipts that were settled before a transaction. */
export async function countBefore(sql: SqlRunner, workspaceId: string, xid: string): Promise<CountedReceipts> {
  const [sums] = await sql.query<ReceiptSums>(
    `select ${SUMS} from receipts where workspace_id = $1 and (settled_xid is null or settled_xid < $2::xid8)`,
    [workspaceId, xid],
  );
  assert(sums !== undefined, 'sums are one row');
  return { before: xid, ...sums, sealed: await countSealed(sql, workspaceId, null) };
}

/** Counts all receipts; `counted`: what is known of most of them. */
export async function countAll(
  sql: SqlRunner,
  workspaceId: string,
  counted: CountedReceipts | null,
): Promise<ReceiptSums> {
  const [sums] = await sql.query<ReceiptSums>(
    `select ${SUMS} from receipts where ${receiptsSince(counted?.before ?? null)}`,
    [workspaceId],
  );
  assert(sums !== undefined, 'sums are one row');
  const sumOf = (name: keyof ReceiptSums): string => (BigInt(sums[name]) + BigInt(counted?.[name] ?? '0')).toString();
  return { receipts: sumOf('receipts'), charges: sumOf('charges'), writeOffs: sumOf('writeOffs') };
}

/** Counts the sealed receipts, unless nothing was sealed since they were counted. */
export async function countSealed(
  sql: SqlRunner,
  workspaceId: string,
  counted: SealedReceipts | null,
): Promise<SealedReceipts> {
  const [sealed] = await sql.query<{ to: string }>(`select ${SEALED_TO}::text as to`);
  assert(sealed !== undefined, 'a statement without a table has one row');
  if (counted?.to === sealed.to) return counted;
  const [sums] = await sql.query<Omit<SealedReceipts, 'to'>>(
    `select ${SUMS} from receipts where workspace_id = $1 and request_id < $2::uuid`,
    [workspaceId, sealed.to],
  );
  assert(sums !== undefined, 'sums are one row');
  return { to: sealed.to, receipts: sums.receipts, writeOffs: sums.writeOffs };
}
