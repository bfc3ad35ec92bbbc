import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PostingCreation } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { problemOf } from '../api/api-error.ts';
import { postCredit } from '../api/credit.ts';
import { useOnce } from '../api/once.ts';
import { CommandLine } from '../components/command-line.tsx';
import { creditCommand } from '../components/credit-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { formatMoney } from '../format/money.ts';
import { readMoney } from '../format/money-entry.ts';
import { showToast } from '../ui/announcements.ts';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { FormFrame } from './form-frame.tsx';

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
  const once = useOnce();
  const queries = useQueryClient();
  const [choice, setChoice] = useState<Choice>('grant');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const entry = readMoney(amount);
  const posting = postingOf(choice, entry.ok ? entry.usd : amount, reason.trim());
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => postCredit(workspace.id, { ...posting, once }),
    onSuccess: async ({ balance_nano_usd: balance }) => {
      showToast(`Posted. The balance of ${workspace.name} is ${formatMoney(balance)}.`);
      await queries.invalidateQueries({ queryKey: ['workspace', workspace.id] });
      onClose();
    },
  });
  return (
    <FormFrame
      frame={Sheet}
      title="Post credit"
      description={`To the ledger of ${workspace.name}. A posting is never changed: what was wrong is put right by another one.`}
      onClose={onClose}
      dirty={amount !== '' || reason !== ''}
      action={`Post ${CHOICES[choice].label.toLowerCase()}`}
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <RadioGroup label="What it is" options={OPTIONS} value={choice} onChange={setChoice} />
      <Field label="Amount in USD" error={problemOf(error, 'amount_usd')}>
        <MoneyInput value={amount} onChange={setAmount} />
      </Field>
      <Field
        label="Reason"
        help="Members of the workspace read it in their statement."
        error={problemOf(error, 'reason')}
      >
        <TextInput value={reason} onChange={setReason} required maxLength={500} autoComplete="off" />
      </Field>
      <ProblemPanel error={error} except={['amount_usd', 'reason']} />
      <CommandLine command={creditCommand.post(workspace.id, posting)} />
    </FormFrame>
  );
}
