import { randomUUIDv7 } from 'node:crypto';
import { formatUsd, type NanoUsd } from '../domain/money.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import { assert } from '../lib/assert.ts';
import type { SqlRunner } from '../lib/sql.ts';

// The ledger's hand-made side: what comes and goes other than by requests. Each posting's entries sum to zero, and in
// the same transaction the workspace's credit purse moves by what its `credit` and `owed` accounts say.

/** What each kind of posting is balanced by. */
const COUNTER_ACCOUNT = {
  top_up: 'payments',
  grant: 'promotions',
  refund: 'payments',
  dispute: 'payments',
  adjustment: 'adjustments',
} as const;

export type PostingKind = keyof typeof COUNTER_ACCOUNT;

export interface PostingRequest {
  readonly workspaceId: string;
  readonly kind: PostingKind;
  /** Nano-USD; above zero it gives, below zero it takes. */
  readonly amount: NanoUsd;
  /** Who did it, as an auditor would want it named. */
  readonly actor: string;
  readonly reason: string;
}

/** A posting that was made, and the balance that it led to. */
export interface Posted {
  readonly id: string;
  readonly amount: NanoUsd;
  readonly balance: NanoUsd;
}

/** A posting as the history shows it. */
export interface Posting {
  readonly id: string;
  readonly kind: PostingKind;
  readonly amount: NanoUsd;
  readonly actor: string;
  readonly reason: string;
  readonly postedAt: Date;
}

/** How a credit purse stands; amounts in nano-USD. */
export interface CreditStanding {
  readonly limit: NanoUsd;
  readonly spent: NanoUsd;
  readonly leased: NanoUsd;
  readonly owed: NanoUsd;
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

const POST = `
  with posting as (
    insert into ledger_postings (id, workspace_id, kind, actor, reason) values ($1, $2, $3, $4, $5)
  ), entries as (
    insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd)
    select $2, $1, account, amount from unnest($6::text[], $7::bigint[]) as entry (account, amount) where amount <> 0
  ), change as (
    insert into changes (kind, subject_id) values ('purse', $8::bigint::text)
  )
  update purses set limit_nano_usd = limit_nano_usd + $9, owed_nano_usd = owed_nano_usd - $10
  where id = $8::bigint
  returning limit_nano_usd - spent_nano_usd - owed_nano_usd
    - (select coalesce(sum(charged_nano_usd), 0)::bigint from leases where purse_id = $8::bigint) as balance`;

/**
 * Posts an amount to a workspace's credit, by double entry, in the caller's transaction. Refused where there is no such
 * workspace, where the amount is nothing, or where it is more than can be counted.
 */
export async function postCredit(tx: SqlRunner, request: PostingRequest): Promise<Posted | Refusal> {
  const { workspaceId, kind, amount, actor, reason } = request;
  if (amount === 0n)
    return refuse('INVALID_REQUEST', 'An amount of nothing cannot be posted.', { param: 'amount_usd' });
  const [purse] = await tx.query<CreditStanding & { id: bigint }>(
    `select id, limit_nano_usd as limit, spent_nano_usd as spent, leased_nano_usd as leased, owed_nano_usd as owed
     from purses where workspace_id = $1 and kind = 'credit' and subject_id = $1 for update`,
    [workspaceId],
  );
  if (purse === undefined) return refuse('NOT_FOUND', 'There is no such workspace.');
  const split = splitAmount(purse, amount);
  if (purse.limit + split.credit > CREDIT_MAX || purse.owed - split.owed > CREDIT_MAX) {
    const message = `All credit of a workspace may come to ${formatUsd(CREDIT_MAX)} USD at most.`;
    return refuse('INVALID_REQUEST', message, { param: 'amount_usd' });
  }
  const id = randomUUIDv7();
  const accounts = ['credit', 'owed', COUNTER_ACCOUNT[kind]];
  const amounts = [split.credit, split.owed, -amount];
  const [posted] = await tx.query<{ balance: NanoUsd }>(POST, [
    id,
    workspaceId,
    kind,
    actor,
    reason,
    accounts,
    amounts,
    purse.id,
    split.credit,
    split.owed,
  ]);
  assert(posted !== undefined, 'a purse that is locked can be updated');
  return { id, amount, balance: posted.balance };
}

/** The workspace's postings, newest first. */
export async function listPostings(sql: SqlRunner, workspaceId: string): Promise<readonly Posting[]> {
  return await sql.query<Posting>(
    `select posting.id, posting.kind, posting.actor, posting.reason, posting.posted_at as "postedAt",
       (select coalesce(sum(amount_nano_usd), 0)::bigint from ledger_entries
        where posting_id = posting.id and account in ('credit', 'owed')) as amount
     from ledger_postings posting
     where posting.workspace_id = $1
     order by posting.posted_at desc, posting.id desc`,
    [workspaceId],
  );
}
