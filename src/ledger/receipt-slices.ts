import { assert } from '../lib/assert.ts';
import type { Pacer } from '../lib/pacer.ts';
import type { Sql, SqlRunner, SqlValue } from '../lib/sql.ts';

// All receipts of one snapshot, without holding it. While any transaction holds a snapshot, PostgreSQL cannot prune dead
// versions of rows, and the few rows that every settlement updates get slower to find by the second. So a snapshot is
// only noted down, and receipts are read in short statements that leave out those which it does not show. That is exact
// because a receipt is never updated or deleted, and stays where it is while somebody reads: see receipt-layout.ts.

/** Which receipts are to be read. */
export interface ReceiptSnapshot {
  /** The snapshot as PostgreSQL writes it. */
  readonly xids: string;
  readonly partitions: readonly { readonly name: string; readonly pages: number }[];
}

export interface SliceParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  /** The transaction that keeps receipts in place. Each slice makes sure that it still does. */
  readonly guard: SqlRunner;
}

/**
 * For the transaction that keeps receipts in place while they are read in slices. It is `read committed` and writes
 * nothing, so that between statements it holds no snapshot. The statement limit marks it as long work.
 */
export const GUARD_LIMITS = { statementMsMax: 600_000, idleMsMax: 600_000, settings: { lock_timeout: 5_000 } };

/**
 * What the snapshot of a `repeatable read` transaction shows of receipts. Partitions that grow later grow by receipts
 * that it does not show.
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

/** Empties working tables, before the transaction has its snapshot: a slice of work that was lost may still run. */
export async function emptyWorkingTables(tx: SqlRunner, tables: string): Promise<void> {
  await tx.query(`lock table ${tables} in access exclusive mode`);
  await tx.query(`truncate ${tables}`);
}

/** A statement that reads one slice. */
export interface SliceStatement {
  /** How many pages a slice has. */
  readonly pages: number;
  /** The statement, given the slice as SQL to select from; its parameters from $4 on are `values`. */
  readonly text: (slice: string, partition: string) => string;
  readonly values?: readonly SqlValue[];
}

/** Reads the receipts in the order in which they lie on disk, which needs no index. Each slice is one short transaction. */
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
 * A transaction that this server has not begun yet settled its receipt on another: the database was moved by `pg_dump`.
 * Such a receipt was there before any snapshot of this server.
 */
const sliceOf = (partition: string): string => `(
  select tableoid, * from only ${partition} where ctid >= $1::tid and ctid < $2::tid
    and (settled_xid is null or settled_xid >= pg_snapshot_xmax(pg_current_snapshot())
      or pg_visible_in_snapshot(settled_xid, $3::pg_snapshot))
)`;
