import type { SqlRunner } from '../../lib/sql.ts';
import { repriceWorkspaces } from '../catalogue/workspace-prices.ts';
import { receiptsSince } from './read-rows.ts';

/** A list price that a workspace's receipts name, in the cell that it comes from. */
export interface NamedPrice {
  readonly id: string;
  readonly model: string;
  readonly version: number;
  /** As JSON. */
  readonly terms: string;
}

/** The list prices that a workspace's own prices name, and its receipts: those that were settled since a transaction, or all. */
export async function namedPrices(
  sql: SqlRunner,
  workspaceId: string,
  since: string | null,
): Promise<readonly NamedPrice[]> {
  return await sql.query<NamedPrice>(
    `select id::text, model, version, terms::text as terms from price_versions
     where workspace_id is null and id in (
       select price_version_id from receipts where ${receiptsSince(since)}
       union select list_id from price_versions where workspace_id = $1
     ) order by model, version`,
    [workspaceId],
  );
}

/** Ids of list prices here by those there, and those that there is no equal one of. */
export async function matchPrices(
  sql: SqlRunner,
  prices: readonly NamedPrice[],
): Promise<{ readonly known: Readonly<Record<string, string>>; readonly missing: readonly NamedPrice[] }> {
  const rows = await sql.query<{ id: string; here: string | null }>(
    `select q.id, (
       select x.id::text from price_versions x
       where x.workspace_id is null and x.model = q.model and x.terms = q.terms::jsonb order by x.id = q.id::bigint desc, x.id desc limit 1
     ) as here
     from unnest($1::text[], $2::text[], $3::text[]) as q (id, model, terms)`,
    [prices.map(({ id }) => id), prices.map(({ model }) => model), prices.map(({ terms }) => terms)],
  );
  const known = Object.fromEntries(rows.flatMap(({ id, here }) => (here === null ? [] : [[id, here]])));
  return { known, missing: prices.filter(({ id }) => !(id in known)) };
}

/** Brings the workspace's own price versions that receipts name; what it pays from now on follows from the prices here. */
export async function landPrices(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query(
    `insert into price_versions (id, model, version, terms, created_at, retired_at, workspace_id, list_id, adjustment_id)
     select r.id, r.model, coalesce((select max(version) from price_versions x where x.model = r.model), 0)
         + row_number() over (partition by r.model order by r.version),
       r.terms, r.created_at, r.retired_at, r.workspace_id,
       coalesce(((select prices from arrivals where arrivals.workspace_id = $1) ->> r.list_id::text)::bigint, r.list_id),
       r.adjustment_id
     from arriving_rows a cross join lateral jsonb_populate_record(null::price_versions, a.row) r
     where a.workspace_id = $1 and a.table_name = 'price_versions'
       and not exists (select from price_versions x where x.id = r.id)`,
    [workspaceId],
  );
  await repriceWorkspaces(tx, { workspaceId });
}
