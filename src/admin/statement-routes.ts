import { z } from '@hono/zod-openapi';
import { isRefusal, type Refusal } from '../domain/refusals.ts';
import type { WorkspaceScope } from '../domain/workspace-scope.ts';
import { csvHeading, csvLine } from '../ledger/csv.ts';
import type { Bulkhead } from '../lib/bulkhead.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import { PAGE_ITEMS_MAX } from '../lib/page.ts';
import type { Pacer } from '../lib/pacer.ts';
import type { SortedPageRequest } from '../lib/sorted-page.ts';
import { bucketStart } from '../usage/segments.ts';
import { readStatement, type Statement, STATEMENT_ORDERS } from '../usage/statement.ts';
import { refuseUncounted } from '../usage/usage-export.ts';
import { answerRefusal, ok, records } from './answers.ts';
import { enterExport, EXPORT_TYPES, openStream } from './export-routes.ts';
import { destroyOnFault } from './long-answers.ts';
import { requestedSortedPage } from './pages.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from './route-access.ts';
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

interface StatementParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly exports: Bulkhead;
  /** Called with the fault that ended an export early. */
  readonly onFault: (fault: unknown) => void;
}

/** Adds the routes of statements. */
export function addStatementRoutes(app: AdminApp, { sql, pacer, exports, onFault }: StatementParts): void {
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
    const leave = await enterExport(exports);
    if (isRefusal(leave)) return answerRefusal(c, leave);
    const slices = exportSlices({ sql, pacer }, c.var.scope, startOf(c.req.valid('query').month));
    return c.body(destroyOnFault(c, await openStream(slices, leave), onFault), 200, {
      'content-type': EXPORT_TYPES.csv,
    });
  });
}

/** The first moment of the month; of the present one unless given. */
function startOf(month: string | undefined): Date {
  return month === undefined ? new Date(bucketStart('month', Date.now())) : new Date(`${month}-01T00:00:00Z`);
}

async function* exportSlices(
  { sql, pacer }: Pick<StatementParts, 'sql' | 'pacer'>,
  scope: WorkspaceScope,
  startsAt: Date,
): AsyncGenerator<string, void, undefined> {
  yield csvHeading(STATEMENT_COLUMNS);
  let after: string | null = null;
  do {
    const page: SortedPageRequest<'time'> = { after, limit: PAGE_ITEMS_MAX, direction: 'asc' };
    const statement: Statement | Refusal = await pacer.slice(() => readStatement(sql, scope, startsAt, page));
    if (isRefusal(statement)) throw new Error(statement.message);
    const { items, next } = statement.lines;
    yield items.map((line) => csvLine(STATEMENT_COLUMNS.map(({ read }) => read(line)))).join('');
    after = next;
  } while (after !== null);
}
