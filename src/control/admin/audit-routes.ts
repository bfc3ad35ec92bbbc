import { AUDIT_COLUMNS } from '../audit/audit-columns.ts';
import { type AuditFilter, exportAuditEvents, listAuditEvents, showAuditEvent } from '../audit/audit.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { answerExport, type ExportDependencies } from './answer-export.ts';
import { exportedRows } from './exported-rows.ts';
import { pagesOf, requestedPage } from './pages.ts';
import { auditEventJson } from './representations.ts';
import type { AdminApp } from './route-access.ts';
import { serve } from './serve.ts';
import type { auditFilters } from './audit-wire.ts';

/** Adds the routes of the audit log. */
export function addAuditRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  serve(app, 'listAuditEvents', pagesOf(auditEventJson), async ({ scope, query }) => {
    const { action, target, user, from, to, ...page } = query;
    const filter = filterOf({ action, target, user, from, to });
    return await pacer.slice(() => listAuditEvents(sql, scope, filter, requestedPage(page)));
  });
  serve(app, 'exportAuditEvents', async ({ scope, query, c }) => {
    const { format = 'csv', ...choice } = query;
    const events = exportAuditEvents({ sql, pacer }, scope, filterOf(choice));
    return await answerExport(c, { exports, onFault }, format, exportedRows(events, AUDIT_COLUMNS, format));
  });
  // Registered after the export, because it matches the export's path too.
  serve(app, 'showAuditEvent', auditEventJson, ({ scope, params }) => showAuditEvent(sql, scope, params.event));
}

type Filters = Partial<Record<keyof typeof auditFilters, string | undefined>>;

function filterOf({ action, target, user, from, to }: Filters): AuditFilter {
  return definedFields({
    action,
    targetId: target,
    userId: user,
    since: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : new Date(to),
  });
}
