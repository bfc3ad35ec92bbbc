import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../api/api-error.ts';
import { redeemCode } from '../api/credit.ts';
import { CommandLine } from '../components/command-line.tsx';
import { creditCommand } from '../components/credit-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { formatMoney } from '../format/money.ts';
import { showToast } from '../ui/announcements.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { FormFrame } from './form-frame.tsx';

interface CodeRedeemProps {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Gives a code for its credit. */
export function CodeRedeem({ workspace, onClose }: CodeRedeemProps): ReactNode {
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => redeemCode(workspace.id, code.trim()),
    onSuccess: async ({ amount_nano_usd: amount }) => {
      showToast(`The code is redeemed: ${formatMoney(amount)} of credit for ${workspace.name}.`);
      await queries.invalidateQueries({ queryKey: ['workspace', workspace.id] });
      onClose();
    },
  });
  return (
    <FormFrame
      frame={Dialog}
      title="Redeem a code"
      description={
        <>
          Its credit goes to the workspace{' '}
          <strong className="font-medium wrap-anywhere text-text">{workspace.name}</strong> immediately. A code works
          one time.
        </>
      }
      onClose={onClose}
      dirty={code !== ''}
      action="Redeem code"
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <Field label="Code" error={problemOf(error, 'code')}>
        <TextInput
          value={code}
          onChange={setCode}
          required
          mono
          maxLength={100}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </Field>
      <ProblemPanel error={error} except={['code']} />
      <CommandLine command={creditCommand.redeem(workspace.id)} />
    </FormFrame>
  );
}
