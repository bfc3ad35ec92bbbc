import { type ReactNode, useState } from 'react';
import type { PostingCreation } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { postCredit } from '../api/credit.ts';
import { usdOf } from '../format/money-entry.ts';
import { formatMoney } from '../format/money.ts';
import { RadioGroup } from '../ui/radio-group.tsx';
import { ResourceForm } from './resource-form.tsx';
import { MoneyField, TextField } from './text-field.tsx';
import { postingCommand } from '../components/posting-command.ts';

interface PostingCreateProps {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

/** What an operator may post by hand, and which way it goes. */
const CHOICES = {
  grant: { label: 'Grant', help: 'Credit as a gift.', kind: 'grant' },
  top_up: { label: 'Top-up', help: 'Credit that was paid for elsewhere, such as by an invoice.', kind: 'top_up' },
  refund: { label: 'Refund', help: 'Takes back credit whose payment was returned elsewhere.', kind: 'refund' },
  dispute: { label: 'Dispute', help: 'Takes back credit whose payment is disputed.', kind: 'dispute' },
  won: { label: 'Dispute won', help: 'Restores what a dispute took.', kind: 'dispute' },
  add: { label: 'Adjustment up', help: 'Adds credit for any other reason.', kind: 'adjustment' },
  take: { label: 'Adjustment down', help: 'Takes credit back for any other reason.', kind: 'adjustment' },
} as const;

export type Choice = keyof typeof CHOICES;

const OPTIONS = (Object.keys(CHOICES) as Choice[]).map((value) => ({ value, ...CHOICES[value] }));

/** What is posted for a choice: amounts that are taken are negative where the kind says no direction. */
export function postingOf(choice: Choice, usd: string, reason: string): PostingCreation {
  if (choice === 'won') return { kind: 'dispute', won: true, amount_usd: usd, reason };
  const amount = choice === 'take' ? `-${usd}` : usd;
  return { kind: CHOICES[choice].kind, amount_usd: amount, reason };
}

/** Lets an operator post to the ledger by hand. */
export function PostingCreate({ workspace, onClose }: PostingCreateProps): ReactNode {
  const [choice, setChoice] = useState<Choice>('grant');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const posting = postingOf(choice, usdOf(amount), reason.trim());
  return (
    <ResourceForm
      title="Post credit"
      description={`To the ledger of ${workspace.name}. A posting is never changed: what was wrong is put right by another one.`}
      onClose={onClose}
      dirty={amount !== '' || reason !== ''}
      action={`Post ${CHOICES[choice].label.toLowerCase()}`}
      command={postingCommand(workspace.id, posting)}
      send={(once) => postCredit(workspace.id, { ...posting, once })}
      done={({ balance_nano_usd: balance }) => `Posted. The balance of ${workspace.name} is ${formatMoney(balance)}.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace.id] })}
    >
      <RadioGroup label="What it is" options={OPTIONS} value={choice} onChange={setChoice} />
      <MoneyField param="amount_usd" label="Amount in USD" value={amount} onChange={setAmount} />
      <TextField
        param="reason"
        label="Reason"
        help="Members of the workspace read it in their statement."
        value={reason}
        onChange={setReason}
        maxLength={500}
      />
    </ResourceForm>
  );
}
