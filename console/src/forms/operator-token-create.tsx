import { type ReactNode, useState } from 'react';
import { createOperatorToken, operatorTokensQuery } from '../api/instance.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { TOKEN_COMMANDS } from '../../../src/control/operations/access-commands.ts';

const REACHES = [
  { value: 'read', label: 'Read', help: 'It sees what these pages show, and changes nothing.' },
  { value: 'read_and_backup', label: 'Read and back up', help: 'It downloads backups, too, which hold everything.' },
  { value: 'all', label: 'Do everything', help: 'It grants credit, makes workspaces and tokens, and restarts.' },
] as const;

/** Creates an operator token, and shows it once. */
export function OperatorTokenCreate({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [reach, setReach] = useState<(typeof REACHES)[number]['value']>('read');
  const rights = { read_only: reach !== 'all', backup: reach === 'read_and_backup' };
  return (
    <ResourceForm
      frame={Dialog}
      title="Create token"
      description="A program runs this instance with it. It is shown once, when it is created."
      onClose={onClose}
      dirty={name !== ''}
      action="Create token"
      command={commandWords(TOKEN_COMMANDS, 'token create', { name: name.trim(), ...rights })}
      send={(once) => createOperatorToken({ name: name.trim(), ...rights, once })}
      reload={(queries) => queries.invalidateQueries({ queryKey: operatorTokensQuery.queryKey })}
      done={() => `Token ${name} was created, but the answer with it was lost. Revoke it and create another.`}
      renderSecret={({ token }) =>
        token && (
          <SecretDialog title={`Token ${name.trim()} is created.`} what="token" secret={token} onSaved={onClose} />
        )
      }
    >
      <TextField param="name" label="Name" help="What it is for." value={name} onChange={setName} maxLength={100} />
      <RadioGroup label="It may" options={REACHES} value={reach} onChange={setReach} />
    </ResourceForm>
  );
}
