import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { PROJECT_SETTINGS } from '../../../src/control/resources/project-settings.ts';
import { useOnce } from '../api/once.ts';
import { createProject } from '../api/projects.ts';
import { CommandLine } from '../components/command-line.tsx';
import { projectCommand } from '../components/project-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { paths } from '../paths.ts';
import { showToast } from '../ui/announcements.ts';
import { Sheet } from '../ui/sheet.tsx';
import { FormFrame } from './form-frame.tsx';
import { ProjectFields } from './project-fields.tsx';
import { entryOf, paramsOf, settingsOf } from './setting-entry.ts';

interface ProjectCreateProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

/** Creates a project and leads to it. */
export function ProjectCreate({ workspace, onClose }: ProjectCreateProps): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [entry, setEntry] = useState(() => entryOf(PROJECT_SETTINGS, null));
  const settings = settingsOf(PROJECT_SETTINGS, entry);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createProject(workspace, { ...settings, once }),
    onSuccess: async ({ id, name, warnings }) => {
      showToast([`Project ${name} is created.`, ...warnings].join(' '));
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'projects'] });
      await navigate({ href: paths.project(workspace, id) });
    },
  });
  return (
    <FormFrame
      frame={Sheet}
      title="Create project"
      description="A project has keys, and limits that hold for all of them together."
      onClose={onClose}
      dirty={JSON.stringify(entry) !== JSON.stringify(entryOf(PROJECT_SETTINGS, null))}
      action="Create project"
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <ProjectFields entry={entry} onChange={setEntry} error={error} />
      <ProblemPanel error={error} except={paramsOf(PROJECT_SETTINGS)} />
      <CommandLine command={projectCommand.create(workspace, settings)} />
    </FormFrame>
  );
}
