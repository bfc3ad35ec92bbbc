import type { VersionPrice } from '../../../domain/price-adjustment.ts';
import type { Posting } from '../../ledger/posting.ts';
import { receiptJson } from '../../ledger/receipt-json.ts';
import type { StoredReceipt } from '../../ledger/receipts.ts';
import type { ReceiptSummary } from '../../ledger/receipt-search.ts';
import type { LedgerReport } from '../../ledger/verify.ts';
import type { DifferenceRow, LedgerDifference } from '../../ledger/verify-differences.ts';
import { fieldsJson } from '../fields-json.ts';
import * as contract from './ledger-contract.ts';
import type { LedgerReportJson, PostedJson, PostingJson, ReceiptJson, ReceiptSummaryJson } from './ledger-contract.ts';

// The JSON of the ledger's records in the admin API.

export function postingJson(posting: Posting): PostingJson {
  return fieldsJson(contract.posting, posting);
}

export function postedJson(posted: Posting & { readonly repeated: boolean }): PostedJson {
  return fieldsJson(contract.posted, posted);
}

/** A receipt as keys see it, and its corrections. */
export function operatorReceiptJson(receipt: StoredReceipt, price: VersionPrice | null): ReceiptJson {
  return { ...receiptJson(receipt, price), corrections: receipt.corrections.map(postingJson) };
}

/** A receipt as lists show it. */
export function receiptSummaryJson(receipt: ReceiptSummary): ReceiptSummaryJson {
  const usage = { certainty: receipt.certainty, tokens: { ...receipt.tokens } };
  return fieldsJson(contract.receiptSummary, { ...receipt, usage });
}

export function ledgerReportJson(report: LedgerReport): LedgerReportJson {
  return fieldsJson(contract.ledgerReport, {
    ...report,
    workspaces: Number(report.workspaces),
    purses: Number(report.purses),
    postings: Number(report.postings),
    receipts: Number(report.receipts),
    differenceCount: Number(report.differenceCount),
    differences: report.differences.map(differenceJson),
  });
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
