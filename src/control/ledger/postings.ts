import { actorName } from '../../domain/actor.ts';
import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner, SqlValue } from '../../lib/sql.ts';
import { postingFields } from './posting-history.ts';
import type { Posting, PostingKind } from './posting.ts';
import { newId } from '../../lib/uuid7.ts';

// The ledger's postings: changes of credit other than by requests. Each posting's entries sum to zero, and the same
// statement changes the workspace's credit purse by the entries of the accounts `credit` and `owed`.

export interface PostingRequest {
  readonly kind: PostingKind;
  /**
   * Nano-USD; above zero it adds credit, below zero it takes credit back. Top-ups and grants add, refunds take back;
   * disputes take back, or restore if they were won; adjustments do either.
   */
  readonly amount: NanoUsd;
  readonly reason: string;
  /** The caller's idempotency key: a repeat with it posts nothing. */
  readonly once?: string | null;
  /** When what is left of a grant expires; left out: never. */
  readonly expiresAt?: Date | null;
}

/** A posting made by this request, or by the earlier request that this one repeats. */
export interface PostingResult extends Posting {
  readonly repeated: boolean;
}

/** The result of post_credit and correct_receipt; the posting's fields are null if there is none. */
interface PostedRow extends Posting {
  readonly outcome:
    | 'posted'
    | 'repeated'
    | 'other_once'
    | 'unchanged'
    | 'no_workspace'
    | 'closed'
    | 'nothing'
    | 'wrong_way'
    | 'expired'
    | 'no_grant'
    | 'above_disputes'
    | 'above_payments'
    | 'beyond_count';
  /** The most that a refund may take back, or a dispute restore; nano-USD, null for other kinds. */
  readonly most: NanoUsd | null;
}

/** The refusal of an expiry of any other posting. */
export const GRANTS_EXPIRE = 'Only a grant can expire: credit that was paid for stays until it is spent.';

/** The bound of a workspace's credit in post_credit. */
export const CREDIT_MAX: NanoUsd = 9_000_000_000_000_000_000n;

const selectPosted = (call: string, expiresAt: string): string =>
  `select outcome, most_nano_usd as most, ${postingFields('(posting)', expiresAt)} from ${call}`;

const POST = selectPosted('post_credit($1, $2, $3, $4, $5, $6, $7, null, false, $8)', '$8::timestamptz');
const CORRECT = selectPosted('correct_receipt($1, $2, $3, $4, $5, $6, $7)', 'null::timestamptz');

/**
 * Posts an amount to a workspace's credit, by double entry, in one statement. Refused if there is no such workspace, if
 * it is being closed and would be given credit, if the amount is zero, has the wrong sign for its kind, or exceeds what
 * can be stored, refunded or restored, or if `once` belongs to another posting.
 */
export async function postCredit(
  sql: SqlRunner,
  { workspaceId, act }: WorkspaceScope,
  { kind, amount, reason, once = null, expiresAt = null }: PostingRequest,
): Promise<PostingResult | Refusal> {
  const actor = actorName(act.actor);
  const posted = await ask(sql, POST, [newId(), workspaceId, kind, amount, actor, reason, once, expiresAt]);
  assert(posted !== null, 'a posting is made or refused');
  return posted;
}

/** The arguments of a correction. */
export interface CorrectionPosting extends Omit<PostingRequest, 'kind' | 'amount'> {
  readonly requestId: string;
  /** The correct charge, within the hold; nano-USD. */
  readonly charge: NanoUsd;
}

/**
 * Posts the difference to a receipt's charge, and counts it in the receipt's purses, in one statement. Null if the
 * charge is already as requested. Refused if `once` belongs to another posting.
 */
export async function postCorrection(
  sql: SqlRunner,
  { workspaceId, act }: WorkspaceScope,
  { requestId, charge, reason, once = null }: CorrectionPosting,
): Promise<PostingResult | Refusal | null> {
  const actor = actorName(act.actor);
  return await ask(sql, CORRECT, [newId(), workspaceId, requestId, charge, actor, reason, once]);
}

async function ask(sql: SqlRunner, call: string, values: readonly SqlValue[]): Promise<PostingResult | Refusal | null> {
  const [row] = await sql.query<PostedRow>(call, values);
  assert(row !== undefined, 'a posting is answered');
  const { outcome, most, ...posting } = row;
  if (outcome === 'unchanged') return null;
  if (outcome === 'posted' || outcome === 'repeated') return { ...posting, repeated: outcome === 'repeated' };
  if (outcome === 'no_workspace') return refuse('NOT_FOUND', 'There is no such workspace.');
  if (outcome === 'closed') return refuse('CONFLICT', 'The workspace has been closed, and takes no more credit.');
  if (outcome === 'expired') {
    return refuse('INVALID_REQUEST', '"expires_at" must be in the future.', { param: 'expires_at' });
  }
  if (outcome === 'no_grant') return refuse('INVALID_REQUEST', GRANTS_EXPIRE, { param: 'expires_at' });
  if (outcome === 'other_once') return refuseOtherOnce(posting);
  if (outcome === 'beyond_count') return refuseMoreCredit();
  // Disputes can take more than was paid.
  const left = formatUsd(most === null || most < 0n ? 0n : most);
  const message = {
    nothing: 'The amount must not be zero.',
    wrong_way: 'Top-ups and grants add credit, a refund takes it back.',
    above_disputes: `Disputes have taken ${left} USD, so no more can be restored.`,
    above_payments: `Only ${left} USD of the payments have not been refunded, so no more can be.`,
  }[outcome];
  return refuse('INVALID_REQUEST', message, { param: 'amount_usd' });
}

/** The refusal of credit beyond what a workspace may have. */
export function refuseMoreCredit(): Refusal {
  const message = `A workspace may have at most ${formatUsd(CREDIT_MAX)} USD of credit.`;
  return refuse('INVALID_REQUEST', message, { param: 'amount_usd' });
}

function refuseOtherOnce({ once, kind, postedAt }: Posting): Refusal {
  const message = `"${once}" belongs to another posting: a ${kind.replace('_', '-')} at ${postedAt.toISOString()}.`;
  return refuse('IDEMPOTENCY_MISMATCH', message, { param: 'once' });
}
