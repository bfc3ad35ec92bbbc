import type { SqlRunner } from '../../lib/sql.ts';
import { MOVED_TABLES, type MovedTable, rowsOf } from './moved-tables.ts';

// What has arrived becomes rows of the tables, in one transaction. The workspace may have been here before: what it left is brought
// up to date. Its row says that it lives in the other cell, so nothing shows or spends it yet.

/** SQL for the row of the workspace that a table's row belongs to, if its key doesn't say so. */
const SCOPES = ['workspace_id', 'scope_id'] as const;

/** Tables that are landed by rules of their own, in land-people.ts, land-prices.ts and land-reversals.ts. */
const APART: ReadonlySet<string> = new Set([
  'users',
  'authenticators',
  'recovery_codes',
  'user_identities',
  'price_versions',
  'payment_reversals',
]);

/** Brings the rows of all tables but those that are landed by rules of their own up to date with what has arrived. */
export async function landRows(
  tx: SqlRunner,
  { workspaceId, shard, users }: { readonly workspaceId: string; readonly shard: string; readonly users: object },
): Promise<void> {
  for (const moved of MOVED_TABLES.toReversed()) {
    if (moved.on === 'replace') await tx.query(`delete from ${moved.table} where ${rowsOf(moved)}`, [workspaceId]);
  }
  for (const table of MOVED_TABLES) {
    if (!APART.has(table.table)) await land(tx, table, { workspaceId, shard, users: JSON.stringify(users) });
  }
}

interface LandingParts {
  readonly workspaceId: string;
  readonly shard: string;
  /** Ids of users here by those there, as JSON. */
  readonly users: string;
}

async function land(tx: SqlRunner, table: MovedTable, { workspaceId, shard, users }: LandingParts): Promise<void> {
  const columns = table.columns.split(' ');
  const isWorkspace = table.table === 'workspaces';
  const usesUsers = table.users !== undefined;
  const names = [...columns, ...(isWorkspace ? ['moved_to'] : [])];
  const values = columns.map((column) => valueOf(table, column));
  if (isWorkspace) values.push('$3');
  const parameters = [workspaceId, table.table, ...(isWorkspace ? [shard] : []), ...(usesUsers ? [users] : [])];
  const arrived = `arriving_rows a cross join lateral jsonb_populate_record(null::${table.table}, a.row) r
    where a.workspace_id = $1 and a.table_name = $2`;
  const match = matching(table, columns);
  const changed = table.on === 'upsert' ? columns : (table.amended ?? []);
  if (changed.length > 0) {
    const list = changed.map((column) => `x.${column}`).join(', ');
    const given = changed.map((column) => valueOf(table, column)).join(', ');
    await tx.query(
      `update ${table.table} x set (${changed.join(', ')}) = row(${given}) from ${arrived} and ${match}
         and (${list}) is distinct from (${given})`,
      isWorkspace ? parameters.slice(0, 2) : parameters,
    );
  }
  await tx.query(
    `insert into ${table.table} (${names.join(', ')}) overriding system value
     select ${values.join(', ')} from ${arrived}
     ${table.on === 'replace' ? '' : `and not exists (select from ${table.table} x where ${match})`}
     order by a.number`,
    parameters,
  );
}

/** A receipt's price has another id here, and a user may have. */
function valueOf({ table, users = [] }: MovedTable, column: string): string {
  if (users.includes(column)) return `coalesce(($3::jsonb ->> r.${column}::text)::uuid, r.${column})`;
  if (table === 'receipts' && column === 'price_version_id') {
    return `coalesce((
      (select prices from arrivals where arrivals.workspace_id = $1) ->> r.price_version_id::text
    )::bigint, r.price_version_id)`;
  }
  // Receipts that come along were delivered there, or will be: this cell delivers those that it settles.
  if (column === 'receipts_from') {
    return `case when r.receipts_from is not null then
      format('%s:%s:', pg_current_xact_id()::text::numeric + 1, pg_current_xact_id()::text::numeric + 1)::pg_snapshot end`;
  }
  return `r.${column}`;
}

function matching({ table, key }: MovedTable, columns: readonly string[]): string {
  const own = table === 'audit_redactions' ? ['event_id', 'by_event', 'event_sha256'] : Object.keys(key);
  const scope = SCOPES.filter((column) => columns.includes(column) && !own.includes(column));
  return [...own, ...scope].map((column) => `x.${column} = r.${column}`).join(' and ');
}
