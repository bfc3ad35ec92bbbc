import { randomUUIDv7 } from 'node:crypto';
import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import { assert } from '../lib/assert.ts';
import type { SqlRunner, SqlValue } from '../lib/sql.ts';
import { postingFields } from './posting-history.ts';
import type { Posting, PostingKind } from './posting.ts';

// The ledger's postings: credit that comes and goes other than by requests. Each posting's entries sum to zero, and in
// the same statement the workspace's credit purse moves by what its `credit` and `owed` accounts say.

export interface PostingRequest {
  readonly workspaceId: string;
  readonly kind: PostingKind;
  /**
   * Nano-USD; above zero it gives, below zero it takes. Top-ups and grants give, refunds take; disputes take, and give
   * back what was won; adjustments do either.
   */
  readonly amount: NanoUsd;
  /** The actor, for audits. */
  readonly actor: string;
  readonly reason: string;
  /** The caller's name for this posting: a repeat with it posts nothing. */
  readonly once?: string | null;
}

/** A posting that was made, by this request or by the one that this one repeats. */
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
    | 'nothing'
    | 'wrong_way'
    | 'above_disputes'
    | 'above_payments'
    | 'beyond_count';
  /** The most that a refund may take, or a dispute give back, nano-USD; null for other kinds. */
  readonly most: NanoUsd | null;
}

/** All credit of a workspace, as post_credit bounds it. */
const CREDIT_MAX: NanoUsd = 9_000_000_000_000_000_000n;

const selectPosted = (call: string): string =>
  `select outcome, most_nano_usd as most, ${postingFields('(posting)')} from ${call}`;

const POST = selectPosted('post_credit($1, $2, $3, $4, $5, $6, $7, null)');
const CORRECT = selectPosted('correct_receipt($1, $2, $3, $4, $5, $6, $7)');

/**
 * Posts an amount to a workspace's credit, by double entry. Refused if there is no such workspace, where the amount
 * is nothing or doesn't go with its kind, if it is more than can be counted, refunded or won back, and if `once`
 * names another posting. One statement.
 */
export async function postCredit(sql: SqlRunner, request: PostingRequest): Promise<PostingResult | Refusal> {
  const { workspaceId, kind, amount, actor, reason, once = null } = request;
  const posted = await ask(sql, POST, [randomUUIDv7(), workspaceId, kind, amount, actor, reason, once]);
  assert(posted !== null, 'a posting is made or refused');
  return posted;
}

/** A correction as the database takes it. */
export interface CorrectionPosting extends Omit<PostingRequest, 'kind' | 'amount'> {
  readonly requestId: string;
  /** The correct charge, within the hold; nano-USD. */
  readonly charge: NanoUsd;
}

/**
 * Posts the difference to a receipt's charge, and counts it in its purses; null if it is charged that
 * already. Refused if `once` names another posting. One statement.
 */
export async function postCorrection(
  sql: SqlRunner,
  correction: CorrectionPosting,
): Promise<PostingResult | Refusal | null> {
  const { workspaceId, requestId, charge, actor, reason, once = null } = correction;
  return await ask(sql, CORRECT, [randomUUIDv7(), workspaceId, requestId, charge, actor, reason, once]);
}

async function ask(sql: SqlRunner, call: string, values: readonly SqlValue[]): Promise<PostingResult | Refusal | null> {
  const [row] = await sql.query<PostedRow>(call, values);
  assert(row !== undefined, 'a posting is answered');
  const { outcome, most, ...posting } = row;
  if (outcome === 'unchanged') return null;
  if (outcome === 'posted' || outcome === 'repeated') return { ...posting, repeated: outcome === 'repeated' };
  if (outcome === 'no_workspace') return refuse('NOT_FOUND', 'There is no such workspace.');
  if (outcome === 'other_once') return refuseOtherOnce(posting);
  const message = {
    nothing: 'An amount of nothing cannot be posted.',
    wrong_way: 'Top-ups and grants give credit, a refund takes it.',
    above_disputes: `Disputes have taken ${formatUsd(most ?? 0n)} USD, so no more can be won back.`,
    above_payments: `Of what was paid ${formatUsd(most ?? 0n)} USD have not gone back, so no more can be refunded.`,
    beyond_count: `All credit of a workspace may come to ${formatUsd(CREDIT_MAX)} USD at most.`,
  }[outcome];
  return refuse('INVALID_REQUEST', message, { param: 'amount_usd' });
}

function refuseOtherOnce({ once, kind, postedAt }: Posting): Refusal {
  const message = `Another posting was made under "${once}": a ${kind.replace('_', '-')} at ${postedAt.toISOString()}.`;
  return refuse('IDEMPOTENCY_MISMATCH', message, { param: 'once' });
}
