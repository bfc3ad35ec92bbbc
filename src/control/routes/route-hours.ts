import type { OperatorScope } from '../../domain/workspace-scope.ts';
import { type Sql, type SqlRunner, type TransactionOptions, UNHURRIED } from '../../lib/sql.ts';
import {
  addAttempts,
  type AttemptCounts,
  type LastFault,
  noAttempts,
  type RouteCounts,
  type RoutePlace,
} from './route-counts.ts';

// How the attempts at routes ended, by hour, summed over all processes of all instances on the database. A day has 24 rows of
// each route at most.

/** No count is worth a wait for the disk. */
const LIMITS: TransactionOptions = { statementMsMax: 5_000, settings: { synchronous_commit: 0 } };

// Rows are taken in one order, as every process does it, so that none waits for another in a circle.
const ADD = `
  insert into route_hours as stored (hour, model, provider, upstream_model, answered, rejected, abandoned, faults,
    first_event, whole, answered_at, fault_at, fault)
  select date_trunc('hour', now(), 'UTC'), model, provider, upstream_model, answered, rejected, abandoned, faults,
    first_event, whole, to_timestamp(answered_at_ms / 1000.0), to_timestamp(fault_at_ms / 1000.0), fault
  from json_to_recordset($1) as given (model text, provider text, upstream_model text, answered bigint, rejected bigint,
    abandoned bigint, faults jsonb, first_event bigint[], whole bigint[], answered_at_ms bigint, fault_at_ms bigint,
    fault jsonb)
  order by model collate "C", provider collate "C", upstream_model collate "C"
  on conflict (hour, model, provider, upstream_model) do update set
    answered = stored.answered + excluded.answered,
    rejected = stored.rejected + excluded.rejected,
    abandoned = stored.abandoned + excluded.abandoned,
    faults = (
      select coalesce(jsonb_object_agg(kind, attempts), '{}') from (
        select kind, sum(count::bigint) as attempts from (
          select * from jsonb_each_text(stored.faults) union all select * from jsonb_each_text(excluded.faults)
        ) as each (kind, count) group by kind
      ) as summed
    ),
    first_event = ${sumOfEach('first_event')},
    whole = ${sumOfEach('whole')},
    answered_at = greatest(stored.answered_at, excluded.answered_at),
    fault = case when stored.fault_at > excluded.fault_at then stored.fault else coalesce(excluded.fault, stored.fault) end,
    fault_at = greatest(stored.fault_at, excluded.fault_at)`;

function sumOfEach(column: string): string {
  return `array(
      select kept + more from unnest(stored.${column}, excluded.${column}) with ordinality as each (kept, more, class)
      order by class
    )`;
}

/** Adds counts to those of this hour. */
export async function addRouteCounts(sql: Sql, counts: readonly RouteCounts[]): Promise<void> {
  await sql.transaction((tx) => tx.query(ADD, [JSON.stringify(counts.map(rowOf))]), LIMITS);
}

function rowOf({ upstreamModel, faults, firstEvent, answeredAtMs, fault, ...counts }: RouteCounts): object {
  return {
    ...counts,
    upstream_model: upstreamModel,
    faults: Object.fromEntries(faults),
    first_event: firstEvent,
    answered_at_ms: answeredAtMs,
    fault_at_ms: fault?.atMs ?? null,
    fault: fault === null ? null : { kind: fault.kind, status: fault.status, request_id: fault.requestId },
  };
}

/** How the attempts at routes ended in the last 24 hours, counted by whole hours. */
export interface RouteDay {
  /** The first moment that is counted. */
  readonly since: Date;
  readonly routes: readonly Readonly<RouteCounts>[];
}

interface HourRow extends RoutePlace {
  readonly answered: bigint;
  readonly rejected: bigint;
  readonly abandoned: bigint;
  readonly faults: Readonly<Record<string, number>>;
  readonly firstEvent: readonly bigint[];
  readonly whole: readonly bigint[];
  readonly answeredAt: Date | null;
  readonly faultAt: Date | null;
  readonly fault: { readonly kind: string; readonly status: number | null; readonly request_id: string } | null;
}

const SINCE = `date_trunc('hour', now(), 'UTC') - interval '23 hours'`;

/** Reads the counts of the last 24 hours: of this hour and of the 23 before it. */
export async function readRouteDay(sql: SqlRunner, _operator: OperatorScope): Promise<RouteDay> {
  const [window] = await sql.query<{ since: Date }>(`select ${SINCE} as since`);
  const since = window?.since ?? new Date();
  const rows = await sql.query<HourRow>(
    `select model, provider, upstream_model as "upstreamModel", answered, rejected, abandoned, faults, first_event as "firstEvent",
       whole, answered_at as "answeredAt", fault_at as "faultAt", fault
     from route_hours where hour >= $1 order by hour`,
    [since],
  );
  const byRoute = Map.groupBy(rows, ({ model, provider, upstreamModel }) =>
    JSON.stringify([model, provider, upstreamModel]),
  );
  return { since, routes: [...byRoute.values()].flatMap(sumOf) };
}

function sumOf(hours: readonly HourRow[]): RouteCounts[] {
  const [first] = hours;
  if (first === undefined) return [];
  const { model, provider, upstreamModel } = first;
  const sum = { model, provider, upstreamModel, ...noAttempts() };
  for (const hour of hours) addAttempts(sum, countsOf(hour));
  return [sum];
}

function countsOf(row: HourRow): AttemptCounts {
  return {
    answered: Number(row.answered),
    rejected: Number(row.rejected),
    abandoned: Number(row.abandoned),
    faults: new Map(Object.entries(row.faults)),
    firstEvent: row.firstEvent.map(Number),
    whole: row.whole.map(Number),
    answeredAtMs: row.answeredAt?.getTime() ?? null,
    fault: faultOf(row),
  };
}

function faultOf({ faultAt, fault }: HourRow): LastFault | null {
  if (faultAt === null || fault === null) return null;
  return { atMs: faultAt.getTime(), kind: fault.kind, status: fault.status, requestId: fault.request_id };
}

/** Deletes counts that no day has any more. */
export async function pruneRouteHours(sql: SqlRunner): Promise<void> {
  await sql.query(`delete from route_hours where hour < ${SINCE}`, [], UNHURRIED);
}
