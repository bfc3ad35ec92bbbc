import { type ReactNode, useState } from 'react';
import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { amountRefusal, feeOn } from '../../../src/domain/payment-amounts.ts';
import { startTopUp } from '../api/credit.ts';
import { termsOf } from '../components/top-up-terms.ts';
import { readMoney } from '../format/money-entry.ts';
import { formatMoney, moneyAsDecimal } from '../format/money.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Chip } from '../ui/chip.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Money } from '../ui/money.tsx';
import { ResourceForm } from './resource-form.tsx';
import { MoneyField } from './text-field.tsx';
import { commandWords } from '../components/command-words.ts';
import { TOP_UP_COMMANDS } from '../../../src/control/operations/payment-commands.ts';

interface TopUpCreateProps {
  readonly workspace: { readonly id: string; readonly name: string };
  readonly settings: PaymentSettingsJson;
  /** An amount in USD that would be enough for something; the usual one is proposed if that is more. */
  readonly amount?: string | undefined;
  readonly onClose: () => void;
}

const USD = 1_000_000_000n;
const PRESETS = [10n * USD, 25n * USD, 50n * USD, 100n * USD, 250n * USD];
const USUAL = 25n * USD;

/** Chooses an amount, shows what it costs, and leads to the provider's page on which it is paid. */
export function TopUpCreate({ workspace, settings, amount: wanted, onClose }: TopUpCreateProps): ReactNode {
  const terms = termsOf(settings);
  const presets = PRESETS.filter((preset) => amountRefusal(preset, terms) === null);
  const usual = presets.includes(USUAL) ? USUAL : (presets[0] ?? terms.amountMin);
  const [typed, setTyped] = useState(() => {
    const needed = readMoney(wanted ?? '');
    return moneyAsDecimal(needed.ok && needed.nano > usual ? needed.nano : usual);
  });
  const [savesMethod, setSavesMethod] = useState(false);
  const entry = readMoney(typed);
  const amount = entry.ok ? entry.nano : null;
  const wrong = amount === null ? null : wrongAmount(amount, terms);
  const total = amount === null || wrong !== null ? null : amount + feeOn(amount, terms.fee);
  const usd = entry.ok ? entry.usd : '';
  return (
    <ResourceForm
      frame={Dialog}
      title="Add credit"
      description={
        <>
          To the workspace <strong className="font-medium wrap-anywhere text-text">{workspace.name}</strong>. You pay on
          a page of {providerName(settings.provider)} and come back here.
        </>
      }
      onClose={onClose}
      action={total === null ? 'Go to payment' : `Pay ${formatMoney(total)}`}
      unavailable={total === null ? (wrong ?? 'Choose an amount first.') : null}
      command={commandWords(TOP_UP_COMMANDS, 'top-up create', {
        workspace: workspace.id,
        amount_usd: entry.ok ? usd : null,
        save_method: savesMethod,
      })}
      send={(once) =>
        // The name is the amount's as well: another amount after a lost answer is another top-up.
        startTopUp(workspace.id, { amount_usd: usd, save_method: savesMethod, once: `${once} ${usd} ${savesMethod}` })
      }
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace.id, 'top-ups'] })}
      onDone={({ checkout_url: url }) => (url === null ? onClose() : window.location.assign(url))}
    >
      <fieldset className="min-w-0">
        <legend className="mb-1 text-control font-medium">Amount</legend>
        <div className="flex flex-wrap gap-2">
          {presets.map((preset) => (
            <Chip key={preset.toString()} pressed={amount === preset} onPress={() => setTyped(moneyAsDecimal(preset))}>
              {formatMoney(preset).replace(/\.00$/, '')}
            </Chip>
          ))}
        </div>
      </fieldset>
      <MoneyField
        param="amount_usd"
        label="Credit in USD"
        help={`From ${formatMoney(terms.amountMin)} to ${formatMoney(terms.amountMax)}, in whole cents.`}
        problem={wrong}
        value={typed}
        onChange={setTyped}
      />
      <Bill settings={settings} amount={total === null ? null : amount} />
      <Checkbox
        label="Keep this payment method for automatic top-ups"
        help="Nothing is charged by that alone: automatic top-ups stay as they are until you turn them on."
        checked={savesMethod}
        onChange={setSavesMethod}
      />
    </ResourceForm>
  );
}

/** What would be right for an amount that can't be bought; null if it can. */
export function wrongAmount(amount: bigint, terms: ReturnType<typeof termsOf>): string | null {
  if (amountRefusal(amount, terms) === null) return null;
  if (amount < terms.amountMin) return `Enter at least ${formatMoney(terms.amountMin)}.`;
  if (amount > terms.amountMax) return `Enter at most ${formatMoney(terms.amountMax)}.`;
  return 'Enter whole cents.';
}

interface BillProps {
  readonly settings: PaymentSettingsJson;
  /** Null: it is not known what is bought. */
  readonly amount: bigint | null;
}

/** Credit, fee and total. */
function Bill({ settings, amount }: BillProps): ReactNode {
  const { fee } = termsOf(settings);
  const charged = amount === null ? null : feeOn(amount, fee);
  const lines = [
    ['Credit', amount, false],
    [`Fee, ${feeWords(settings)}`, charged, false],
    [
      settings.has_tax ? 'You pay, and tax' : 'You pay',
      amount === null || charged === null ? null : amount + charged,
      true,
    ],
  ] as const;
  return (
    <dl aria-live="polite" className="flex flex-col text-control">
      {lines.map(([term, value, isTotal]) => (
        <div
          key={isTotal ? 'total' : term}
          className={`flex justify-between gap-4 py-1 ${isTotal ? 'mt-1 border-t border-line pt-2 font-medium' : ''}`}
        >
          <dt className={isTotal ? '' : 'text-text-2'}>{term}</dt>
          <dd className="tabular">
            {value === null ? <span className="text-text-3">no amount</span> : <Money amount={value} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** "5.5 %, at least $0.80". */
export function feeWords({ fee_percent: percent, ...settings }: PaymentSettingsJson): string {
  const { fee } = termsOf({ fee_percent: percent, ...settings });
  if (fee.share === 0n && fee.min === 0n) return 'none';
  const share = `${Number(percent)} %`;
  if (fee.min === 0n) return share;
  return fee.share === 0n ? 'fixed' : `${share}, at least ${formatMoney(fee.min)}`;
}

/** A payment provider's name as it writes it. */
function providerName(provider: string | null): string {
  return provider === 'stripe' ? 'Stripe' : (provider ?? 'the payment provider');
}
