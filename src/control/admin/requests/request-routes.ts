import { refuse } from '../../../domain/refusals.ts';
import { findWorkspaceReceipt } from '../../ledger/receipts.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { findRefusal } from '../../refusals/refusal-search.ts';
import { pricedReceiptJson } from './priced-receipt.ts';
import { refusalJson } from './refusal-representations.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

/** Adds the route that finds a request by its id, served or refused. */
export function addRequestRoutes(app: AdminApp, { sql }: { readonly sql: ControlSql }): void {
  serve(app, 'showRequest', async ({ scope, params }) => {
    const { request_id: id } = params;
    const receipt = await findWorkspaceReceipt(sql, scope, id);
    // A receipt without an attempt doesn't say why there was none.
    const refusal = receipt !== null && receipt.attempts.length > 0 ? null : await findRefusal(sql, scope, id);
    if (refusal !== null) return { kind: 'refusal' as const, refusal: refusalJson(refusal) };
    if (receipt !== null) {
      return { kind: 'receipt' as const, receipt: await pricedReceiptJson(sql, receipt) };
    }
    const message =
      'No request of this workspace has this id: none that reached a provider, and none whose refusal is recorded.';
    return refuse('NOT_FOUND', message);
  });
}
