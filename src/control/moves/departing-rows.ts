import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { MOVED_TABLES, type MovedTable, rowsOf } from './moved-tables.ts';
import { changedSince, fitting, keyOf, sentRow } from './read-rows.ts';

// All that is sent of a workspace but its slices is copied as of one moment first, as lines, so that what lands fits together, and no
// snapshot is held while it is sent. Receipts that were corrected are among it: a correction lands with its receipt.

const ROWS_PER_SLICE = 1_000;
const LIMITS = { statementMsMax: 600_000, settings: { jit: 0 } };

/** SQL for the lines of a table. `since`: a transaction; what was changed by it or later, if it is sent by changes. */
function linesOf(table: MovedTable, since: string | null): string {
  const isOfAll = since === null || table.sends === undefined;
  const among = isOfAll ? 'true' : changedSince(table, since);
  const names = Object.keys(table.key).map((name) => `t.${name}`);
  return `(
    select '${table.table}' as table_name, ${keyOf(table)} as key, ${sentRow(table)} as row from ${table.table} t
    where (${rowsOf(table)}) and ${among} order by ${names.join(', ')}
  )`;
}

function correctedOf(receipts: MovedTable, since: string | null): string {
  const among = since === null ? 'true' : changedSince({ table: 'ledger_postings' }, since, 'p');
  const where = `workspace_id = $1 and request_id in (
    select receipt_request_id from ledger_postings p
    where p.workspace_id = $1 and receipt_request_id is not null and ${among}
  )`;
  return linesOf({ ...receipts, where }, null);
}

/** Copies what has changed since a transaction. Returns how many rows, and the first transaction whose changes may not be among them. */
export async function fillDeparting(
  sql: Sql,
  workspaceId: string,
  since: string | null,
): Promise<{ readonly until: string; readonly rows: number }> {
  const lines = MOVED_TABLES.flatMap((table) => {
    if (table.table === 'receipts') return [correctedOf(table, since)];
    return table.sends === 'slices' ? [] : [linesOf(table, since)];
  });
  return await sql.transaction(async (tx) => {
    await clearDeparting(tx, workspaceId);
    const [filled] = await tx.query<{ until: string; rows: number }>(
      `with filled as (
         insert into departing_rows (workspace_id, table_name, key, row)
         select $1, table_name, key, row from (${lines.join(' union all ')}) lines returning 1
       ) select pg_snapshot_xmin(pg_current_snapshot())::text as until, count(*)::int4 as rows from filled`,
      [workspaceId],
    );
    if (filled === undefined) throw new Error('a sum is one row');
    return filled;
  }, LIMITS);
}

export interface DepartingSlice {
  readonly tables: readonly string[];
  readonly keys: readonly string[];
  readonly rows: readonly string[];
  /** The number of its last row; null if nothing was left. */
  readonly last: bigint | null;
}

/** Reads the next of the copied rows. */
export async function readDeparting(sql: SqlRunner, workspaceId: string, after: bigint): Promise<DepartingSlice> {
  const found = await sql.query<{ number: bigint; table: string; key: string; row: string }>(
    `select number, table_name as "table", key, row from departing_rows where workspace_id = $1 and number > $2
     order by number limit ${ROWS_PER_SLICE}`,
    [workspaceId, after],
  );
  const taken = found.slice(0, fitting(found));
  return {
    tables: taken.map(({ table }) => table),
    keys: taken.map(({ key }) => key),
    rows: taken.map(({ row }) => row),
    last: taken.at(-1)?.number ?? null,
  };
}

export async function clearDeparting(sql: SqlRunner, workspaceId: string): Promise<void> {
  await sql.query('delete from departing_rows where workspace_id = $1', [workspaceId]);
}
