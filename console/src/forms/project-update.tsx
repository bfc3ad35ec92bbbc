import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../src/admin/accounts/account-contract.ts';
import { projectQuery, reloadProjects, updateProject } from '../api/projects.ts';
import { projectCommand } from '../components/project-command.ts';
import { ChangeSheet } from './change-sheet.tsx';
import { entryOf, PROJECT_PARAMS, ProjectFields, settingsOf } from './project-fields.tsx';

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
      rules={{ entryOf, settingsOf, proposed: budget === undefined ? {} : { budget } }}
      fields={ProjectFields}
      params={PROJECT_PARAMS}
      commandOf={(changes) => projectCommand.update(id, changes)}
      save={updateProject}
      onSaved={() => reloadProjects(queries, workspace)}
      load={() => queries.query({ ...projectQuery(workspace, id), staleTime: 0 })}
      onClose={onClose}
    />
  );
}
