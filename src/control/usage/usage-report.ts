import { TOKEN_CLASSES, type TokenClass } from '../../domain/usage.ts';
import { isReceiptGrouping, type UsageGrouping } from '../../domain/usage-groupings.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { OperatorScope, seesCosts, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { lazily } from '../../lib/slices.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { STARTS, withMembers } from './bucket-tables.ts';
import { BUCKET_LIMITS } from './folding.ts';
import { HISTOGRAMS, sumsOf } from './measures.ts';
import type { Stretch } from './segments.ts';
import {
  GROUPED_RECEIPTS_MAX,
  type GroupParts,
  groupParts,
  type GroupSums,
  NO_GROUPS,
  refuseManyReceipts,
} from './receipt-groups.ts';
import {
  type BucketOwner,
  bucketsIn,
  columnsOf,
  COUNTED,
  groupColumn,
  type Groupings,
  groupsOf,
  isOfKeys,
  type Measures,
  ofWorkspace,
  ownerOf,
  Parameters,
  uncounted,
  type UsageFilter,
} from './usage-sql.ts';

// Usage of a stretch of time in one answer: its total, the groups that were charged most, and the course of each over time.
// One statement reads it all, so that the parts add up.

/** What is wanted. */
export interface UsageRequest extends Groupings {
  readonly stretch: Stretch;
  readonly filter: UsageFilter;
  /** How many groups are named; the others are one. */
  readonly groupsMax: number;
  /** The length of the points in time; null: none. */
  readonly bucket: 'hour' | 'day' | null;
  /** The stretch before, with which it is compared; null: none. */
  readonly before: Stretch | null;
  /** Whether histograms are wanted; usage of keys has none, and so that of a member's own. */
  readonly withLatency: boolean;
}

/** What requests used. Amounts in nano-USD. */
export interface UsageSums {
  readonly requests: bigint;
  readonly charge: NanoUsd;
  /** What corrections gave back, or took if negative. */
  readonly corrected: NanoUsd;
  readonly writeOff: NanoUsd;
  readonly tokens: Readonly<Record<TokenClass, bigint>>;
  /** Requests in each class of `DURATION_CLASSES_MS` and above; null if not wanted. */
  readonly latency: Readonly<Record<keyof typeof HISTOGRAMS, readonly bigint[]>> | null;
  /** What providers asked, as far as that is known, and for how many requests it is; null to all but the operator. */
  readonly costs: { readonly amount: NanoUsd; readonly requests: bigint } | null;
}

export interface UsagePoint {
  readonly startsAt: Date;
  readonly sums: UsageSums;
}

export interface UsageGroup {
  /** The model, outcome, dialect, or id; empty for the one group of usage that isn't grouped. */
  readonly group: string;
  /** The present name of a project, key or workspace. */
  readonly name: string | null;
  /** Of the second grouping; null: there is none. */
  readonly second: { readonly group: string; readonly name: string | null } | null;
  readonly sums: UsageSums;
  readonly before: UsageSums | null;
  /** Points in time that have usage, in their order, read as they are gone through. */
  readonly points: Iterable<UsagePoint>;
}

export interface UsageReport {
  readonly total: UsageSums;
  readonly before: UsageSums | null;
  /** Those that were charged most first. */
  readonly groups: readonly UsageGroup[];
  /** All that the groups leave. */
  readonly others: UsageSums;
  /** Points in time of all groups together, and those of the stretch before; without usage there is none. */
  readonly points: Iterable<UsagePoint>;
  readonly pointsBefore: Iterable<UsagePoint>;
}

/** A row as text, in few columns, as all rows are read together: their sums are read in slices. */
interface Row {
  readonly kind: 'total' | 'group' | 'point' | 'course';
  readonly is_before: boolean;
  readonly name: string;
  readonly label: string | null;
  readonly second_label: string | null;
  /** When the point begins, in milliseconds; null for sums of the whole time. */
  readonly starts_ms: bigint | null;
  /** The columns of the measures, in their order, with commas between them; without usage each is NULL. */
  readonly sums: string;
}

/** Sums by their columns; null is that of nothing. */
type SumsByColumn = Readonly<Record<string, unknown>>;

function sumsByColumn({ sums }: Row, columns: readonly string[]): SumsByColumn {
  const values = sums.split(',');
  return Object.fromEntries(
    columns.map((column, index) => {
      const value = values[index] ?? 'NULL';
      return [column, value === 'NULL' ? null : BigInt(value)];
    }),
  );
}

/** What questions about usage need: memory for sums by key, in kB, besides. */
export const USAGE_LIMITS = {
  ...BUCKET_LIMITS,
  statementMsMax: 10_000,
  settings: { ...BUCKET_LIMITS.settings, work_mem: 32_768 },
};
const RETRY_AFTER_MS = 5_000;

