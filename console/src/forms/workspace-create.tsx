import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { useOnce } from '../api/once.ts';
import { createWorkspace } from '../api/workspaces.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { workspaceCommand } from '../components/workspace-command.ts';
import { paths } from '../paths.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { FormFrame } from './form-frame.tsx';

/** Creates a workspace and leads into it. */
export function WorkspaceCreate({ onClose }: { readonly onClose: () => void }): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createWorkspace({ name: name.trim(), once }),
    onSuccess: async ({ id }) => {
      await Promise.all(
        [['me'], ['operator', 'workspaces']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
      onClose();
      await navigate({ href: paths.home(id) });
    },
  });
  return (
    <FormFrame
      frame={Dialog}
      title="Create workspace"
      description="It holds credit, projects and keys of its own. Invite its members afterwards."
      onClose={onClose}
      dirty={name !== ''}
      action="Create workspace"
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <Field label="Name" error={problemOf(error, 'name')}>
        <TextInput value={name} onChange={setName} required maxLength={100} autoComplete="off" />
      </Field>
      <ProblemPanel error={error} except={['name']} />
      <CommandLine command={workspaceCommand.create(name.trim())} />
    </FormFrame>
  );
}
