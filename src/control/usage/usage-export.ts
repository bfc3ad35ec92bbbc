import type { Refusal } from '../../domain/refusals.ts';
import { isReceiptGrouping, type UsageGrouping } from '../../domain/usage-groupings.ts';
import { type OperatorScope, seesCosts, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql } from '../../lib/sql.ts';
import { STARTS, withMembers } from './bucket-tables.ts';
import { sumsOf } from './measures.ts';
import { bucketStart, type Stretch } from './segments.ts';
import { groupParts, NO_GROUPS } from './receipt-groups.ts';
import { filterIn, notCountedYet, sumsOfRow, USAGE_LIMITS, type UsageSums } from './usage-report.ts';
import {
  bucketsIn,
  columnsOf,
  COUNTED,
  groupColumn,
  type Groupings,
  groupsOf,
  type Measures,
  ofWorkspace,
  ownerOf,
  Parameters,
  uncounted,
  type UsageFilter,
} from './usage-sql.ts';

// All usage of a stretch of time, a row for each group in each bucket. It is read by some days and
// some rows at a time, so that no export is too long for the memory of the database or the program.

export interface UsageExport extends Groupings {
  readonly stretch: Stretch;
  readonly filter: UsageFilter;
  readonly groupBy: UsageGrouping;
  readonly bucket: 'hour' | 'day';
}

export interface UsageRow {
  readonly startsAt: Date;
  readonly group: string;
  /** Of the second grouping; null: there is none. */
  readonly second: string | null;
  readonly sums: UsageSums;
}

interface ExportParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
}

type Row = Readonly<Record<string, unknown>> & { readonly name: string; readonly point: Date };

const ROWS_PER_SLICE = 500;
const DAY_MS = 86_400_000;
/** How many days a slice looks at, unless it may have very many rows. */
const DAYS_PER_SLICE = 31;

/** The refusal of an export while usage is not counted; null if it is. */
export async function refuseUncounted(sql: Sql): Promise<Refusal | null> {
  const counted = await sql.query(COUNTED);
  return counted.length > 0 ? null : notCountedYet();
}

/** The rows, by time and group. Each slice shows its own moment. */
export async function* exportUsage(
  { sql, pacer }: ExportParts,
  scope: WorkspaceScope | OperatorScope,
  { stretch, ...request }: UsageExport,
): AsyncGenerator<readonly UsageRow[], void, undefined> {
  const filter = filterIn(scope, request.filter);
  const measures = { withLatency: false, withCosts: seesCosts(scope) };
  const isFine = ownerOf(request, {}) === 'keys' || isReceiptGrouping(request.groupBy) || request.bucket === 'hour';
  const days = isFine ? 1 : DAYS_PER_SLICE;
  for (const part of partsOf(stretch, days)) {
    let last: Row | null = null;
    do {
      const { text, values } = sliceStatement(part, { ...request, ...measures, filter }, last);
      const rows: readonly Row[] = await pacer.slice(() =>
        sql.transaction((tx) => tx.query<Row>(text, values), USAGE_LIMITS),
      );
      if (rows.length > 0)
        yield rows.map((row) => {
          const [group, second] = groupsOf(row.name, request);
          return { startsAt: row.point, group, second, sums: sumsOfRow(row, measures) };
        });
      last = rows.length < ROWS_PER_SLICE ? null : (rows.at(-1) ?? null);
    } while (last !== null);
  }
}

/** The stretch, cut after every so many days of UTC. */
function partsOf({ fromMs, toMs }: Stretch, days: number): readonly Stretch[] {
  const cuts: number[] = [fromMs];
  for (let cut = bucketStart('day', fromMs) + days * DAY_MS; cut < toMs; cut += days * DAY_MS) cuts.push(cut);
  return cuts.map((cut, index) => ({ fromMs: cut, toMs: cuts[index + 1] ?? toMs }));
}

function sliceStatement(
  stretch: Stretch,
  { filter, groupBy, andBy, bucket, ...measures }: Omit<UsageExport, 'stretch'> & Measures,
  last: Row | null,
): { readonly text: string; readonly values: Parameters['values'] } {
  const parameters = new Parameters();
  const columns = columnsOf(measures);
  const select = `${groupColumn({ groupBy, andBy })} as name, ${STARTS[bucket]('starts_at')} as point, ${columns.join(', ')}`;
  const of = ownerOf({ groupBy, andBy }, filter);
  const grains = bucket === 'day' ? (['day'] as const) : [];
  const late = uncounted(stretch, { filter, columns, parameters });
  const sums = { columns, parameters, point: STARTS[bucket]('starts_at') };
  const ofReceipts = isReceiptGrouping(groupBy)
    ? groupParts([{ within: stretch, first: '' }], { ...sums, by: groupBy, filter: ofWorkspace(filter) })
    : NO_GROUPS;
  const rows = [
    ...ofReceipts.rows,
    ...bucketsIn(stretch, { of, grains, select, filter, parameters }),
    `select ${select} from ${of === 'members' ? withMembers('late') : 'late'} as late_rows`,
  ];
  const after =
    last === null
      ? ''
      : `where (point, name) > (${parameters.add(last.point, 'timestamptz')}, ${parameters.add(last.name, 'text')})`;
  const text = `
    with counted as materialized (${COUNTED}), late as materialized (${late}), ${ofReceipts.tables} sums as (
      select name, point, ${sumsOf(columns)} from (${rows.join(' union all ')}) as buckets group by 1, 2 ${ofReceipts.having}
    )
    select * from sums ${after} order by point, name limit ${ROWS_PER_SLICE}`;
  return { text, values: parameters.values };
}
