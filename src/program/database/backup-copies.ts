import { emptyWorkingTables, type SliceParts } from '../../control/ledger/receipt-slices.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { BackupFault } from './backup-format.ts';

// The rows of all tables except receipts, as of one snapshot. They are copied as lines into an unlogged table, in one
// short transaction and without memory of the program's, and read from there at the reader's pace.

const LINES_PER_SLICE = 500;

/** Buckets of usage are made from receipts again, but for those of receipts that were dropped. */
const OF_DROPPED_WEEKS = `
  where week in (
    select (('x' || translate(left(from_id::text, 13), '-', ''))::bit(48)::bigint + 259200000) / 604800000
    from sealed_partitions where dropped_at is not null
  )`;
/** Responses are kept for a day or so, and may be more than all the rest. */
const NONE = 'where false';
/** Which rows of a table are copied, if not all. */
const ROWS: Readonly<Record<string, string>> = {
  usage_hours: OF_DROPPED_WEEKS,
  usage_key_hours: OF_DROPPED_WEEKS,
  stored_responses: NONE,
  stored_response_items: NONE,
  stored_response_bytes: NONE,
};

/** Columns that are left out. An answer for repeats is kept for a day; without it, a repeat is still not charged again. */
const COLUMNS_LEFT_OUT: Readonly<Record<string, string>> = { idempotent_requests: 'answer' };

/** Empties the table of lines. Called before the transaction takes its snapshot. */
export async function clearLines(tx: SqlRunner): Promise<void> {
  await emptyWorkingTables(tx, 'backup_lines');
}

/** Copies these tables as of the transaction's snapshot. Returns the number of rows of each. */
export async function copyTables(
  tx: SqlRunner,
  backupId: string,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const [row] = await tx.query<{ count: bigint }>(
      `with copied as (
         insert into backup_lines (backup_id, table_name, number, line)
         select $1, $2, row_number() over (), (to_jsonb(t) - $3::text)::text from ${table} t ${ROWS[table] ?? ''} returning 1
       ) select count(*) as count from copied`,
      [backupId, table, COLUMNS_LEFT_OUT[table] ?? ''],
    );
    counts.set(table, Number(row?.count ?? 0n));
  }
  return counts;
}

/** Reads the copied lines of one table in slices. @throws BackupFault if another backup has replaced them */
export async function* readLines(
  { sql, pacer, guard }: SliceParts,
  { backupId, table, count }: { readonly backupId: string; readonly table: string; readonly count: number },
): AsyncGenerator<readonly string[], void, undefined> {
  for (let last = 0; last < count; last += LINES_PER_SLICE) {
    await guard.query('select');
    const rows = await pacer.slice(() =>
      sql.query<{ line: string }>(
        `select line from backup_lines
         where backup_id = $1 and table_name = $2 and number > $3 and number <= $4 order by number`,
        [backupId, table, last, last + LINES_PER_SLICE],
      ),
    );
    if (rows.length !== Math.min(LINES_PER_SLICE, count - last)) {
      throw new BackupFault(
        'the connection that reserved this backup was lost and another backup has begun: start it again',
      );
    }
    yield rows.map(({ line }) => line);
  }
}
