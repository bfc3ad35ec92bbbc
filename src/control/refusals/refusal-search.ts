import type { RefusalCode } from '../../domain/refusals.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { isUuid, leastUuid7At } from '../../lib/uuid7.ts';
import { readShortage, type RecordedRefusal, type StoredShortage } from './recorded-refusal.ts';

// Refusals that are kept, newest first. A workspace has 1,000 of each code at most, so that a list reads them all to filter them. What is
// counted is counted of the last 24 hours.

export const COUNTED_MS = 86_400_000;

/** Which refusals are listed; each field that is left out lets all through. */
export interface RefusalFilter {
  readonly code?: RefusalCode;
  /** Statuses of HTTP, both ends included. */
  readonly statuses?: { readonly least: number; readonly most: number };
  readonly keyId?: string;
  readonly projectId?: string;
  readonly model?: string;
  /** When the request arrived: from here on, and before here. */
  readonly from?: Date;
  readonly to?: Date;
}

/** Which refusals of the instance are listed. */
export interface OperatorRefusalFilter extends Omit<RefusalFilter, 'keyId' | 'projectId'> {
  readonly workspaceId?: string;
}

/** A refusal with the names of what it belongs to. */
export interface StoredRefusal extends RecordedRefusal {
  readonly workspaceName: string;
  readonly projectName: string;
  readonly keyName: string;
}

/** A page of refusals. */
export interface RefusalPage extends Page<StoredRefusal> {
  /** How many refusals of the last 24 hours were not recorded, at most. */
  readonly unrecorded: number;
}

interface RefusalRow extends Omit<StoredRefusal, 'atMs' | 'retryAfterMs' | 'shortage'> {
  readonly at: Date;
  readonly retryAfterMs: bigint | null;
  readonly shortage: StoredShortage | null;
}

const COLUMNS = `
  refusals.request_id as "requestId", refusals.workspace_id as "workspaceId",
  workspaces.name as "workspaceName", refusals.project_id as "projectId", projects.name as "projectName",
  refusals.key_id as "keyId", keys.name as "keyName", refusals.refused_at as at, refusals.code, refusals.status,
  refusals.endpoint, refusals.model, refusals.param, refusals.retry_after_ms as "retryAfterMs", refusals.shortage,
  refusals.rate`;

const NAMED = `
  join workspaces on workspaces.id = refusals.workspace_id
  join projects on projects.workspace_id = refusals.workspace_id and projects.id = refusals.project_id
  join keys on keys.workspace_id = refusals.workspace_id and keys.id = refusals.key_id`;

/** SQL for rows of the workspace that a parameter names; or with null of all that live in this cell. */
export function ofWorkspaceSql(parameter: number): string {
  const livesHere = 'workspace_id <> all (array(select id from workspaces where moved_to is not null))';
  return `($${parameter}::uuid is null and ${livesHere} or workspace_id = $${parameter})`;
}

const COUNT_UNRECORDED = `
  select coalesce(sum(requests), 0)::bigint as requests from unrecorded_refusals
  where ${ofWorkspaceSql(1)} and hour >= now() - interval '1 day'`;

/** How many requests of the workspace were refused in the last 24 hours. */
export interface RefusalCount {
  /** Of which there are records. */
  readonly recorded: number;
  /** The most of which there are none. */
  readonly unrecorded: number;
}

/** Counts the refusals of the last 24 hours that the scope covers. */
export async function countRefusals(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  nowMs: number,
): Promise<RefusalCount> {
  const [recorded] = await sql.query<{ requests: bigint }>(
    `select count(*) as requests from refusals where workspace_id = $1 and request_id >= $2 and ${madeBySql(3)}`,
    [workspaceId, leastUuid7At(nowMs - COUNTED_MS), ownOnlyOf],
  );
  return {
    recorded: Number(recorded?.requests ?? 0n),
    unrecorded: await unrecordedOf(sql, { workspaceId, madeBy: ownOnlyOf }),
  };
}

/** SQL for a condition on refusals: of the keys of the user who is this parameter, or of all if it is null. */
const madeBySql = (parameter: number): string => `(
  $${parameter}::uuid is null
  or exists (select from keys where keys.workspace_id = refusals.workspace_id and keys.id = refusals.key_id and created_by = $${parameter})
)`;

/** The refusals of a workspace or with null of all, and of them those of one user's keys or with null all. */
interface RefusalOwner {
  readonly workspaceId: string | null;
  readonly madeBy: string | null;
}

