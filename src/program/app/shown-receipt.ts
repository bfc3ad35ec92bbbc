import { readVersionPrice } from '../../control/catalogue/price-versions.ts';
import { receiptJson } from '../../control/ledger/receipt-json.ts';
import { findWorkspaceReceipt } from '../../control/ledger/receipts.ts';
import type { Principal } from '../../domain/principal.ts';
import type { ShownReceipt } from '../../gate/gateway/gateway-deps.ts';
import type { ControlSql } from '../../lib/control-sql.ts';

/** A receipt of the principal's workspace with the calculation of its charge. @throws DatabaseUnavailable */
export async function findShownReceipt(
  sql: ControlSql,
  principal: Principal,
  requestId: string,
): Promise<ShownReceipt | null> {
  const receipt = await findWorkspaceReceipt(sql, principal, requestId);
  if (receipt === null) return null;
  const { keyId, model, workspaceId, priceVersion: version } = receipt;
  const price = await readVersionPrice(sql, { model, version, workspaceId });
  return { keyId, json: receiptJson(receipt, price) };
}
