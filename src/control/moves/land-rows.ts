import { refuse, type Refusal } from '../../domain/refusals.ts';
import { SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { SEALED_TO } from '../usage/folding.ts';
import { MOVED_TABLES, type MovedTable, rowsOf } from './moved-tables.ts';
import { keyOf } from './read-rows.ts';

// What has arrived becomes rows of the tables. The workspace may have been here before: what it left is brought up to date. Its row
// says that it lives in the other cell, so nothing shows or spends it yet. Whatever lands, what is here is proven: receipts are charged
// to their purses as they land.

/** SQL for the row of the workspace that a table's row belongs to, if its key doesn't say so. */
const SCOPES = ['workspace_id', 'scope_id'] as const;

/** Tables that are landed by rules of their own, in land-prices.ts and land-reversals.ts, besides those of accounts. */
const APART: ReadonlySet<string> = new Set(['price_versions', 'payment_reversals']);

/** The columns of a receipt that name its purses. */
const PURSES = ['credit', 'project', 'key', 'member', 'end_user', 'session'].map((kind) => `${kind}_purse_id`);

/** The days after its window for which the purse of an end user or a session is kept: one that is gone does not come back. */
const BRIEF_DAYS = 2;

interface LandingParts {
  readonly workspaceId: string;
  /** SQL for the rows, as `r`, with the workspace as $1 and this as $2. */
  readonly arrived: string;
  readonly rows: string | readonly string[];
  /** Of the cell that the workspace comes from. */
  readonly shard: string;
  /** Ids of users here by those there, as JSON. */
  readonly users: string;
}

/** Brings the rows of all tables but those that are landed by rules of their own up to date with what was set apart. */
export async function landRows(
  tx: SqlRunner,
  { workspaceId, shard, users }: { readonly workspaceId: string; readonly shard: string; readonly users: object },
): Promise<void> {
  for (const moved of MOVED_TABLES.toReversed()) {
    if (moved.on === 'replace') await tx.query(`delete from ${moved.table} where ${rowsOf(moved)}`, [workspaceId]);
  }
  for (const table of MOVED_TABLES) {
    if (table.account !== undefined || APART.has(table.table)) continue;
    const arrived = `arriving_rows a cross join lateral jsonb_populate_record(null::${table.table}, a.row) r
      where a.workspace_id = $1 and a.table_name = $2`;
    const parts = { workspaceId, arrived, rows: table.table, shard, users: JSON.stringify(users) };
    await (table.table === 'receipts' ? landReceipts(tx, table, parts) : land(tx, table, parts));
  }
}

/** Lands rows of one table as they come. */
export async function landSlice(
  tx: SqlRunner,
  table: MovedTable,
  { workspaceId, rows }: { readonly workspaceId: string; readonly rows: readonly string[] },
): Promise<Refusal | null> {
  const arrived = `unnest($2::text[]) with ordinality as a (line, number)
    cross join lateral jsonb_populate_record(null::${table.table}, a.line::jsonb) r where r.workspace_id = $1`;
  const parts = { workspaceId, arrived, rows, shard: '', users: '{}' };
  if (table.table !== 'receipts') {
    await land(tx, table, parts);
    return null;
  }
  try {
    await landReceipts(tx, table, parts);
    return null;
  } catch (fault) {
    if (!(fault instanceof SqlFault) || fault.sqlState !== CHECK_VIOLATION) throw fault;
    return refuse('CONFLICT', 'Receipts as old as those of the workspace are sealed there.');
  }
}

const CHECK_VIOLATION = '23514';

/** Deletes rows between two places that are not among the keys. */
export async function keepRows(
  tx: SqlRunner,
  table: MovedTable,
  {
    workspaceId,
    keys,
    after,
    to,
  }: {
    readonly workspaceId: string;
    readonly keys: readonly string[];
    readonly after: readonly string[] | null;
    readonly to: readonly string[] | null;
  },
): Promise<void> {
  const columns = Object.entries(table.key);
  const names = columns.map(([name]) => `t.${name}`).join(', ');
  const values: string[] = [];
  const place = (at: readonly string[]): string =>
    columns.map(([, type], index) => `$${values.push(at[index] ?? '') + 2}::text::${type}`).join(', ');
  const bounds = [
    ...(after === null ? [] : [`(${names}) > (${place(after)})`]),
    ...(to === null ? [] : [`(${names}) <= (${place(to)})`]),
  ];
  await tx.query(
    `delete from ${table.table} t where ${[rowsOf(table), ...bounds].join(' and ')}
       and ${keyOf(table)} <> all (array(select unnest($2::text[])))`,
    [workspaceId, keys, ...values],
  );
}

async function land(tx: SqlRunner, table: MovedTable, parts: LandingParts): Promise<void> {
  const { workspaceId, arrived, rows, shard, users } = parts;
  const columns = table.columns.split(' ');
  const isWorkspace = table.table === 'workspaces';
  const usesUsers = table.users !== undefined;
  const names = [...columns, ...(isWorkspace ? ['moved_to'] : [])];
  const values = columns.map((column) => valueOf(table, column));
  if (isWorkspace) values.push('$3');
  const parameters = [workspaceId, rows, ...(isWorkspace ? [shard] : []), ...(usesUsers ? [users] : [])];
  const match = matching(table, columns);
  const replaced = table.on === 'upsert' ? columns : (table.amended ?? []);
  const changed = replaced.filter((column) => table.follows?.includes(column) !== true);
  if (changed.length > 0) {
    const list = changed.map((column) => `x.${column}`).join(', ');
    const given = changed.map((column) => valueOf(table, column)).join(', ');
    await tx.query(
      `update ${table.table} x set (${changed.join(', ')}) = row(${given}) from ${arrived} and ${match}
         and (${list}) is distinct from (${given})`,
      isWorkspace ? parameters.slice(0, 2) : parameters,
    );
  }
  const isNew = table.on === 'replace' ? '' : `and not exists (select from ${table.table} x where ${match})`;
  const isKept =
    table.table === 'purses'
      ? `and (r.kind not in ('end_user', 'session') or r.window_end >= now() - interval '${BRIEF_DAYS} days')`
      : '';
  await tx.query(
    `insert into ${table.table} (${names.join(', ')}) overriding system value
     select ${values.join(', ')} from ${arrived} ${isNew} ${isKept} order by a.number`,
    parameters,
  );
}

/** Each receipt that is new here is charged to its purses, and counted. Those of sealed partitions are there, or may not come. */
async function landReceipts(
  tx: SqlRunner,
  table: MovedTable,
  { workspaceId, arrived, rows }: LandingParts,
): Promise<void> {
  const columns = table.columns.split(' ');
  await tx.query(
    `with came as (
       insert into receipts (${columns.join(', ')})
       select ${columns.map((column) => valueOf(table, column)).join(', ')} from ${arrived}
         and (r.request_id >= ${SEALED_TO} or not exists (select from receipts x where ${matching(table, columns)}))
       on conflict do nothing
       returning ${PURSES.join(', ')}, charge_nano_usd, write_off_nano_usd
     ), charged as (
       update purses set spent_nano_usd = spent_nano_usd + charges from (
         select purse_id, sum(charge_nano_usd)::bigint as charges
         from came cross join lateral unnest(array[${PURSES.join(', ')}]) as purse_id
         where purse_id is not null and charge_nano_usd <> 0 group by purse_id
       ) q where id = purse_id and workspace_id = $1
     )
     update arrivals x set receipts = x.receipts + q.receipts, charges_nano_usd = charges_nano_usd + q.charges,
       write_offs_nano_usd = write_offs_nano_usd + q.write_offs
     from (
       select count(*) as receipts, coalesce(sum(charge_nano_usd), 0) as charges, coalesce(sum(write_off_nano_usd), 0) as write_offs
       from came
     ) q where workspace_id = $1`,
    [workspaceId, rows],
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
