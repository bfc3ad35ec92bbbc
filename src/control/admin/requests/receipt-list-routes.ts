import { z } from '@hono/zod-openapi';
import { isRefusal } from '../../../domain/refusals.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { listReceipts } from '../../ledger/receipt-search.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { answerRefusal, ok } from '../answers.ts';
import * as contract from '../ledger/ledger-contract.ts';
import { receiptSummaryJson } from '../ledger/ledger-representations.ts';
import { pageJson, requestedPage } from '../pages.ts';
import { requestedReceipts } from './requested-receipts.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from '../route-access.ts';

const list = workspaceRoute('receipts:read', {
  operationId: 'listReceipts',
  method: 'get',
  path: '/receipts',
  tags: ['Ledger'],
  summary: 'Search the receipts of a workspace',
  request: { params: z.object(inWorkspace), query: contract.receiptQuery },
  responses: ok(contract.receiptList, 'Receipts, newest first, and how far the search has come.'),
});

/** Adds the search over receipts. */
export function addReceiptListRoutes(
  app: AdminApp,
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pacer },
): void {
  app.openapi(list, async (c) => {
    const { cursor, limit, from, to, ...choice } = c.req.valid('query');
    const chosen = await requestedReceipts(sql, c.var.scope, choice);
    if (isRefusal(chosen)) return answerRefusal(c, chosen);
    const filter = { ...chosen, ...definedFields({ from: momentOf(from), to: momentOf(to) }) };
    const { scope } = c.var;
    const asked = JSON.stringify([cursor, limit, filter], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const key = `receipts ${scope.workspaceId} ${asked}`;
    const page = await pacer.sharedSlice(key, () => listReceipts(sql, scope, filter, requestedPage({ cursor, limit })));
    const searchedUntil = page.searchedUntil?.toISOString() ?? null;
    return c.json({ ...pageJson(page, receiptSummaryJson), searched_until: searchedUntil }, 200);
  });
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
