import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { TopUpJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { problemOf } from '../api/api-error.ts';
import { refundTopUp } from '../api/credit.ts';
import { useOnce } from '../api/once.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { formatMoney, moneyAsDecimal } from '../format/money.ts';
import { readMoney } from '../format/money-entry.ts';
import { showToast } from '../ui/announcements.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { FormFrame } from './form-frame.tsx';

interface TopUpRefundProps {
  readonly topUp: TopUpJson;
  readonly onClose: () => void;
}

/** Lets an operator send a payment back, or a part of it. */
export function TopUpRefund({ topUp, onClose }: TopUpRefundProps): ReactNode {
  const once = useOnce();
  const queries = useQueryClient();
  const left = BigInt(topUp.total_nano_usd) - BigInt(topUp.refunded_nano_usd) - BigInt(topUp.disputed_nano_usd);
  const [amount, setAmount] = useState(() => moneyAsDecimal(left));
  const entry = readMoney(amount);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => refundTopUp(topUp, { amount_usd: entry.ok ? entry.usd : amount, once: `${once} ${amount}` }),
    onSuccess: async ({ refunded_nano_usd: refunded }) => {
      showToast(`${formatMoney(refunded)} of this payment went back to the payer.`);
      await queries.invalidateQueries({ queryKey: ['workspace', topUp.workspace_id] });
      onClose();
    },
  });
  return (
    <FormFrame
      frame={Dialog}
      title="Refund this payment"
      description="The money goes back the way it came, and its credit is taken. What is spent already is owed, and the next credit repays it first."
      onClose={onClose}
      action={entry.ok ? `Refund ${formatMoney(entry.nano)}` : 'Refund payment'}
      kind="danger"
      busy={isPending}
      onSubmit={() => mutate()}
    >
      <Field
        label="Amount in USD"
        help={`At most ${formatMoney(left)}, the fee included. The fee goes back last.`}
        error={problemOf(error, 'amount_usd')}
      >
        <MoneyInput value={amount} onChange={setAmount} />
      </Field>
      <ProblemPanel error={error} except={['amount_usd']} />
    </FormFrame>
  );
}
