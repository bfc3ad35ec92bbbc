import type { RefusalCode } from '../../domain/refusals.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import {
  type OperatorRefusalFilter,
  COUNTED_MS,
  ofWorkspaceSql,
  timesOf,
  unrecordedRefusals,
} from './refusal-search.ts';

// How many requests of all workspaces were refused in the last 24 hours, and by what.

/** The newest refusals that are counted. Each workspace has 1,000 of a code at most, so these are the refusals of 100 floods. */
const COUNTED_MAX = 100_000;
const NAMED_MAX = 50;

export interface RefusalCounts {
  /** By the hour in which they were refused, and their code; in this order. */
  readonly hours: readonly { readonly hour: Date; readonly code: RefusalCode; readonly requests: number }[];
  /** Those with the most. */
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly requests: number }[];
  readonly models: readonly { readonly model: string; readonly requests: number }[];
  /** When the oldest of them was refused, if there are more than are counted; null: all are. */
  readonly countedFrom: Date | null;
  /** How many refusals were not recorded, at most. */
  readonly unrecorded: number;
}

interface CountRow {
  readonly kind: 'hour' | 'workspace' | 'model' | 'oldest';
  readonly at: Date | null;
  readonly id: string | null;
  readonly name: string | null;
  readonly requests: number;
}

const COUNT = `
  with counted as materialized (
    select workspace_id, refused_at, code, model from refusals
    where ${ofWorkspaceSql(1)} and request_id >= $2 and ($3::uuid is null or request_id < $3)
      and ($4::text is null or code = $4) and ($5::text is null or model = $5)
      and ($6::integer is null or status between $6 and $7::integer)
    order by request_id desc limit ${COUNTED_MAX}
  )
  (
    select 'hour' as kind, date_trunc('hour', refused_at, 'UTC') as at, null::uuid as id, code as name,
      count(*)::integer as requests
    from counted group by 2, 4 order by 2, 4
  ) union all (
    select 'workspace', null, w.id, w.name, count(*)::integer
    from counted c join workspaces w on w.id = c.workspace_id group by w.id order by count(*) desc, w.id limit ${NAMED_MAX}
  ) union all (
    select 'model', null, null, model, count(*)::integer
    from counted where model is not null group by model order by count(*) desc, model limit ${NAMED_MAX}
  ) union all (
    select 'oldest', min(refused_at), null, null, count(*)::integer from counted
  )`;

/** Counts the refusals of all workspaces, or of one, in the last 24 hours. */
export async function countAllRefusals(
  sql: SqlRunner,
  _operator: OperatorScope,
  filter: OperatorRefusalFilter,
  nowMs: number,
): Promise<RefusalCounts> {
  const { workspaceId = null, code = null, model = null, statuses } = filter;
  const { start, end } = timesOf(filter, nowMs - COUNTED_MS);
  const rows = await sql.query<CountRow>(COUNT, [
    workspaceId,
    start,
    end,
    code,
    model,
    statuses?.least ?? null,
    statuses?.most ?? null,
  ]);
  const of = (kind: CountRow['kind']) => rows.filter((row) => row.kind === kind);
  const [oldest] = of('oldest');
  return {
    hours: of('hour').flatMap(({ at, name, requests }) =>
      at === null ? [] : [{ hour: at, code: name as RefusalCode, requests }],
    ),
    workspaces: of('workspace').map(({ id, name, requests }) => ({ id: id ?? '', name: name ?? '', requests })),
    models: of('model').map(({ name, requests }) => ({ model: name ?? '', requests })),
    countedFrom: oldest?.requests === COUNTED_MAX ? oldest.at : null,
    unrecorded: await unrecordedRefusals(sql, workspaceId),
  };
}
