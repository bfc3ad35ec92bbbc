import { type ReactNode, useState } from 'react';
import { redeemCode } from '../api/credit.ts';
import { formatMoney } from '../format/money.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { CODE_COMMANDS } from '../../../src/control/operations/payment-commands.ts';

interface CodeRedeemProps {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** Gives a code for its credit. */
export function CodeRedeem({ workspace, onClose }: CodeRedeemProps): ReactNode {
  const [code, setCode] = useState('');
  return (
    <ResourceForm
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
      command={commandWords(CODE_COMMANDS, 'code redeem', { workspace: workspace.id })}
      send={() => redeemCode(workspace.id, code.trim())}
      done={({ amount_nano_usd: amount }) =>
        `The code is redeemed: ${formatMoney(amount)} of credit for ${workspace.name}.`
      }
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace.id] })}
    >
      <TextField
        param="code"
        label="Code"
        value={code}
        onChange={setCode}
        mono
        maxLength={100}
        autoCapitalize="off"
        spellCheck={false}
      />
    </ResourceForm>
  );
}
