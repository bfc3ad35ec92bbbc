import { type ReactNode, useState } from 'react';
import type { DirectoryJson } from '../../../src/control/admin/identity/directory-contract.ts';
import { DIRECTORY_COMMANDS } from '../../../src/control/operations/workspace-access-commands.ts';
import { endDirectoryToken, makeDirectoryToken, reloadAccess } from '../api/workspace-access.ts';
import { commandWords } from '../components/command-words.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { useUnavailable } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';

interface DirectoryActionsProps {
  readonly workspace: string;
  readonly directory: DirectoryJson;
}

/** Connects the workspace to the directory of its company by a token, which is shown once; replaces the token, or ends it. */
export function DirectoryActions({ workspace, directory: { token } }: DirectoryActionsProps): ReactNode {
  const [secret, setSecret] = useState<string | null>(null);
  const unavailable = useUnavailable(workspace, 'directory:write', 'connect a directory');
  const reload = reloadAccess(workspace);
  const isConnected = token !== null;
  return (
    <>
      <ConfirmAction
        action={isConnected ? 'Rotate token' : 'Connect a directory'}
        title={isConnected ? 'Rotate the token of the directory?' : 'Connect a directory?'}
        unavailable={unavailable}
        danger={isConnected}
        command={commandWords(DIRECTORY_COMMANDS, 'directory connect', { workspace })}
        send={() => makeDirectoryToken(workspace)}
        onDone={(made) => setSecret(made.secret)}
        reload={reload}
      >
        {isConnected
          ? 'It gets another token. The present one stops counting now, and the directory comes in again once it has the new one.'
          : 'The directory that has the token decides who is a member here, and in which role. People with addresses of your proven domains alone are taken.'}
      </ConfirmAction>
      {isConnected && (
        <ConfirmAction
          action="Disconnect"
          title="Disconnect the directory?"
          unavailable={unavailable}
          command={commandWords(DIRECTORY_COMMANDS, 'directory disconnect', { workspace })}
          send={() => endDirectoryToken(workspace)}
          done={() => 'The directory is disconnected.'}
          reload={reload}
        >
          Members stay as they are. Nothing ends here any more when somebody leaves your company.
        </ConfirmAction>
      )}
      {secret !== null && (
        <SecretDialog
          title="The token of your directory"
          what="token"
          secret={secret}
          description="Copy the token now and give it to your directory, with the base URL. It is shown only this once."
          onSaved={() => setSecret(null)}
        />
      )}
    </>
  );
}
