import { type Sql, type SqlRunner, type TransactionOptions, UNHURRIED } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { type RecordedRefusal, storedShortage } from './recorded-refusal.ts';
import type { RefusalBatch } from './refusal-recorder.ts';

const DAY_MS = 86_400_000;
/** How many refusals of a workspace with the same code are kept, at most: a flood of one code drops no refusal with another. */
export const KEPT_OF_CODE = 1_000;

/** No refusal is worth a wait for the disk. */
const LIMITS: TransactionOptions = { statementMsMax: 5_000, settings: { synchronous_commit: 0 } };

const INSERT = `
  insert into refusals (request_id, workspace_id, project_id, key_id, refused_at, code, status, endpoint, model, param,
    retry_after_ms, shortage, rate)
  select request_id, workspace_id, project_id, key_id, to_timestamp(at_ms / 1000.0), code, status, endpoint, model, param,
    retry_after_ms, shortage, rate
  from json_to_recordset($1) as given (request_id uuid, workspace_id uuid, project_id uuid, key_id uuid, at_ms bigint,
    code text, status int, endpoint text, model text, param text, retry_after_ms bigint, shortage jsonb, rate jsonb)
  on conflict do nothing`;

// In the order of ids, as every process does it, so that none waits for another in a circle.
const COUNT = `
  insert into unrecorded_refusals (workspace_id, hour, requests)
  select workspace_id, date_trunc('hour', now(), 'UTC'), requests
  from unnest($1::uuid[], $2::bigint[]) as given (workspace_id, requests) order by workspace_id
  on conflict (workspace_id, hour) do update set requests = unrecorded_refusals.requests + excluded.requests`;

const TRIM = `
  delete from refusals using (
    select given.id, given.code, (
      select request_id from refusals
      where workspace_id = given.id and code = given.code order by request_id desc offset $3 - 1 limit 1
    ) as least
    from unnest($1::uuid[], $2::text[]) as given (id, code)
  ) bound
  where refusals.workspace_id = bound.id and refusals.code = bound.code and refusals.request_id < bound.least`;

/** Writes a batch, then deletes what its workspaces have beyond their newest with its codes. */
export async function writeRefusals(sql: Sql, { records, unrecorded }: RefusalBatch): Promise<void> {
  await sql.transaction(async (tx) => {
    if (records.length > 0) await tx.query(INSERT, [JSON.stringify(records.map(rowOf))]);
    if (unrecorded.size > 0) await tx.query(COUNT, [[...unrecorded.keys()], [...unrecorded.values()]]);
  }, LIMITS);
  if (records.length === 0) return;
  const kinds = new Map(records.map(({ workspaceId, code }) => [`${workspaceId} ${code}`, { workspaceId, code }]));
  const [ids, codes] = [
    [...kinds.values()].map((kind) => kind.workspaceId),
    [...kinds.values()].map(({ code }) => code),
  ];
  await sql.transaction((tx) => tx.query(TRIM, [ids, codes, KEPT_OF_CODE]), LIMITS);
}

function rowOf(record: RecordedRefusal): object {
  const { shortage } = record;
  return {
    request_id: record.requestId,
    workspace_id: record.workspaceId,
    project_id: record.projectId,
    key_id: record.keyId,
    at_ms: record.atMs,
    code: record.code,
    status: record.status,
    endpoint: record.endpoint,
    model: record.model,
    param: record.param,
    retry_after_ms: record.retryAfterMs,
    shortage: shortage === null ? null : storedShortage(shortage),
    rate: record.rate,
  };
}

/** Deletes refusals that are older than so many days, and counts of unrecorded ones after a day. */
export async function pruneRefusals(sql: SqlRunner, keepDays: number, nowMs: number): Promise<void> {
  const least = leastUuid7At(nowMs - keepDays * DAY_MS);
  await sql.query('delete from refusals where request_id < $1', [least], UNHURRIED);
  await sql.query("delete from unrecorded_refusals where hour < now() - interval '1 day'", [], UNHURRIED);
}
