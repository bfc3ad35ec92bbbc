import { amountFields, formatExactUsd } from '../../domain/money.ts';
import { adjustmentFields, type VersionPrice } from '../../domain/price-adjustment.ts';
import { itemiseCost, type Price } from '../../domain/price.ts';
import { priceIn } from '../../domain/tier-price.ts';
import { STORED_FIELDS } from '../../domain/stored-fields.ts';
import { netCharge } from './net-charge.ts';
import type { Posting } from './posting.ts';
import { fieldsJson } from './receipt-fields-json.ts';
import type { StoredReceipt } from './receipts.ts';

/** A correction without the operator's fields (actor, reason and balance). */
function correctionJson({ id, amount, postedAt }: Posting) {
  return { id, ...amountFields('amount', amount), posted_at: postedAt.toISOString() };
}

/** The calculation of a charge: the cost of each class of tokens and of uses, summed, and rounded up once. */
function costJson({ usage: { tokens }, uses, serviceTier }: StoredReceipt, paid: Price) {
  const price = priceIn(paid, serviceTier) ?? paid;
  const { aboveInputTokens, lines, feeLines, exact, cost } = itemiseCost(price, tokens, uses);
  return {
    above_input_tokens: aboveInputTokens,
    lines: lines.map((line) => ({
      class: line.tokenClass,
      tokens: line.tokens,
      ...amountFields('rate', line.rate),
      amount_usd: formatExactUsd(line.exact),
    })),
    fee_lines: feeLines.map((line) => ({
      use: line.useClass,
      uses: line.uses,
      ...amountFields('fee', line.fee),
      amount_usd: formatExactUsd(line.exact),
    })),
    exact_usd: formatExactUsd(exact),
    ...amountFields('cost', cost),
  };
}

/**
 * A receipt in JSON, with the calculation of its charge, the same for operators and for the key that made the request;
 * `paid` is null if the price of its version is unknown. It contains names of routes and kinds of faults, never an
 * upstream's own messages or credentials.
 */
export function receiptJson(receipt: StoredReceipt, paid: VersionPrice | null) {
  const adjustment = paid?.adjustment ?? null;
  const fields = fieldsJson(STORED_FIELDS, receipt);
  const { request_id, workspace_id, project_id, key_id, dialect, model, price_version_id, ...rest } = fields;
  return {
    request_id,
    workspace_id,
    workspace_name: receipt.names.workspace,
    project_id,
    project_name: receipt.names.project,
    key_id,
    key_name: receipt.names.key,
    dialect,
    model,
    price_version_id,
    price_version: receipt.priceVersion,
    price_adjustment: adjustment === null ? null : adjustmentFields(adjustment),
    ...rest,
    cost: paid === null ? null : costJson(receipt, paid.price),
    settled_at: receipt.settledAt.toISOString(),
    late: receipt.late,
    superseded_by: receipt.supersededBy,
    levels: [...receipt.levels],
    corrections: receipt.corrections.map(correctionJson),
    ...amountFields('net_charge', netCharge(receipt.charge, receipt.corrections)),
  };
}
