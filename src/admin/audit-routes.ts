import { definedFields } from '../lib/defined-fields.ts';
import { z } from '@hono/zod-openapi';
import { type AuditFilter, listAuditEvents } from '../audit/audit.ts';
import * as contract from './account-contract.ts';
import { ok } from './answers.ts';
import { time } from './contract-fields.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from './pages.ts';
import { auditEventJson } from './representations.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from './route-access.ts';
import type { AccountParts } from './workspace-routes.ts';

const list = workspaceRoute('audit:read', {
  operationId: 'listAuditEvents',
  method: 'get',
  path: '/audit',
  tags: ['Audit'],
  summary: 'List the changes to a workspace: what was changed by whom, when and from where',
  request: {
    params: z.object(inWorkspace),
    query: pageQuery.extend({
      action: z.string().max(100).optional().openapi({ description: 'Only this action.', example: 'key.create' }),
      target: z.string().max(100).optional().openapi({ description: 'Only changes of the thing with this id.' }),
      user: z.uuid().optional().openapi({ description: 'Only changes by this user.' }),
      from: time.optional(),
      to: time.optional(),
    }),
  },
  responses: ok(pageOf(contract.auditEvent), 'Audit events, newest first.'),
});

/** Adds the routes of the audit log. */
export function addAuditRoutes(app: AdminApp, { sql, pacer }: AccountParts): void {
  app.openapi(list, async (c) => {
    const { action, target, user, from, to, ...page } = c.req.valid('query');
    const filter: AuditFilter = definedFields({
      action,
      targetId: target,
      userId: user,
      since: from === undefined ? undefined : new Date(from),
      until: to === undefined ? undefined : new Date(to),
    });
    const found = await pacer.slice(() => listAuditEvents(sql, c.var.scope, filter, requestedPage(page)));
    return c.json(pageJson(found, auditEventJson), 200);
  });
}