/** The refusal of usage whose buckets are still to be made. */
export function notCountedYet(): Refusal {
  const message = 'Usage is being counted from the receipts: try again in a moment.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
}

/** The filter that a scope allows: in a workspace, never another's. */
export function filterIn(scope: WorkspaceScope | OperatorScope, filter: UsageFilter): UsageFilter {
  return scope instanceof OperatorScope ? filter : { ...filter, workspaceId: scope.workspaceId };
}

/** The request within a scope; of one that covers a member's own things alone, usage is that of the keys that they have made. */
async function inScope(
  tx: SqlRunner,
  scope: WorkspaceScope | OperatorScope,
  request: UsageRequest,
): Promise<UsageRequest & Measures> {
  const filter = filterIn(scope, request.filter);
  const withCosts = seesCosts(scope);
  if (scope instanceof OperatorScope || scope.ownOnlyOf === null) return { ...request, filter, withCosts };
  const keys = await tx.query<{ id: string }>('select id from keys where workspace_id = $1 and created_by = $2', [
    scope.workspaceId,
    scope.ownOnlyOf,
  ]);
  return { ...request, filter: { ...filter, keyIds: keys.map(({ id }) => id) }, withLatency: false, withCosts };
}

/** Adds up the usage that a scope covers, of all for the operator. Refused until all receipts were counted once. */
export async function readUsage(
  sql: Sql,
  scope: WorkspaceScope | OperatorScope,
  request: UsageRequest,
  receiptsMax = GROUPED_RECEIPTS_MAX,
): Promise<UsageReport | Refusal> {
  return await sql.transaction(async (tx) => {
    const wanted = await inScope(tx, scope, request);
    const refused = await refuseReceipts(tx, wanted, receiptsMax);
    if (refused !== null) return refused;
    const { text, values } = reportStatement(wanted);
    return answerOf(await tx.query<Row>(text, values), wanted);
  }, USAGE_LIMITS);
}

/** Refuses usage of a time that has too many receipts to be added up; null for usage that buckets have. */
async function refuseReceipts(
  tx: SqlRunner,
  { groupBy, filter, stretch, before }: UsageRequest,
  most: number,
): Promise<Refusal | null> {
  if (!isReceiptGrouping(groupBy)) return null;
  const { workspaceId } = ofWorkspace(filter);
  for (const each of before === null ? [stretch] : [stretch, before]) {
    const refusal = await refuseManyReceipts(tx, groupBy, workspaceId, each, most);
    if (refusal !== null) return refusal;
  }
  return null;
}

function answerOf(rows: readonly Row[], wanted: UsageRequest & Measures): UsageReport | Refusal {
  return rows.some(({ kind }) => kind === 'total') ? reportOf(rows, wanted) : notCountedYet();
}

/** A report may have thousands of points, so these are read as they are gone through. */
function reportOf(rows: readonly Row[], { before, ...request }: UsageRequest & Measures): UsageReport {
  const columns = columnsOf(request);
  const sums = (row: Row | undefined): UsageSums =>
    sumsOfRow(row === undefined ? null : sumsByColumn(row, columns), request);
  const find = (kind: Row['kind'], isBefore: boolean): readonly Row[] =>
    rows.filter((row) => row.kind === kind && row.is_before === isBefore);
  const ofGroups = find('group', false);
  const former = new Map(find('group', true).map((row) => [row.name, row]));
  const pointOf = (row: Row): UsagePoint => ({
    startsAt: new Date(Number(row.starts_ms ?? Number.NaN)),
    sums: sums(row),
  });
  const pointsOf = (found: readonly Row[]): Iterable<UsagePoint> => lazily(found, pointOf);
  const points = Map.groupBy(find('point', false), ({ name }) => name);
  const groups = ofGroups.map((row) => {
    const [group, second] = groupsOf(row.name, request);
    return {
      group,
      name: row.label,
      second: second === null ? null : { group: second, name: row.second_label },
      sums: sums(row),
      before: before === null ? null : sums(former.get(row.name)),
      points: pointsOf(points.get(row.name) ?? []),
    };
  });
  const [total] = find('total', false);
  const rest = restOf(
    total === undefined ? null : sumsByColumn(total, columns),
    ofGroups.map((row) => sumsByColumn(row, columns)),
    columns,
  );
  return {
    total: sums(total),
    before: before === null ? null : sums(find('total', true)[0]),
    groups,
    others: sumsOfRow(rest, request),
    points: pointsOf(find('course', false)),
    pointsBefore: pointsOf(find('course', true)),
  };
}

