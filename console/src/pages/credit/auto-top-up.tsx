import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PaymentSettingsJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { parseUsd } from '../../../../src/domain/money.ts';
import { topUpQuery } from '../../api/credit.ts';
import { termsOf } from '../../components/top-up-terms.ts';
import { TopUpWorst } from '../../components/top-up-worst.tsx';
import { formatMoney } from '../../format/money.ts';
import { AutoTopUpStop } from '../../forms/auto-top-up-stop.tsx';
import { useUnavailable } from '../../session/access.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

interface AutoTopUpProps {
  readonly workspace: string;
  readonly settings: PaymentSettingsJson;
  /** Opens the form with its three numbers. */
  readonly onChange: () => void;
}

const NO_METHOD = 'Add credit once and let its payment method be kept.';

/** Why it can't be turned on; null if it can. */
function useOnUnavailable(workspace: string, { has_saved_method: isKept }: PaymentSettingsJson): string | null {
  return useUnavailable(workspace, 'payments:write', 'change automatic top-up') ?? (isKept ? null : NO_METHOD);
}

/** Automatic top-ups as one sentence, and the payment method that they charge. */
export function AutoTopUp({ workspace, settings, onChange }: AutoTopUpProps): ReactNode {
  const { auto_top_up: auto, has_saved_method: isKept } = settings;
  const unavailable = useOnUnavailable(workspace, settings);
  return (
    <Section
      title="Automatic top-up"
      actions={
        auto.enabled ? (
          <>
            <AutoTopUpStop workspace={workspace} settings={settings} />
            <Button onClick={onChange} unavailable={unavailable}>
              Change
            </Button>
          </>
        ) : (
          <Button onClick={onChange} unavailable={unavailable}>
            Turn on
          </Button>
        )
      }
    >
      <div className="flex max-w-prose flex-col gap-2 text-body">
        {auto.enabled ? (
          <Sentence settings={settings} />
        ) : (
          <p>It is off: nothing is charged unless somebody adds credit.</p>
        )}
        <p className="text-control text-text-2">
          {isKept ? (
            <>A payment method is kept by {settings.provider === 'stripe' ? 'Stripe' : settings.provider}, not here.</>
          ) : (
            <>No payment method is kept. To keep one, tick the box when you add credit.</>
          )}
        </p>
      </div>
    </Section>
  );
}

function Sentence({ settings }: { readonly settings: PaymentSettingsJson }): ReactNode {
  const { auto_top_up: auto } = settings;
  const [threshold, amount, monthMax] = [auto.threshold_usd, auto.amount_usd, auto.month_max_usd].map(
    (text) => parseUsd(text ?? '0') ?? 0n,
  );
  if (threshold === undefined || amount === undefined || monthMax === undefined) return null;
  return (
    <>
      <p>
        <StatusWord status={auto.stop === null ? 'open' : 'low'}>{auto.stop === null ? 'On' : 'Paused'}</StatusWord>.
        When the balance falls below <b className="tabular font-semibold">{formatMoney(threshold)}</b>,{' '}
        <b className="tabular font-semibold">{formatMoney(amount)}</b> of credit is added, for at most{' '}
        <b className="tabular font-semibold">{formatMoney(monthMax)}</b> charged in a month.
      </p>
      <p className="text-control text-text-2">
        <TopUpWorst terms={termsOf(settings)} amount={amount} monthMax={monthMax} />
        {auto.consent_by !== null && (
          <>
            {' '}
            Agreed to by {auto.consent_by}, <Timestamp at={auto.consent_at} />.
          </>
        )}
      </p>
    </>
  );
}

/** Says that automatic top-ups have stopped, why, and how to resume them. */
export function AutoTopUpStopped({ workspace, settings, onChange }: AutoTopUpProps): ReactNode {
  const { stop, stopped_at: at, recovery_top_up_id: recovery, failures } = settings.auto_top_up;
  const unavailable = useOnUnavailable(workspace, settings);
  if (stop === null) return null;
  if (stop === 'authentication_required') {
    return (
      <Banner tone="danger" action={recovery !== null && <Recovery workspace={workspace} topUp={recovery} />}>
        <b className="font-medium">Automatic top-up is paused</b> since <Timestamp at={at} />: the bank wants the owner
        of the card to confirm the payment. Once it is confirmed, automatic top-up goes on by itself.
      </Banner>
    );
  }
  return (
    <Banner
      tone="danger"
      action={
        <Button onClick={onChange} unavailable={unavailable}>
          Turn on again
        </Button>
      }
    >
      <b className="font-medium">Automatic top-up has stopped</b> after {failures} failed payments, the last{' '}
      <Timestamp at={at} />. Nothing more is charged, and requests are refused once the balance is used up. Add credit
      with a payment method that works and keep it, then turn automatic top-up on again.
    </Banner>
  );
}

function Recovery({ workspace, topUp: id }: { readonly workspace: string; readonly topUp: string }): ReactNode {
  const { data: topUp } = useQuery(topUpQuery(workspace, id));
  if (!topUp?.checkout_url) return null;
  return (
    <a href={topUp.checkout_url} className={buttonClass('primary')}>
      Confirm payment
    </a>
  );
}
