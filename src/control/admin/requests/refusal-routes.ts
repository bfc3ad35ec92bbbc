import type { z } from '@hono/zod-openapi';
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
import { requestedPage } from '../pages.ts';
import type * as contract from './refusal-contract.ts';
import { refusalCountsJson, refusalJson, refusalListJson } from './refusal-representations.ts';
import { type AdminApp, type AdminEnv } from '../route-access.ts';
import { serve } from '../serve.ts';

/** Adds the routes of refused requests, which leave no receipt. */
export function addRefusalRoutes(
  app: AdminApp,
  { sql, pacer }: { readonly sql: ControlSql; readonly pacer: Pacer },
): void {
  serve(app, 'listRefusals', async ({ scope, query }) => {
    const { cursor, limit, ...choice } = query;
    const filter = await requestedFilter(sql, scope, choice);
    if (isRefusal(filter)) return filter;
    const wanted = requestedPage({ cursor, limit });
    const page = await pacer.slice(() => listRefusals(sql, scope, filter, wanted));
    return refusalListJson(page);
  });
  serve(app, 'showRefusal', async ({ scope, params }) => {
    const found = await findRefusal(sql, scope, params.request_id);
    if (found !== null) return refusalJson(found);
    return refuse('NOT_FOUND', 'No refusal is recorded under this request id.');
  });
  serve(app, 'listAllRefusals', async ({ operator, query, c }) => {
    const { cursor, limit, ...choice } = query;
    const filter = await operatorFilter(choice, c.var.findWorkspace);
    if (isRefusal(filter)) return filter;
    const wanted = requestedPage({ cursor, limit });
    const page = await pacer.slice(() => listAllRefusals(sql, operator, filter, wanted));
    return refusalListJson(page);
  });
  serve(app, 'countAllRefusals', async ({ operator, query, c }) => {
    const filter = await operatorFilter(query, c.var.findWorkspace);
    if (isRefusal(filter)) return filter;
    const counts = await pacer.slice(() => countAllRefusals(sql, operator, filter, Date.now()));
    return refusalCountsJson(counts);
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