/** A sum of a row, in which that of nothing is null. */
function sumIn(row: SumsByColumn | null, column: string): bigint {
  return (row?.[column] as bigint | null | undefined) ?? 0n;
}

/** The sums of a row. */
export function sumsOfRow(row: SumsByColumn | null, { withLatency, withCosts }: Measures): UsageSums {
  const sum = (column: string): bigint => sumIn(row, column);
  const tokens = TOKEN_CLASSES.map((tokenClass) => [tokenClass, sum(`${tokenClass}_tokens`)] as const);
  return {
    requests: sum('requests'),
    charge: sum('charge_nano_usd'),
    corrected: sum('corrected_nano_usd'),
    writeOff: sum('write_off_nano_usd'),
    tokens: Object.fromEntries(tokens) as Record<TokenClass, bigint>,
    latency: withLatency
      ? { duration: HISTOGRAMS.duration.map(sum), first_event: HISTOGRAMS.first_event.map(sum) }
      : null,
    costs: withCosts ? { amount: sum('cost_nano_usd'), requests: sum('costed_requests') } : null,
  };
}

/** What the rows of groups leave of each of these columns of the total's. */
function restOf(
  total: SumsByColumn | null,
  groups: readonly SumsByColumn[],
  columns: readonly string[],
): Readonly<Record<string, bigint>> {
  const rest = (column: string): bigint =>
    groups.reduce((left, group) => left - sumIn(group, column), sumIn(total, column));
  return Object.fromEntries(columns.map((column) => [column, rest(column)]));
}

/** SQL for the present name of a group, out of SQL for its value. A user has one here only as a member. */
const LABELS: Partial<Record<UsageGrouping, (group: string) => string>> = {
  project: (group) => `(select name from projects where projects.id = (${group})::uuid)`,
  key: (group) => `(select name from keys where keys.id = (${group})::uuid)`,
  workspace: (group) => `(select name from workspaces where workspaces.id = (${group})::uuid)`,
  member: (group) => `(
    select email from users where users.id = nullif(${group}, '')::uuid
      and exists (select from members join filtered on workspace_id = coalesce(filtered.id, workspace_id) where user_id = users.id)
  )`,
};

/** SQL for the two labels of a named group, one for each grouping. */
function labelsOf({ groupBy, andBy = null }: Groupings): string {
  const label = (by: UsageGrouping | null, group: string): string =>
    (by === null ? undefined : LABELS[by])?.(group) ?? 'null::text';
  if (andBy === null) return `${label(groupBy, 'named.name')}, null::text`;
  return `${label(groupBy, 'named.name::json ->> 0')}, ${label(andBy, 'named.name::json ->> 1')}`;
}

/** Whether sums of keys' months are enough, which have nothing but their keys, projects and workspaces. */
function areMonthsEnough({ groupBy, andBy = null, bucket, filter, withLatency }: UsageRequest): boolean {
  const areOfKeys = [groupBy, andBy].every(
    (by) => by === null || by === 'key' || by === 'project' || by === 'workspace',
  );
  return areOfKeys && bucket === null && !isOfKeys(filter) && isByMonth(filter) && !withLatency;
}

interface Period {
  readonly within: Stretch;
  readonly isBefore: boolean;
  /** The table of its receipts that are not counted yet. */
  readonly late: string;
}

function periodsOf({ stretch, before }: UsageRequest): readonly Period[] {
  const own = { within: stretch, isBefore: false, late: 'late' };
  return before === null ? [own] : [own, { within: before, isBefore: true, late: 'late_before' }];
}

/** What usage that is added up from receipts adds to a report; nothing to any other. */
function receiptGroupsOf(request: UsageRequest, sums: Omit<GroupSums, 'by' | 'filter'>): GroupParts {
  const { groupBy: by } = request;
  if (!isReceiptGrouping(by)) return NO_GROUPS;
  return groupParts(
    periodsOf(request).map(({ within, isBefore }) => ({ within, first: `${isBefore},` })),
    { ...sums, by, filter: ofWorkspace(request.filter) },
  );
}