/** How many refusals were not recorded. Whose keys they were of is not known, so that of one user's it is none. */
async function unrecordedOf(sql: SqlRunner, { workspaceId, madeBy }: RefusalOwner): Promise<number> {
  return madeBy === null ? await unrecordedRefusals(sql, workspaceId) : 0;
}

/** How many refusals of the workspace, or with null of all, were not recorded in the last 24 hours, at most. */
export async function unrecordedRefusals(sql: SqlRunner, workspaceId: string | null): Promise<number> {
  const [counted] = await sql.query<{ requests: bigint }>(COUNT_UNRECORDED, [workspaceId]);
  return Number(counted?.requests ?? 0n);
}

/** The least id that a filter lets through, `sinceMs` unless it says so, and the one from which on it does not; null: there is no end. */
export function timesOf({ from, to }: Pick<RefusalFilter, 'from' | 'to'>, sinceMs: number) {
  return {
    start: leastUuid7At(from?.getTime() ?? sinceMs),
    end: to === undefined ? null : leastUuid7At(to.getTime()),
  };
}

/** Lists the refusals that the scope covers, newest first. */
export async function listRefusals(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf: madeBy }: WorkspaceScope,
  filter: RefusalFilter,
  page: PageRequest,
): Promise<RefusalPage> {
  return await list(sql, { workspaceId, madeBy }, filter, page);
}

/** Lists the refusals of all workspaces, or of one, newest first. */
export async function listAllRefusals(
  sql: SqlRunner,
  _operator: OperatorScope,
  { workspaceId, ...filter }: OperatorRefusalFilter,
  page: PageRequest,
): Promise<RefusalPage> {
  return await list(sql, { workspaceId: workspaceId ?? null, madeBy: null }, filter, page);
}

async function list(
  sql: SqlRunner,
  owner: RefusalOwner,
  filter: RefusalFilter,
  page: PageRequest,
): Promise<RefusalPage> {
  const { workspaceId, madeBy } = owner;
  const { code, statuses, keyId, projectId, model } = filter;
  const { start, end } = timesOf(filter, 0);
  const wanted = [code, keyId, projectId, model, statuses?.least, statuses?.most].map((value) => value ?? null);
  const { items, next } = await readPage(page, (after, count) =>
    sql.query<RefusalRow & { readonly id: string }>(
      `select refusals.request_id as id, ${COLUMNS} from refusals ${NAMED}
       where ${workspaceId === null ? 'workspaces.moved_to is null and $1::uuid is null' : 'refusals.workspace_id = $1'}
         and refusals.request_id >= $2 and ($3::uuid is null or refusals.request_id < $3)
         and ($4::uuid is null or refusals.request_id < $4)
         and ($5::text is null or refusals.code = $5) and ($6::uuid is null or refusals.key_id = $6)
         and ($7::uuid is null or refusals.project_id = $7) and ($8::text is null or refusals.model = $8)
         and ($9::integer is null or refusals.status between $9 and $10::integer)
         and ${madeBySql(12)}
       order by refusals.request_id desc limit $11`,
      [workspaceId, start, end, after, ...wanted, count, madeBy],
    ),
  );
  return {
    items: items.map(({ id: requestId, ...row }) => toRefusal({ ...row, requestId })),
    next,
    unrecorded: await unrecordedOf(sql, owner),
  };
}

/** The refusal of a request, of those that the scope covers; null if there is none. */
export async function findRefusal(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  requestId: string,
): Promise<StoredRefusal | null> {
  if (!isUuid(requestId)) return null;
  const [row] = await sql.query<RefusalRow>(
    `select ${COLUMNS} from refusals ${NAMED} where refusals.workspace_id = $1 and refusals.request_id = $2 and ${madeBySql(3)}`,
    [workspaceId, requestId, ownOnlyOf],
  );
  return row === undefined ? null : toRefusal(row);
}

/** The workspace of a refused request; null if no refusal with this id is kept. */
export async function locateRefusal(sql: SqlRunner, requestId: string): Promise<string | null> {
  if (!isUuid(requestId)) return null;
  const [row] = await sql.query<{ id: string }>('select workspace_id as id from refusals where request_id = $1', [
    requestId,
  ]);
  return row?.id ?? null;
}

function toRefusal({ at, retryAfterMs, shortage, ...row }: RefusalRow): StoredRefusal {
  return {
    ...row,
    atMs: at.getTime(),
    retryAfterMs: retryAfterMs === null ? null : Number(retryAfterMs),
    shortage: shortage === null ? null : readShortage(shortage),
  };
}
