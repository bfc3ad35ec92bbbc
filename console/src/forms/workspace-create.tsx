import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { createWorkspace } from '../api/workspaces.ts';
import { paths } from '../paths.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { WORKSPACE_COMMANDS } from '../../../src/control/operations/workspace-commands.ts';

/** Creates a workspace and leads into it. */
export function WorkspaceCreate({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  return (
    <ResourceForm
      frame={Dialog}
      title="Create workspace"
      description="It holds credit, projects and keys of its own. Invite its members afterwards."
      onClose={onClose}
      dirty={name !== ''}
      action="Create workspace"
      command={commandWords(WORKSPACE_COMMANDS, 'workspace create', { name: name.trim() })}
      send={(once) => createWorkspace({ name: name.trim(), once })}
      reload={(queries) =>
        Promise.all([['me'], ['operator', 'workspaces']].map((queryKey) => queries.invalidateQueries({ queryKey })))
      }
      onDone={async ({ id }) => {
        onClose();
        await navigate({ href: paths.home(id) });
      }}
    >
      <TextField param="name" label="Name" value={name} onChange={setName} maxLength={100} />
    </ResourceForm>
  );
}
