import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useId } from 'react';
import type { ProjectJson } from '../../../src/admin/account-contract.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { projectQuery, reloadProjects, updateProject } from '../api/projects.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { projectCommand } from '../components/project-command.ts';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { entryOf, PROJECT_PARAMS, ProjectFields, settingsOf } from './project-fields.tsx';
import { useChanges } from './use-changes.ts';

interface ProjectUpdateFormProps {
  readonly project: ProjectJson;
  /** A budget to begin with, as a proposal. */
  readonly budget?: string | undefined;
  readonly onClose: () => void;
}

/** Changes a project as it was when the form was opened. */
export function ProjectUpdateForm({ project, budget, onClose }: ProjectUpdateFormProps): ReactNode {
  const form = useId();
  const queries = useQueryClient();
  const { seen, entry, setEntry, changes, isDirty, rebase } = useChanges(project, {
    entryOf,
    settingsOf,
    proposed: budget === undefined ? {} : { budget },
  });
  const { workspace_id: workspace, id } = project;
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => updateProject(seen, changes),
    onSuccess: async ({ name, warnings }) => {
      showToast([`Project ${name} is changed.`, ...warnings].join(' '));
      await reloadProjects(queries, workspace);
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) mutate();
    else onClose();
  };
  const load = async (): Promise<void> => {
    rebase(await queries.query({ ...projectQuery(workspace, id), staleTime: 0 }));
    reset();
  };
  return (
    <Sheet
      open
      title={`Change ${project.name}`}
      onClose={onClose}
      dirty={isDirty}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Change project
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <ProjectFields entry={entry} onChange={setEntry} error={error} />
        {isVersionConflict(error) ? (
          <VersionConflict thing="project" onLoad={load} />
        ) : (
          <ProblemPanel error={error} except={PROJECT_PARAMS} />
        )}
        {isDirty && <CommandLine command={projectCommand.update(id, changes)} />}
      </form>
    </Sheet>
  );
}
