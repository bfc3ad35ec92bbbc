import type { ModelTerms } from '../domain/model.ts';
import { mapInSlices } from '../lib/slices.ts';
import type { Sql, SqlRunner } from '../lib/sql.ts';
import { diffCatalogue, type ActiveVersion, type CatalogueChange, type OfferedModel } from './catalogue-diff.ts';
import { decodeTerms, encodeTerms } from './terms.ts';

// Price versions never change: a new one takes the old one's place, and receipts go on naming the one that applied.

/** The changes that an apply made, and those that it withheld for lack of approval. */
export interface AppliedCatalogue {
  readonly applied: readonly CatalogueChange[];
  readonly withheld: readonly CatalogueChange[];
}

const APPLY_LOCK = 4_611_220_105_103_818n;

/** The active price version of every model that is sold. */
export async function readActiveVersions(sql: SqlRunner): Promise<readonly ActiveVersion[]> {
  const rows = await sql.query<{
    id: bigint;
    model: string;
    version: number;
    terms: unknown;
    first_created_at: Date;
  }>(`
    select active.id, active.model, active.version, active.terms,
      (select min(created_at) from price_versions where model = active.model) as first_created_at
    from price_versions active where active.retired_at is null order by active.model`);
  return await mapInSlices(rows, ({ id, model, version, terms, first_created_at: first }) => ({
    id,
    model,
    version,
    terms: decodeTerms(terms),
    createdAtMs: first.getTime(),
  }));
}

/** The terms of one of a model's price versions, sold or retired; null if there is none of this number. */
export async function readVersionTerms(sql: SqlRunner, model: string, version: number): Promise<ModelTerms | null> {
  const [row] = await sql.query<{ terms: unknown }>(
    'select terms from price_versions where model = $1 and version = $2',
    [model, version],
  );
  return row === undefined ? null : decodeTerms(row.terms);
}

/** A preview of an apply. */
export async function previewCatalogue(
  sql: SqlRunner,
  configured: readonly OfferedModel[],
): Promise<readonly CatalogueChange[]> {
  return diffCatalogue(await readActiveVersions(sql), configured);
}

async function retire(tx: SqlRunner, model: string): Promise<void> {
  await tx.query('update price_versions set retired_at = now() where model = $1 and retired_at is null', [model]);
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
 * `mayLoseMost` says that there may be any number of them. One apply runs at a time.
 */
export async function applyCatalogue(
  sql: Sql,
  configured: readonly OfferedModel[],
  { accept, mayLoseMost = false }: { readonly accept: readonly string[]; readonly mayLoseMost?: boolean },
): Promise<AppliedCatalogue> {
  const terms = new Map(configured.map((model) => [model.id, model.terms]));
  return await sql.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [APPLY_LOCK]);
    const changes = await previewCatalogue(tx, configured);
    const isAccepted = ({ model, change }: CatalogueChange): boolean =>
      accept.includes(model) || (mayLoseMost && change === 'retire');
    const withheld = changes.filter((change) => change.needsAccept && !isAccepted(change));
    const applied = changes.filter((change) => !withheld.includes(change));
    for (const { model } of applied) {
      const offered = terms.get(model);
      if (offered === undefined) await retire(tx, model);
      else await activate(tx, model, offered);
      await tx.query(`insert into changes (kind, subject_id) values ('catalogue', $1)`, [model]);
    }
    return { applied, withheld };
  });
}
