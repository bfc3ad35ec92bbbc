import type { QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { archiveProject, restoreProject } from '../api/projects.ts';
import { useUnavailable } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { SendButton } from './send-button.tsx';
import { commandWords } from '../components/command-words.ts';
import { PROJECT_COMMANDS } from '../../../src/control/operations/project-commands.ts';

interface ProjectActionProps {
  readonly project: ProjectJson;
}

const reloadAll = (workspace: string) => (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: ['workspace', workspace] });

/** Archives a project by its typed name. */
export function ProjectArchive({ project }: ProjectActionProps): ReactNode {
  const { name, id, workspace_id: workspace } = project;
  return (
    <ConfirmAction
      action="Archive project"
      unavailable={useUnavailable(workspace, 'projects:write', 'archive projects')}
      title={`Archive ${name}?`}
      typedName={name}
      command={commandWords(PROJECT_COMMANDS, 'project archive', { project: id })}
      send={() => archiveProject(project)}
      done={() => `Project ${name} is archived. Its keys are refused.`}
      reload={reloadAll(workspace)}
    >
      All its keys are refused from now on. Requests that run are still served and charged. You can restore it.
    </ConfirmAction>
  );
}

/** Restores an archived project. */
export function ProjectRestore({ project }: ProjectActionProps): ReactNode {
  const { name, workspace_id: workspace } = project;
  return (
    <SendButton
      kind="primary"
      unavailable={useUnavailable(workspace, 'projects:write', 'restore projects')}
      send={() => restoreProject(project)}
      done={() => `Project ${name} is restored. Its keys work again.`}
      reload={reloadAll(workspace)}
    >
      Restore project
    </SendButton>
  );
}