/** The statement of a report, with its parameters. Without usage it has a row all the same, unless nothing is counted. */
function reportStatement(request: UsageRequest & Measures): {
  readonly text: string;
  readonly values: Parameters['values'];
} {
  const { filter, groupBy, andBy = null, groupsMax, bucket } = request;
  const parameters = new Parameters();
  const columns = columnsOf(request);
  const byKey = groupBy === 'key' || andBy === 'key';
  const of = ownerOf(request, filter);
  const grains = bucket === 'hour' ? [] : (['day'] as const);
  const late = (name: string, within: Stretch): string =>
    `${name} as materialized (${uncounted(within, { filter, columns, parameters })})`;
  const periods = periodsOf(request);
  const start = bucket === null ? 'null::timestamptz' : STARTS[bucket]('starts_at');
  const rowsOf = (from: BucketOwner, group: string, only: readonly string[] = []): string =>
    periods
      .flatMap(({ within, isBefore, late: lateName }) => {
        const select = `${isBefore} as is_before, ${group} as name, ${start} as point, ${columns.join(', ')}`;
        const ofKeys = from === 'keys' && areMonthsEnough(request);
        const wanted = { of: from, grains: ofKeys ? [...grains, 'month' as const] : grains, select };
        const where = only.length === 0 ? '' : ` where ${only.join(' and ')}`;
        return [
          ...bucketsIn(within, { ...wanted, filter, parameters, only }),
          `select ${select} from ${from === 'members' ? withMembers(lateName) : lateName} as late_rows${where}`,
        ];
      })
      .join('\n union all ');
  const top = byKey ? [`key_id = any (array(select key_id from top))`] : [];
  const ofReceipts = receiptGroupsOf(request, { columns, parameters, point: start });
  const grouped = [rowsOf(of, groupColumn(request), top), ...ofReceipts.rows].join('\n union all ');
  // What is left of the buckets is a group in any case, unless it is nothing.
  const shown = `rank <= ${groupsMax}${isReceiptGrouping(groupBy) ? " or name = ''" : ''}`;
  const written = `array_to_string(array[${columns.join(', ')}], ',', 'NULL') as sums`;
  const startsMs = '(extract(epoch from point) * 1000)::bigint';
  const text = `
    with counted as materialized (${COUNTED}),
    filtered as (select ${parameters.add(filter.workspaceId ?? null, 'uuid')} as id),
    ${periods.map(({ within, late: name }) => late(name, within)).join(',\n')},
    ${byKey ? `top as materialized (${topKeys(request, parameters)}),` : ''}
    ${ofReceipts.tables}
    points as materialized (
      select is_before, name, point, ${sumsOf(columns)} from (${grouped}) as buckets group by 1, 2, 3 ${ofReceipts.having}
    ), named as materialized (
      select is_before, name, ${sumsOf(columns)} from points group by 1, 2
    ), ranked as materialized (
      select name, row_number() over (order by charge_nano_usd - corrected_nano_usd desc, requests desc, name) as rank
      from named where not is_before
    ), course as materialized (
      select is_before, point, ${sumsOf(columns)} from ${byKey ? `(${rowsOf(ownerOf({ groupBy: null }, filter), `''`)}) as buckets` : 'points'} group by 1, 2
    ), totals as (
      select is_before, ${sumsOf(columns)} from course group by 1
    )
    select 'total' as kind, coalesce(is_before, false) as is_before, '' as name, null as label, null as second_label, null::bigint as starts_ms, 0 as rank, ${written}
    from counted left join totals on true
    union all
    select 'group', is_before, name, ${labelsOf(request)}, null, rank, ${written}
    from named join ranked using (name) where ${shown}
    ${
      bucket === null
        ? ''
        : `union all
    select 'point', false, name, null, null, ${startsMs}, rank, ${written}
    from points join ranked using (name) where not is_before and (${shown})
    union all
    select 'course', is_before, '', null, null, ${startsMs}, 0, ${written} from course`
    }
    order by kind, rank, starts_ms`;
  return { text, values: parameters.values };
}

/** Whether sums of a key's months are enough for the filter. */
function isByMonth({ model, outcome, dialect }: UsageFilter): boolean {
  return model === undefined && outcome === undefined && dialect === undefined;
}

/**
 * The keys that were charged most, in the order of groups. Sums for this order alone are of floating point, which takes half the time; no amount
 * that is answered comes from them.
 */
function topKeys({ stretch, filter, groupsMax }: UsageRequest, parameters: Parameters): string {
  const select =
    'key_id, (charge_nano_usd - corrected_nano_usd)::double precision as net, requests::double precision as requests';
  const grains = isByMonth(filter) && !isOfKeys(filter) ? (['month', 'day'] as const) : (['day'] as const);
  const buckets = bucketsIn(stretch, { of: 'keys', grains, select, filter, parameters });
  return `
    select key_id from (${[...buckets, `select ${select} from late`].join(' union all ')}) as sums
    group by key_id order by sum(net) desc, sum(requests) desc, key_id limit ${groupsMax}`;
}

/** The stretch of the same length that ends where this one starts. */
export function stretchBefore({ fromMs, toMs }: Stretch): Stretch {
  return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
}
