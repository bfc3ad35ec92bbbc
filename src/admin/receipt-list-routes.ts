import { definedFields } from '../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
import { findKeyId, findProjectId } from '../accounts/references.ts';
import { isRefusal, type Refusal } from '../domain/refusals.ts';
import type { WorkspaceScope } from '../domain/workspace-scope.ts';
import { listReceipts, type ReceiptFilter } from '../ledger/receipt-search.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import type { Pacer } from '../lib/pacer.ts';
import { answerRefusal, ok } from './answers.ts';
import * as contract from './ledger-contract.ts';
import { receiptSummaryJson } from './ledger-representations.ts';
import { pageJson, requestedPage } from './pages.ts';
import { checkedUsd } from './request-fields.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from './route-access.ts';

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
    const { cursor, limit, ...query } = c.req.valid('query');
    const filter = await requestedFilter(sql, c.var.scope, query);
    if (isRefusal(filter)) return answerRefusal(c, filter);
    const page = await pacer.slice(() => listReceipts(sql, c.var.scope, filter, requestedPage({ cursor, limit })));
    const searchedUntil = page.searchedUntil?.toISOString() ?? null;
    return c.json({ ...pageJson(page, receiptSummaryJson), searched_until: searchedUntil }, 200);
  });
}

/** The filter of the request, with ids for what it names; a name that there isn't is refused. */
async function requestedFilter(
  sql: ControlSql,
  scope: WorkspaceScope,
  query: Omit<z.output<typeof contract.receiptQuery>, 'cursor' | 'limit'>,
): Promise<ReceiptFilter | Refusal> {
  const { key, project, model, outcome, dialect, from, to, min_charge_usd: charge } = query;
  const keyId = key === undefined ? undefined : await findKeyId(sql, scope, key);
  if (isRefusal(keyId)) return keyId;
  const projectId = project === undefined ? undefined : await findProjectId(sql, scope, project);
  if (isRefusal(projectId)) return projectId;
  return definedFields({
    keyId,
    projectId,
    model,
    outcome,
    dialect,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
    chargeMin: charge === undefined ? undefined : checkedUsd(charge),
  });
}
