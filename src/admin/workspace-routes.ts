import { z } from '@hono/zod-openapi';
import { createWorkspace, listWorkspaces, showWorkspace } from '../accounts/workspaces.ts';
import { isRefusal, refuse } from '../domain/refusals.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import type { Pacer } from '../lib/pacer.ts';
import { answerRefusal, created, json, ok } from './answers.ts';
import * as contract from './contract.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from './pages.ts';
import { workspaceJson } from './representations.ts';
import { type AdminApp, inWorkspace, operatorRoute, workspaceRoute } from './route-access.ts';

const tags = ['Workspaces'];

const create = operatorRoute({
  operationId: 'createWorkspace',
  method: 'post',
  path: '/workspaces',
  tags,
  summary: 'Create a workspace',
  request: { body: json(contract.workspaceCreation) },
  responses: created(contract.workspace, 'The new workspace.'),
});

const list = operatorRoute({
  operationId: 'listWorkspaces',
  method: 'get',
  path: '/workspaces',
  tags,
  summary: 'List the workspaces',
  request: { query: pageQuery },
  responses: ok(pageOf(contract.workspace), 'Workspaces, oldest first.'),
});

const show = workspaceRoute('workspace:read', {
  operationId: 'showWorkspace',
  method: 'get',
  path: '',
  tags,
  summary: 'Show a workspace',
  request: { params: z.object(inWorkspace) },
  responses: ok(contract.workspace, 'The workspace.'),
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
    const workspace = await createWorkspace(sql, c.req.valid('json').name);
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 201);
  });
  app.openapi(list, async (c) => {
    const page = await pacer.slice(() => listWorkspaces(sql, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, workspaceJson), 200);
  });
  app.openapi(show, async (c) => {
    const workspace = await showWorkspace(sql, c.var.scope.workspaceId);
    if (workspace === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such workspace.'));
    return c.json(workspaceJson(workspace), 200);
  });
}
