import { type AuditedFields, changedFields, recordAudit } from '../audit/audit.ts';
import { reserveCreation } from '../audit/once.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Page } from '../../lib/page.ts';
import { readSortedPage, type SortedPageRequest, type SortOrder } from '../../lib/sorted-page.ts';
import { SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { PROJECT_SETTINGS, type ProjectSettings } from '../resources/project-settings.ts';
import {
  auditedSettings,
  columnNames,
  columnsOf,
  initialSettings,
  settingsFromRow,
} from '../resources/setting-values.ts';
import { changedRaise, NOT_RAISED, raiseAt, writtenRaise } from '../resources/raise.ts';
import { type Raise, RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { revokeConsoleKeys } from './console-keys.ts';
import { limitMemberKeys } from './member-keys.ts';
import { joinStanding, type Standing } from './standing.ts';
import { versionConflict } from '../audit/versions.ts';
import { newId } from '../../lib/uuid7.ts';

/** A project, and the state of its budget in the current window. */
export interface Project extends ProjectSettings, Raise, Standing {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  readonly version: number;
}

/** A row with the columns of the settings besides. */
interface ProjectRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly created_at: Date;
  readonly archived_at: Date | null;
  readonly version: number;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  readonly leased: NanoUsd;
  readonly resets_at: Date | null;
}

/** Which projects a list shows; each field that is left out lets all through, except that archived ones are asked for. */
export interface ProjectFilter {
  readonly archived?: boolean;
  /** A part of the name. */
  readonly search?: string;
}

const STANDING_PROJECTS = `projects ${joinStanding('project', 'projects', 'projects.budget_period')}`;
const COLUMNS = 'projects.*, standing.used, standing.held, standing.leased, standing.resets_at';

/** What projects can be sorted by. */
export const PROJECT_ORDERS = {
  created: { value: null, type: 'text', direction: 'asc' },
  name: { value: 'lower(projects.name) collate "C"', type: 'text', direction: 'asc' },
  /** What the present window of the budget was charged. */
  spend: { value: 'standing.used', type: 'bigint', direction: 'desc' },
} as const satisfies Record<string, SortOrder>;

const SETTING_COLUMNS = columnNames(PROJECT_SETTINGS).join(', ');

/** The project of a row. What all keys of a project spend is not shown by scopes that cover a member's own things alone. */
function toProject(row: ProjectRow, { ownOnlyOf }: WorkspaceScope): Project {
  const project = projectOf(row);
  return ownOnlyOf === null
    ? project
    : {
        ...project,
        ...NOT_RAISED,
        budget: null,
        used: 0n,
        held: 0n,
        leased: 0n,
        resetsAt: null,
      };
}

function projectOf(row: ProjectRow): Project {
  return {
    ...settingsFromRow(PROJECT_SETTINGS, row),
    ...raiseAt(settingsFromRow(RAISE_SETTINGS, row), Date.now()),
    id: row.id,
    workspaceId: row.workspace_id,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    version: row.version,
    used: row.used,
    held: row.held,
    leased: row.leased,
    resetsAt: row.resets_at,
  };
}

const UPDATED_SETTINGS = { ...PROJECT_SETTINGS, ...RAISE_SETTINGS };

const auditedRaised = (project: ProjectSettings & Raise): AuditedFields => auditedSettings(UPDATED_SETTINGS, project);
const audited = (project: ProjectSettings): AuditedFields => auditedSettings(PROJECT_SETTINGS, project);

function noProject(): Refusal {
  return refuse('NOT_FOUND', 'There is no such project.');
}

function nameTaken(name: string): Refusal {
  return refuse('CONFLICT', `A project named "${name}" exists already in this workspace.`, { param: 'name' });
}

/** Creates a project, in the transaction given. Refused if its name is taken there. */
export async function createProject(
  tx: SqlRunner,
  scope: WorkspaceScope,
  {
    once = null,
    ...given
  }: Partial<ProjectSettings> & Pick<ProjectSettings, 'name'> & { readonly once?: string | null },
): Promise<Project | Refusal> {
  const settings = { ...initialSettings(PROJECT_SETTINGS), ...given };
  const id = newId();
  const former = await reserveCreation(tx, scope, { kind: 'project', id, once, request: audited(settings) });
  if (isRefusal(former)) return former;
  if (former !== null) return await showProject(tx, scope, former);
  const [row] = await tx.query(
    `with project as (
       insert into projects (workspace_id, id, ${SETTING_COLUMNS})
       select $1, $2, ${SETTING_COLUMNS} from jsonb_populate_record(null::projects, $3::jsonb)
       on conflict (workspace_id, name) where archived_at is null do nothing
       returning id
     )
     insert into changes (kind, subject_id) select 'project', id::text from project returning id`,
    [scope.workspaceId, id, JSON.stringify(columnsOf(PROJECT_SETTINGS, settings))],
  );
  if (row === undefined) return nameTaken(settings.name);
  await recordAudit(tx, scope, { action: 'project.create', target: targetOf(id, settings), after: audited(settings) });
  const created = await showProject(tx, scope, id);
  assert(!isRefusal(created), 'a project that was just made is there');
  return created;
}

function targetOf(id: string, { name }: { readonly name: string }) {
  return { kind: 'project', id, name };
}

/** One project of the workspace, archived or not. */
export async function showProject(
  sql: SqlRunner,
  scope: WorkspaceScope,
  projectId: string,
): Promise<Project | Refusal> {
  const [row] = await sql.query<ProjectRow>(
    `select ${COLUMNS} from ${STANDING_PROJECTS} where projects.workspace_id = $1 and projects.id = $2`,
    [scope.workspaceId, projectId],
  );
  return row === undefined ? noProject() : toProject(row, scope);
}

/** The refusal of an order of projects that would show what the scope does not. */
export function refusalOfOrder({ ownOnlyOf }: WorkspaceScope, sort: keyof typeof PROJECT_ORDERS | undefined) {
  if (ownOnlyOf === null || sort !== 'spend') return null;
  return refuse('FORBIDDEN', 'Your role here does not see what projects spend.', { param: 'sort' });
}

/** A page of the workspace's projects, oldest first unless another order is asked for. */
export async function listProjects(
  sql: SqlRunner,
  scope: WorkspaceScope,
  { archived = false, search }: ProjectFilter,
  page: SortedPageRequest<keyof typeof PROJECT_ORDERS> = {},
): Promise<Page<Project>> {
  const order = PROJECT_ORDERS[page.sort ?? 'created'];
  return await readSortedPage(order, 'projects.id', page, async ({ place, where, orderBy, values }) => {
    const rows = await sql.query<ProjectRow & { readonly place: string | null }>(
      `select ${COLUMNS}, (${place})::text as place from ${STANDING_PROJECTS}
       where projects.workspace_id = $4 and projects.archived_at is ${archived ? 'not null' : 'null'}
         and ($5::text is null or strpos(lower(projects.name), lower($5)) > 0) and ${where}
       order by ${orderBy} limit $3`,
      [...values, scope.workspaceId, search ?? null],
    );
    return rows.map((row) => [toProject(row, scope), row.place] as const);
  });
}

/** A project that a change is about. */
export interface ProjectTarget {
  readonly projectId: string;
  /** The version that the caller has read; null: any. */
  readonly version: number | null;
}

async function projectToChange(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { projectId, version }: ProjectTarget,
): Promise<Project | Refusal> {
  await tx.query('select 1 from projects where workspace_id = $1 and id = $2 for no key update', [
    scope.workspaceId,
    projectId,
  ]);
  const project = await showProject(tx, scope, projectId);
  return isRefusal(project) ? project : (versionConflict(project.version, version) ?? project);
}

/**
 * Changes the given fields and leaves the rest, in the transaction given. A new budget holds in the window that runs now,
 * which is brought up to its receipts, and ends a raise of the former one; requests in flight charge the purse that admitted them. A new bound of members' keys
 * lowers the limits of those that are above it. Refused if there is no such
 * project, it is archived or has another version, or its new name is taken.
 */
export async function updateProject(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { change: given, ...target }: ProjectTarget & { readonly change: Partial<ProjectSettings & Raise> },
): Promise<Project | Refusal> {
  const former = await projectToChange(tx, scope, target);
  if (isRefusal(former)) return former;
  if (former.archivedAt !== null) return refuse('CONFLICT', 'The project is archived: restore it first.');
  const next = { ...former, ...given };
  const isChanged = next.budget !== former.budget || next.budgetPeriod !== former.budgetPeriod;
  const limit = { limit: next.budget, isChanged, period: next.budgetPeriod, nowMs: Date.now() };
  const raise = changedRaise(former, given, limit);
  if (isRefusal(raise)) return raise;
  const fields = changedFields(auditedRaised(former), auditedRaised({ ...next, ...raise }));
  // The statements that lock purses come last, so that they hold them for no longer than themselves.
  await recordAudit(tx, scope, { action: 'project.update', target: targetOf(former.id, former), ...fields });
  const { memberKeySpendLimit: most = null } = given;
  if (most !== null) await limitMemberKeys(tx, scope, { projectId: former.id, most });
  try {
    await tx.query('select 1 from update_project($1, $2, $3::jsonb)', [
      scope.workspaceId,
      target.projectId,
      JSON.stringify(columnsOf(UPDATED_SETTINGS, { ...given, ...writtenRaise(former, raise) })),
    ]);
  } catch (fault) {
    if (fault instanceof SqlFault && fault.constraint === 'projects_name') return nameTaken(given.name ?? '');
    throw fault;
  }
  return await showProject(tx, scope, target.projectId);
}

/**
 * Archives a project, so that its keys are refused and its console keys revoked, or restores it, in the transaction given. One
 * that is in that state stays as it is. Refused if there is no such project, it has another version, or its name has been taken since.
 */
export async function archiveProject(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { archived, ...target }: ProjectTarget & { readonly archived: boolean },
): Promise<Project | Refusal> {
  const former = await projectToChange(tx, scope, target);
  if (isRefusal(former) || (former.archivedAt !== null) === archived) return former;
  try {
    await tx.query(
      `with project as (
         update projects set archived_at = case when $3 then now() end where workspace_id = $1 and id = $2 returning id
       )
       insert into changes (kind, subject_id) select 'project', id::text from project`,
      [scope.workspaceId, target.projectId, archived],
    );
  } catch (fault) {
    if (fault instanceof SqlFault && fault.constraint === 'projects_name') return nameTaken(former.name);
    throw fault;
  }
  if (archived) await revokeConsoleKeys(tx, scope, { projectId: former.id });
  const action = archived ? 'project.archive' : 'project.restore';
  await recordAudit(tx, scope, { action, target: targetOf(former.id, former) });
  return await showProject(tx, scope, target.projectId);
}
