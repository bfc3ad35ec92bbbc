import { amountFields } from '../../../domain/money.ts';
import type { VersionPrice } from '../../../domain/price-adjustment.ts';
import type { Posting } from '../../ledger/posting.ts';
import { receiptJson } from '../../ledger/receipt-json.ts';
import type { StoredReceipt } from '../../ledger/receipts.ts';
import type { ReceiptSummary } from '../../ledger/receipt-search.ts';
import type { LedgerReport } from '../../ledger/verify.ts';
import type { DifferenceRow, LedgerDifference } from '../../ledger/verify-differences.ts';
import type { LedgerReportJson, PostedJson, PostingJson, ReceiptJson, ReceiptSummaryJson } from './ledger-contract.ts';

// The JSON of the ledger's records in the admin API.

export function postingJson({ id, kind, amount, balance, actor, reason, once, ...more }: Posting): PostingJson {
  return {
    id,
    kind,
    ...amountFields('amount', amount),
    ...amountFields('balance', balance),
    actor,
    reason,
    once,
    receipt_request_id: more.receiptRequestId,
    posted_at: more.postedAt.toISOString(),
  };
}

export function postedJson(posted: Posting & { readonly repeated: boolean }): PostedJson {
  return { ...postingJson(posted), repeated: posted.repeated };
}

/** A receipt as keys see it, and its corrections. */
export function operatorReceiptJson(receipt: StoredReceipt, price: VersionPrice | null): ReceiptJson {
  return { ...receiptJson(receipt, price), corrections: receipt.corrections.map(postingJson) };
}

/** A receipt as lists show it. */
export function receiptSummaryJson(receipt: ReceiptSummary): ReceiptSummaryJson {
  return {
    request_id: receipt.requestId,
    project_id: receipt.projectId,
    project_name: receipt.projectName,
    key_id: receipt.keyId,
    key_name: receipt.keyName,
    dialect: receipt.dialect,
    model: receipt.model,
    outcome: receipt.outcome,
    ...amountFields('charge', receipt.charge),
    ...amountFields('net_charge', receipt.netCharge),
    usage: { certainty: receipt.certainty, tokens: { ...receipt.tokens } },
    streamed: receipt.streamed,
    admitted_at: receipt.admittedAt.toISOString(),
    duration_ms: receipt.durationMs,
    first_event_ms: receipt.firstEventMs,
    client_request_id: receipt.clientRequestId,
    session: receipt.session,
    retry: receipt.retry,
  };
}

export function ledgerReportJson(report: LedgerReport): LedgerReportJson {
  return {
    ok: report.ok,
    workspaces: Number(report.workspaces),
    purses: Number(report.purses),
    postings: Number(report.postings),
    receipts: Number(report.receipts),
    ...amountFields('credit', report.credit),
    ...amountFields('charges', report.charges),
    ...amountFields('write_offs', report.writeOffs),
    ...amountFields('balance', report.balance),
    ...amountFields('owed', report.owed),
    difference_count: Number(report.differenceCount),
    differences: report.differences.map(differenceJson),
  };
}

/** A difference that a proof has found, just now or as it was stored. */
export function differenceJson({
  check,
  workspaceId,
  subjectId,
  expected,
  actual,
}: LedgerDifference | DifferenceRow): LedgerReportJson['differences'][number] {
  return {
    check,
    workspace_id: workspaceId,
    subject_id: subjectId,
    expected: expected.toString(),
    actual: actual.toString(),
  };
}
