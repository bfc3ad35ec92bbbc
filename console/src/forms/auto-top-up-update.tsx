import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { amountRefusal } from '../../../src/domain/payment-amounts.ts';
import { paymentSettingsQuery, updateAutoTopUp } from '../api/credit.ts';
import { commandWords } from '../components/command-words.ts';
import { AUTO_TOP_UP_COMMANDS } from '../../../src/control/operations/payment-commands.ts';
import { termsOf } from '../components/top-up-terms.ts';
import { TopUpWorst } from '../components/top-up-worst.tsx';
import { readMoney, usdOf } from '../format/money-entry.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { ResourceForm } from './resource-form.tsx';
import { MoneyField } from './text-field.tsx';

interface AutoTopUpUpdateProps {
  readonly workspace: string;
  readonly settings: PaymentSettingsJson;
  readonly onClose: () => void;
}

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
  const typed = { threshold_usd: usdOf(threshold), amount_usd: usdOf(amount), month_max_usd: usdOf(monthMax) };
  const rebase = async (): Promise<void> =>
    setVersion((await queries.query({ ...paymentSettingsQuery(workspace), staleTime: 0 })).version);
  return (
    <ResourceForm
      title={action}
      description="It charges the payment method that is kept, and stops by itself after three failures."
      onClose={onClose}
      dirty={consents || [threshold, amount, monthMax].some((value, at) => value !== before[at])}
      action={action}
      command={commandWords(AUTO_TOP_UP_COMMANDS, 'auto-top-up update', {
        workspace,
        enabled: true,
        ...typed,
        consent: true,
      })}
      maySend={() => {
        setWantsConsent(!consents);
        return consents;
      }}
      send={() => updateAutoTopUp(workspace, version, { enabled: true, ...typed, consent: true })}
      done={() => (auto.enabled ? 'Automatic top-up is changed.' : 'Automatic top-up is on.')}
      reload={() => queries.invalidateQueries({ queryKey: ['workspace', workspace, 'credit'] })}
      versioned={{ thing: 'automatic top-up', load: rebase }}
    >
      <MoneyField
        param="threshold_usd"
        label="When the balance falls below"
        value={threshold}
        onChange={setThreshold}
      />
      <MoneyField param="amount_usd" label="add this much credit" value={amount} onChange={setAmount} />
      <MoneyField
        param="month_max_usd"
        label="and charge at most this much in a month"
        help="Fees included. Months are months of UTC."
        value={monthMax}
        onChange={setMonthMax}
      />
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
    </ResourceForm>
  );
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
