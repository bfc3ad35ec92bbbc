import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, type ReactNode, useId, useState } from 'react';
import { useOnce } from '../api/once.ts';
import { createProject } from '../api/projects.ts';
import { CommandLine } from '../components/command-line.tsx';
import { projectCommand } from '../components/project-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../paths.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { entryOf, PROJECT_PARAMS, ProjectFields, settingsOf } from './project-fields.tsx';

interface ProjectCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

/** Creates a project and leads to it. */
export function ProjectCreate({ workspace, onClose }: ProjectCreateProps): ReactNode {
  const form = useId();
  const once = useOnce();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [entry, setEntry] = useState(() => entryOf(null));
  const settings = settingsOf(entry);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createProject(workspace, { ...settings, once }),
    onSuccess: async ({ id, name, warnings }) => {
      showToast([`Project ${name} is created.`, ...warnings].join(' '));
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'projects'] });
      await navigate({ href: paths.project(workspace, id) });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <Sheet
      open
      title="Create project"
      description="A project has keys, and limits that hold for all of them together."
      onClose={onClose}
      dirty={JSON.stringify(entry) !== JSON.stringify(entryOf(null))}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Create project
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <ProjectFields entry={entry} onChange={setEntry} error={error} />
        <ProblemPanel error={error} except={PROJECT_PARAMS} />
        <CommandLine command={projectCommand.create(workspace, settings)} />
      </form>
    </Sheet>
  );
}
