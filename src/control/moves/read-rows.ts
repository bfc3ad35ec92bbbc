import type { SqlRunner } from '../../lib/sql.ts';
import { type MovedTable, rowsOf } from './moved-tables.ts';

// The rows of a workspace in slices, as text: numbers keep all their digits.

/** A slice has about as many bytes as a request to the other cell may have. */
const ROWS_PER_SLICE = 400;
const BYTES_PER_SLICE = 160_000;

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

/** Which rows of the table: all from a place on, those of a workspace. `among`: SQL for fewer. */
export interface RowRange {
  readonly workspaceId: string;
  readonly after: readonly string[] | null;
  readonly among?: string;
  readonly rowsMax?: number;
}

/** Reads a slice of the rows of a table, in the order of its key. */
export async function readRows(sql: SqlRunner, table: MovedTable, range: RowRange): Promise<RowSlice> {
  const { workspaceId, after, among = 'true', rowsMax = ROWS_PER_SLICE } = range;
  const keys = Object.entries(table.key);
  const names = keys.map(([name]) => `t.${name}`).join(', ');
  const places = keys.map(([, type], index) => `$${index + 2}::text::${type}`).join(', ');
  const columns = table.columns.split(' ').map((column) => `${table.sent?.[column] ?? `t.${column}`} as ${column}`);
  const values = after ?? keys.map(() => null);
  const found = await sql.query<Found>(
    `select array[${keys.map(([name]) => `t.${name}::text`).join(', ')}] as place,
       (select to_jsonb(sent) from (select ${columns.join(', ')}) sent)::text as row
     from ${table.table} t
     where (${rowsOf(table)}) and (${among}) and ($2::text is null or (${names}) > (${places}))
     order by ${names} limit ${rowsMax + 1}`,
    [workspaceId, ...values],
  );
  let bytes = 0;
  let count = 0;
  for (const { row } of found.slice(0, rowsMax)) {
    bytes += row.length;
    if (count > 0 && bytes > BYTES_PER_SLICE) break;
    count += 1;
  }
  const taken = found.slice(0, count);
  return {
    keys: taken.map(({ place }) => place.join(' ')),
    rows: taken.map(({ row }) => row),
    next: count < found.length ? (taken.at(-1)?.place ?? null) : null,
  };
}
