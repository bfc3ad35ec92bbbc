import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi';
import { createProject, listProjects } from '../accounts/projects.ts';
import { findWorkspaceId } from '../accounts/references.ts';
import { createWorkspace, listWorkspaces, showWorkspace } from '../accounts/workspaces.ts';
import { isRefusal, refuse } from '../domain/refusals.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import type { Pacer } from '../lib/pacer.ts';
import { answerRefusal, created, json, ok } from './answers.ts';
import * as contract from './contract.ts';
import { requestedSettings } from './request-fields.ts';
import { policyWarnings } from './policy-warnings.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from './pages.ts';
import { projectJson, workspaceJson } from './representations.ts';

const tags = ['Workspaces'];
const params = z.object({ workspace: z.string().openapi({ description: 'Id or name.' }) });

const create = createRoute({
  method: 'post',
  path: '/admin/v1/workspaces',
  tags,
  summary: 'Create a workspace',
  request: { body: json(contract.workspaceCreation) },
  responses: created(contract.workspace, 'The new workspace.'),
});

const list = createRoute({
  method: 'get',
  path: '/admin/v1/workspaces',
  tags,
  summary: 'List the workspaces',
  request: { query: pageQuery },
  responses: ok(pageOf(contract.workspace), 'Workspaces, oldest first.'),
});

const show = createRoute({
  method: 'get',
  path: '/admin/v1/workspaces/{workspace}',
  tags,
  summary: 'Show a workspace',
  request: { params },
  responses: ok(contract.workspace, 'The workspace.'),
});

const addProject = createRoute({
  method: 'post',
  path: '/admin/v1/workspaces/{workspace}/projects',
  tags,
  summary: 'Create a project',
  request: { params, body: json(contract.projectCreation) },
  responses: created(contract.changedProject, 'The new project.'),
});

const projects = createRoute({
  method: 'get',
  path: '/admin/v1/workspaces/{workspace}/projects',
  tags,
  summary: 'List the projects of a workspace',
  request: { params, query: pageQuery },
  responses: ok(pageOf(contract.project), 'Its projects, oldest first.'),
});

/** The parts that the routes of workspaces, projects and keys need. */
export interface AccountParts {
  readonly sql: ControlSql;
  /** Spreads the work of lists. */
  readonly pacer: Pacer;
  /** The ids of the models on sale. */
  readonly modelsOnSale: () => readonly string[];
}

/** Adds the routes under `/workspaces`. */
export function addWorkspaceRoutes(app: OpenAPIHono, { sql, pacer, modelsOnSale }: AccountParts): void {
  app.openapi(create, async (c) => {
    const workspace = await createWorkspace(sql, c.req.valid('json').name);
    return isRefusal(workspace) ? answerRefusal(c, workspace) : c.json(workspaceJson(workspace), 201);
  });
  app.openapi(list, async (c) => {
    const page = await pacer.slice(() => listWorkspaces(sql, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, workspaceJson), 200);
  });
  app.openapi(show, async (c) => {
    const id = await findWorkspaceId(sql, c.req.valid('param').workspace);
    if (isRefusal(id)) return answerRefusal(c, id);
    const workspace = await showWorkspace(sql, id);
    if (workspace === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such workspace.'));
    return c.json(workspaceJson(workspace), 200);
  });
  app.openapi(addProject, async (c) => {
    const id = await findWorkspaceId(sql, c.req.valid('param').workspace);
    if (isRefusal(id)) return answerRefusal(c, id);
    const { name, ...given } = c.req.valid('json');
    const project = await createProject(sql, id, { ...requestedSettings(given), name });
    if (isRefusal(project)) return answerRefusal(c, project);
    return c.json({ ...projectJson(project), warnings: policyWarnings(given.models, modelsOnSale()) }, 201);
  });
  app.openapi(projects, async (c) => {
    const id = await findWorkspaceId(sql, c.req.valid('param').workspace);
    if (isRefusal(id)) return answerRefusal(c, id);
    const page = await pacer.slice(() => listProjects(sql, id, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, projectJson), 200);
  });
}
