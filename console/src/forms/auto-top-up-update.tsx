import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type {
  AutoTopUpUpdate as Change,
  PaymentSettingsJson,
} from '../../../src/control/admin/payments/payment-contract.ts';
import { amountRefusal } from '../../../src/domain/payment-amounts.ts';
import { isVersionConflict, problemOf } from '../api/api-error.ts';
import { paymentSettingsQuery, updateAutoTopUp } from '../api/credit.ts';
import { CommandLine } from '../components/command-line.tsx';
import { creditCommand } from '../components/credit-command.ts';
import { ProblemPanel } from '../components/problem-panel.tsx';
import { termsOf } from '../components/top-up-terms.ts';
import { TopUpWorst } from '../components/top-up-worst.tsx';
import { VersionConflict } from '../components/version-conflict.tsx';
import { readMoney } from '../format/money-entry.ts';
import { showToast } from '../ui/announcements.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { MoneyInput } from '../ui/money-input.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { FormFrame } from './form-frame.tsx';

interface AutoTopUpUpdateProps {
  readonly workspace: string;
  readonly settings: PaymentSettingsJson;
  readonly onClose: () => void;
}

const PARAMS = ['threshold_usd', 'amount_usd', 'month_max_usd', 'consent'];

/** Turns automatic top-ups on, or changes their three numbers. */
export function AutoTopUpUpdate({ workspace, settings, onClose }: AutoTopUpUpdateProps): ReactNode {
  const queries = useQueryClient();
  const { auto_top_up: auto } = settings;
  const [version, setVersion] = useState(settings.version);
  const before = [auto.threshold_usd ?? '10.00', auto.amount_usd ?? '25.00', auto.month_max_usd ?? '100.00'] as const;
  const [threshold, setThreshold] = useState<string>(before[0]);
  const [amount, setAmount] = useState<string>(before[1]);
  const [monthMax, setMonthMax] = useState<string>(before[2]);
  const [consents, setConsents] = useState(false);
  const [wantsConsent, setWantsConsent] = useState(false);
  const action = auto.enabled ? 'Change automatic top-up' : 'Turn on automatic top-up';
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (change: Change) => updateAutoTopUp(workspace, version, change),
    onSuccess: async () => {
      showToast(auto.enabled ? 'Automatic top-up is changed.' : 'Automatic top-up is on.');
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'credit'] });
      onClose();
    },
  });
  const submit = (): void => {
    if (!consents) {
      setWantsConsent(true);
      return;
    }
    mutate({
      enabled: true,
      threshold_usd: usdOf(threshold),
      amount_usd: usdOf(amount),
      month_max_usd: usdOf(monthMax),
      consent: true,
    });
  };
  const rebase = async (): Promise<void> => {
    setVersion((await queries.query({ ...paymentSettingsQuery(workspace), staleTime: 0 })).version);
    reset();
  };
  return (
    <FormFrame
      frame={Sheet}
      title={action}
      description="It charges the payment method that is kept, and stops by itself after three failures."
      onClose={onClose}
      dirty={consents || [threshold, amount, monthMax].some((value, at) => value !== before[at])}
      action={action}
      busy={isPending}
      onSubmit={submit}
    >
      <Field label="When the balance falls below" error={problemOf(error, 'threshold_usd')}>
        <MoneyInput value={threshold} onChange={setThreshold} />
      </Field>
      <Field label="add this much credit" error={problemOf(error, 'amount_usd')}>
        <MoneyInput value={amount} onChange={setAmount} />
      </Field>
      <Field
        label="and charge at most this much in a month"
        help="Fees included. Months are months of UTC."
        error={problemOf(error, 'month_max_usd')}
      >
        <MoneyInput value={monthMax} onChange={setMonthMax} />
      </Field>
      <p aria-live="polite" className="rounded-control bg-sunken px-3 py-2 text-control">
        <Worst settings={settings} amount={amount} monthMax={monthMax} />
      </p>
      <div>
        <Checkbox
          label="I agree that the kept payment method is charged like this without asking again"
          help="You can turn it off at any time. What is under way then is withdrawn if it was not charged yet."
          checked={consents}
          onChange={(agreed) => {
            setConsents(agreed);
            setWantsConsent(false);
          }}
        />
        {wantsConsent && (
          <p role="alert" className="mt-1 text-meta text-danger-text">
            Agree to the charges first: without that, none is made.
          </p>
        )}
      </div>
      {isVersionConflict(error) ? (
        <VersionConflict thing="automatic top-up" onLoad={rebase} />
      ) : (
        <ProblemPanel error={error} except={PARAMS} />
      )}
      <CommandLine
        command={creditCommand.autoTopUp(workspace, {
          below: usdOf(threshold),
          amount: usdOf(amount),
          monthMax: usdOf(monthMax),
        })}
      />
    </FormFrame>
  );
}

/** An amount as the server reads it; what can't be read goes as it is, and comes back with what would be right. */
function usdOf(typed: string): string {
  const entry = readMoney(typed);
  return entry.ok ? entry.usd : typed;
}

interface WorstProps {
  readonly settings: PaymentSettingsJson;
  readonly amount: string;
  readonly monthMax: string;
}

function Worst({ settings, amount, monthMax }: WorstProps): ReactNode {
  const terms = termsOf(settings);
  const credit = readMoney(amount);
  const most = readMoney(monthMax);
  if (!credit.ok || !most.ok) return 'Enter the three amounts to see what the worst month costs.';
  const refusal = amountRefusal(credit.nano, terms);
  if (refusal !== null) return refusal.message;
  return <TopUpWorst terms={terms} amount={credit.nano} monthMax={most.nano} />;
}
