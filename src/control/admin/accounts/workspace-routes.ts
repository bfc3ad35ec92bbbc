import { definedFields } from '../../../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
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
import * as contract from './account-contract.ts';
import { answerRefusal, created, json, ok } from '../answers.ts';
import { pageJson, pageOf, requestedSortedPage, sortedPageQuery } from '../pages.ts';
import { workspaceJson } from '../representations.ts';
import { type AdminApp, expectedVersion, inWorkspace, operatorRoute, workspaceRoute } from '../route-access.ts';

const tags = ['Workspaces'];
const params = z.object(inWorkspace);

const create = operatorRoute({
  operationId: 'createWorkspace',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/workspaces',
  tags,
  summary: 'Create a workspace',
  request: { body: json(contract.workspaceCreation, { name: 'Acme' }) },
  responses: created(contract.workspace, 'The new workspace.'),
});

const list = operatorRoute({
  operationId: 'listWorkspaces',
  method: 'get',
  path: '/workspaces',
  tags,
  summary: 'List the workspaces',
  request: {
    query: sortedPageQuery(WORKSPACE_ORDERS).extend({
      state: contract.workspace.shape.state
        .optional()
        .openapi({ description: 'Only those in this state. Default: all but closed ones.' }),
      search: z.string().max(100).optional().openapi({ description: 'A part of the name.' }),
    }),
  },
  responses: ok(pageOf(contract.workspace), 'Workspaces, and how their credit stands.'),
});

const show = workspaceRoute('workspace:read', {
  operationId: 'showWorkspace',
  method: 'get',
  path: '',
  tags,
  summary: 'Show a workspace',
  request: { params },
  responses: ok(contract.workspace, 'The workspace.'),
});

const rename = workspaceRoute('workspace:write', {
  operationId: 'renameWorkspace',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'patch',
  path: '',
  tags,
  summary: 'Rename a workspace',
  request: { params, body: json(contract.workspaceUpdate, { name: 'Acme & Sons' }) },
  responses: ok(contract.workspace, 'The renamed workspace.'),
});

const suspend = workspaceRoute('workspace:suspend', {
  operationId: 'suspendWorkspace',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/suspend',
  tags,
  summary: 'Refuse the requests of all keys of a workspace, for a reason that callers are shown',
  request: { params, body: json(contract.suspension, { reason: 'the payment is disputed' }) },
  responses: ok(contract.workspace, 'The suspended workspace.'),
});

const resume = workspaceRoute('workspace:suspend', {
  operationId: 'resumeWorkspace',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/resume',
  tags,
  summary: 'Serve a suspended workspace again',
  request: { params },
  responses: ok(contract.workspace, 'The resumed workspace.'),
});

const close = workspaceRoute('workspace:close', {
  operationId: 'closeWorkspace',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'post',
  path: '/close',
  tags,
  summary: 'Close a workspace for good: its keys stop, and what is left of its credit is refunded',
  needsRecentSignIn: true,
  request: { params },
  responses: ok(contract.workspace, 'The workspace, which is archived once its last requests are charged.'),
});

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
  app.openapi(create, async (c) => {
    const { name, once = null } = c.req.valid('json');
    const workspace = await makeChange(sql, (tx) => createWorkspace(tx, c.var.operator, { name, once }));
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 201);
  });
  app.openapi(list, async (c) => {
    const { state, search, ...query } = c.req.valid('query');
    const page = requestedSortedPage(query, WORKSPACE_ORDERS);
    if (isRefusal(page)) return answerRefusal(c, page);
    const filter = definedFields({ state, search });
    const found = await pacer.slice(() => listWorkspaces(sql, c.var.operator, filter, page));
    return c.json(pageJson(found, workspaceJson), 200);
  });
  app.openapi(show, async (c) => {
    const workspace = await showWorkspace(sql, c.var.scope);
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 200);
  });
  app.openapi(rename, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const { name } = c.req.valid('json');
    const workspace = await makeChange(sql, (tx) => renameWorkspace(tx, c.var.scope, { name, version }));
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 200);
  });
  app.openapi(suspend, async (c) => {
    const { reason } = c.req.valid('json');
    const workspace = await makeChange(sql, (tx) => suspendWorkspace(tx, c.var.scope, reason));
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 200);
  });
  app.openapi(resume, async (c) => {
    const workspace = await makeChange(sql, (tx) => suspendWorkspace(tx, c.var.scope, null));
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 200);
  });
  app.openapi(close, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const workspace = await makeChange(sql, (tx) => closeWorkspace(tx, c.var.scope, { version }));
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 200);
  });
}
