import { definedFields } from '../../../lib/defined-fields.ts';
import {
  archiveProject,
  createProject,
  listProjects,
  PROJECT_ORDERS,
  type Project,
  refusalOfOrder,
  showProject,
  updateProject,
} from '../../accounts/projects.ts';
import { findProjectId, findProjectToRestore } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { pagesOf, requestedSortedPage } from '../pages.ts';
import { addEndUserRoutes } from './end-user-routes.ts';
import { modelWarnings, policyWarnings } from './policy-warnings.ts';
import { projectJson } from '../representations.ts';
import { PROJECT_SETTINGS } from '../../resources/project-settings.ts';
import { RAISE_SETTINGS } from '../../resources/raise-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import type { AdminApp } from '../route-access.ts';
import type { AccountParts } from './workspace-routes.ts';
import { serve, unlessRefused } from '../serve.ts';

/** Adds the routes of projects, and of their end users. */
export function addProjectRoutes(app: AdminApp, parts: AccountParts): void {
  const { sql, pacer, modelsOnSale, chatModelsOnSale } = parts;
  addEndUserRoutes(app, parts);
  const changed = (
    project: Project,
    models: readonly string[] | null | undefined,
    whenSpent: string | null | undefined,
  ) => ({
    ...projectJson(project),
    warnings: [
      ...policyWarnings(models ?? [], modelsOnSale()),
      ...modelWarnings(whenSpent, { all: modelsOnSale(), chat: chatModelsOnSale() }),
    ],
  });
  serve(app, 'createProject', async ({ scope, body }) => {
    const { name, once = null, ...given } = body;
    const settings = { ...settingsFromBody(PROJECT_SETTINGS, given), name, once };
    const project = await makeChange(sql, (tx) => createProject(tx, scope, settings));
    return isRefusal(project) ? project : changed(project, given.models, given.model_when_spent);
  });
  serve(app, 'listProjects', pagesOf(projectJson), async ({ scope, query }) => {
    const { archived, search, ...paging } = query;
    const page = refusalOfOrder(scope, paging.sort) ?? requestedSortedPage(paging, PROJECT_ORDERS);
    if (isRefusal(page)) return page;
    const filter = definedFields({ archived: archived === 'true', search });
    return await pacer.slice(() => listProjects(sql, scope, filter, page));
  });
  serve(app, 'showProject', projectJson, ({ scope, params }) =>
    unlessRefused(findProjectId(sql, scope, params.project), (id) => showProject(sql, scope, id)),
  );
  serve(app, 'updateProject', async ({ scope, params, body, version }) => {
    const change = { version, change: settingsFromBody({ ...PROJECT_SETTINGS, ...RAISE_SETTINGS }, body) };
    const project = await unlessRefused(findProjectId(sql, scope, params.project), (projectId) =>
      makeChange(sql, (tx) => updateProject(tx, scope, { projectId, ...change })),
    );
    return isRefusal(project) ? project : changed(project, body.models, body.model_when_spent);
  });
  for (const [id, archived, find] of [
    ['archiveProject', true, findProjectId],
    ['restoreProject', false, findProjectToRestore],
  ] as const) {
    serve(app, id, projectJson, ({ scope, params, version }) =>
      unlessRefused(find(sql, scope, params.project), (projectId) =>
        makeChange(sql, (tx) => archiveProject(tx, scope, { projectId, version, archived })),
      ),
    );
  }
}
