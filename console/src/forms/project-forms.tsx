import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { PROJECT_SETTINGS } from '../../../src/control/resources/project-settings.ts';
import { createProject, projectQuery, reloadProjects, updateProject } from '../api/projects.ts';
import { paths } from '../paths.ts';
import { ChangeSheet } from './change-sheet.tsx';
import { ResourceForm } from './resource-form.tsx';
import { entryOf, isTyped, settingRules, settingsOf } from './setting-entry.ts';
import { SettingField, type SettingFormProps } from './setting-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { PROJECT_COMMANDS } from '../../../src/control/operations/project-commands.ts';

interface ProjectCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

/** Creates a project and leads to it. */
export function ProjectCreate({ workspace, onClose }: ProjectCreateProps): ReactNode {
  const navigate = useNavigate();
  const [entry, setEntry] = useState(() => entryOf(PROJECT_SETTINGS, null));
  const settings = settingsOf(PROJECT_SETTINGS, entry);
  return (
    <ResourceForm
      title="Create project"
      description="A project has keys, and limits that hold for all of them together."
      onClose={onClose}
      dirty={isTyped(PROJECT_SETTINGS, entry)}
      action="Create project"
      command={commandWords(PROJECT_COMMANDS, 'project create', { workspace, ...settings })}
      send={(once) => createProject(workspace, { ...settings, once })}
      done={({ name, warnings }) => [`Project ${name} is created.`, ...warnings].join(' ')}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'projects'] })}
      onDone={({ id }) => navigate({ href: paths.project(workspace, id) })}
    >
      <ProjectFields entry={entry} onChange={setEntry} />
    </ResourceForm>
  );
}

interface ProjectUpdateFormProps {
  readonly project: ProjectJson;
  /** A budget to begin with, as a proposal. */
  readonly budget?: string | undefined;
  readonly onClose: () => void;
}

/** Changes a project. */
export function ProjectUpdateForm({ project, budget, onClose }: ProjectUpdateFormProps): ReactNode {
  const queries = useQueryClient();
  const { workspace_id: workspace, id, name } = project;
  return (
    <ChangeSheet
      kind="project"
      title={`Change ${name}`}
      thing={project}
      rules={{ ...settingRules(PROJECT_SETTINGS), proposed: budget === undefined ? {} : { budget } }}
      renderFields={ProjectFields}
      commandOf={(changes) => commandWords(PROJECT_COMMANDS, 'project update', { project: id, ...changes })}
      save={updateProject}
      reload={() => reloadProjects(queries, workspace)}
      load={() => queries.query({ ...projectQuery(workspace, id), staleTime: 0 })}
      onClose={onClose}
    />
  );
}

/** Which settings of a project share a line. */
const ROWS = [
  ['name'],
  ['budget', 'budgetPeriod'],
  ['requestsPerMinute', 'tokensPerMinute'],
  ['concurrency'],
  ['endUserLimit', 'endUserPeriod'],
  ['sessionLimit'],
  ['models'],
  ['modelWhenSpent'],
  ['memberKeySpendLimit', 'memberKeysMax'],
  ['reportsCost'],
] as const satisfies readonly (readonly (keyof typeof PROJECT_SETTINGS)[])[];

function ProjectFields(props: SettingFormProps<typeof PROJECT_SETTINGS>): ReactNode {
  return ROWS.map((row) => (
    <div key={row[0]} className={row.length === 1 ? undefined : 'grid gap-4 sm:grid-cols-2'}>
      {row.map((property) => (
        <SettingField key={property} table={PROJECT_SETTINGS} property={property} {...props} />
      ))}
    </div>
  ));
}
