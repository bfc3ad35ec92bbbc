import type { ModelTerms } from '../../domain/model.ts';
import type { VersionPrice } from '../../domain/price-adjustment.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { applyCosts, diffCosts, readActiveCosts } from './cost-versions.ts';
import { diffCatalogue, type ActiveVersion, type CatalogueChange, type OfferedModel } from './catalogue-diff.ts';
import { decodeTerms, encodeTerms } from './terms.ts';
import { repriceWorkspaces, takePrices } from './workspace-prices.ts';

// Price versions never change: a new one takes the old one's place, and receipts go on naming the one that applied. Those
// of a workspace that pays other prices than the list's follow from the list's: see workspace-prices.ts.

/** The changes that an apply made, and those that it withheld for lack of approval. */
export interface AppliedCatalogue {
  readonly applied: readonly CatalogueChange[];
  readonly withheld: readonly CatalogueChange[];
}

/** The active list price of every model that is sold. */
export async function readActiveVersions(sql: SqlRunner): Promise<readonly ActiveVersion[]> {
  return await readVersions(sql, 'workspace_id is null');
}

/** The same, and the active prices of workspaces that pay others, all as of one moment. */
export async function readAllActiveVersions(sql: SqlRunner): Promise<readonly ActiveVersion[]> {
  return await readVersions(sql, 'true');
}

interface VersionRow {
  readonly id: bigint;
  readonly model: string;
  readonly version: number;
  readonly workspace_id: string | null;
  /** The first of the model's versions that has the same terms. */
  readonly terms_id: bigint;
  /** Null unless it is the first. */
  readonly terms: unknown;
  readonly first_created_at: Date;
}

/** Workspaces with the same adjustment share their terms, which are read and kept once. */
async function readVersions(sql: SqlRunner, condition: string): Promise<readonly ActiveVersion[]> {
  const rows = await sql.query<VersionRow>(`
    select active.id, active.model, active.version, active.workspace_id, active.terms_id, first_created_at,
      case when active.id = active.terms_id then active.terms end as terms
    from (
      select *, min(id) over (partition by model, terms) as terms_id from price_versions
      where retired_at is null and ${condition}
    ) active
    join (
      select model, min(created_at) as first_created_at from price_versions where workspace_id is null group by model
    ) former using (model)
    order by active.model, active.id`);
  const decoded = new Map<bigint, ModelTerms>();
  return await mapInSlices(rows, ({ id, model, version, workspace_id: workspaceId, ...row }) => {
    const terms = decoded.get(row.terms_id) ?? decodeTerms(row.terms);
    decoded.set(row.terms_id, terms);
    return { id, model, version, workspaceId, terms, createdAtMs: row.first_created_at.getTime() };
  });
}

/**
 * The price of one of a model's price versions, in force or retired; null if there is none of this number, if it is the
 * price of another workspace, or if the version is unknown.
 */
export async function readVersionPrice(
  sql: SqlRunner,
  {
    model,
    version,
    workspaceId,
  }: { readonly model: string; readonly version: number | null; readonly workspaceId: string },
): Promise<VersionPrice | null> {
  if (version === null) return null;
  const [row] = await sql.query<{
    terms: unknown;
    adjustment_id: string | null;
    basis_points: number | null;
    list_version: number | null;
  }>(
    `select priced.terms, priced.adjustment_id, adjustment.basis_points, list.version as list_version
     from price_versions priced
     left join price_adjustments adjustment
       on adjustment.workspace_id = priced.workspace_id and adjustment.id = priced.adjustment_id
     left join price_versions list on list.id = priced.list_id
     where priced.model = $1 and priced.version = $2 and (priced.workspace_id is null or priced.workspace_id = $3)`,
    [model, version, workspaceId],
  );
  if (row === undefined) return null;
  const { adjustment_id: id, basis_points: basisPoints, list_version: listVersion } = row;
  const adjustment =
    id === null || basisPoints === null || listVersion === null ? null : { id, basisPoints, listVersion };
  return { price: decodeTerms(row.terms).price, adjustment };
}

/** A preview of an apply. */
export async function previewCatalogue(
  sql: SqlRunner,
  configured: readonly OfferedModel[],
): Promise<readonly CatalogueChange[]> {
  const prices = diffCatalogue(await readActiveVersions(sql), configured);
  const costs = diffCosts(await readActiveCosts(sql), configured);
  return [...prices, ...costs].toSorted((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : 0));
}

async function retire(tx: SqlRunner, model: string): Promise<void> {
  await tx.query(
    'update price_versions set retired_at = now() where model = $1 and workspace_id is null and retired_at is null',
    [model],
  );
}

async function activate(tx: SqlRunner, model: string, terms: ModelTerms): Promise<void> {
  await retire(tx, model);
  await tx.query(
    `insert into price_versions (model, version, terms)
     select $1, coalesce(max(version), 0) + 1, $2::jsonb from price_versions where model = $1`,
    [model, encodeTerms(terms)],
  );
}

/**
 * Makes the configured models those that are sold: changed terms become new versions, models that are gone are retired.
 * A change that looks like a slip is withheld unless its model is named in `accept`, or, for retired models,
 * `mayLoseMost` says that there may be any number of them. Costs are the providers', and need no approval. One apply runs at
 * a time.
 */
export async function applyCatalogue(
  sql: Sql,
  configured: readonly OfferedModel[],
  { accept, mayLoseMost = false }: { readonly accept: readonly string[]; readonly mayLoseMost?: boolean },
): Promise<AppliedCatalogue> {
  const terms = new Map(configured.map((model) => [model.id, model.terms]));
  // Programs that start together on a slow database must not take turns for nothing.
  const preview = await sql.transaction((tx) => previewCatalogue(tx, configured));
  if (preview.length === 0) return { applied: [], withheld: [] };
  return await sql.transaction(async (tx) => {
    await takePrices(tx);
    const changes = await previewCatalogue(tx, configured);
    const isAccepted = ({ model, change }: CatalogueChange): boolean =>
      accept.includes(model) || (mayLoseMost && change === 'retire');
    const withheld = changes.filter((change) => change.needsAccept && !isAccepted(change));
    const applied = changes.filter((change) => !withheld.includes(change));
    const priced = applied.filter(({ change }) => change !== 'cost');
    for (const { model } of priced) {
      const offered = terms.get(model);
      if (offered === undefined) await retire(tx, model);
      else await activate(tx, model, offered);
      await tx.query(`insert into changes (kind, subject_id) values ('catalogue', $1)`, [model]);
    }
    if (priced.length > 0) await repriceWorkspaces(tx);
    await applyCosts(tx, configured, applied);
    return { applied, withheld };
  });
}
