import { z } from '@hono/zod-openapi';
import { createProject, listProjects, updateProject } from '../accounts/projects.ts';
import { findProjectId } from '../accounts/references.ts';
import { isRefusal, refuse } from '../domain/refusals.ts';
import { answerRefusal, created, json, ok } from './answers.ts';
import * as contract from './contract.ts';
import { requestedSettings } from './request-fields.ts';
import { policyWarnings } from './policy-warnings.ts';
import { requestedPage, pageJson, pageOf, pageQuery } from './pages.ts';
import { projectJson } from './representations.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from './route-access.ts';
import type { AccountParts } from './workspace-routes.ts';

const tags = ['Projects'];
const params = z.object({ ...inWorkspace, project: z.string().openapi({ description: 'Id or name.' }) });

const create = workspaceRoute('projects:write', {
  operationId: 'createProject',
  method: 'post',
  path: '/projects',
  tags,
  summary: 'Create a project',
  request: { params: z.object(inWorkspace), body: json(contract.projectCreation) },
  responses: created(contract.changedProject, 'The new project.'),
});

const list = workspaceRoute('projects:read', {
  operationId: 'listProjects',
  method: 'get',
  path: '/projects',
  tags,
  summary: 'List the projects of a workspace',
  request: { params: z.object(inWorkspace), query: pageQuery },
  responses: ok(pageOf(contract.project), 'Its projects, oldest first.'),
});

const update = workspaceRoute('projects:write', {
  operationId: 'updateProject',
  method: 'patch',
  path: '/projects/{project}',
  tags,
  summary: 'Change a project; null clears a limit',
  request: { params, body: json(contract.projectUpdate) },
  responses: ok(contract.changedProject, 'The changed project.'),
});

/** Adds the routes of projects. */
export function addProjectRoutes(app: AdminApp, { sql, pacer, modelsOnSale }: AccountParts): void {
  app.openapi(create, async (c) => {
    const { name, ...given } = c.req.valid('json');
    const project = await createProject(sql, c.var.scope.workspaceId, { ...requestedSettings(given), name });
    if (isRefusal(project)) return answerRefusal(c, project);
    return c.json({ ...projectJson(project), warnings: policyWarnings(given.models, modelsOnSale()) }, 201);
  });
  app.openapi(list, async (c) => {
    const { workspaceId } = c.var.scope;
    const page = await pacer.slice(() => listProjects(sql, workspaceId, requestedPage(c.req.valid('query'))));
    return c.json(pageJson(page, projectJson), 200);
  });
  app.openapi(update, async (c) => {
    const id = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const given = c.req.valid('json');
    const project = await updateProject(sql, id, requestedSettings(given));
    if (project === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such project.'));
    if (isRefusal(project)) return answerRefusal(c, project);
    return c.json({ ...projectJson(project), warnings: policyWarnings(given.models, modelsOnSale()) }, 200);
  });
}
