import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { WorkspaceJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { isVersionConflict, problemOf } from '../api/api-error.ts';
import { renameWorkspace, workspaceQuery } from '../api/workspaces.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { workspaceCommand } from '../components/workspace-command.ts';
import { useUnavailable } from '../session/access.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

/** Gives the workspace another name. */
export function WorkspaceRename({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(workspace);
  const [name, setName] = useState(workspace.name);
  const unavailable = useUnavailable(workspace.id, 'workspace:write', 'rename this workspace');
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: () => renameWorkspace(seen, { name: name.trim() }),
    onSuccess: (renamed) => {
      setSeen(renamed);
      setName(renamed.name);
      showToast(`The workspace is named ${renamed.name} now.`);
      // The form stays: it takes the next name while others are still reading this one.
      void queries.invalidateQueries({ queryKey: ['workspace', workspace.id] });
      void queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  const isChanged = name.trim() !== seen.name;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isChanged && unavailable === null) mutate();
  };
  const rebase = async (): Promise<void> => {
    setSeen(await queries.query({ ...workspaceQuery(workspace.id), staleTime: 0 }));
    reset();
  };
  return (
    <form className="flex max-w-lg flex-col gap-4" onSubmit={submit}>
      <Field
        label="Name"
        help="Members and the operator see it. Keys and commands that use the id are not affected."
        error={problemOf(error, 'name')}
      >
        <TextInput
          value={name}
          onChange={setName}
          required
          maxLength={100}
          autoComplete="off"
          readOnly={unavailable !== null}
        />
      </Field>
      {isVersionConflict(error) ? (
        <VersionConflict thing="workspace" onLoad={rebase} />
      ) : (
        <ProblemPanel error={error} except={['name']} />
      )}
      <div>
        <Button
          type="submit"
          busy={isPending}
          unavailable={unavailable ?? (isChanged ? null : 'The name is unchanged.')}
        >
          Rename workspace
        </Button>
      </div>
      {isChanged && <CommandLine command={workspaceCommand.rename(workspace.id, name.trim())} />}
    </form>
  );
}
