import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { archiveProject, restoreProject } from '../api/projects.ts';
import { projectCommand } from '../components/project-command.ts';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmAction } from './confirm-action.tsx';

interface ProjectArchiveProps {
  readonly project: ProjectJson;
}

/** Archives a project by its typed name. */
export function ProjectArchive({ project }: ProjectArchiveProps): ReactNode {
  const { name, id, workspace_id: workspace } = project;
  return (
    <ConfirmAction
      action="Archive project"
      unavailable={useUnavailable(workspace, 'projects:write', 'archive projects')}
      title={`Archive ${name}?`}
      typedName={name}
      command={projectCommand.archive(id)}
      send={() => archiveProject(project)}
      done={() => `Project ${name} is archived. Its keys are refused.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace] })}
    >
      All its keys are refused from now on. Requests that run are still served and charged. You can restore it.
    </ConfirmAction>
  );
}

/** Restores an archived project. */
export function ProjectRestore({ project }: ProjectArchiveProps): ReactNode {
  const queries = useQueryClient();
  const { name, workspace_id: workspace } = project;
  const { mutate, isPending } = useMutation({
    mutationFn: () => restoreProject(project),
    onSuccess: async () => {
      showToast(`Project ${name} is restored. Its keys work again.`);
      await queries.invalidateQueries({ queryKey: ['workspace', workspace] });
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  return (
    <Button
      kind="primary"
      busy={isPending}
      onClick={() => mutate()}
      unavailable={useUnavailable(workspace, 'projects:write', 'restore projects')}
    >
      Restore project
    </Button>
  );
}
