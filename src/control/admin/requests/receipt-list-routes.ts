import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import { endUserSubject } from '../../accounts/end-users.ts';
import type { EndUserOfProject } from '../../ledger/end-user-purses.ts';
import { listReceipts } from '../../ledger/receipt-search.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import type { z } from '@hono/zod-openapi';
import type { ReceiptListJson, receiptQuery } from '../ledger/ledger-contract.ts';
import { receiptSummaryJson } from '../ledger/ledger-representations.ts';
import { pageJson, requestedPage } from '../pages.ts';
import { requestedReceipts } from './requested-receipts.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

/** Adds the search over receipts. */
export function addReceiptListRoutes(
  app: AdminApp,
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pacer },
): void {
  serve(app, 'listReceipts', ({ scope, query }) => receiptsIn({ sql, pacer }, scope, query));
}

/** The receipts that a query asks for, read once for all who request them at the same moment. */
export async function receiptsIn(
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pick<Pacer, 'sharedSlice'> },
  scope: WorkspaceScope,
  { cursor, limit, from, to, end_user: name, ...choice }: z.output<typeof receiptQuery>,
): Promise<ReceiptListJson | Refusal> {
  const chosen = await requestedReceipts(sql, scope, choice);
  if (isRefusal(chosen)) return chosen;
  const endUser = requestedEndUser(chosen.projectId, name);
  if (isRefusal(endUser)) return endUser;
  const filter = { ...chosen, ...definedFields({ from: momentOf(from), to: momentOf(to), endUser }) };
  const asked = JSON.stringify([cursor, limit, filter], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const key = `receipts ${scope.workspaceId} ${scope.ownOnlyOf} ${asked}`;
  const page = await pacer.sharedSlice(key, () => listReceipts(sql, scope, filter, requestedPage({ cursor, limit })));
  const searchedUntil = page.searchedUntil?.toISOString() ?? null;
  const since = page.endUserSince?.toISOString() ?? null;
  return { ...pageJson(page, receiptSummaryJson), searched_until: searchedUntil, end_user_since: since };
}

/** The end user whose receipts are wanted; a name alone is nobody's, because each project has end users of its own. */
function requestedEndUser(
  projectId: string | undefined,
  name: string | undefined,
): EndUserOfProject | Refusal | undefined {
  if (name === undefined) return undefined;
  if (projectId !== undefined) return { projectId, subject: endUserSubject(projectId, name) };
  const message = 'An end user is one of a project: name the project, too.';
  return refuse('INVALID_REQUEST', message, { param: 'project' });
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
