import { z } from '@hono/zod-openapi';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { PAGE_ITEMS_MAX } from '../../../lib/page.ts';
import type { SortedPageRequest } from '../../../lib/sorted-page.ts';
import { bucketStart } from '../../usage/segments.ts';
import { readStatement, type Statement, STATEMENT_ORDERS } from '../../usage/statement.ts';
import { refuseUncounted } from '../../usage/usage-export.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import { answerRefusal, ok, records } from '../answers.ts';
import { exportedRows } from '../exported-rows.ts';
import { requestedSortedPage } from '../pages.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from '../route-access.ts';
import * as contract from './statement-contract.ts';
import { STATEMENT_COLUMNS, statementJson } from './statement-representations.ts';

const tags = ['Ledger'];
const params = z.object(inWorkspace);

const show = workspaceRoute('credit:read', {
  operationId: 'showStatement',
  method: 'get',
  path: '/statement',
  tags,
  summary: 'Show a month of the credit: its postings and the charges of each day, with a running balance',
  request: { params, query: contract.statementQuery },
  responses: ok(contract.statement, 'The lines of the month, the newest first.'),
});

const download = workspaceRoute('exports:read', {
  operationId: 'exportStatement',
  method: 'get',
  path: '/statement/export',
  tags,
  summary: 'Download a month of the credit',
  request: { params, query: contract.statementExportQuery },
  responses: records('CSV with a header line, the oldest line of the month first.'),
});

/** Adds the routes of statements. */
export function addStatementRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  app.openapi(show, async (c) => {
    const { month, ...query } = c.req.valid('query');
    const page = requestedSortedPage(query, STATEMENT_ORDERS);
    if (isRefusal(page)) return answerRefusal(c, page);
    const statement = await pacer.slice(() => readStatement(sql, c.var.scope, startOf(month), page));
    return isRefusal(statement) ? answerRefusal(c, statement) : c.json(statementJson(statement), 200);
  });
  app.openapi(download, async (c) => {
    const uncounted = await refuseUncounted(sql);
    if (uncounted !== null) return answerRefusal(c, uncounted);
    const lines = exportLines({ sql, pacer }, c.var.scope, startOf(c.req.valid('query').month));
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
