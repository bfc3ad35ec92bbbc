import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import type { CreatedCodeBatchJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { problemOf } from '../api/api-error.ts';
import { codeBatchesQuery, createCodeBatch } from '../api/codes.ts';
import { useOnce } from '../api/once.ts';
import { codeCommand } from '../components/code-command.ts';
import { CommandLine } from '../components/command-line.tsx';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { addDays, dayOf } from '../format/day.ts';
import { readMoney } from '../format/money-entry.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { DateInput } from '../ui/date-input.tsx';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { CodeSecrets } from './code-secrets.tsx';

const CREDITS = [
  { value: 'granted', label: 'Granted', help: 'A gift: it is not refunded when a workspace is closed.' },
  { value: 'sold', label: 'Sold', help: 'Somebody has paid you for the codes, so their credit counts as paid.' },
] as const;

const DAYS = 90;
const COUNT_MAX = 1_000;
const FIELDS = ['count', 'amount_usd', 'expires_at', 'reason'];

/** Makes a batch of redemption codes, and shows them once. */
export function CodeBatchCreate({ onClose }: { readonly onClose: () => void }): ReactNode {
  const form = useId();
  const once = useOnce();
  const queries = useQueryClient();
  const [today] = useState(() => dayOf(new Date()));
  const [count, setCount] = useState('10');
  const [amount, setAmount] = useState('');
  const [expiry, setExpiry] = useState(() => addDays(today, DAYS));
  const [reason, setReason] = useState('');
  const [credit, setCredit] = useState<(typeof CREDITS)[number]['value']>('granted');
  const [made, setMade] = useState<CreatedCodeBatchJson | null>(null);
  const entry = readMoney(amount);
  const order = {
    count: Number(count),
    amount_usd: entry.ok ? entry.usd : amount,
    expires_at: expiry,
    sold: credit === 'sold',
    reason: reason.trim(),
  };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => createCodeBatch({ ...order, once }),
    // The codes stay in no cache.
    gcTime: 0,
    onSuccess: async (batch) => {
      if (batch.codes === null) {
        showToast('The codes were created, but the answer with them was lost. Cancel the batch and create another.');
        onClose();
      } else {
        setMade(batch);
      }
      await queries.invalidateQueries({ queryKey: codeBatchesQuery.queryKey });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    mutate();
  };
  if (made !== null) return <CodeSecrets batch={made} onSaved={onClose} />;
  return (
    <Sheet
      open
      title="Create codes"
      description="A code gives its credit once, to the workspace that redeems it. The codes are shown once, when they are created."
      onClose={onClose}
      dirty={amount !== '' || reason !== ''}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} busy={isPending}>
            Create codes
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        <Field label="How many" help={`At most ${COUNT_MAX.toLocaleString('en')}.`} error={problemOf(error, 'count')}>
          <TextInput
            type="number"
            inputMode="numeric"
            min={1}
            max={COUNT_MAX}
            required
            value={count}
            onChange={setCount}
            className="tabular max-w-44"
          />
        </Field>
        <Field label="Credit of each in USD" error={problemOf(error, 'amount_usd')}>
          <MoneyInput value={amount} onChange={setAmount} />
        </Field>
        <Field label="Void from" help="The start of this day, UTC." error={problemOf(error, 'expires_at')}>
          <DateInput value={expiry} onChange={setExpiry} min={addDays(today, 1)} />
        </Field>
        <Field label="What they are for" help="Operators read it in the list." error={problemOf(error, 'reason')}>
          <TextInput value={reason} onChange={setReason} required maxLength={500} autoComplete="off" />
        </Field>
        <RadioGroup label="The credit is" options={CREDITS} value={credit} onChange={setCredit} />
        <ProblemPanel error={error} except={FIELDS} />
        <CommandLine command={codeCommand.create(order)} />
      </form>
    </Sheet>
  );
}
