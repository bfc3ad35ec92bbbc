import { END_USER_LIMITS_MAX } from '../../domain/end-user.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { NanoUsd } from '../../domain/money.ts';
import type { Period } from '../../domain/window.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { servedSubject } from '../../gate/principals/served-subject.ts';
import { assert } from '../../lib/assert.ts';
import type { Page } from '../../lib/page.ts';
import { readSortedPage, type SortedPageRequest, type SortOrder } from '../../lib/sorted-page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { changedFields, recordAudit } from '../audit/audit.ts';
import { END_USER_SETTINGS, type EndUserSettings } from '../resources/end-user-settings.ts';
import { changedRaise, NOT_RAISED, raiseAt } from '../resources/raise.ts';
import { type Raise, RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { auditedSettings } from '../resources/setting-values.ts';
import { joinStanding, type Standing } from './standing.ts';

// The end users of a project whose limits are set one by one, and how anyone's stands whose name is known. Names are kept here alone:
// audit events have digests of them.

/** An end user of a project, and the state of their limit in the current window. */
export interface EndUser extends EndUserSettings, Raise, Standing {
  /** The subject of their purses. */
  readonly id: string;
  readonly name: string;
  /** Whether the limit is set for them; else it is the project's for each end user. */
  readonly isOwn: boolean;
}

interface EndUserRow extends Standing, Raise {
  readonly id: string;
  readonly name: string;
  readonly isOwn: boolean;
  readonly limit: NanoUsd | null;
}

/** What the list is sorted by. */
export const END_USER_ORDERS = {
  name: { value: 'lower(people.name) collate "C"', type: 'text', direction: 'asc' },
  /** What the present window was charged. */
  spend: { value: 'standing.used', type: 'bigint', direction: 'desc' },
} as const satisfies Record<string, SortOrder>;

/** SQL that selects end users of `people`, whose rows have their limits and the period. */
const STANDING = `standing.used, standing.held, standing.leased, standing.resets_at as "resetsAt"`;
const COLUMNS = `people.id, people.name, people.limit_nano_usd as "limit", people.raised_limit_nano_usd as "raisedLimit",
  people.raised_until as "raisedUntil", people.is_own as "isOwn", ${STANDING}`;

const LIMITED = `(
    select own.*, true as is_own, projects.end_user_period as period
    from end_user_limits own join projects on projects.id = own.project_id
    where own.workspace_id = $WORKSPACE and own.project_id = $PROJECT
  ) people ${joinStanding('end_user', 'people', 'people.period')}`;

const NAMED = `(
    select projects.workspace_id, $3::uuid as id, $4::text as name, projects.end_user_period as period,
      own.id is not null as is_own, limits.*
    from projects cross join lateral served_limit(projects.workspace_id, projects.id, 'end_user', $3) limits
    left join end_user_limits own on own.project_id = projects.id and own.id = $3
    where projects.workspace_id = $1 and projects.id = $2
  ) people ${joinStanding('end_user', 'people', 'people.period')}`;

function toEndUser(row: EndUserRow): EndUser {
  const { raisedLimit, raisedUntil } = row;
  return { ...row, ...raiseAt({ raisedLimit, raisedUntil }, Date.now()) };
}

/** A page of the end users of a project that have limits of their own, by name unless another order is asked for. */
export async function listEndUserLimits(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  projectId: string,
  page: SortedPageRequest<keyof typeof END_USER_ORDERS> = {},
): Promise<Page<EndUser>> {
  const order = END_USER_ORDERS[page.sort ?? 'name'];
  return await readSortedPage(order, 'people.id', page, async ({ place, where, orderBy, values }) => {
    const rows = await sql.query<EndUserRow & { readonly place: string | null }>(
      `select ${COLUMNS}, (${place})::text as place
       from ${LIMITED.replace('$WORKSPACE', '$4').replace('$PROJECT', '$5')}
       where ${where} order by ${orderBy} limit $3`,
      [...values, workspaceId, projectId],
    );
    return rows.map(({ place: at, ...row }) => [toEndUser(row), at] as const);
  });
}

/** The subject of the purses of the project's end user with this name: nothing that a name could be found by. */
export function endUserSubject(projectId: string, name: string): string {
  return servedSubject(projectId, 'end_user', name);
}

/** The end user that requests to this project call by this name, whether anything is known of them or not. */
export async function showEndUser(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  { projectId, name }: { readonly projectId: string; readonly name: string },
): Promise<EndUser | Refusal> {
  return (await findEndUser(sql, { workspaceId, projectId, name })) ?? refuse('NOT_FOUND', 'There is no such project.');
}

/** A name of an end user, in a project. */
interface EndUserName {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly name: string;
}

/** The end user of a project that is there. */
export async function readEndUser(sql: SqlRunner, by: EndUserName): Promise<EndUser> {
  const endUser = await findEndUser(sql, by);
  assert(endUser !== null, 'the project of a key that calls is there');
  return endUser;
}

async function findEndUser(sql: SqlRunner, { workspaceId, projectId, name }: EndUserName): Promise<EndUser | null> {
  const [row] = await sql.query<EndUserRow>(`select ${COLUMNS} from ${NAMED}`, [
    workspaceId,
    projectId,
    endUserSubject(projectId, name),
    name,
  ]);
  return row === undefined ? null : toEndUser(row);
}

const audited = (settings: EndUserSettings & Raise) =>
  auditedSettings({ ...END_USER_SETTINGS, ...RAISE_SETTINGS }, settings);

/** A project that a change is about. */
interface ProjectRow {
  readonly name: string;
  readonly period: Period;
  readonly archivedAt: Date | null;
}

/** Locks the project, so that changes of its end users wait for each other. */
async function lockProject(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  projectId: string,
): Promise<ProjectRow | Refusal> {
  const [project] = await tx.query<ProjectRow>(
    `select name, end_user_period as period, archived_at as "archivedAt" from projects
     where workspace_id = $1 and id = $2 for no key update`,
    [workspaceId, projectId],
  );
  return project ?? refuse('NOT_FOUND', 'There is no such project.');
}

/**
 * Processes learn whether a project limits end users with its keys; those that have a lease of this one's purse draw it again, with
 * the limit of then.
 */
async function announce(tx: SqlRunner, { workspaceId }: WorkspaceScope, projectId: string, id: string): Promise<void> {
  await tx.query(
    `insert into changes (kind, subject_id)
     select 'project', $2 union all
     select 'purse', purses.id::text from purses
     where workspace_id = $1 and kind = 'end_user' and subject_id = $3 and window_end > now()`,
    [workspaceId, projectId, id],
  );
}

/**
 * Sets the limit of one end user, in the transaction given, in the place of the project's; a raise that is left out stays, unless the
 * limit is another. Refused if the project is archived, or as many have limits of their own as may.
 */
export async function setEndUserLimit(
  tx: SqlRunner,
  scope: WorkspaceScope,
  {
    projectId,
    name,
    limit,
    ...given
  }: { readonly projectId: string; readonly name: string } & EndUserSettings & Partial<Raise>,
): Promise<EndUser | Refusal> {
  const project = await lockProject(tx, scope, projectId);
  if (isRefusal(project)) return project;
  if (project.archivedAt !== null) return refuse('CONFLICT', 'The project is archived: restore it first.');
  const former = await showEndUser(tx, scope, { projectId, name });
  if (isRefusal(former)) return former;
  if (!former.isOwn && (await isFull(tx, scope, projectId))) {
    return refuse(
      'CONFLICT',
      `${END_USER_LIMITS_MAX} end users of this project have limits of their own already: remove one first.`,
    );
  }
  const before = former.isOwn ? former : { ...NOT_RAISED, limit: null };
  const isChanged = !former.isOwn || limit !== former.limit;
  const raise = changedRaise(before, given, { limit, isChanged, period: project.period, nowMs: Date.now() });
  if (isRefusal(raise)) return raise;
  await tx.query(
    `insert into end_user_limits (workspace_id, project_id, id, name, limit_nano_usd, raised_limit_nano_usd, raised_until)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (project_id, id) do update set limit_nano_usd = excluded.limit_nano_usd,
       raised_limit_nano_usd = excluded.raised_limit_nano_usd, raised_until = excluded.raised_until`,
    [scope.workspaceId, projectId, former.id, name, limit, raise.raisedLimit, raise.raisedUntil],
  );
  await announce(tx, scope, projectId, former.id);
  const after = audited({ limit, ...raise });
  await recordAudit(tx, scope, {
    action: 'end_user.limit',
    target: { kind: 'end_user', id: former.id, name: project.name },
    ...(former.isOwn ? changedFields(audited(former), after) : { after }),
  });
  return await showEndUser(tx, scope, { projectId, name });
}

async function isFull(tx: SqlRunner, { workspaceId }: WorkspaceScope, projectId: string): Promise<boolean> {
  const [row] = await tx.query<{ count: bigint }>(
    'select count(*) as count from end_user_limits where workspace_id = $1 and project_id = $2',
    [workspaceId, projectId],
  );
  return (row?.count ?? 0n) >= BigInt(END_USER_LIMITS_MAX);
}

/**
 * Removes the limit of one end user, in the transaction given, and with it their name: the project's holds for them again. Refused if
 * there is none.
 */
export async function removeEndUserLimit(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { projectId, id }: { readonly projectId: string; readonly id: string },
): Promise<EndUser | Refusal> {
  const project = await lockProject(tx, scope, projectId);
  if (isRefusal(project)) return project;
  const [row] = await tx.query<{ name: string }>(
    'select name from end_user_limits where workspace_id = $1 and project_id = $2 and id = $3',
    [scope.workspaceId, projectId, id],
  );
  if (row === undefined) return refuse('NOT_FOUND', 'No limit is set for this end user.');
  const { name } = row;
  const former = await showEndUser(tx, scope, { projectId, name });
  if (isRefusal(former)) return former;
  await tx.query('delete from end_user_limits where workspace_id = $1 and project_id = $2 and id = $3', [
    scope.workspaceId,
    projectId,
    id,
  ]);
  await announce(tx, scope, projectId, id);
  await recordAudit(tx, scope, {
    action: 'end_user.unlimit',
    target: { kind: 'end_user', id, name: project.name },
    before: audited(former),
  });
  return await showEndUser(tx, scope, { projectId, name });
}
