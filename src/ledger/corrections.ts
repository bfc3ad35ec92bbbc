import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { WorkspaceScope } from '../domain/workspace-scope.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { postCorrection, type PostingResult } from './postings.ts';
import { findWorkspaceReceipt } from './receipts.ts';

// A receipt never changes. A wrong charge is corrected by an adjustment that names it, and by the same
// amount the purses of its project and key count as less used, or more, in the windows that the receipt charged.

export interface CorrectionRequest {
  readonly requestId: string;
  /** The correct charge; nano-USD, from zero to the hold. */
  readonly charge: NanoUsd;
  readonly actor: string;
  readonly reason: string;
  /** The caller's name for this correction: a repeat with it makes none. */
  readonly once?: string | null;
}

/** A correction that was made; null if the receipt stood as it should already. */
export type Correction = PostingResult | null;

/**
 * Corrects a request's charge. Refused if there is no such receipt in the workspace, if the charge would exceed what the
 * request held, or if `once` names another posting. Moves everything in one statement.
 */
export async function correctReceipt(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  request: CorrectionRequest,
): Promise<Correction | Refusal> {
  // Neither the receipt nor its hold ever changes, so it may be read before.
  const receipt = await findWorkspaceReceipt(sql, workspaceId, request.requestId);
  if (receipt === null) return refuse('NOT_FOUND', 'There is no receipt with this request id.');
  const { hold } = receipt;
  if (request.charge < 0n || request.charge > hold) {
    const message = `A request is charged ${formatUsd(hold)} USD at most, which is what it held.`;
    return refuse('INVALID_REQUEST', message, { param: 'charge_usd' });
  }
  return await postCorrection(sql, { ...request, workspaceId });
}
