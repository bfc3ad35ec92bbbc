import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ProjectJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { archiveProject, restoreProject } from '../api/projects.ts';
import { CommandLine } from '../components/command-line.tsx';
import { problemFrom } from '../components/problem-panel.tsx';
import { projectCommand } from '../components/project-command.ts';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

interface ProjectArchiveProps {
  readonly project: ProjectJson;
}

/** Archives a project by its typed name. */
export function ProjectArchive({ project }: ProjectArchiveProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { name, id, workspace_id: workspace } = project;
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => archiveProject(project),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`Project ${name} is archived. Its keys are refused.`);
      await queries.invalidateQueries({ queryKey: ['workspace', workspace] });
    },
  });
  return (
    <>
      <Button
        onClick={() => setIsOpen(true)}
        unavailable={useUnavailable(workspace, 'projects:write', 'archive projects')}
      >
        Archive project
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Archive ${name}?`}
        action="Archive project"
        typedName={name}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4">
          All its keys are refused from now on. Requests that run are still served and charged. You can restore it.
        </p>
        <CommandLine command={projectCommand.archive(id)} />
      </ConfirmDialog>
    </>
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
