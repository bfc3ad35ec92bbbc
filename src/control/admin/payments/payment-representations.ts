import { amountFields, formatUsd, type NanoUsd } from '../../../domain/money.ts';
import type { Batch, RedemptionCode } from '../../payments/codes/code-batches.ts';
import type { PaymentSettings } from '../../payments/payment-settings.ts';
import type { Payments } from '../../payments/payments.ts';
import type { TopUp } from '../../payments/top-ups.ts';
import { recordJson } from '../record-json.ts';
import * as contract from './payment-contract.ts';
import type { CodeBatchJson, PaymentSettingsJson, RedemptionCodeJson, TopUpJson } from './payment-contract.ts';

// Payments as JSON of the admin API.

export function topUpJson(topUp: TopUp): TopUpJson {
  const checkoutUrl = topUp.state === 'pending' ? topUp.checkoutUrl : null;
  return recordJson(contract.topUp, { ...topUp, total: topUp.amount + topUp.fee + topUp.tax, checkoutUrl });
}

export function paymentSettingsJson(
  { version, customer, auto }: PaymentSettings,
  { provider, terms, paid }: Pick<Payments, 'provider' | 'terms'> & { readonly paid: NanoUsd },
): PaymentSettingsJson {
  const { share, min } = terms.fee;
  return {
    version,
    provider,
    amount_min_usd: formatUsd(terms.amountMin),
    amount_max_usd: formatUsd(terms.amountMax),
    fee_percent: `${share / 100n}.${(share % 100n).toString().padStart(2, '0')}`,
    fee_min_usd: formatUsd(min),
    has_tax: terms.hasTax ?? false,
    has_saved_method: customer !== null,
    ...amountFields('paid', paid),
    auto_top_up: recordJson(contract.paymentSettings.shape.auto_top_up, auto),
  };
}

export function codeBatchJson(batch: Batch): CodeBatchJson {
  const state = batch.redeemed === batch.count ? 'used_up' : batch.hasExpired ? 'over' : 'open';
  return recordJson(contract.codeBatch, { ...batch, state });
}

export function redemptionCodeJson(code: RedemptionCode): RedemptionCodeJson {
  return recordJson(contract.redemptionCode, code);
}
