import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { seesCosts, type WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import type { Lazy } from '../../../lib/slices.ts';
import { recountUsage } from '../../usage/count-usage.ts';
import { exportUsage, refuseUncounted } from '../../usage/usage-export.ts';
import { readUsage } from '../../usage/usage-report.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import { exportedRows } from '../exported-rows.ts';
import { allowLongResponse, answerLong } from '../long-answers.ts';
import type { AdminApp } from '../route-access.ts';
import type { UsageJson, WorkspaceUsageQuery } from './usage-contract.ts';
import { usageColumns, usageJson } from './usage-representations.ts';
import { refuseUnpaired, requestedFilter, requestedStretch, requestedUsage } from './usage-request.ts';
import { serve } from '../serve.ts';

/** The usage of a workspace that a query asks for, read once for all who request it at the same moment. */
export async function usageIn(
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pick<Pacer, 'sharedSlice'> },
  scope: WorkspaceScope,
  query: WorkspaceUsageQuery,
): Promise<Lazy<UsageJson> | Refusal> {
  const requested = requestedUsage(query, Date.now());
  if (isRefusal(requested)) return requested;
  const key = `usage ${scope.workspaceId} ${seesCosts(scope)} ${scope.ownOnlyOf} ${JSON.stringify(requested.request)}`;
  const report = await pacer.sharedSlice(key, () => readUsage(sql, scope, requested.request));
  return isRefusal(report) ? report : usageJson(report, requested.named);
}

/** Adds the routes of usage. */
export function addUsageRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  serve(app, 'showUsage', async ({ scope, query, c }) => {
    const usage = await usageIn({ sql, pacer }, scope, query);
    return isRefusal(usage) ? usage : await answerLong<UsageJson>(c, usage);
  });
  serve(app, 'showUsageOfAll', async ({ operator, query, c }) => {
    const requested = requestedUsage(query, Date.now());
    if (isRefusal(requested)) return requested;
    const report = await pacer.slice(() => readUsage(sql, operator, requested.request));
    return isRefusal(report) ? report : await answerLong<UsageJson>(c, usageJson(report, requested.named));
  });
  serve(app, 'exportUsage', async ({ scope, query, c }) => {
    const { bucket = 'day', group_by: groupBy = 'model', and_by: andBy = null, format = 'csv' } = query;
    const unpaired = refuseUnpaired(groupBy, andBy);
    if (unpaired !== null) return unpaired;
    const stretch = requestedStretch(query, bucket, Date.now());
    if (isRefusal(stretch)) return stretch;
    const uncounted = await refuseUncounted(sql);
    if (uncounted !== null) return uncounted;
    const request = { stretch, filter: requestedFilter(query), groupBy, andBy, bucket };
    const columns = usageColumns({ withCosts: seesCosts(scope), withSecond: andBy !== null });
    const slices = exportedRows(exportUsage({ sql, pacer }, scope, request), columns, format);
    return await answerExport(c, { exports, onFault }, format, slices);
  });
}

/** Adds the route by which an operator has all usage counted again. */
export function addRecountRoute(app: AdminApp, { sql, pacer }: Pick<ExportDependencies, 'sql' | 'pacer'>): void {
  serve(app, 'rebuildUsage', async ({ c }) => {
    allowLongResponse(c);
    await recountUsage({ sql, pacer, nowMs: Date.now });
    return { recounted: true as const };
  });
}
