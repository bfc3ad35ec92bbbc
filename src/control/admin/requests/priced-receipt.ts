import { readVersionPrice } from '../../catalogue/price-versions.ts';
import type { StoredReceipt } from '../../ledger/receipts.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { ReceiptJson } from '../ledger/ledger-contract.ts';
import { operatorReceiptJson } from '../ledger/ledger-representations.ts';

/** A receipt with the calculation of its charge. */
export async function pricedReceiptJson(sql: ControlSql, receipt: StoredReceipt): Promise<ReceiptJson> {
  const { model, workspaceId, priceVersion: version } = receipt;
  const price = await readVersionPrice(sql, { model, version, workspaceId });
  return operatorReceiptJson(receipt, price);
}
