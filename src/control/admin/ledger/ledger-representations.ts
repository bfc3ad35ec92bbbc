import { LISTED_FIELDS } from '../../../domain/stored-fields.ts';
import { amountFields } from '../../../domain/money.ts';
import type { VersionPrice } from '../../../domain/price-adjustment.ts';
import type { Posting } from '../../ledger/posting.ts';
import { fieldsJson } from '../../ledger/receipt-fields-json.ts';
import { receiptJson } from '../../ledger/receipt-json.ts';
import type { StoredReceipt } from '../../ledger/receipts.ts';
import type { ReceiptSummary } from '../../ledger/receipt-search.ts';
import type { LedgerReport } from '../../ledger/verify.ts';
import type { DifferenceRow, LedgerDifference } from '../../ledger/verify-differences.ts';
import { recordJson } from '../record-json.ts';
import * as contract from './ledger-contract.ts';
import type { LedgerReportJson, PostedJson, PostingJson, ReceiptJson, ReceiptSummaryJson } from './ledger-contract.ts';

// The JSON of the ledger's records in the admin API.

export function postingJson(posting: Posting): PostingJson {
  return recordJson(contract.posting, posting);
}

export function postedJson(posted: Posting & { readonly repeated: boolean }): PostedJson {
  return recordJson(contract.posted, posted);
}

/** A receipt as keys see it, and its corrections. */
export function operatorReceiptJson(receipt: StoredReceipt, price: VersionPrice | null): ReceiptJson {
  return { ...receiptJson(receipt, price), corrections: receipt.corrections.map(postingJson) };
}

/** A receipt as lists show it. */
export function receiptSummaryJson(receipt: ReceiptSummary): ReceiptSummaryJson {
  const fields = fieldsJson(LISTED_FIELDS, receipt);
  const { request_id, project_id, key_id, dialect, model, outcome, charge_nano_usd, charge_usd, ...rest } = fields;
  return {
    request_id,
    project_id,
    project_name: receipt.projectName,
    key_id,
    key_name: receipt.keyName,
    dialect,
    model,
    outcome,
    charge_nano_usd,
    charge_usd,
    ...amountFields('net_charge', receipt.netCharge),
    ...rest,
  };
}

export function ledgerReportJson(report: LedgerReport): LedgerReportJson {
  return recordJson(contract.ledgerReport, {
    ...report,
    workspaces: Number(report.workspaces),
    purses: Number(report.purses),
    postings: Number(report.postings),
    receipts: Number(report.receipts),
    auditEvents: Number(report.auditEvents),
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
