import type { PaymentSettingsJson } from '../../../src/control/admin/payments/payment-contract.ts';
import { parseUsd } from '../../../src/domain/money.ts';
import { feeOn, type TopUpTerms } from '../../../src/domain/payment-amounts.ts';

// What top-ups cost, by the rules that the server charges by.

const usd = (text: string): bigint => parseUsd(text) ?? 0n;

export function termsOf(settings: PaymentSettingsJson): TopUpTerms {
  return {
    amountMin: usd(settings.amount_min_usd),
    amountMax: usd(settings.amount_max_usd),
    fee: { share: BigInt(settings.fee_percent.replace('.', '')), min: usd(settings.fee_min_usd) },
  };
}

/** What automatic top-ups charge in a month at most: as many as fit below its limit, with their fees. */
export function worstMonth(
  terms: TopUpTerms,
  { amount, monthMax }: { readonly amount: bigint; readonly monthMax: bigint },
): { readonly count: bigint; readonly charge: bigint; readonly credit: bigint } {
  const each = amount + feeOn(amount, terms.fee);
  const count = each <= 0n || monthMax < each ? 0n : monthMax / each;
  return { count, charge: count * each, credit: count * amount };
}
