import { randomUUIDv7 } from 'node:crypto';
import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import { assert } from '../lib/assert.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { readPosting } from './posting-history.ts';
import { COUNTER_ACCOUNT, type Posting, type PostingKind } from './posting.ts';

// The ledger's hand-made side: what comes and goes other than by requests. Each posting's entries sum to zero, and in
// the same transaction the workspace's credit purse moves by what its `credit` and `owed` accounts say.

export interface PostingRequest {
  readonly workspaceId: string;
  readonly kind: PostingKind;
  /**
   * Nano-USD; above zero it gives, below zero it takes. Top-ups and grants give, refunds take; disputes take, and give
   * back what was won; adjustments do either.
   */
  readonly amount: NanoUsd;
  /** Who did it, as an auditor would want it named. */
  readonly actor: string;
  readonly reason: string;
  /** The caller's name for this posting: whoever repeats it, posts it once. */
  readonly once?: string | null;
  /** The receipt that it corrects; an adjustment. */
  readonly receiptRequestId?: string | null;
}

/** A posting that was made, by this request or by the one that this one repeats. */
export interface Posted extends Posting {
  readonly repeated: boolean;
}

/** How a credit purse stands; amounts in nano-USD. */
export interface CreditStanding {
  readonly limit: NanoUsd;
  readonly spent: NanoUsd;
  readonly leased: NanoUsd;
  readonly owed: NanoUsd;
}

interface CreditPurse extends CreditStanding {
  readonly id: bigint;
  /** What is left of the credit after all charges and debts. */
  readonly balance: NanoUsd;
  /** What disputes have taken so far and not given back. */
  readonly disputed: NanoUsd;
}

/** All credit of a workspace fits a 64-bit column with room to spare. */
const CREDIT_MAX: NanoUsd = 9_000_000_000_000_000_000n;

/**
 * Divides an amount between a workspace's credit and its debt: what is given repays the debt first; what is taken
 * comes from what nobody has leased or spent, and the rest is owed.
 */
export function splitAmount(
  { limit, spent, leased, owed }: CreditStanding,
  amount: NanoUsd,
): { readonly credit: NanoUsd; readonly owed: NanoUsd } {
  if (amount >= 0n) {
    const repaid = amount < owed ? amount : owed;
    return { credit: amount - repaid, owed: repaid };
  }
  const available = limit - spent - leased;
  const taken = -amount < available ? -amount : available;
  return { credit: -taken, owed: amount + taken };
}

/** Why an amount can't be of this kind; null where it can. */
function refuseAmount(kind: PostingKind, amount: NanoUsd, disputed: NanoUsd): Refusal | null {
  const refused = (message: string): Refusal => refuse('INVALID_REQUEST', message, { param: 'amount_usd' });
  if (amount === 0n) return refused('An amount of nothing cannot be posted.');
  if ((kind === 'top_up' || kind === 'grant') && amount < 0n) return refused('Top-ups and grants give credit.');
  if (kind === 'refund' && amount > 0n) return refused('A refund takes credit.');
  if (kind === 'dispute' && amount > disputed) {
    return refused(`Disputes have taken ${formatUsd(disputed)} USD, so no more can be won back.`);
  }
  return null;
}

// Two statements: the second one's snapshot begins once the lock is held, so it sees every earlier posting.
const LOCK_CREDIT = `
  select id from purses where workspace_id = $1 and kind = 'credit' and subject_id = $1 for no key update`;

const READ_CREDIT = `
  select id, limit_nano_usd as limit, spent_nano_usd as spent, leased_nano_usd as leased, owed_nano_usd as owed,
    limit_nano_usd - spent_nano_usd - owed_nano_usd
      - (select coalesce(sum(charged_nano_usd), 0)::bigint from leases where purse_id = purses.id) as balance,
    (select coalesce(-sum(amount_nano_usd), 0)::bigint from ledger_postings posting
     join ledger_entries entry on entry.posting_id = posting.id and entry.account in ('credit', 'owed')
     where posting.workspace_id = $1 and posting.kind = 'dispute') as disputed
  from purses where workspace_id = $1 and kind = 'credit' and subject_id = $1`;

const POST = `
  with posting as (
    insert into ledger_postings (id, workspace_id, kind, actor, reason, once, receipt_request_id, balance_nano_usd)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
  ), entries as (
    insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
    select $2, $1, account, amount from unnest($9::text[], $10::bigint[]) as entry (account, amount) where amount <> 0
  ), change as (
    insert into changes (kind, subject_id) values ('purse', $11::bigint::text)
  )
  update purses set limit_nano_usd = limit_nano_usd + $12, owed_nano_usd = owed_nano_usd - $13 where id = $11::bigint`;

/**
 * Posts an amount to a workspace's credit, by double entry, in the caller's transaction. Refused where there is no such
 * workspace, where the amount is nothing or doesn't go with its kind, where it is more than can be counted, and where
 * `once` names another posting.
 */
export async function postCredit(tx: SqlRunner, request: PostingRequest): Promise<Posted | Refusal> {
  const { workspaceId, kind, amount, actor, reason, once = null, receiptRequestId = null } = request;
  const purse = await lockCredit(tx, workspaceId);
  if (isRefusal(purse)) return purse;
  if (once !== null) {
    const earlier = await readPosting(tx, workspaceId, { once });
    if (earlier !== null) return repeatOf(earlier, request);
  }
  const refused = refuseAmount(kind, amount, purse.disputed);
  if (refused !== null) return refused;
  const split = splitAmount(purse, amount);
  if (purse.limit + split.credit > CREDIT_MAX || purse.owed - split.owed > CREDIT_MAX) {
    const message = `All credit of a workspace may come to ${formatUsd(CREDIT_MAX)} USD at most.`;
    return refuse('INVALID_REQUEST', message, { param: 'amount_usd' });
  }
  const id = randomUUIDv7();
  const accounts = ['credit', 'owed', COUNTER_ACCOUNT[kind]];
  const amounts = [split.credit, split.owed, -amount];
  const head = [id, workspaceId, kind, actor, reason, once, receiptRequestId, purse.balance + amount];
  await tx.query(POST, [...head, accounts, amounts, purse.id, split.credit, split.owed]);
  const posting = await readPosting(tx, workspaceId, { id });
  assert(posting !== null, 'a posting that was just made is there');
  return { ...posting, repeated: false };
}

async function lockCredit(tx: SqlRunner, workspaceId: string): Promise<CreditPurse | Refusal> {
  await tx.query(LOCK_CREDIT, [workspaceId]);
  const [purse] = await tx.query<CreditPurse>(READ_CREDIT, [workspaceId]);
  return purse ?? refuse('NOT_FOUND', 'There is no such workspace.');
}

function repeatOf(earlier: Posting, request: PostingRequest): Posted | Refusal {
  const isSame =
    earlier.kind === request.kind &&
    earlier.amount === request.amount &&
    earlier.reason === request.reason &&
    earlier.receiptRequestId === (request.receiptRequestId ?? null);
  return isSame ? { ...earlier, repeated: true } : refuseOtherOnce(earlier);
}

/** What is said of a `once` that names another posting than the one asked for. */
export function refuseOtherOnce({ once, kind, postedAt }: Posting): Refusal {
  const message = `Another posting was made under "${once}": a ${kind.replace('_', '-')} at ${postedAt.toISOString()}.`;
  return refuse('IDEMPOTENCY_MISMATCH', message, { param: 'once' });
}
