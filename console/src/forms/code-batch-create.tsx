import { type ReactNode, useState } from 'react';
import type { CreatedCodeBatchJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { codeBatchesQuery, createCodeBatch } from '../api/codes.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { formatNumberOf } from '../format/count.ts';
import { addDays, dayOf } from '../format/day.ts';
import { usdOf } from '../format/money-entry.ts';
import { formatMoney } from '../format/money.ts';
import { Button } from '../ui/button.tsx';
import { DateInput } from '../ui/date-input.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { saveCsv } from '../ui/save-csv.ts';
import { ParamField } from './param-field.tsx';
import { ResourceForm } from './resource-form.tsx';
import { MoneyField, TextField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { CODE_COMMANDS } from '../../../src/control/operations/payment-commands.ts';

const CREDITS = [
  { value: 'granted', label: 'Granted', help: 'A gift: it is not refunded when a workspace is closed.' },
  { value: 'sold', label: 'Sold', help: 'Somebody has paid you for the codes, so their credit counts as paid.' },
] as const;

const DAYS = 90;
const COUNT_MAX = 1_000;

/** Makes a batch of redemption codes, and shows them once. */
export function CodeBatchCreate({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [today] = useState(() => dayOf(new Date()));
  const [count, setCount] = useState('10');
  const [amount, setAmount] = useState('');
  const [expiry, setExpiry] = useState(() => addDays(today, DAYS));
  const [reason, setReason] = useState('');
  const [credit, setCredit] = useState<(typeof CREDITS)[number]['value']>('granted');
  const order = {
    count: Number(count),
    amount_usd: usdOf(amount),
    expires_at: expiry,
    sold: credit === 'sold',
    reason: reason.trim(),
  };
  return (
    <ResourceForm
      title="Create codes"
      description="A code gives its credit once, to the workspace that redeems it. The codes are shown once, when they are created."
      onClose={onClose}
      dirty={amount !== '' || reason !== ''}
      action="Create codes"
      command={commandWords(CODE_COMMANDS, 'code create', order)}
      send={(once) => createCodeBatch({ ...order, once })}
      reload={(queries) => queries.invalidateQueries({ queryKey: codeBatchesQuery.queryKey })}
      done={() => 'The codes were created, but the answer with them was lost. Cancel the batch and create another.'}
      renderSecret={(batch) => batch.codes && <CodeSecrets batch={batch} codes={batch.codes} onSaved={onClose} />}
    >
      <TextField
        param="count"
        label="How many"
        help={`At most ${COUNT_MAX.toLocaleString('en')}.`}
        type="number"
        inputMode="numeric"
        min={1}
        max={COUNT_MAX}
        value={count}
        onChange={setCount}
        className="tabular max-w-44"
      />
      <MoneyField param="amount_usd" label="Credit of each in USD" value={amount} onChange={setAmount} />
      <ParamField param="expires_at" label="Void from" help="The start of this day, UTC.">
        <DateInput value={expiry} onChange={setExpiry} min={addDays(today, 1)} />
      </ParamField>
      <TextField
        param="reason"
        label="What they are for"
        help="Operators read it in the list."
        value={reason}
        onChange={setReason}
        maxLength={500}
      />
      <RadioGroup label="The credit is" options={CREDITS} value={credit} onChange={setCredit} />
    </ResourceForm>
  );
}

interface CodeSecretsProps {
  readonly batch: CreatedCodeBatchJson;
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** Shows the codes of a batch once, and gives them as a file. */
function CodeSecrets({ batch, codes, onSaved }: CodeSecretsProps): ReactNode {
  const isOne = codes.length === 1;
  return (
    <SecretDialog
      title={`${formatNumberOf(codes.length, 'code')} ${isOne ? 'is' : 'are'} created.`}
      what="batch of codes"
      secret={codes.join('\n')}
      description={`Each gives ${formatMoney(batch.amount_nano_usd)}, once. Save ${isOne ? 'it' : 'them'} now: only this page ever shows ${isOne ? 'it' : 'them'}.`}
      onSaved={onSaved}
    >
      <div>
        <Button onClick={() => download(batch, codes)}>Download CSV</Button>
      </div>
    </SecretDialog>
  );
}

/** Saves the codes as a file. */
function download(
  { id, amount_usd: amount, expires_at: expiry }: CreatedCodeBatchJson,
  codes: readonly string[],
): void {
  const lines = ['code,amount_usd,expires_at', ...codes.map((code) => `${code},${amount},${expiry}`)];
  saveCsv(`codes-${id}.csv`, lines);
}
