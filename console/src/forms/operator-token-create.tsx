import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { createOperatorToken, operatorTokensQuery } from '../api/instance.ts';
import { useOnce } from '../api/once.ts';
import { CommandLine } from '../components/command-line.tsx';
import { instanceCommand } from '../components/instance-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { showToast } from '../ui/announcements.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { FormFrame } from './form-frame.tsx';

const REACHES = [
  { value: 'read', label: 'Read', help: 'It sees what these pages show, and changes nothing.' },
  { value: 'read_and_backup', label: 'Read and back up', help: 'It downloads backups, too, which hold everything.' },
  { value: 'all', label: 'Do everything', help: 'It grants credit, makes workspaces and tokens, and restarts.' },
] as const;

/** Creates an operator token, and shows it once. */
export function OperatorTokenCreate({ onClose }: { readonly onClose: () => void }): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [reach, setReach] = useState<(typeof REACHES)[number]['value']>('read');
  const [secret, setSecret] = useState<string | null>(null);
  const rights = { read_only: reach !== 'all', backup: reach === 'read_and_backup' };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createOperatorToken({ name: name.trim(), ...rights, once }),
    // The secret stays in no cache.
    gcTime: 0,
    onSuccess: async ({ token }) => {
      if (token === null) {
        showToast(`Token ${name} was created, but the answer with it was lost. Revoke it and create another.`);
        onClose();
      } else {
        setSecret(token);
      }
      await queries.invalidateQueries({ queryKey: operatorTokensQuery.queryKey });
    },
  });
  if (secret !== null) {
    return <SecretDialog title={`Token ${name.trim()} is created.`} what="token" secret={secret} onSaved={onClose} />;
  }
  return (
    <FormFrame
      frame={Dialog}
      title="Create token"
      description="A program runs this instance with it. It is shown once, when it is created."
      onClose={onClose}
      dirty={name !== ''}
      action="Create token"
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <Field label="Name" help="What it is for." error={problemOf(error, 'name')}>
        <TextInput value={name} onChange={setName} required maxLength={100} autoComplete="off" />
      </Field>
      <RadioGroup label="It may" options={REACHES} value={reach} onChange={setReach} />
      <ProblemPanel error={error} except={['name']} />
      <CommandLine command={instanceCommand.createToken(name.trim(), rights)} />
    </FormFrame>
  );
}
