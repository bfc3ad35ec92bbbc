import type { ModelTerms } from '../../domain/model.ts';
import type { AppliedAdjustment } from '../../domain/price-adjustment.ts';
import { OperatorScope, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { decodeTerms } from './terms.ts';

// What models cost, now and formerly: for a workspace as it pays, for the operator as the list says.

/** A time in which a price version applied. */
export interface PricePeriod {
  readonly version: number;
  readonly terms: ModelTerms;
  /** How it differs from the list price; null if it is the list price. */
  readonly adjustment: AppliedAdjustment | null;
  readonly from: Date;
  /** Null: it still applies. */
  readonly to: Date | null;
}

export interface PricedModel {
  readonly id: string;
  /** The newest first; if only the present price was asked for, that or the last one. Never empty. */
  readonly periods: readonly [PricePeriod, ...PricePeriod[]];
}

/** Which prices are wanted. */
export interface PriceRequest {
  /** Left out: all models that are sold or were. */
  readonly model?: string;
  readonly withHistory: boolean;
}

interface Row {
  readonly model: string;
  readonly version: number;
  readonly is_own: boolean;
  readonly terms: unknown;
  readonly from: Date;
  readonly to: Date | null;
  readonly adjustment_id: string | null;
  readonly basis_points: number | null;
  readonly list_version: number | null;
  readonly rank: bigint;
}

/** The most versions of a model in its history. */
export const HISTORY_MAX = 100;

/** The prices of models in the order of their ids. Of a long history, only the last `HISTORY_MAX` versions are shown. */
export async function readModelPrices(
  sql: SqlRunner,
  scope: WorkspaceScope | OperatorScope,
  { model, withHistory }: PriceRequest,
): Promise<readonly PricedModel[]> {
  const workspaceId = scope instanceof OperatorScope ? null : scope.workspaceId;
  const rows = await sql.query<Row>(
    `select ranked.model, ranked.version, ranked.workspace_id is not null as is_own, ranked.terms,
       ranked.created_at as "from", ranked.retired_at as "to", ranked.adjustment_id, adjustment.basis_points,
       list.version as list_version, rank
     from (
       select *, row_number() over (
         partition by model order by retired_at desc nulls first, workspace_id nulls last, version desc
       ) as rank
       from price_versions
       where (workspace_id is null or workspace_id = $1) and ($2::text is null or model = $2)
     ) ranked
     left join price_adjustments adjustment
       on adjustment.workspace_id = ranked.workspace_id and adjustment.id = ranked.adjustment_id
     left join price_versions list on list.id = ranked.list_id
     where rank <= $3
     order by ranked.model, rank`,
    [workspaceId, model ?? null, withHistory ? HISTORY_MAX + 1 : 1],
  );
  const periods = await mapInSlices(rows, (row) => ({ ...periodOf(row), model: row.model, isOwn: row.is_own }));
  return [...Map.groupBy(periods, (period) => period.model)].flatMap(([id, versions]) => {
    const [first, ...others] = applied(versions);
    return first === undefined ? [] : [{ id, periods: [first, ...others] as const }];
  });
}

function periodOf(row: Row): PricePeriod {
  const { version, from, to, adjustment_id: id, basis_points: basisPoints, list_version: listVersion } = row;
  const adjustment =
    id === null || basisPoints === null || listVersion === null ? null : { id, basisPoints, listVersion };
  return { version, terms: decodeTerms(row.terms), adjustment, from, to };
}

type Version = PricePeriod & { readonly isOwn: boolean };

/**
 * The times in which each of a model's versions applied, the newest first: a list price applies while the workspace has no
 * version of its own. Versions come in the order of their ends, the latest first; before the end of one too many, others may
 * be missing.
 */
function applied(versions: readonly Version[]): readonly PricePeriod[] {
  const cut = versions.length > HISTORY_MAX ? (versions.at(-1)?.to ?? null) : null;
  const own = versions.filter(({ isOwn }) => isOwn);
  const listed = versions.filter(({ isOwn }) => !isOwn);
  const left = listed.flatMap((version) =>
    own.reduce<readonly Version[]>((parts, taken) => parts.flatMap((part) => without(part, taken)), [version]),
  );
  return [...own, ...left]
    .filter(({ to }) => cut === null || to === null || to > cut)
    .toSorted((one, other) => other.from.getTime() - one.from.getTime());
}

/** The parts of a period that lie outside of another. */
function without(period: Version, taken: PricePeriod): readonly Version[] {
  const end = ({ to }: PricePeriod): number => to?.getTime() ?? Number.POSITIVE_INFINITY;
  const parts: Version[] = [];
  if (period.from < taken.from) {
    parts.push({ ...period, to: end(period) <= taken.from.getTime() ? period.to : taken.from });
  }
  if (taken.to !== null && end(period) > end(taken)) {
    parts.push({ ...period, from: period.from > taken.to ? period.from : taken.to });
  }
  return parts;
}
