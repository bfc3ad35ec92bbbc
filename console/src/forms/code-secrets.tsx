import type { ReactNode } from 'react';
import type { CreatedCodeBatchJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { formatNumberOf } from '../format/count.ts';
import { formatMoney } from '../format/money.ts';
import { Button } from '../ui/button.tsx';

interface CodeSecretsProps {
  readonly batch: CreatedCodeBatchJson;
  readonly onSaved: () => void;
}

/** Shows the codes of a batch once, and gives them as a file. */
export function CodeSecrets({ batch, onSaved }: CodeSecretsProps): ReactNode {
  const codes = batch.codes ?? [];
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

/** Saves the codes as a file. The page makes it, so that no address and no server has them. */
function download(
  { id, amount_usd: amount, expires_at: expiry }: CreatedCodeBatchJson,
  codes: readonly string[],
): void {
  const lines = ['code,amount_usd,expires_at', ...codes.map((code) => `${code},${amount},${expiry}`)];
  const address = URL.createObjectURL(new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `codes-${id}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
