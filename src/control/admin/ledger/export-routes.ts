import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { exportEntries, exportReceipts } from '../../ledger/export.ts';
import { answerExport, type ExportDependencies } from '../answer-export.ts';
import type { ReceiptChoice } from './ledger-contract.ts';
import { requestedReceipts } from '../requests/requested-receipts.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';

/** Adds the route that streams a workspace's records. */
export function addExportRoutes(app: AdminApp, { sql, pacer, exports, onFault }: ExportDependencies): void {
  serve(app, 'exportRecords', async ({ scope, params, query, c }) => {
    const { what } = params;
    const { from, to, format = 'csv', ...choice } = query;
    const range = { from: momentOf(from), to: momentOf(to) };
    const chosen = what === 'receipts' ? await requestedReceipts(sql, scope, choice) : refuseChoice(choice);
    if (isRefusal(chosen)) return chosen;
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
