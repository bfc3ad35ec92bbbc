import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { ReceiptGrouping } from '../../domain/usage-groupings.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { STARTS } from './bucket-tables.ts';
import { COST_SUMS, sumsOf } from './measures.ts';
import { RECEIPT_COST } from './receipt-cost.ts';
import type { Stretch } from './segments.ts';
import { boundsOf, conditionsOf, measuresOf, type Parameters, type UsageFilter } from './usage-sql.ts';

// Usage by what buckets don't have: agents' sessions, of which there is no end, and service tiers, in which few requests are
// served. Their receipts are added up when that is wanted, through an index that these receipts alone are in. What the buckets of
// the same time have beyond these sums is of no session, or of the standard tier. Both are read in one statement, so that they
// add up.

/** The receipts that one answer adds up at most. */
export const GROUPED_RECEIPTS_MAX = 500_000;

/** What usage by each is of, in words. */
const WORDS: Readonly<Record<ReceiptGrouping, string>> = {
  session: 'of sessions',
  service_tier: 'of service tiers other than the standard one',
};
/** A request's id is older than its admission by less than this. */
const ID_AGE_MS_MAX = 3_600_000;

/** The ids that receipts of a stretch may have: from the first one on, below the second one. */
function idsOf({ fromMs, toMs }: Stretch): readonly [from: string, to: string] {
  return [leastUuid7At(Math.max(0, fromMs - ID_AGE_MS_MAX)), leastUuid7At(toMs)];
}

/** Refuses a stretch in which too many receipts have what usage is grouped by; null if their usage can be answered. */
export async function refuseManyReceipts(
  tx: SqlRunner,
  by: ReceiptGrouping,
  workspaceId: string,
  stretch: Stretch,
  most: number,
): Promise<Refusal | null> {
  const found = await tx.query(
    `select from receipts where workspace_id = $1 and ${by} is not null and request_id >= $2 and request_id < $3
     offset $4 limit 1`,
    [workspaceId, ...idsOf(stretch), most],
  );
  if (found.length === 0) return null;
  const message = `In this time more than ${most} requests are ${WORDS[by]}: ask for a shorter time.`;
  return refuse('INVALID_REQUEST', message, { param: 'from' });
}

export interface GroupSums {
  readonly by: ReceiptGrouping;
  readonly filter: UsageFilter & { readonly workspaceId: string };
  readonly columns: readonly string[];
  readonly parameters: Parameters;
  /** SQL for the point in time of an hour's start. */
  readonly point: string;
}

/** SQL for the sums of the receipts of a stretch that have what they are grouped by, by that and by point in time. */
function groupSums(stretch: Stretch, { by, filter, columns, parameters, point }: GroupSums): string {
  const { from, to } = boundsOf(stretch, parameters);
  const [firstId, endId] = idsOf(stretch).map((id) => parameters.add(id, 'uuid'));
  const costs = columns.some((column) => COST_SUMS.includes(column)) ? RECEIPT_COST : '';
  return `
    select name, ${point} as point, ${sumsOf(columns)} from (
      select ${by} as name, ${STARTS.hour('admitted_at')} as starts_at,
        ${measuresOf(columns, { corrected: 'coalesce(given_back, 0)' })}
      from receipts left join (
        select receipt_request_id, sum(amount_nano_usd)::bigint as given_back from postings
        where workspace_id = ${parameters.add(filter.workspaceId, 'uuid')}
          and receipt_request_id >= ${firstId} and receipt_request_id < ${endId} group by 1
      ) corrections on receipt_request_id = request_id ${costs}
      where ${by} is not null and request_id >= ${firstId} and request_id < ${endId}
        and admitted_at >= ${from} and admitted_at < ${to} and ${conditionsOf(filter, parameters).join(' and ')}
    ) of_receipts group by 1, 2`;
}

/** A stretch, and what its rows begin with, such as a column that distinguishes it from another one. */
interface GroupPeriod {
  readonly within: Stretch;
  readonly first: string;
}

/** What usage by these adds to a statement that reads buckets, whose rows are named by the empty text. */
export interface GroupParts {
  /** SQL for tables of sums, each with a comma behind it. */
  readonly tables: string;
  /** SQL for their rows, and for rows that take them from the rest. */
  readonly rows: readonly string[];
  /** SQL that drops the rest where nothing is left of it. */
  readonly having: string;
}

export const NO_GROUPS: GroupParts = { tables: '', rows: [], having: '' };

export function groupParts(periods: readonly GroupPeriod[], sums: GroupSums): GroupParts {
  const { columns } = sums;
  const negative = columns.map((column) => `-${column}`);
  return {
    tables: periods
      .map(({ within }, index) => `grouped_${index} as materialized (${groupSums(within, sums)}),`)
      .join('\n'),
    rows: periods.flatMap(({ first }, index) => [
      `select ${first} name, point, ${columns.join(', ')} from grouped_${index}`,
      `select ${first} '', point, ${negative.join(', ')} from grouped_${index}`,
    ]),
    having: `having name <> '' or sum(requests) > 0`,
  };
}
