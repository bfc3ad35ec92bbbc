import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, type ReactNode, useId, useState } from 'react';
import type { ProjectJson, ProjectUpdate } from '../../../src/admin/account-contract.ts';
import { isVersionConflict } from '../api/api-error.ts';
import { projectQuery, updateProject } from '../api/projects.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { projectCommand } from '../components/project-command.ts';
import { VersionConflict } from '../components/version-conflict.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { entryOf, PROJECT_PARAMS, type ProjectEntry, ProjectFields, settingsOf } from './project-fields.tsx';

interface ProjectUpdateFormProps {
  readonly project: ProjectJson;
  readonly onClose: () => void;
}

/** The settings that were changed: what stays as it was isn't sent, so it can't undo somebody else's change. */
function changesOf(before: ProjectEntry, after: ProjectEntry): ProjectUpdate {
  const former: Readonly<Record<string, unknown>> = settingsOf(before);
  return Object.fromEntries(
    Object.entries(settingsOf(after)).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(former[field]),
    ),
  );
}

/** Changes a project as it was when the form was opened. */
export function ProjectUpdateForm({ project, onClose }: ProjectUpdateFormProps): ReactNode {
  const form = useId();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(project);
  const [entry, setEntry] = useState(() => entryOf(project));
  const changes = changesOf(entryOf(seen), entry);
  const isDirty = Object.keys(changes).length > 0;
  const { workspace_id: workspace, id } = project;
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => updateProject(seen, changes),
    onSuccess: async ({ name, warnings }) => {
      showToast([`Project ${name} is changed.`, ...warnings].join(' '));
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'projects'] });
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isDirty) mutate();
    else onClose();
  };
  /** Takes the project as it is now as the ground for what was typed. */
  const rebase = async (): Promise<void> => {
    const now = await queries.query({ ...projectQuery(workspace, id), staleTime: 0 });
    const kept = entryOf(now);
    const typed = Object.entries(entry).filter(
      ([field, value]) => value !== entryOf(seen)[field as keyof ProjectEntry],
    );
    setSeen(now);
    setEntry({ ...kept, ...Object.fromEntries(typed) });
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
          <VersionConflict thing="project" onLoad={rebase} />
        ) : (
          <ProblemPanel error={error} except={PROJECT_PARAMS} />
        )}
        {isDirty && <CommandLine command={projectCommand.update(id, changes)} />}
      </form>
    </Sheet>
  );
}
