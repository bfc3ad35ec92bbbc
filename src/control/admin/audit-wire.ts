import { z } from '@hono/zod-openapi';
import * as contract from './accounts/account-contract.ts';
import { ok, records } from './answers.ts';
import { time } from './contract-fields.ts';
import { exportQuery } from './ledger/ledger-contract.ts';
import { pageOf, pageQuery } from './pages.ts';

export const auditFilters = {
  action: z.string().max(100).optional().openapi({ description: 'Only this action.', example: 'key.create' }),
  target: z.string().max(100).optional().openapi({ description: 'Only changes of the thing with this id.' }),
  user: z.uuid().optional().openapi({ description: 'Only changes by this user.' }),
  from: time.optional(),
  to: time.optional(),
};

/** Requests and answers of the operations on the audit log. */
export const auditWire = {
  listAuditEvents: {
    query: pageQuery.extend(auditFilters),
    responses: ok(pageOf(contract.auditEvent), 'Audit events, newest first.'),
  },
  showAuditEvent: { responses: ok(contract.auditEvent, 'The change.') },
  exportAuditEvents: {
    query: z.strictObject({ ...auditFilters, format: exportQuery.shape.format }),
    responses: records('CSV with a header line, or one JSON object per line, newest first.'),
  },
};
