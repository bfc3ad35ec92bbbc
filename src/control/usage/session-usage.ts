import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { STARTS } from './bucket-tables.ts';
import { COST_SUMS, sumsOf } from './measures.ts';
import { RECEIPT_COST } from './receipt-cost.ts';
import type { Stretch } from './segments.ts';
import { boundsOf, conditionsOf, measuresOf, type Parameters, type UsageFilter } from './usage-sql.ts';

// Usage by agents' sessions. There is no end of sessions, so buckets don't have them: their receipts are added up when that is
// asked for, through an index that only receipts with a session are in. What the buckets of the same time have beyond these
// sums is of no session. Both are read in one statement, so that they add up.

/** The receipts of sessions that one answer adds up at most. */
export const SESSION_RECEIPTS_MAX = 500_000;
/** A request's id is older than its admission by less than this. */
const ID_AGE_MS_MAX = 3_600_000;

/** The ids that receipts of a stretch may have: from the first one on, below the second one. */
function idsOf({ fromMs, toMs }: Stretch): readonly [from: string, to: string] {
  return [leastUuid7At(Math.max(0, fromMs - ID_AGE_MS_MAX)), leastUuid7At(toMs)];
}

/** Refuses a stretch in which too many receipts have a session; null if their usage can be answered. */
export async function refuseManySessions(
  tx: SqlRunner,
  workspaceId: string,
  stretch: Stretch,
  most: number,
): Promise<Refusal | null> {
  const found = await tx.query(
    `select from receipts where workspace_id = $1 and session is not null and request_id >= $2 and request_id < $3
     offset $4 limit 1`,
    [workspaceId, ...idsOf(stretch), most],
  );
  if (found.length === 0) return null;
  const message = `In this time more than ${most} requests are of sessions: ask for a shorter time.`;
  return refuse('INVALID_REQUEST', message, { param: 'from' });
}

export interface SessionSums {
  readonly filter: UsageFilter & { readonly workspaceId: string };
  readonly columns: readonly string[];
  readonly parameters: Parameters;
  /** SQL for the point in time of an hour's start. */
  readonly point: string;
}

/** SQL for the sums of the receipts of a stretch that have a session, by session and point in time. */
function sessionSums(stretch: Stretch, { filter, columns, parameters, point }: SessionSums): string {
  const { from, to } = boundsOf(stretch, parameters);
  const [firstId, endId] = idsOf(stretch).map((id) => parameters.add(id, 'uuid'));
  const costs = columns.some((column) => COST_SUMS.includes(column)) ? RECEIPT_COST : '';
  return `
    select name, ${point} as point, ${sumsOf(columns)} from (
      select session as name, ${STARTS.hour('admitted_at')} as starts_at,
        ${measuresOf(columns, { corrected: 'coalesce(given_back, 0)' })}
      from receipts left join (
        select receipt_request_id, sum(amount_nano_usd)::bigint as given_back from postings
        where workspace_id = ${parameters.add(filter.workspaceId, 'uuid')}
          and receipt_request_id >= ${firstId} and receipt_request_id < ${endId} group by 1
      ) corrections on receipt_request_id = request_id ${costs}
      where session is not null and request_id >= ${firstId} and request_id < ${endId}
        and admitted_at >= ${from} and admitted_at < ${to} and ${conditionsOf(filter, parameters).join(' and ')}
    ) of_receipts group by 1, 2`;
}

/** A stretch, and what its rows begin with, such as a column that distinguishes it from another one. */
interface SessionPeriod {
  readonly within: Stretch;
  readonly first: string;
}

/** What usage by session adds to a statement that reads buckets, whose rows are named by the empty text. */
export interface SessionParts {
  /** SQL for tables of sums, each with a comma behind it. */
  readonly tables: string;
  /** SQL for their rows, and for rows that take them from what is of no session. */
  readonly rows: readonly string[];
  /** SQL that drops what is of no session where nothing is left of it. */
  readonly having: string;
}

export const NO_SESSIONS: SessionParts = { tables: '', rows: [], having: '' };

export function sessionParts(periods: readonly SessionPeriod[], sums: SessionSums): SessionParts {
  const { columns } = sums;
  const negative = columns.map((column) => `-${column}`);
  return {
    tables: periods
      .map(({ within }, index) => `sessions_${index} as materialized (${sessionSums(within, sums)}),`)
      .join('\n'),
    rows: periods.flatMap(({ first }, index) => [
      `select ${first} name, point, ${columns.join(', ')} from sessions_${index}`,
      `select ${first} '', point, ${negative.join(', ')} from sessions_${index}`,
    ]),
    having: `having name <> '' or sum(requests) > 0`,
  };
}
