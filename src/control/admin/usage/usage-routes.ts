import { z } from '@hono/zod-openapi';
import { isRefusal } from '../../../domain/refusals.ts';
import { seesCosts } from '../../../domain/workspace-scope.ts';
import { recountUsage } from '../../usage/count-usage.ts';
import { exportUsage, refuseUncounted } from '../../usage/usage-export.ts';
import { readUsage } from '../../usage/usage-report.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import { answerRefusal, ok, records } from '../answers.ts';
import { exportedRows } from '../exported-rows.ts';
import { allowLongResponse, answerLong } from '../long-answers.ts';
import { type AdminApp, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';
import type { UsageJson } from './usage-contract.ts';
import * as contract from './usage-contract.ts';
import { usageColumns, usageJson } from './usage-representations.ts';
import { requestedFilter, requestedStretch, requestedUsage } from './usage-request.ts';

const tags = ['Usage'];
const params = z.object(inWorkspace);

const show = workspaceRoute('usage:read', {
  operationId: 'showUsage',
  method: 'get',
  path: '/usage',
  tags,
  summary: "Add up a workspace's usage",
  request: { params, query: contract.usageQuery },
  responses: ok(contract.usage, 'Sums that equal the receipts, of all and of the groups that were charged most.'),
});

const showAll = operatorRoute({
  operationId: 'showUsageOfAll',
  method: 'get',
  path: '/usage',
  tags,
  summary: 'Add up the usage of all workspaces',
  request: { query: contract.operatorUsageQuery },
  responses: ok(contract.usage, 'Sums that equal the receipts, of all and of the groups that were charged most.'),
});

const download = workspaceRoute('exports:read', {
  operationId: 'exportUsage',
  method: 'get',
  path: '/usage/export',
  tags,
  summary: "Download a workspace's usage",
  request: { params, query: contract.usageExportQuery },
  responses: records('CSV with a header line, or one JSON object per line: one for each group in each bucket.'),
});

const rebuild = operatorRoute({
  operationId: 'rebuildUsage',
  method: 'post',
  path: '/ledger/rebuild-usage',
  tags: ['Ledger'],
  summary: 'Count usage from the receipts again',
  responses: ok(contract.recounted, 'All receipts are counted. Until then usage is not answered.'),
});

/** Adds the routes of usage. */
export function addUsageRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  app.openapi(show, async (c) => {
    const requested = requestedUsage(c.req.valid('query'), Date.now());
    if (isRefusal(requested)) return answerRefusal(c, requested);
    const { scope } = c.var;
    const key = `usage ${scope.workspaceId} ${seesCosts(scope)} ${JSON.stringify(requested.request)}`;
    const report = await pacer.sharedSlice(key, () => readUsage(sql, scope, requested.request));
    return isRefusal(report)
      ? answerRefusal(c, report)
      : await answerLong<UsageJson>(c, usageJson(report, requested.named));
  });
  app.openapi(showAll, async (c) => {
    const requested = requestedUsage(c.req.valid('query'), Date.now());
    if (isRefusal(requested)) return answerRefusal(c, requested);
    const report = await pacer.slice(() => readUsage(sql, c.var.operator, requested.request));
    return isRefusal(report)
      ? answerRefusal(c, report)
      : await answerLong<UsageJson>(c, usageJson(report, requested.named));
  });
  app.openapi(download, async (c) => {
    const query = c.req.valid('query');
    const { bucket = 'day', group_by: groupBy = 'model', format = 'csv' } = query;
    const stretch = requestedStretch(query, bucket, Date.now());
    if (isRefusal(stretch)) return answerRefusal(c, stretch);
    const uncounted = await refuseUncounted(sql);
    if (uncounted !== null) return answerRefusal(c, uncounted);
    const request = { stretch, filter: requestedFilter(query), groupBy, bucket };
    const columns = usageColumns({ withCosts: seesCosts(c.var.scope) });
    const slices = exportedRows(exportUsage({ sql, pacer }, c.var.scope, request), columns, format);
    return await answerExport(c, { exports, onFault }, format, slices);
  });
  app.openapi(rebuild, async (c) => {
    allowLongResponse(c);
    await recountUsage({ sql, pacer, nowMs: Date.now });
    return c.json({ recounted: true as const }, 200);
  });
}
