import { adjustedPrice } from '../../domain/price-adjustment.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { decodeTerms, encodeTerms } from './terms.ts';
import { takeTransactionLock } from '../../lib/transaction-lock.ts';

// A workspace with an adjustment has price versions of its own: one for each list price, with adjusted rates. So whatever
// names a price version, such as a receipt, says what the workspace paid, and nothing but this file knows of the sum.

const PRICES_LOCK = 4_611_220_105_103_818n;

/** Takes the turn of changing prices until the transaction ends. */
export async function takePrices(tx: SqlRunner): Promise<void> {
  await takeTransactionLock(tx, PRICES_LOCK);
}

/** Which prices may have changed; what is left out is not limited. */
interface Affected {
  readonly workspaceId?: string;
  readonly model?: string;
}

/**
 * The versions that there should be. A model's own adjustment goes before that for all models. Other rows are looked up by
 * `in`, which hashes them whatever the planner knows of the tables.
 */
const WANTED = `
  select adjustment.workspace_id, list.model, list.id as list_id, list.terms, adjustment.id as adjustment_id,
    adjustment.basis_points
  from price_versions list
  join price_adjustments adjustment on adjustment.ended_at is null and adjustment.basis_points <> 0
    and (adjustment.model = list.model or adjustment.model is null and (adjustment.workspace_id, list.model) not in (
      select workspace_id, model from price_adjustments where ended_at is null and model is not null
    ))
  where list.workspace_id is null and list.retired_at is null and ($2::text is null or list.model = $2)
    and ($1::uuid is null or adjustment.workspace_id = $1)
    and adjustment.workspace_id in (select id from workspaces where archived_at is null)`;

/**
 * Makes the workspaces' price versions those that follow from list prices and adjustments, in the transaction that changed
 * either of them and has taken `takePrices`.
 */
export async function repriceWorkspaces(tx: SqlRunner, { workspaceId, model }: Affected = {}): Promise<void> {
  const affected = [workspaceId ?? null, model ?? null];
  await tx.query(
    `with wanted as materialized (${WANTED})
     update price_versions own set retired_at = now()
     where own.retired_at is null and own.workspace_id is not null
       and ($1::uuid is null or own.workspace_id = $1) and ($2::text is null or own.model = $2)
       and (own.workspace_id, own.list_id, own.adjustment_id) not in
         (select workspace_id, list_id, adjustment_id from wanted)`,
    affected,
  );
  const missing = await tx.query<{
    workspace_id: string;
    model: string;
    list_id: bigint;
    terms: unknown;
    adjustment_id: string;
    basis_points: number;
  }>(
    `select wanted.* from (${WANTED}) wanted
     where (wanted.workspace_id, wanted.model) not in (
       select workspace_id, model from price_versions where workspace_id is not null and retired_at is null
     )`,
    affected,
  );
  const terms = await mapInSlices(missing, ({ terms: listed, basis_points: basisPoints }) => {
    const decoded = decodeTerms(listed);
    return encodeTerms({ ...decoded, price: adjustedPrice(decoded.price, basisPoints) });
  });
  await tx.query(
    `with last as materialized (
       select model, max(version) as version from price_versions where model = any ($2) group by model
     )
     insert into price_versions (workspace_id, model, list_id, adjustment_id, terms, version)
     select made.workspace_id, made.model, list_id, adjustment_id, terms::jsonb,
       last.version + row_number() over (partition by made.model order by made.workspace_id)
     from last join unnest($1::uuid[], $2::text[], $3::bigint[], $4::uuid[], $5::text[])
       as made (workspace_id, model, list_id, adjustment_id, terms) using (model)`,
    [
      missing.map((row) => row.workspace_id),
      missing.map((row) => row.model),
      missing.map((row) => row.list_id),
      missing.map((row) => row.adjustment_id),
      terms,
    ],
  );
}
