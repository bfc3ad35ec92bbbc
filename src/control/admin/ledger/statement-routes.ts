import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import { PAGE_ITEMS_MAX } from '../../../lib/page.ts';
import type { SortedPageRequest } from '../../../lib/sorted-page.ts';
import { showWorkspace } from '../../accounts/workspaces.ts';
import { bucketStart } from '../../usage/segments.ts';
import { readStatement, type Statement, statementNumber, STATEMENT_ORDERS } from '../../usage/statement.ts';
import { refuseUncounted } from '../../usage/usage-export.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import { exportedRows } from '../exported-rows.ts';
import { requestedSortedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { buyerOf, type Parties, type Party } from './statement-parties.ts';
import { statementColumns, statementJson } from './statement-representations.ts';
import { serve } from '../serve.ts';

export interface StatementDependencies extends ExportDependencies {
  readonly seller: Party | null;
}

/** Adds the routes of statements. */
export function addStatementRoutes(
  app: AdminApp,
  { sql, pacer, exports, onFault, seller }: StatementDependencies,
): void {
  const partiesIn = async (scope: WorkspaceScope): Promise<Parties | Refusal> => {
    const workspace = await showWorkspace(sql, scope);
    return isRefusal(workspace) ? workspace : { seller, buyer: buyerOf(workspace) };
  };
  serve(app, 'showStatement', statementJson, async ({ scope, query }) => {
    const { month, ...paging } = query;
    const page = requestedSortedPage(paging, STATEMENT_ORDERS);
    if (isRefusal(page)) return page;
    const parties = await partiesIn(scope);
    if (isRefusal(parties)) return parties;
    const statement = await pacer.slice(() => readStatement(sql, scope, startOf(month), page));
    return isRefusal(statement) ? statement : { statement, ...parties };
  });
  serve(app, 'exportStatement', async ({ scope, query, c }) => {
    const uncounted = await refuseUncounted(sql);
    if (uncounted !== null) return uncounted;
    const parties = await partiesIn(scope);
    if (isRefusal(parties)) return parties;
    const startsAt = startOf(query.month);
    const columns = statementColumns(statementNumber(scope.workspaceId, startsAt), parties);
    const lines = exportLines({ sql, pacer }, scope, startsAt);
    return await answerExport(c, { exports, onFault }, 'csv', exportedRows(lines, columns, 'csv'));
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
