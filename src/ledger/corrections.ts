import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { postCorrection, type Posted } from './postings.ts';
import { findReceipt } from './receipts.ts';

// A receipt never changes. What it should have charged is put right by an adjustment that names it, and by the same
// amount the purses of its project and key count as less used, or more, in the windows that the receipt charged.

export interface CorrectionRequest {
  readonly requestId: string;
  /** What the request is to have cost; nano-USD, from nothing to what it held. */
  readonly charge: NanoUsd;
  readonly actor: string;
  readonly reason: string;
  /** The caller's name for this correction: whoever repeats it, makes it once. */
  readonly once?: string | null;
}

/** A correction that was made; null where the receipt stood as it should already. */
export type Correction = Posted | null;

/**
 * Corrects what a request is charged. Refused where there is no such receipt, where the charge would exceed what the
 * request held, and where `once` names another posting. Moves everything in one statement.
 */
export async function correctReceipt(sql: SqlRunner, request: CorrectionRequest): Promise<Correction | Refusal> {
  // Neither the receipt nor what it held ever changes, so it may be read before.
  const receipt = await findReceipt(sql, request.requestId);
  if (receipt === null) return refuse('NOT_FOUND', 'There is no receipt with this request id.');
  const { workspaceId, hold } = receipt;
  if (request.charge < 0n || request.charge > hold) {
    const message = `A request is charged ${formatUsd(hold)} USD at most, which is what it held.`;
    return refuse('INVALID_REQUEST', message, { param: 'charge_usd' });
  }
  return await postCorrection(sql, { ...request, workspaceId });
}
