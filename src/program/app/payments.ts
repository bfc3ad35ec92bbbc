import type { Config } from '../../config/config.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import { nightStart } from '../jobs/ledger-watch.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { runAutoTopUps } from '../../control/payments/auto-top-ups.ts';
import { type PaymentProvider, UnsignedWebhook } from '../../control/payments/payment-provider.ts';
import type { PaymentEvent } from '../../control/payments/payment-facts.ts';
import { expireTopUps, prunePayments } from '../../control/payments/payment-upkeep.ts';
import { Payments } from '../../control/payments/payments.ts';
import { reconcile } from '../../control/payments/reconciliation.ts';
import { openStripe } from '../../control/payments/stripe/stripe-provider.ts';
import type { Log } from '../telemetry/log.ts';
import { returnClosedPayments, stopNotices } from './payment-notices.ts';

const AUTO_MS = 60_000;
const RETRY_AFTER_MS = 1_000;

interface PaymentParts {
  readonly config: Pick<Config, 'payments' | 'server'>;
  readonly sql: ControlSql;
  readonly log: Log;
}

/** How webhooks are taken: their bodies are read and checked first, and then put into effect. */
export interface PaymentWebhooks {
  readonly read: (body: Buffer, signature: string) => PaymentEvent | null | Refusal;
  readonly apply: (event: PaymentEvent) => Promise<Refusal | null>;
}

/** What takes payments in this process. */
export interface PaymentDesk {
  readonly payments: Payments;
  readonly provider: PaymentProvider | null;
  /** Takes the provider's webhooks; null: no secret is configured that would show who sent one. */
  readonly webhooks: PaymentWebhooks | null;
}

/** Loads the configured payment provider, which stops the event loop for a moment: before the process serves. */
export async function openPayments({ config, sql, log }: PaymentParts): Promise<PaymentDesk> {
  const { stripe, fee, amountMin, amountMax, returnUrl } = config.payments;
  const { host, port, publicUrl } = config.server;
  const site = (publicUrl ?? `http://${host}:${port}`).replace(/\/$/, '');
  const returnUrlOf = (workspaceId: string): string => returnUrl ?? `${site}/workspaces/${workspaceId}/credit`;
  const provider = stripe === null ? null : await openStripe({ ...stripe, returnUrlOf });
  const payments = new Payments({
    sql,
    provider,
    terms: { fee, amountMin, amountMax, hasTax: stripe?.automaticTax ?? false },
    onMismatch: ({ id, fact: { kind } }, { detail, workspaceId, topUpId }) =>
      log.error(
        { event: 'payment_mismatch', paymentEvent: id, kind, detail, workspaceId, topUpId },
        "a payment event contradicts its top-up, or can't be read, and has no effect: compare it with the provider",
      ),
  });
  if (provider === null || stripe?.webhookSecret === null) return { payments, provider, webhooks: null };
  const webhooks: PaymentWebhooks = {
    read: (body, signature) => {
      try {
        return provider.readWebhook(body, signature);
      } catch (fault) {
        return refusalOfWebhook(fault, log);
      }
    },
    apply: async (event) => {
      try {
        await payments.apply(event);
        return null;
      } catch (fault) {
        return refusalOfWebhook(fault, log);
      }
    },
  };
  return { payments, provider, webhooks };
}

function refusalOfWebhook(fault: unknown, log: Log): Refusal {
  if (fault instanceof UnsignedWebhook) {
    log.warn({ event: 'webhook_refused' }, 'a webhook was refused: it has no valid signature');
    return refuse('INVALID_REQUEST', 'The signature is not valid.');
  }
  if (!(fault instanceof DatabaseUnavailable)) {
    log.error({ err: fault }, 'a payment event could not be applied; its sender will repeat it');
  }
  return refuse('SERVICE_UNAVAILABLE', 'The event could not be applied.', { retryAfterMs: RETRY_AFTER_MS });
}

/**
 * Makes automatic top-ups every minute, and compares with the provider every night, until the program stops. One process of an
 * instance is enough for it.
 */
export async function startPaymentJobs(
  parts: PaymentParts & { readonly config: Pick<Config, 'mail'>; readonly closing: AsyncDisposableStack },
): Promise<void> {
  const { sql, log, closing } = parts;
  const clock = new SystemClock();
  const onFault = (fault: unknown): void => log.warn({ err: fault }, 'work on payments failed; will retry');
  const { payments, provider } = await openPayments(parts);
  const returnClosed = (): Promise<void> => returnClosedPayments(parts.config, { sql, payments, nowMs: clock.nowMs() });
  const upkeep: (() => Promise<unknown>)[] = [() => expireTopUps(sql), () => prunePayments(sql), returnClosed];
  if (provider !== null) {
    const onNotice = stopNotices(parts);
    const autoTopUps = new Housekeeping(
      clock,
      [() => runAutoTopUps({ sql, provider, payments, onNotice, onFault })],
      onFault,
      { intervalMs: AUTO_MS },
    );
    autoTopUps.start();
    closing.defer(() => autoTopUps.stop());
    upkeep.push(async () => {
      const now = new Date(clock.nowMs());
      const made = await reconcile({ sql, provider, payments }, { night: nightStart(clock.nowMs()), now });
      if (made !== null && made.differenceCount > 0n) {
        const { differences, differenceCount } = made;
        log.error(
          { differences: differences.slice(0, 10), differenceCount: differenceCount.toString() },
          "payments differ from the provider's records: compare them there",
        );
      }
    });
  }
  const housekeeping = new Housekeeping(clock, upkeep, onFault);
  housekeeping.start();
  closing.defer(() => housekeeping.stop());
}
