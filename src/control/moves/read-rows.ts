import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { type MovedTable, rowsOf } from './moved-tables.ts';

// The rows of a workspace in slices, as text: numbers keep all their digits.

/** A slice has half as much as a request to the other cell may have, and takes that cell's process some milliseconds to read. */
const ROWS_PER_SLICE = 1_000;
const BYTES_PER_SLICE = 1_000_000;
/** Of rows that have texts of requests in them. */
const LONG_ROWS_PER_SLICE = 100;

export interface RowSlice {
  /** What each row is known by. */
  readonly keys: readonly string[];
  readonly rows: readonly string[];
  /** Where the next slice begins; null after the last one. */
  readonly next: readonly string[] | null;
}

interface Found {
  readonly place: string[];
  readonly row: string;
}

/** Transactions, by their numbers: what was changed by the first of them or later, and before the other one. Null: by any. */
export interface XidRange {
  readonly since: string | null;
  readonly until: string | null;
}

export const ALL_XIDS: XidRange = { since: null, until: null };

/** Which rows of the table: all from a place on, those of a workspace. */
export interface RowRange extends Partial<XidRange> {
  readonly workspaceId: string;
  readonly after: readonly string[] | null;
  readonly rowsMax?: number;
}

/** SQL for what a row is known by. The row is `t`. */
export function keyOf({ key }: MovedTable): string {
  return Object.keys(key)
    .map((name) => `t.${name}::text`)
    .join(` || ' ' || `);
}

/** SQL for a row as it is sent. */
export function sentRow({ columns, sent }: MovedTable): string {
  const values = columns.split(' ').map((column) => `${sent?.[column] ?? `t.${column}`} as ${column}`);
  return `(select to_jsonb(sent) from (select ${values.join(', ')}) sent)::text`;
}

/**
 * SQL for the rows of a table that transactions from this one on have changed. Numbers in rows have 32 bits, and half of all are after
 * any: a row that is taken for a later one is sent once more. The condition on a receipt's number is the one that its index knows.
 */
export function changedSince({ table }: Pick<MovedTable, 'table'>, xid: string, row = 't'): string {
  assert(/^\d+$/.test(xid), 'a transaction has a number');
  if (table === 'receipts') return `xid8send(settled_xid) >= xid8send('${xid}'::xid8)`;
  return `((${row}.xmin::text::bigint - ${xid}) & 4294967295) < 2147483648`;
}

/** SQL for the receipts of the workspace $1 that were settled by this transaction or later; null: all of them. */
export function receiptsSince(xid: string | null): string {
  if (xid === null) return 'workspace_id = $1';
  // Found by their transactions, whatever else an index knows of them.
  return `${changedSince({ table: 'receipts' }, xid)} and (workspace_id = $1) is true`;
}

function changedBefore({ table }: MovedTable, xid: string): string {
  assert(/^\d+$/.test(xid), 'a transaction has a number');
  if (table === 'receipts') return `(settled_xid is null or settled_xid < '${xid}'::xid8)`;
  return `((t.xmin::text::bigint - ${xid}) & 4294967295) >= 2147483648`;
}

function sourceOf(table: MovedTable, since: string | null): string {
  if (since === null) return `${table.table} t where (${rowsOf(table)})`;
  if (table.table !== 'receipts') return `${table.table} t where (${rowsOf(table)}) and ${changedSince(table, since)}`;
  return `(select * from receipts where ${receiptsSince(since)} offset 0) t where true`;
}

/** Reads a slice of the rows of a table, in the order of its key. */
export async function readRows(sql: SqlRunner, table: MovedTable, range: RowRange): Promise<RowSlice> {
  const rowsPerSlice = table.ends === true ? LONG_ROWS_PER_SLICE : ROWS_PER_SLICE;
  const { workspaceId, after, since = null, until = null, rowsMax = rowsPerSlice } = range;
  const keys = Object.entries(table.key);
  const names = keys.map(([name]) => `t.${name}`).join(', ');
  const places = keys.map(([, type], index) => `$${index + 2}::text::${type}`).join(', ');
  const values = after ?? keys.map(() => null);
  const found = await sql.query<Found>(
    `select array[${keys.map(([name]) => `t.${name}::text`).join(', ')}] as place, ${sentRow(table)} as row
     from ${sourceOf(table, since)} ${until === null ? '' : `and ${changedBefore(table, until)}`}
       ${after === null ? `and $2::text is null` : `and (${names}) > (${places})`}
     order by ${names} limit ${rowsMax + 1}`,
    after === null ? [workspaceId, null] : [workspaceId, ...values],
  );
  const count = fitting(found.slice(0, rowsMax));
  const taken = found.slice(0, count);
  return {
    keys: taken.map(({ place }) => place.join(' ')),
    rows: taken.map(({ row }) => row),
    next: count < found.length ? (taken.at(-1)?.place ?? null) : null,
  };
}

/** How many of the rows fit into a slice: one at least, if there is any. */
export function fitting(rows: readonly { readonly row: string }[]): number {
  let bytes = 0;
  let count = 0;
  for (const { row } of rows) {
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (count > 0 && bytes > BYTES_PER_SLICE) break;
    count += 1;
  }
  return count;
}
