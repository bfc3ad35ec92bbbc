import { z } from '@hono/zod-openapi';
import {
  type AuditEvent,
  type AuditFilter,
  exportAuditEvents,
  listAuditEvents,
  showAuditEvent,
} from '../audit/audit.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { CsvColumn } from '../ledger/csv.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import * as contract from './accounts/account-contract.ts';
import { answerExport, type ExportDependencies } from './answer-export.ts';
import { answerRefusal, ok, records } from './answers.ts';
import { id as idField, time } from './contract-fields.ts';
import { exportedRows } from './exported-rows.ts';
import { exportQuery } from './ledger/ledger-contract.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from './pages.ts';
import { auditEventJson } from './representations.ts';
import { type AdminApp, inWorkspace, workspaceRoute } from './route-access.ts';

const tags = ['Audit'];
const params = z.object(inWorkspace);

const filters = {
  action: z.string().max(100).optional().openapi({ description: 'Only this action.', example: 'key.create' }),
  target: z.string().max(100).optional().openapi({ description: 'Only changes of the thing with this id.' }),
  user: z.uuid().optional().openapi({ description: 'Only changes by this user.' }),
  from: time.optional(),
  to: time.optional(),
};

const list = workspaceRoute('audit:read', {
  operationId: 'listAuditEvents',
  method: 'get',
  path: '/audit',
  tags,
  summary: 'List the changes to a workspace: what was changed by whom, when and from where',
  request: { params, query: pageQuery.extend(filters) },
  responses: ok(pageOf(contract.auditEvent), 'Audit events, newest first.'),
});

const show = workspaceRoute('audit:read', {
  operationId: 'showAuditEvent',
  method: 'get',
  path: '/audit/{event}',
  tags,
  summary: 'Show a change to a workspace',
  request: { params: z.object({ ...inWorkspace, event: idField }) },
  responses: ok(contract.auditEvent, 'The change.'),
});

const download = workspaceRoute('audit:read', {
  operationId: 'exportAuditEvents',
  method: 'get',
  path: '/audit/export',
  tags,
  summary: 'Download the changes to a workspace',
  request: { params, query: z.strictObject({ ...filters, format: exportQuery.shape.format }) },
  responses: records('CSV with a header line, or one JSON object per line, newest first.'),
});

/** The columns of exported events. The fields before and after the change are JSON. */
const COLUMNS: readonly CsvColumn<AuditEvent>[] = [
  { name: 'at', read: ({ at }) => at },
  { name: 'actor_kind', read: ({ actorKind }) => actorKind },
  { name: 'actor', read: ({ actorName }) => actorName },
  { name: 'user_id', read: ({ userId }) => userId },
  { name: 'action', read: ({ action }) => action },
  { name: 'target_kind', read: ({ targetKind }) => targetKind },
  { name: 'target_id', read: ({ targetId }) => targetId },
  { name: 'target_name', read: ({ targetName }) => targetName },
  { name: 'before', read: ({ before }) => (before === null ? null : JSON.stringify(before)) },
  { name: 'after', read: ({ after }) => (after === null ? null : JSON.stringify(after)) },
  { name: 'address', read: ({ address }) => address },
  { name: 'request_id', read: ({ requestId }) => requestId },
  { name: 'id', read: ({ id }) => id },
];

/** Adds the routes of the audit log. */
export function addAuditRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  app.openapi(list, async (c) => {
    const { action, target, user, from, to, ...page } = c.req.valid('query');
    const filter = filterOf({ action, target, user, from, to });
    const found = await pacer.slice(() => listAuditEvents(sql, c.var.scope, filter, requestedPage(page)));
    return c.json(pageJson(found, auditEventJson), 200);
  });
  app.openapi(download, async (c) => {
    const { format = 'csv', ...query } = c.req.valid('query');
    const events = exportAuditEvents({ sql, pacer }, c.var.scope, filterOf(query));
    return await answerExport(c, { exports, onFault }, format, exportedRows(events, COLUMNS, format));
  });
  // After the export, whose path it matches as well.
  app.openapi(show, async (c) => {
    const event = await showAuditEvent(sql, c.var.scope, c.req.valid('param').event);
    return isRefusal(event) ? answerRefusal(c, event) : c.json(auditEventJson(event), 200);
  });
}

type Filters = Partial<Record<keyof typeof filters, string | undefined>>;

function filterOf({ action, target, user, from, to }: Filters): AuditFilter {
  return definedFields({
    action,
    targetId: target,
    userId: user,
    since: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : new Date(to),
  });
}
