import type * as account from '../accounts/account-contract.ts';
import type * as ledger from '../ledger/ledger-contract.ts';
import type * as records from '../ledger/ledger-record-contract.ts';
import type {
  RefusalChoice,
  RefusalCountsJson,
  RefusalJson,
  RefusalListJson,
  RefusalQuery,
} from '../requests/refusal-contract.ts';
import type { RequestJson } from '../requests/request-contract.ts';
import type { StatementJson } from '../ledger/statement-contract.ts';
import type { UsageJson, UsageQueryInput } from '../usage/usage-contract.ts';
import { type Call, locate, ownerPath, type Page, type PageQuery, path, queryOf } from './call.ts';

/** The calls about credit, receipts, refused requests and usage. Each @throws AdminRefused, AdminUnreachable */
export function ledgerCalls(call: Call) {
  return { ...postingCalls(call), ...receiptCalls(call), ...refusalCalls(call), ...usageCalls(call) };
}

function postingCalls(call: Call) {
  return {
    postCredit: (workspace: string, body: ledger.PostingCreation) =>
      call<ledger.PostedJson>('POST', path`/workspaces/${workspace}/postings`, body),
    grantCredit: (workspace: string, body: { readonly amount_usd: string; readonly reason: string }) =>
      call<ledger.PostedJson>('POST', path`/workspaces/${workspace}/postings`, { kind: 'grant', ...body }),
    creditHistory: (workspace: string, page: PageQuery = {}) =>
      call<Page<ledger.PostingJson>>('GET', path`/workspaces/${workspace}/history` + queryOf(page)),
    showStatement: (workspace: string, query: PageQuery & { readonly month?: string } = {}) =>
      call<StatementJson>('GET', path`/workspaces/${workspace}/statement` + queryOf(query)),
    verifyLedger: () => call<ledger.LedgerReportJson>('POST', '/ledger/verify'),
    listProofs: (query: { readonly limit?: number } = {}) =>
      call<records.ProofsJson>('GET', '/ledger/proofs' + queryOf(query)),
    listSeals: (page: PageQuery = {}) => call<Page<records.SealJson>>('GET', '/ledger/seals' + queryOf(page)),
    listCorrections: (page: PageQuery = {}) =>
      call<Page<records.CorrectionPostingJson>>('GET', '/ledger/corrections' + queryOf(page)),
    sealReceipts: (body: ledger.SealCreation) => call<ledger.SealingJson>('POST', '/ledger/seal', body),
  };
}

async function receiptPath(call: Call, requestId: string): Promise<string> {
  const { workspace_id, id } = await locate(call, { request_id: requestId });
  return path`/workspaces/${workspace_id}/receipts/${id}`;
}

function receiptCalls(call: Call) {
  return {
    listReceipts: (workspace: string, query: ledger.ReceiptQuery = {}) =>
      call<Page<ledger.ReceiptSummaryJson> & { readonly searched_until: string | null }>(
        'GET',
        path`/workspaces/${workspace}/receipts` + queryOf(query),
      ),
    showRequest: (workspace: string, requestId: string) =>
      call<RequestJson>('GET', path`/workspaces/${workspace}/requests/${requestId}`),
    showReceipt: async (requestId: string) => await call<ledger.ReceiptJson>('GET', await receiptPath(call, requestId)),
    showLastReceipt: () => call<ledger.ReceiptJson>('GET', '/receipts/last'),
    correctReceipt: async (requestId: string, body: ledger.CorrectionCreation) =>
      await call<ledger.CorrectionJson>('POST', `${await receiptPath(call, requestId)}/corrections`, body),
  };
}

function refusalCalls(call: Call) {
  return {
    /** The workspace of a request, and whether it has a receipt or was refused. */
    locateRequest: (requestId: string) =>
      call<account.LocationJson>('GET', '/look-up' + queryOf({ request_id: requestId })),
    listRefusals: (workspace: string, query: RefusalQuery = {}) =>
      call<RefusalListJson>('GET', path`/workspaces/${workspace}/refusals` + queryOf(query)),
    listAllRefusals: (query: RefusalChoice & PageQuery = {}) =>
      call<RefusalListJson>('GET', '/refusals' + queryOf(query)),
    countAllRefusals: (query: RefusalChoice = {}) =>
      call<RefusalCountsJson>('GET', '/refusals/counts' + queryOf(query)),
    showRefusal: (workspace: string, requestId: string) =>
      call<RefusalJson>('GET', path`/workspaces/${workspace}/refusals/${requestId}`),
  };
}

function usageCalls(call: Call) {
  return {
    /** The usage of a workspace; null: of all. */
    showUsage: (workspace: string | null, query: UsageQueryInput = {}) =>
      call<UsageJson>('GET', `${ownerPath(workspace)}/usage${queryOf(query)}`),
    rebuildUsage: () => call<{ readonly recounted: true }>('POST', '/ledger/rebuild-usage'),
  };
}
