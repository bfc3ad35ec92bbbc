import { PROJECT_SETTINGS, type ProjectSettings } from '../../../control/resources/project-settings.ts';
import {
  bodyName,
  initialSettings,
  settingsFromBody,
  settingsJson,
} from '../../../control/resources/setting-values.ts';
import { type Change, changedFields, type Fields, type SectionPlan, silently, valuesOf } from './change.ts';
import type { CurrentWorkspace, Project } from './current.ts';
import type { DeclaredProject } from './read-file.ts';

const FIELDS = Object.values(PROJECT_SETTINGS).map(bodyName);

/** All settings of a project by the fields of a request. */
export function projectFields(project: Project | ReturnType<typeof settingsJson<typeof PROJECT_SETTINGS>>): Fields {
  const values: Fields = { ...project };
  return Object.fromEntries(FIELDS.map((field) => [field, values[field]]));
}

/** The fields of a project about which nothing was decided but its name. */
export function initialFields(name: string): Fields {
  return projectFields(settingsJson(PROJECT_SETTINGS, { ...initialSettings(PROJECT_SETTINGS), name }));
}

/** A project's settings in the file; missing ones have their defaults. */
function declaredFields(declared: DeclaredProject): Fields {
  const given = settingsFromBody(PROJECT_SETTINGS, declared);
  const settings: ProjectSettings = { ...initialSettings(PROJECT_SETTINGS), ...given, name: declared.name };
  return projectFields(settingsJson(PROJECT_SETTINGS, settings));
}

/** Projects are found by their names. One that was archived is restored, with its keys. */
export function planProjects(
  { reference, projects, archivedProjects }: CurrentWorkspace,
  declared: readonly DeclaredProject[],
): SectionPlan {
  const names = new Set(declared.map(({ name }) => name));
  const changes = declared.flatMap((each): readonly Change[] => {
    const { name } = each;
    const current = projects.find((project) => project.name === name);
    if (current !== undefined) return updated(current, declaredFields(each));
    const archived = archivedProjects.find((project) => project.name === name);
    if (archived !== undefined) return [restored(reference, archived, declaredFields(each))];
    const fields = changedFields(initialFields(name), declaredFields(each));
    const make = silently((connect) => connect().createProject(reference, each));
    return [{ kind: 'project', name, change: 'create', fields, make }];
  });
  return { changes, removals: projects.filter(({ name }) => !names.has(name)).map(archival) };
}

function updated(project: Project, to: Fields): readonly Change[] {
  const { id, name, version } = project;
  const fields = changedFields(projectFields(project), to);
  const make = silently((connect) => connect(version).updateProject(id, valuesOf(fields, to)));
  return fields.length === 0 ? [] : [{ kind: 'project', name, change: 'update', fields, make }];
}

function restored(workspace: string, project: Project, to: Fields): Change {
  const { id, name, version } = project;
  const fields = changedFields(projectFields(project), to);
  const make = silently(async (connect) => {
    const { version: restoredVersion } = await connect(version).restoreProject(workspace, id);
    if (fields.length > 0) await connect(restoredVersion).updateProject(id, valuesOf(fields, to));
  });
  return { kind: 'project', name, change: 'restore', fields, make };
}

function archival({ id, name, version }: Project): Change {
  const make = silently((connect) => connect(version).archiveProject(id));
  return { kind: 'project', name, change: 'archive', fields: [], make };
}
