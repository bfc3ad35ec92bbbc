import {
  END_USER_ORDERS,
  listEndUserLimits,
  removeEndUserLimit,
  setEndUserLimit,
  showEndUser,
} from '../../accounts/end-users.ts';
import { findProjectId, findProjectToRestore } from '../../accounts/references.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import { pagesOf, requestedSortedPage } from '../pages.ts';
import { endUserJson } from '../representations.ts';
import { END_USER_SETTINGS } from '../../resources/end-user-settings.ts';
import { RAISE_SETTINGS } from '../../resources/raise-settings.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, unlessRefused } from '../serve.ts';
import type { AccountParts } from './workspace-routes.ts';

/** An archived project, named by its id, still shows whose limits are set there, and lets go of them. */
async function findAnyProjectId(sql: ControlSql, scope: WorkspaceScope, reference: string): Promise<string | Refusal> {
  const found = await findProjectId(sql, scope, reference);
  return isRefusal(found) ? await findProjectToRestore(sql, scope, reference) : found;
}

/** Adds the routes of end users of projects. */
export function addEndUserRoutes(app: AdminApp, { sql, pacer }: AccountParts): void {
  serve(app, 'listEndUserLimits', pagesOf(endUserJson), async ({ scope, params, query }) => {
    const page = requestedSortedPage(query, END_USER_ORDERS);
    if (isRefusal(page)) return page;
    return await unlessRefused(findAnyProjectId(sql, scope, params.project), (projectId) =>
      pacer.slice(() => listEndUserLimits(sql, scope, projectId, page)),
    );
  });
  serve(app, 'showEndUser', endUserJson, ({ scope, params, query }) =>
    unlessRefused(findProjectId(sql, scope, params.project), (projectId) =>
      showEndUser(sql, scope, { projectId, name: query.name }),
    ),
  );
  serve(app, 'setEndUserLimit', endUserJson, ({ scope, params, body: { name, ...given } }) =>
    unlessRefused(findProjectId(sql, scope, params.project), (projectId) => {
      const { limit = null, ...raise } = settingsFromBody({ ...END_USER_SETTINGS, ...RAISE_SETTINGS }, given);
      return makeChange(sql, (tx) => setEndUserLimit(tx, scope, { projectId, name, limit, ...raise }));
    }),
  );
  serve(app, 'removeEndUserLimit', endUserJson, ({ scope, params }) =>
    unlessRefused(findAnyProjectId(sql, scope, params.project), (projectId) =>
      makeChange(sql, (tx) => removeEndUserLimit(tx, scope, { projectId, id: params.endUser })),
    ),
  );
}
