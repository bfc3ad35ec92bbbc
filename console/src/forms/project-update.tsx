import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { PROJECT_SETTINGS } from '../../../src/control/resources/project-settings.ts';
import { projectQuery, reloadProjects, updateProject } from '../api/projects.ts';
import { projectCommand } from '../components/project-command.ts';
import { ChangeSheet } from './change-sheet.tsx';
import { ProjectFields } from './project-fields.tsx';
import { paramsOf, settingRules } from './setting-entry.ts';

interface ProjectUpdateFormProps {
  readonly project: ProjectJson;
  /** A budget to begin with, as a proposal. */
  readonly budget?: string | undefined;
  readonly onClose: () => void;
}

/** Changes a project. */
export function ProjectUpdateForm({ project, budget, onClose }: ProjectUpdateFormProps): ReactNode {
  const queries = useQueryClient();
  const { workspace_id: workspace, id } = project;
  return (
    <ChangeSheet
      kind="project"
      thing={project}
      rules={{ ...settingRules(PROJECT_SETTINGS), proposed: budget === undefined ? {} : { budget } }}
      fields={ProjectFields}
      params={paramsOf(PROJECT_SETTINGS)}
      commandOf={(changes) => projectCommand.update(id, changes)}
      save={updateProject}
      onSaved={() => reloadProjects(queries, workspace)}
      load={() => queries.query({ ...projectQuery(workspace, id), staleTime: 0 })}
      onClose={onClose}
    />
  );
}
