import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { netCharge } from './net-charge.ts';
import { listCorrections, readPosting } from './posting-history.ts';
import type { Posting } from './posting.ts';
import { postCredit, refuseOtherOnce, type Posted } from './postings.ts';
import { findReceipt, type StoredReceipt } from './receipts.ts';

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

const LOCK_PURSES = 'select id from purses where id = any ($1) order by id for no key update';

const CORRECT_PURSES = `
  with corrections as (
    insert into purse_corrections (posting_id, purse_id, amount_nano_usd)
    select $1, purse_id, $2 from unnest($3::bigint[]) as purse_id
  ), change as (
    insert into changes (kind, subject_id) select 'purse', purse_id::text from unnest($3::bigint[]) as purse_id
  )
  update purses set corrected_nano_usd = corrected_nano_usd + $2 where id = any ($3::bigint[])`;

/**
 * Corrects what a request is charged, in the caller's transaction. Refused where there is no such receipt, where the
 * charge would exceed what the request held, and where `once` names another posting.
 */
export async function correctReceipt(tx: SqlRunner, request: CorrectionRequest): Promise<Correction | Refusal> {
  const { requestId, charge, actor, reason, once = null } = request;
  const receipt = await findReceipt(tx, requestId);
  if (receipt === null) return refuse('NOT_FOUND', 'There is no receipt with this request id.');
  const { workspaceId, creditPurseId, projectPurseId, keyPurseId, hold } = receipt;
  if (charge < 0n || charge > hold) {
    const message = `A request is charged ${formatUsd(hold)} USD at most, which is what it held.`;
    return refuse('INVALID_REQUEST', message, { param: 'charge_usd' });
  }
  await tx.query(LOCK_PURSES, [[creditPurseId, projectPurseId, keyPurseId]]);
  // Read again: another correction may have been made while this one waited for the lock.
  const corrections = await listCorrections(tx, workspaceId, requestId);
  if (once !== null) {
    const earlier = await readPosting(tx, workspaceId, { once });
    if (earlier !== null) return repeatOf(earlier, request, receipt, corrections);
  }
  const amount = netCharge(receipt.charge, corrections) - charge;
  if (amount === 0n) return null;
  const adjustment = { workspaceId, kind: 'adjustment', amount, actor, reason, once } as const;
  const posted = await postCredit(tx, { ...adjustment, receiptRequestId: requestId });
  if (isRefusal(posted)) return posted;
  await tx.query(CORRECT_PURSES, [posted.id, amount, [projectPurseId, keyPurseId]]);
  return posted;
}

function repeatOf(
  earlier: Posting,
  { requestId, charge, reason }: CorrectionRequest,
  receipt: StoredReceipt,
  corrections: readonly Posting[],
): Correction | Refusal {
  const until = corrections.slice(0, corrections.findIndex(({ id }) => id === earlier.id) + 1);
  const isSame =
    earlier.receiptRequestId === requestId && earlier.reason === reason && netCharge(receipt.charge, until) === charge;
  return isSame ? { ...earlier, repeated: true } : refuseOtherOnce(earlier);
}
