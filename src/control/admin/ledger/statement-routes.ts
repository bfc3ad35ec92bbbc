import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { PAGE_ITEMS_MAX } from '../../../lib/page.ts';
import type { SortedPageRequest } from '../../../lib/sorted-page.ts';
import { bucketStart } from '../../usage/segments.ts';
import { readStatement, type Statement, STATEMENT_ORDERS } from '../../usage/statement.ts';
import { refuseUncounted } from '../../usage/usage-export.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import { exportedRows } from '../exported-rows.ts';
import { requestedSortedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { STATEMENT_COLUMNS, statementJson } from './statement-representations.ts';
import { serve } from '../serve.ts';

/** Adds the routes of statements. */
export function addStatementRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  serve(app, 'showStatement', statementJson, async ({ scope, query }) => {
    const { month, ...paging } = query;
    const page = requestedSortedPage(paging, STATEMENT_ORDERS);
    if (isRefusal(page)) return page;
    return await pacer.slice(() => readStatement(sql, scope, startOf(month), page));
  });
  serve(app, 'exportStatement', async ({ scope, query, c }) => {
    const uncounted = await refuseUncounted(sql);
    if (uncounted !== null) return uncounted;
    const lines = exportLines({ sql, pacer }, scope, startOf(query.month));
    return await answerExport(c, { exports, onFault }, 'csv', exportedRows(lines, STATEMENT_COLUMNS, 'csv'));
  });
}

/** The first moment of the month; of the present one unless given. */
function startOf(month: string | undefined): Date {
  return month === undefined ? new Date(bucketStart('month', Date.now())) : new Date(`${month}-01T00:00:00Z`);
}

async function* exportLines(
  { sql, pacer }: Pick<ExportDependencies, 'sql' | 'pacer'>,
  scope: WorkspaceScope,
  startsAt: Date,
): AsyncGenerator<Statement['lines']['items'], void, undefined> {
  let after: string | null = null;
  do {
    const page: SortedPageRequest<'time'> = { after, limit: PAGE_ITEMS_MAX, direction: 'asc' };
    const statement: Statement | Refusal = await pacer.slice(() => readStatement(sql, scope, startsAt, page));
    if (isRefusal(statement)) throw new Error(statement.message);
    const { items, next } = statement.lines;
    yield items;
    after = next;
  } while (after !== null);
}
