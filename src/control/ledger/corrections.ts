import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { postCorrection, type PostingResult } from './postings.ts';
import { findWorkspaceReceipt } from './receipts.ts';

// A receipt never changes. A wrong charge is corrected by an adjustment that names the receipt. In the windows that the
// receipt charged, the purses of its project and key count as less used, or more, by the same amount.

export interface CorrectionRequest {
  readonly requestId: string;
  /** The correct charge; nano-USD, from zero to the hold. */
  readonly charge: NanoUsd;
  readonly reason: string;
  /** The caller's idempotency key: a repeat with it makes no second correction. */
  readonly once?: string | null;
}

/** The posted correction; null if the charge was already as requested. */
export type Correction = PostingResult | null;

/**
 * Corrects a request's charge, in one statement. Refused if the workspace has no such receipt, if the charge would
 * exceed the request's hold, or if `once` belongs to another posting.
 */
export async function correctReceipt(
  sql: SqlRunner,
  scope: WorkspaceScope,
  request: CorrectionRequest,
): Promise<Correction | Refusal> {
  // A receipt never changes, so it may be read before the statement.
  const receipt = await findWorkspaceReceipt(sql, scope, request.requestId);
  if (receipt === null) return refuse('NOT_FOUND', 'There is no receipt with this request id.');
  const { hold } = receipt;
  if (request.charge < 0n || request.charge > hold) {
    const message = `The charge of this request may be at most its hold, ${formatUsd(hold)} USD.`;
    return refuse('INVALID_REQUEST', message, { param: 'charge_usd' });
  }
  return await postCorrection(sql, scope, request);
}
