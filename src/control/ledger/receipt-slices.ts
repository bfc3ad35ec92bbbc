import { assert } from '../../lib/assert.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql, SqlRunner, SqlValue } from '../../lib/sql.ts';

// All receipts of one snapshot, without holding it. While any transaction holds a snapshot, PostgreSQL can't remove
// dead row versions, and the few rows that every settlement updates take longer and longer to find. So the snapshot is
// only recorded, and receipts are read in short statements that omit those invisible in it. That is exact because a
// receipt is never updated or deleted, and isn't moved while receipts are read: see receipt-layout.ts.

/** The receipts to be read. */
export interface ReceiptSnapshot {
  /** The snapshot in PostgreSQL's text form. */
  readonly xids: string;
  readonly partitions: readonly { readonly name: string; readonly pages: number }[];
}

export interface SliceParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  /** The transaction that keeps receipts in place. Each slice checks that it still does. */
  readonly guard: SqlRunner;
}

/**
 * Limits of the transaction that keeps receipts in place while they are read in slices. It is `read committed` and
 * writes nothing, so it holds no snapshot between statements. The statement limit marks it as long work.
 */
export const GUARD_LIMITS = { statementMsMax: 600_000, idleMsMax: 600_000, settings: { lock_timeout: 5_000 } };

/**
 * The receipts visible in the snapshot of a `repeatable read` transaction. Receipts added to partitions later are not
 * visible.
 */
export async function snapshotOfReceipts(tx: SqlRunner): Promise<ReceiptSnapshot> {
  const rows = await tx.query<{ xids: string; name: string; pages: number }>(
    `select pg_current_snapshot()::text as xids, c.relname as name,
       (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages
     from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'receipts'::regclass order by c.relname`,
  );
  const [first] = rows;
  assert(first !== undefined, 'receipts have a default partition');
  return { xids: first.xids, partitions: rows.map(({ name, pages }) => ({ name, pages })) };
}

/** Empties working tables before the transaction takes its snapshot: a slice of abandoned work may still be running. */
export async function emptyWorkingTables(tx: SqlRunner, tables: string): Promise<void> {
  await tx.query(`lock table ${tables} in access exclusive mode`);
  await tx.query(`truncate ${tables}`);
}

/** A statement that reads one slice. */
export interface SliceStatement {
  /** The number of pages of a slice. */
  readonly pages: number;
  /** Builds the statement for a slice, which is SQL to select from; parameters from $4 on are `values`. */
  readonly text: (slice: string, partition: string) => string;
  readonly values?: readonly SqlValue[];
}

/** Reads the receipts in disk order, which needs no index. Each slice is one short transaction. */
export async function* readSlices<Row extends object>(
  { sql, pacer, guard }: SliceParts,
  { xids, partitions }: ReceiptSnapshot,
  { pages: pagesPerSlice, text, values = [] }: SliceStatement,
): AsyncGenerator<readonly Row[], void, undefined> {
  for (const { name, pages } of partitions) {
    assert(/^\w+$/.test(name), 'partitions have the names that this program gives them');
    const statement = text(sliceOf(name), name);
    for (let page = 0; page < pages; page += pagesPerSlice) {
      await guard.query('select');
      const bounds = [`(${page},0)`, `(${page + pagesPerSlice},0)`, xids];
      yield await pacer.slice(() => sql.query<Row>(statement, [...bounds, ...values]));
    }
  }
}

/**
 * A transaction number that this server has not reached is another server's: the database was moved by `pg_dump`. Such
 * a receipt is older than any snapshot of this server.
 */
const sliceOf = (partition: string): string => `(
  select tableoid, * from only ${partition} where ctid >= $1::tid and ctid < $2::tid
    and (settled_xid is null or settled_xid >= pg_snapshot_xmax(pg_current_snapshot())
      or pg_visible_in_snapshot(settled_xid, $3::pg_snapshot))
)`;
