import { definedFields } from '../../../lib/defined-fields.ts';
import {
  closeWorkspace,
  createWorkspace,
  listWorkspaces,
  WORKSPACE_ORDERS,
  changeWorkspace,
  showWorkspace,
  suspendWorkspace,
} from '../../accounts/workspaces.ts';
import { makeChange } from '../../audit/change.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { settingsFromBody } from '../../resources/setting-values.ts';
import { WORKSPACE_SETTINGS } from '../../resources/workspace-settings.ts';
import type { ControlSql } from '../../../lib/control-sql.ts';
import type { Pacer } from '../../../lib/pacer.ts';
import { pagesOf, requestedSortedPage } from '../pages.ts';
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
  readonly chatModelsOnSale: () => readonly string[];
}

/** Adds the routes of workspaces. */
export function addWorkspaceRoutes(app: AdminApp, { sql, pacer }: AccountParts): void {
  serve(app, 'createWorkspace', workspaceJson, ({ operator, body: { name, once = null } }) =>
    makeChange(sql, (tx) => createWorkspace(tx, operator, { name, once })),
  );
  serve(app, 'listWorkspaces', pagesOf(workspaceJson), async ({ operator, query }) => {
    const { state, search, ...paging } = query;
    const page = requestedSortedPage(paging, WORKSPACE_ORDERS);
    if (isRefusal(page)) return page;
    const filter = definedFields({ state, search });
    return await pacer.slice(() => listWorkspaces(sql, operator, filter, page));
  });
  serve(app, 'showWorkspace', workspaceJson, ({ scope }) => showWorkspace(sql, scope));
  serve(app, 'changeWorkspace', workspaceJson, ({ scope, body, version }) =>
    makeChange(sql, (tx) =>
      changeWorkspace(tx, scope, { version, change: settingsFromBody(WORKSPACE_SETTINGS, body) }),
    ),
  );
  serve(app, 'suspendWorkspace', workspaceJson, ({ scope, body }) =>
    makeChange(sql, (tx) => suspendWorkspace(tx, scope, body.reason)),
  );
  serve(app, 'resumeWorkspace', workspaceJson, ({ scope }) =>
    makeChange(sql, (tx) => suspendWorkspace(tx, scope, null)),
  );
  serve(app, 'closeWorkspace', workspaceJson, ({ scope, version }) =>
    makeChange(sql, (tx) => closeWorkspace(tx, scope, { version })),
  );
}
