import { type ReactNode, useState } from 'react';
import type { RecurringGrantCreation, RecurringGrantJson } from '../../../src/control/admin/ledger/grant-contract.ts';
import type { PostedJson, PostingCreation } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { createRecurringGrant, postCredit } from '../api/credit.ts';
import { usdOf } from '../format/money-entry.ts';
import { formatMoney } from '../format/money.ts';
import { RadioGroup } from '../ui/radio-group.tsx';
import { GrantTermsFields, ONE_GRANT, recurringOf } from './grant-terms.tsx';
import { ResourceForm } from './resource-form.tsx';
import { MoneyField, TextField } from './text-field.tsx';
import { postingCommand, recurringCommand } from '../components/posting-command.ts';

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
export function postingOf(choice: Choice, usd: string, reason: string, expiresOn = ''): PostingCreation {
  if (choice === 'won') return { kind: 'dispute', won: true, amount_usd: usd, reason };
  const amount = choice === 'take' ? `-${usd}` : usd;
  const posting = { kind: CHOICES[choice].kind, amount_usd: amount, reason };
  return choice === 'grant' && expiresOn !== '' ? { ...posting, kind: 'grant', expires_at: expiresOn } : posting;
}

interface Wanted {
  readonly posting: PostingCreation;
  /** What is given instead, each period. */
  readonly recurring: RecurringGrantCreation | null;
}

async function send(
  workspace: string,
  { posting, recurring }: Wanted,
  once: string,
): Promise<PostedJson | RecurringGrantJson> {
  if (recurring !== null) return await createRecurringGrant(workspace, { ...recurring, once });
  return await postCredit(workspace, { ...posting, once });
}

/** Lets an operator post to the ledger by hand. */
export function PostingCreate({ workspace, onClose }: PostingCreateProps): ReactNode {
  const [choice, setChoice] = useState<Choice>('grant');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [terms, setTerms] = useState(ONE_GRANT);
  const posting = postingOf(choice, usdOf(amount), reason.trim(), terms.expiresOn);
  const recurring = choice === 'grant' ? recurringOf(terms, usdOf(amount), reason.trim()) : null;
  return (
    <ResourceForm
      title="Post credit"
      description={`To the ledger of ${workspace.name}. A posting is never changed: what was wrong is put right by another one.`}
      onClose={onClose}
      dirty={amount !== '' || reason !== ''}
      action={`Post ${CHOICES[choice].label.toLowerCase()}`}
      command={recurring === null ? postingCommand(workspace.id, posting) : recurringCommand(workspace.id, recurring)}
      send={(once) => send(workspace.id, { posting, recurring }, once)}
      done={(answer) =>
        'balance_nano_usd' in answer
          ? `Posted. The balance of ${workspace.name} is ${formatMoney(answer.balance_nano_usd)}.`
          : `${workspace.name} is given ${formatMoney(answer.amount_nano_usd)} each ${answer.period}.`
      }
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace.id] })}
    >
      <RadioGroup label="What it is" options={OPTIONS} value={choice} onChange={setChoice} />
      <MoneyField param="amount_usd" label="Amount in USD" value={amount} onChange={setAmount} />
      {choice === 'grant' && <GrantTermsFields terms={terms} onChange={setTerms} />}
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
