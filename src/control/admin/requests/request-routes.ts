import { z } from '@hono/zod-openapi';
import { refuse } from '../../../domain/refusals.ts';
import { findWorkspaceReceipt } from '../../ledger/receipts.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { findRefusal } from '../../refusals/refusal-search.ts';
import { answerRefusal, ok } from '../answers.ts';
import { pricedReceiptJson } from './priced-receipt.ts';
import { refusalJson } from './refusal-representations.ts';
import { request as requestBody } from './request-contract.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from '../route-access.ts';

const show = workspaceRoute('receipts:read', {
  operationId: 'showRequest',
  method: 'get',
  path: '/requests/{request_id}',
  tags: ['Ledger'],
  summary: 'Show what became of a request',
  request: {
    params: z.object({
      ...inWorkspace,
      request_id: z.string().openapi({ description: 'The `x-request-id` of its answer.' }),
    }),
  },
  responses: ok(requestBody, 'Its receipt, or its refusal in the last 24 hours.'),
});

/** Adds the route that finds a request by its id, served or refused. */
export function addRequestRoutes(app: AdminApp, { sql }: { readonly sql: ControlSql }): void {
  app.openapi(show, async (c) => {
    const { request_id: id } = c.req.valid('param');
    const receipt = await findWorkspaceReceipt(sql, c.var.scope, id);
    // A receipt without an attempt doesn't say why there was none.
    const refusal = receipt !== null && receipt.attempts.length > 0 ? null : await findRefusal(sql, c.var.scope, id);
    if (refusal !== null) return c.json({ kind: 'refusal' as const, refusal: refusalJson(refusal) }, 200);
    if (receipt !== null) {
      return c.json({ kind: 'receipt' as const, receipt: await pricedReceiptJson(sql, receipt) }, 200);
    }
    const message =
      'No request of this workspace has this id: none that reached a provider, and none that was refused in the last 24 hours.';
    return answerRefusal(c, refuse('NOT_FOUND', message));
  });
}
