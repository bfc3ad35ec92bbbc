import { z } from '@hono/zod-openapi';
import { findKeyId, findProjectId } from '../../accounts/references.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { definedFields } from '../../../lib/defined-fields.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { countAllRefusals } from '../../refusals/refusal-counts.ts';
import {
  findRefusal,
  listAllRefusals,
  listRefusals,
  type OperatorRefusalFilter,
  type RefusalFilter,
} from '../../refusals/refusal-search.ts';
import { answerRefusal, ok } from '../answers.ts';
import { requestedPage } from '../pages.ts';
import * as contract from './refusal-contract.ts';
import { refusalCountsJson, refusalJson, refusalListJson } from './refusal-representations.ts';
import { type AdminApp, type AdminEnv, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';

const tags = ['Ledger'];
const LISTED = 'Refusals, newest first: of each workspace its last 1,000 of the last 24 hours, in detail.';

const list = workspaceRoute('receipts:read', {
  operationId: 'listRefusals',
  method: 'get',
  path: '/refusals',
  tags,
  summary: 'List the refused requests of a workspace in the last 24 hours',
  request: { params: z.object(inWorkspace), query: contract.refusalQuery },
  responses: ok(contract.refusalList, LISTED),
});

const show = workspaceRoute('receipts:read', {
  operationId: 'showRefusal',
  method: 'get',
  path: '/refusals/{request_id}',
  tags,
  summary: 'Show why a request was refused',
  request: {
    params: z.object({
      ...inWorkspace,
      request_id: z.string().openapi({ description: 'The `x-request-id` of the refusal.' }),
    }),
  },
  responses: ok(contract.refusal, 'The refusal.'),
});

const listAll = operatorRoute({
  operationId: 'listAllRefusals',
  refuses: ['NOT_FOUND'],
  method: 'get',
  path: '/refusals',
  tags,
  summary: 'List the refused requests of all workspaces in the last 24 hours',
  request: { query: contract.allRefusalsQuery },
  responses: ok(contract.refusalList, LISTED),
});

const countAll = operatorRoute({
  operationId: 'countAllRefusals',
  refuses: ['NOT_FOUND'],
  method: 'get',
  path: '/refusals/counts',
  tags,
  summary: 'Count the refused requests of all workspaces in the last 24 hours, by hour and code',
  request: { query: contract.refusalCountsQuery },
  responses: ok(contract.refusalCounts, 'The counts of the refusals that are kept.'),
});

/** Adds the routes of refused requests, which leave no receipt. */
export function addRefusalRoutes(
  app: AdminApp,
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pacer },
): void {
  app.openapi(list, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query');
    const filter = await requestedFilter(sql, c.var.scope, query);
    if (isRefusal(filter)) return answerRefusal(c, filter);
    const wanted = requestedPage({ cursor, limit });
    const page = await pacer.slice(() => listRefusals(sql, c.var.scope, filter, wanted, Date.now()));
    return c.json(refusalListJson(page), 200);
  });
  app.openapi(show, async (c) => {
    const found = await findRefusal(sql, c.var.scope, c.req.valid('param').request_id);
    if (found !== null) return c.json(refusalJson(found), 200);
    return answerRefusal(c, refuse('NOT_FOUND', 'No refusal of the last 24 hours is recorded under this request id.'));
  });
  app.openapi(listAll, async (c) => {
    const { cursor, limit, ...query } = c.req.valid('query');
    const filter = await operatorFilter(query, c.var.findWorkspace);
    if (isRefusal(filter)) return answerRefusal(c, filter);
    const wanted = requestedPage({ cursor, limit });
    const page = await pacer.slice(() => listAllRefusals(sql, c.var.operator, filter, wanted, Date.now()));
    return c.json(refusalListJson(page), 200);
  });
  app.openapi(countAll, async (c) => {
    const filter = await operatorFilter(c.req.valid('query'), c.var.findWorkspace);
    if (isRefusal(filter)) return answerRefusal(c, filter);
    const counts = await pacer.slice(() => countAllRefusals(sql, c.var.operator, filter, Date.now()));
    return c.json(refusalCountsJson(counts), 200);
  });
}

/** The same of all workspaces, or of the one that is named. */
async function operatorFilter(
  { workspace, ...query }: z.output<typeof contract.refusalCountsQuery>,
  findWorkspace: AdminEnv['Variables']['findWorkspace'],
): Promise<OperatorRefusalFilter | Refusal> {
  const workspaceId = workspace === undefined ? undefined : await findWorkspace(workspace);
  if (isRefusal(workspaceId)) return workspaceId;
  return { ...filterOf(query), ...definedFields({ workspaceId }) };
}

/** The filter of the request, with ids for what it names; a name that does not exist is refused. */
async function requestedFilter(
  sql: ControlSql,
  scope: WorkspaceScope,
  { key, project, ...query }: Omit<z.output<typeof contract.refusalQuery>, 'cursor' | 'limit'>,
): Promise<RefusalFilter | Refusal> {
  const keyId = key === undefined ? undefined : await findKeyId(sql, scope, key);
  if (isRefusal(keyId)) return keyId;
  const projectId = project === undefined ? undefined : await findProjectId(sql, scope, project);
  if (isRefusal(projectId)) return projectId;
  return { ...filterOf(query), ...definedFields({ keyId, projectId }) };
}

function filterOf({
  code,
  status,
  model,
  from,
  to,
}: Omit<z.output<typeof contract.refusalCountsQuery>, 'workspace'>): Omit<RefusalFilter, 'keyId' | 'projectId'> {
  return definedFields({
    code,
    statuses: status === undefined ? undefined : statusesOf(status),
    model,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  });
}

function statusesOf(status: string): NonNullable<RefusalFilter['statuses']> {
  return { least: Number(status.replace('xx', '00')), most: Number(status.replace('xx', '99')) };
}
