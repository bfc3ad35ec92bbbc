import { z } from '@hono/zod-openapi';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { exportEntries, exportReceipts } from '../../ledger/export.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import { answerRefusal, records } from '../answers.ts';
import * as contract from './ledger-contract.ts';
import type { ReceiptChoice } from './ledger-contract.ts';
import { requestedReceipts } from '../requests/requested-receipts.ts';
import { type AdminApp, workspaceRoute } from '../route-access.ts';

const params = z.object({
  workspace: z.string().openapi({ description: 'Id or name.' }),
  what: z.enum(['receipts', 'entries'], { error: 'must be receipts or entries' }),
});

const exportRoute = workspaceRoute('exports:read', {
  operationId: 'exportRecords',
  method: 'get',
  path: '/export/{what}',
  tags: ['Ledger'],
  summary: "Download a workspace's receipts or ledger entries",
  request: { params, query: contract.exportQuery },
  responses: records('CSV with a header line, or one JSON object per line.'),
});

/** Adds the route that streams a workspace's records. */
export function addExportRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  app.openapi(exportRoute, async (c) => {
    const { what } = c.req.valid('param');
    const { scope } = c.var;
    const { from, to, format = 'csv', ...choice } = c.req.valid('query');
    const range = { from: momentOf(from), to: momentOf(to) };
    const chosen = what === 'receipts' ? await requestedReceipts(sql, scope, choice) : refuseChoice(choice);
    if (isRefusal(chosen)) return answerRefusal(c, chosen);
    const parts = { sql, pacer };
    const slices =
      what === 'receipts'
        ? exportReceipts(parts, scope, { ...range, choice: chosen }, format)
        : exportEntries(parts, scope, range, format);
    return await answerExport(c, { exports, onFault }, format, slices);
  });
}

/** Entries are of postings, which have no key, model or outcome. */
function refuseChoice(choice: ReceiptChoice): Refusal | Record<string, never> {
  const [param] = Object.keys(choice);
  return param === undefined
    ? {}
    : refuse('INVALID_REQUEST', `"${param}" chooses receipts, and entries have none.`, { param });
}

function momentOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}
