import { amountFields, formatUsd, type NanoUsd } from '../../../domain/money.ts';
import type { Batch, RedemptionCode } from '../../payments/codes/code-batches.ts';
import type { PaymentSettings } from '../../payments/payment-settings.ts';
import type { Payments } from '../../payments/payments.ts';
import type { TopUp } from '../../payments/top-ups.ts';
import type { CodeBatchJson, PaymentSettingsJson, RedemptionCodeJson, TopUpJson } from './payment-contract.ts';

// Payments as JSON of the admin API.

export function topUpJson(topUp: TopUp): TopUpJson {
  return {
    id: topUp.id,
    workspace_id: topUp.workspaceId,
    provider: topUp.provider,
    origin: topUp.origin,
    state: topUp.state,
    ...amountFields('amount', topUp.amount),
    ...amountFields('fee', topUp.fee),
    ...amountFields('total', topUp.amount + topUp.fee),
    ...amountFields('refunded', topUp.refunded),
    ...amountFields('disputed', topUp.disputed),
    saves_method: topUp.savesMethod,
    checkout_url: topUp.state === 'pending' ? topUp.checkoutUrl : null,
    expires_at: topUp.expiresAt?.toISOString() ?? null,
    payment: topUp.payment,
    posting_id: topUp.postingId,
    failure: topUp.failure,
    actor: topUp.actor,
    once: topUp.once,
    created_at: topUp.createdAt.toISOString(),
    updated_at: topUp.updatedAt.toISOString(),
  };
}

export function paymentSettingsJson(
  { version, customer, auto }: PaymentSettings,
  { provider, terms, paid }: Pick<Payments, 'provider' | 'terms'> & { readonly paid: NanoUsd },
): PaymentSettingsJson {
  const usd = (amount: bigint | null): string | null => (amount === null ? null : formatUsd(amount));
  const { share, min } = terms.fee;
  return {
    version,
    provider,
    amount_min_usd: formatUsd(terms.amountMin),
    amount_max_usd: formatUsd(terms.amountMax),
    fee_percent: `${share / 100n}.${(share % 100n).toString().padStart(2, '0')}`,
    fee_min_usd: formatUsd(min),
    has_saved_method: customer !== null,
    ...amountFields('paid', paid),
    auto_top_up: {
      enabled: auto.enabled,
      threshold_usd: usd(auto.threshold),
      amount_usd: usd(auto.amount),
      month_max_usd: usd(auto.monthMax),
      consent_by: auto.consentBy,
      consent_at: auto.consentAt?.toISOString() ?? null,
      failures: auto.failures,
      stop: auto.stop,
      stopped_at: auto.stoppedAt?.toISOString() ?? null,
      recovery_top_up_id: auto.recoveryTopUpId,
    },
  };
}

export function codeBatchJson(batch: Batch): CodeBatchJson {
  const { id, count, redeemed, amount, sold, expiresAt, reason, actor, createdAt } = batch;
  return {
    id,
    count,
    redeemed,
    ...amountFields('amount', amount),
    sold,
    expires_at: expiresAt.toISOString(),
    state: batch.redeemed === batch.count ? 'used_up' : batch.hasExpired ? 'over' : 'open',
    reason,
    actor,
    created_at: createdAt.toISOString(),
  };
}

export function redemptionCodeJson(code: RedemptionCode): RedemptionCodeJson {
  return {
    id: code.id,
    batch_id: code.batchId,
    last_four: code.lastFour,
    ...amountFields('amount', code.amount),
    expires_at: code.expiresAt.toISOString(),
    workspace_id: code.workspaceId,
    workspace_name: code.workspaceName,
    top_up_id: code.topUpId,
    redeemed_by: code.redeemedBy,
    redeemed_at: code.redeemedAt?.toISOString() ?? null,
  };
}
