import { definedFields } from '../../../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
import {
  archiveProject,
  createProject,
  listProjects,
  PROJECT_ORDERS,
  type Project,
  showProject,
  updateProject,
} from '../../accounts/projects.ts';
import { findProjectId, findProjectToRestore } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import * as contract from './account-contract.ts';
import { answerRefusal, created, json, ok } from '../answers.ts';
import { pageJson, pageOf, requestedSortedPage, sortedPageQuery } from '../pages.ts';
import { policyWarnings } from './policy-warnings.ts';
import { projectJson } from '../representations.ts';
import { PROJECT_SETTINGS } from '../../resources/project-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import { type AdminApp, expectedVersion, inWorkspace, workspaceRoute } from '../route-access.ts';
import type { AccountParts } from './workspace-routes.ts';

const tags = ['Projects'];
const params = z.object({ ...inWorkspace, project: z.string().openapi({ description: 'Id or name.' }) });

const create = workspaceRoute('projects:write', {
  operationId: 'createProject',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/projects',
  tags,
  summary: 'Create a project',
  request: {
    params: z.object(inWorkspace),
    body: json(contract.projectCreation, { name: 'Search', budget_usd: '100.00', budget_period: 'month' }),
  },
  responses: created(contract.changedProject, 'The new project.'),
});

const list = workspaceRoute('projects:read', {
  operationId: 'listProjects',
  method: 'get',
  path: '/projects',
  tags,
  summary: 'List the projects of a workspace',
  request: {
    params: z.object(inWorkspace),
    query: sortedPageQuery(PROJECT_ORDERS).extend({
      archived: z
        .enum(['true', 'false'])
        .optional()
        .openapi({ description: 'Whether to list the archived ones instead.' }),
      search: z.string().max(100).optional().openapi({ description: 'A part of the name.' }),
    }),
  },
  responses: ok(pageOf(contract.project), 'Its projects, and how their budgets stand.'),
});

const show = workspaceRoute('projects:read', {
  operationId: 'showProject',
  method: 'get',
  path: '/projects/{project}',
  tags,
  summary: 'Show a project',
  request: { params },
  responses: ok(contract.project, 'The project, and how its budget stands.'),
});

const update = workspaceRoute('projects:write', {
  operationId: 'updateProject',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'patch',
  path: '/projects/{project}',
  tags,
  summary: 'Change a project; null clears a limit',
  request: { params, body: json(contract.projectUpdate, { requests_per_minute: 600, models: ['small-chat'] }) },
  responses: ok(contract.changedProject, 'The changed project.'),
});

const archive = workspaceRoute('projects:write', {
  operationId: 'archiveProject',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'post',
  path: '/projects/{project}/archive',
  tags,
  summary: 'Archive a project: its keys are refused until it is restored',
  request: { params },
  responses: ok(contract.project, 'The archived project.'),
});

const restore = workspaceRoute('projects:write', {
  operationId: 'restoreProject',
  refuses: ['CONFLICT'],
  isVersioned: true,
  method: 'post',
  path: '/projects/{project}/restore',
  tags,
  summary: 'Restore an archived project, named by its id',
  request: { params },
  responses: ok(contract.project, 'The restored project.'),
});

/** Adds the routes of projects. */
export function addProjectRoutes(app: AdminApp, { sql, pacer, modelsOnSale }: AccountParts): void {
  const changed = (project: Project, models: readonly string[] | null | undefined) => ({
    ...projectJson(project),
    warnings: policyWarnings(models, modelsOnSale()),
  });
  app.openapi(create, async (c) => {
    const { name, once = null, ...given } = c.req.valid('json');
    const settings = { ...settingsFromBody(PROJECT_SETTINGS, given), name, once };
    const project = await makeChange(sql, (tx) => createProject(tx, c.var.scope, settings));
    return isRefusal(project) ? answerRefusal(c, project) : c.json(changed(project, given.models), 201);
  });
  app.openapi(list, async (c) => {
    const { archived, search, ...query } = c.req.valid('query');
    const page = requestedSortedPage(query, PROJECT_ORDERS);
    if (isRefusal(page)) return answerRefusal(c, page);
    const filter = definedFields({ archived: archived === 'true', search });
    const found = await pacer.slice(() => listProjects(sql, c.var.scope, filter, page));
    return c.json(pageJson(found, projectJson), 200);
  });
  app.openapi(show, async (c) => {
    const id = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(id)) return answerRefusal(c, id);
    const project = await showProject(sql, c.var.scope, id);
    return isRefusal(project) ? answerRefusal(c, project) : c.json(projectJson(project), 200);
  });
  app.openapi(update, async (c) => {
    const version = expectedVersion(c);
    if (isRefusal(version)) return answerRefusal(c, version);
    const projectId = await findProjectId(sql, c.var.scope, c.req.valid('param').project);
    if (isRefusal(projectId)) return answerRefusal(c, projectId);
    const given = c.req.valid('json');
    const change = { projectId, version, change: settingsFromBody(PROJECT_SETTINGS, given) };
    const project = await makeChange(sql, (tx) => updateProject(tx, c.var.scope, change));
    return isRefusal(project) ? answerRefusal(c, project) : c.json(changed(project, given.models), 200);
  });
  for (const [route, archived, find] of [
    [archive, true, findProjectId],
    [restore, false, findProjectToRestore],
  ] as const) {
    app.openapi(route, async (c) => {
      const version = expectedVersion(c);
      if (isRefusal(version)) return answerRefusal(c, version);
      const projectId = await find(sql, c.var.scope, c.req.valid('param').project);
      if (isRefusal(projectId)) return answerRefusal(c, projectId);
      const target = { projectId, version, archived };
      const project = await makeChange(sql, (tx) => archiveProject(tx, c.var.scope, target));
      return isRefusal(project) ? answerRefusal(c, project) : c.json(projectJson(project), 200);
    });
  }
}
