import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { ALL_TABLES, addTo, countedHours, HOUR_TABLES, noteLastUses, STARTS } from './bucket-tables.ts';
import { SEALED_TO, SERVER, takeBuckets } from './folding.ts';
import { COST_SUMS, HISTOGRAM_COLUMNS, SUMS } from './measures.ts';
import { idsOfWeek, weekBounds, weekSql } from './weeks.ts';

// Buckets are made from the receipts that are there: at the first start with a database that has receipts and no buckets,
// after a restore, on another server, and when an operator asks for it. That is done week by week, each in one transaction,
// and usage is not answered until it is complete. Buckets of receipts that were sealed and dropped stay as they are.

/** A week has as many receipts as were settled in it. */
const STATEMENT_MS_MAX = 1_800_000;
const LIMITS = { statementMsMax: STATEMENT_MS_MAX, idleMsMax: 60_000, settings: { jit: 0 } };

const DERIVED = ALL_TABLES.filter((table) => !(HOUR_TABLES as readonly string[]).includes(table));

/** Receipts whose transactions this server has yet to begin came from another: they count as settled before all others. */
const FORGET_LATER_TRANSACTIONS = `
  update receipts set settled_xid = null
  where xid8send(settled_xid) >= (select xid8send(pg_snapshot_xmax(pg_current_snapshot())))
    and request_id >= ${SEALED_TO}`;

const NOTE = `
  insert into usage_folding (folded, server, unbuilt) values (pg_current_snapshot(), ${SERVER}, '{}')
  on conflict (is_only) do update set folded = excluded.folded, server = excluded.server`;

/** Weeks of partitions, by the names of their bounds, and of receipts that lie outside of them. */
const WEEKS = `
  select distinct week from (
    select ${weekSql('$1').replace('request_id', '"from"')} as week from (
      select (regexp_match(pg_get_expr(c.relpartbound, c.oid), $$FROM \\('(.+)'\\) TO$$))[1]::uuid as "from"
      from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'receipts'::regclass
    ) bounds where "from" is not null
    union all select ${weekSql('$1')} from receipts_default
  ) weeks order by week desc`;

/** The weeks that have receipts, latest first. */
async function receiptWeeks(tx: SqlRunner, bounds: readonly string[]): Promise<readonly number[]> {
  const rows = await tx.query<{ week: number }>(WEEKS, [bounds]);
  return rows.map(({ week }) => week);
}

/** Begins to count if nothing was counted on this server so far, and makes all buckets that are still to be made. */
export async function buildUsage({ sql, nowMs }: { readonly sql: Sql; readonly nowMs: () => number }): Promise<void> {
  await sql.transaction(async (tx) => {
    await takeBuckets(tx);
    const known = await tx.query(`select from usage_folding where server = ${SERVER}`);
    if (known.length === 0) await begin(tx, nowMs());
  }, LIMITS);
  while (await sql.transaction((tx) => buildNextWeek(tx, nowMs()), LIMITS));
}

/** Rebuilds all buckets that still have their receipts. */
export async function rebuildUsage(parts: { readonly sql: Sql; readonly nowMs: () => number }): Promise<void> {
  await parts.sql.transaction(async (tx) => {
    await takeBuckets(tx);
    await begin(tx, parts.nowMs());
  }, LIMITS);
  await buildUsage(parts);
}

/** The same in one transaction, for a database that a backup was restored to: its receipts name no transaction. */
export async function rebuildRestoredUsage(tx: SqlRunner, nowMs: number): Promise<void> {
  await begin(tx, nowMs);
  while (await buildNextWeek(tx, nowMs));
}

/** Notes which receipts are there, and removes their buckets. */
async function begin(tx: SqlRunner, nowMs: number): Promise<void> {
  // Before the note that buckets are to be made, so that none of the partitions is dropped in between.
  await tx.query('lock table receipts in access share mode');
  await tx.query(FORGET_LATER_TRANSACTIONS);
  // Weeks are read after the snapshot was noted, so that none of its receipts is missed.
  await tx.query(NOTE);
  const weeks = await receiptWeeks(tx, weekBounds(nowMs));
  await tx.query('update usage_folding set unbuilt = $1', [weeks]);
  for (const table of HOUR_TABLES) await tx.query(`delete from ${table} where week = any ($1)`, [weeks]);
  for (const table of DERIVED) {
    await tx.query(`delete from ${table}`);
    await tx.query(addTo(table, table === 'usage_days' ? 'usage_hours' : 'usage_key_hours'));
  }
  await tx.query('delete from usage_keys');
  await tx.query(noteLastUses('usage_key_hours'));
}

/** Makes the buckets of the next week that lacks them. Resolves with false if there is none. */
async function buildNextWeek(tx: SqlRunner, nowMs: number): Promise<boolean> {
  await takeBuckets(tx);
  const [next] = await tx.query<{ week: number }>(`select unbuilt[1] as week from usage_folding where unbuilt <> '{}'`);
  if (next === undefined) return false;
  const { from, to } = idsOfWeek(next.week);
  for (const source of [
    countedHours(RECEIPTS, '$1'),
    corrections('receipt_request_id >= $2 and receipt_request_id < $3'),
  ]) {
    await tx.query(`with hours as materialized (${source}), ${INSERTS} select`, [weekBounds(nowMs), from, to]);
  }
  await tx.query('update usage_folding set unbuilt = array_remove(unbuilt, $1)', [next.week]);
  return true;
}

/** Adds corrections to the buckets, which were posted elsewhere: these postings, of receipts that are here. */
export async function countCorrections(tx: SqlRunner, postings: readonly string[], nowMs: number): Promise<void> {
  if (postings.length === 0) return;
  await takeBuckets(tx);
  await tx.query(`with hours as materialized (${corrections('postings.id = any ($2::uuid[])')}), ${INSERTS} select`, [
    weekBounds(nowMs),
    postings,
  ]);
}

const INSERTS = [
  ...ALL_TABLES.map((table) => `${table}_added as (${addTo(table, 'hours')})`),
  `uses_noted as (${noteLastUses('hours')})`,
].join(', ');

/** SQL for the corrections among some postings. $1 has the bounds of weeks. */
const corrections = (among: string): string => `
  select receipts.workspace_id, project_id, key_id, model, dialect, outcome, ${STARTS.hour('admitted_at')} as starts_at,
    ${weekSql('$1')} as week, amount_nano_usd as corrected_nano_usd, null::timestamptz as last_used_at,
    ${[...SUMS, ...COST_SUMS, ...HISTOGRAM_COLUMNS]
      .filter((column) => column !== 'corrected_nano_usd')
      .map((column) => `0 as ${column}`)
      .join(', ')}
  from postings join receipts on receipts.workspace_id = postings.workspace_id and request_id = receipt_request_id
  where ${among}`;

const RECEIPTS = `(
  select * from receipts where request_id >= $2::uuid and request_id < $3::uuid and (
    settled_xid is null or pg_visible_in_snapshot(settled_xid, (select folded from usage_folding))
    or request_id < ${SEALED_TO}
  )
)`;
