import { RAISE_SETTINGS } from '../../../control/resources/raise-settings.ts';
import { PROJECT_SETTINGS, type ProjectSettings } from '../../../control/resources/project-settings.ts';
import {
  bodyName,
  initialSettings,
  settingsFromBody,
  settingsJson,
} from '../../../control/resources/setting-values.ts';
import { assert } from '../../../lib/assert.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import {
  type Change,
  changedFields,
  type FieldChange,
  type Fields,
  type SectionPlan,
  silently,
  valuesOf,
} from './change.ts';
import type { CurrentWorkspace, Project } from './current.ts';
import { planEndUsers } from './plan-end-users.ts';
import type { DeclaredProject } from './read-file.ts';

const FIELDS = Object.values(PROJECT_SETTINGS).map(bodyName);
const RAISE_FIELDS = Object.values(RAISE_SETTINGS).map(bodyName);

/** All settings of a project by the fields of a request, and the raise of its budget. */
export function projectFields(project: Project): Fields {
  return picked(project, [...FIELDS, ...RAISE_FIELDS]);
}

function picked(from: object, names: readonly string[]): Fields {
  const values: Fields = { ...from };
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

/** The fields of a project about which nothing was decided but its name. */
export function initialFields(name: string): Fields {
  return picked(settingsJson(PROJECT_SETTINGS, { ...initialSettings(PROJECT_SETTINGS), name }), FIELDS);
}

/** A raise in the file, unless it is over. One that the file lacks ends by itself: it is left as it is. */
function declaredRaise(declared: DeclaredProject): Fields {
  const { raisedLimit = null, raisedUntil = null } = settingsFromBody(RAISE_SETTINGS, declared);
  if (raisedUntil === null || raisedUntil.getTime() <= Date.now()) return {};
  return picked(settingsJson(RAISE_SETTINGS, { raisedLimit, raisedUntil }), RAISE_FIELDS);
}

/** A project's settings in the file; missing ones have their defaults. */
function declaredFields(declared: DeclaredProject): Fields {
  const given = settingsFromBody(PROJECT_SETTINGS, declared);
  const settings: ProjectSettings = { ...initialSettings(PROJECT_SETTINGS), ...given, name: declared.name };
  return { ...picked(settingsJson(PROJECT_SETTINGS, settings), FIELDS), ...declaredRaise(declared) };
}

/** Projects are found by their names. One that was archived is restored, with its keys. */
export function planProjects(current: CurrentWorkspace, declared: readonly DeclaredProject[]): SectionPlan {
  const names = new Set(declared.map(({ name }) => name));
  const plans = declared.map((each) => planProject(current, each));
  const archivals = current.projects.filter(({ name }) => !names.has(name)).map(archival);
  return {
    changes: plans.flatMap(({ changes }) => changes),
    removals: [...plans.flatMap(({ removals }) => removals), ...archivals],
  };
}

function planProject(current: CurrentWorkspace, declared: DeclaredProject): SectionPlan {
  const { name } = declared;
  const named = (project: Project): boolean => project.name === name;
  const there = current.projects.find(named);
  const former = there ?? current.archivedProjects.find(named);
  const to = declaredFields(declared);
  const creation = created(current.reference, declared);
  const own =
    there !== undefined
      ? updated(there, to)
      : [former === undefined ? creation.change : restored(current.reference, former, to)];
  if (declared.end_users === undefined) return { changes: own, removals: [] };
  const endUsers = planEndUsers(
    { name, idOf: () => former?.id ?? creation.idOf() },
    current.endUsers.get(former?.id ?? '') ?? [],
    declared.end_users,
  );
  return { changes: [...own, ...endUsers.changes], removals: endUsers.removals };
}

/** The creation of a project, and its id once that is made. */
function created(
  workspace: string,
  declared: DeclaredProject,
): { readonly change: Change; readonly idOf: () => string } {
  const { name } = declared;
  const fields = changedFields(initialFields(name), declaredFields(declared));
  const { raised_limit_usd: _limit, raised_until: _until, end_users: _endUsers, ...settings } = declared;
  const raise = declaredRaise(declared);
  let made: string | null = null;
  const make = silently(async (connect) => {
    const { id, version } = await connect().createProject(workspace, settings);
    made = id;
    if (Object.keys(raise).length > 0) await connect(version).updateProject(id, raise);
  });
  const idOf = (): string => {
    assert(made !== null, 'a project is created before its end users are limited');
    return made;
  };
  return { change: { kind: 'project', name, change: 'create', fields, make }, idOf };
}

/** The fields that change, and the raise, which a changed budget would end. */
function changesTo(fields: readonly FieldChange[], to: Fields): Fields {
  return { ...valuesOf(fields, to), ...definedFields(picked(to, RAISE_FIELDS)) };
}

function updated(project: Project, to: Fields): readonly Change[] {
  const { id, name, version } = project;
  const fields = changedFields(projectFields(project), to);
  const make = silently((connect) => connect(version).updateProject(id, changesTo(fields, to)));
  return fields.length === 0 ? [] : [{ kind: 'project', name, change: 'update', fields, make }];
}

function restored(workspace: string, project: Project, to: Fields): Change {
  const { id, name, version } = project;
  const fields = changedFields(projectFields(project), to);
  const make = silently(async (connect) => {
    const { version: restoredVersion } = await connect(version).restoreProject(workspace, id);
    if (fields.length > 0) await connect(restoredVersion).updateProject(id, changesTo(fields, to));
  });
  return { kind: 'project', name, change: 'restore', fields, make };
}

function archival({ id, name, version }: Project): Change {
  const make = silently((connect) => connect(version).archiveProject(id));
  return { kind: 'project', name, change: 'archive', fields: [], make };
}
