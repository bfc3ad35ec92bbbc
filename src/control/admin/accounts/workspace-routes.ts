import { definedFields } from '../../../lib/defined-fields.ts';
import {
  closeWorkspace,
  createWorkspace,
  listWorkspaces,
  WORKSPACE_ORDERS,
  renameWorkspace,
  showWorkspace,
  suspendWorkspace,
} from '../../accounts/workspaces.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { pageJson, requestedSortedPage } from '../pages.ts';
import { workspaceJson } from '../representations.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

/** The parts that the routes of workspaces, projects and keys need. */
export interface AccountParts {
  readonly sql: ControlSql;
  /** Spreads the work of lists. */
  readonly pacer: Pacer;
  /** The ids of the models on sale. */
  readonly modelsOnSale: () => readonly string[];
}

/** Adds the routes of workspaces. */
export function addWorkspaceRoutes(app: AdminApp, { sql, pacer }: AccountParts): void {
  serve(app, 'createWorkspace', async ({ operator, body }) => {
    const { name, once = null } = body;
    const workspace = await makeChange(sql, (tx) => createWorkspace(tx, operator, { name, once }));
    return isRefusal(workspace) ? workspace : workspaceJson(workspace);
  });
  serve(app, 'listWorkspaces', async ({ operator, query }) => {
    const { state, search, ...paging } = query;
    const page = requestedSortedPage(paging, WORKSPACE_ORDERS);
    if (isRefusal(page)) return page;
    const filter = definedFields({ state, search });
    const found = await pacer.slice(() => listWorkspaces(sql, operator, filter, page));
    return pageJson(found, workspaceJson);
  });
  serve(app, 'showWorkspace', async ({ scope }) => {
    const workspace = await showWorkspace(sql, scope);
    return isRefusal(workspace) ? workspace : workspaceJson(workspace);
  });
  serve(app, 'renameWorkspace', async ({ scope, body, version }) => {
    const { name } = body;
    const workspace = await makeChange(sql, (tx) => renameWorkspace(tx, scope, { name, version }));
    return isRefusal(workspace) ? workspace : workspaceJson(workspace);
  });
  serve(app, 'suspendWorkspace', async ({ scope, body }) => {
    const { reason } = body;
    const workspace = await makeChange(sql, (tx) => suspendWorkspace(tx, scope, reason));
    return isRefusal(workspace) ? workspace : workspaceJson(workspace);
  });
  serve(app, 'resumeWorkspace', async ({ scope }) => {
    const workspace = await makeChange(sql, (tx) => suspendWorkspace(tx, scope, null));
    return isRefusal(workspace) ? workspace : workspaceJson(workspace);
  });
  serve(app, 'closeWorkspace', async ({ scope, version }) => {
    const workspace = await makeChange(sql, (tx) => closeWorkspace(tx, scope, { version }));
    return isRefusal(workspace) ? workspace : workspaceJson(workspace);
  });
}
