import { type ReactNode, useState } from 'react';
import type { TopUpJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { refundTopUp } from '../api/credit.ts';
import { readMoney, usdOf } from '../format/money-entry.ts';
import { formatMoney, formatMoneyExactly, moneyAsDecimal } from '../format/money.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ResourceForm } from './resource-form.tsx';
import { MoneyField } from './text-field.tsx';

interface TopUpRefundProps {
  readonly topUp: TopUpJson;
  readonly onClose: () => void;
}

/** Lets an operator send a payment back, or a part of it. */
export function TopUpRefund({ topUp, onClose }: TopUpRefundProps): ReactNode {
  const left = BigInt(topUp.total_nano_usd) - BigInt(topUp.refunded_nano_usd) - BigInt(topUp.disputed_nano_usd);
  const [amount, setAmount] = useState(() => moneyAsDecimal(left));
  const entry = readMoney(amount);
  return (
    <ResourceForm
      frame={Dialog}
      title="Refund this payment"
      description="The money goes back the way it came, and its credit is taken. What is spent already is owed, and the next credit repays it first."
      onClose={onClose}
      action={entry.ok ? `Refund ${formatMoney(entry.nano)}` : 'Refund payment'}
      kind="danger"
      send={(once) => refundTopUp(topUp, { amount_usd: usdOf(amount), once: `${once} ${amount}` })}
      done={({ refunded_nano_usd: refunded }) => `${formatMoney(refunded)} of this payment went back to the payer.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', topUp.workspace_id] })}
    >
      <MoneyField
        param="amount_usd"
        label="Amount in USD"
        help={`At most ${formatMoneyExactly(left)}, the fee included. The fee goes back last.`}
        value={amount}
        onChange={setAmount}
      />
    </ResourceForm>
  );
}
