import type { NanoUsd } from '../../domain/money.ts';
import { SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { assert } from '../../lib/assert.ts';

// What providers report of payments. Every way in (webhooks, answers to requests, the nightly comparison, redeemed codes)
// leads to `applyPaymentEvent`, which is the only one that gives or takes credit for a payment.

/** The source of a top-up: a payment on a provider's page, an automatic charge of a stored card, or a code. */
export type TopUpOrigin = 'checkout' | 'auto' | 'code';

/** The top-up that a provider's record names. */
interface TopUpReference {
  readonly topUpId: string;
  readonly workspaceId: string;
  readonly origin: TopUpOrigin;
}

/** An amount as the provider has it. Only US dollars are credited. */
interface ProviderAmount {
  readonly amount: NanoUsd;
  /** In lower case, such as `usd`. */
  readonly currency: string;
}

/** The payer has finished, but the money is not there yet; or the top-up ended unpaid. */
export interface ProgressFact extends TopUpReference {
  readonly kind: 'processing' | 'expired';
}

export interface FailedFact extends TopUpReference {
  readonly kind: 'failed';
  /** The provider's code, such as `card_declined`. */
  readonly failure: string;
}

/** The money is there: credit, fee and tax together. */
export interface PaidFact extends TopUpReference, ProviderAmount {
  readonly kind: 'paid';
  /** The part of the amount that is tax; left out: none. */
  readonly tax?: NanoUsd;
  /** The provider's id of the payment; null in records that lack it. */
  readonly payment: string | null;
  /** The provider's id of the workspace as a customer; null: none. */
  readonly customer: string | null;
}

/**
 * - *announced*: a dispute that has moved no money yet.
 * - *taken*: the money goes back to the payer.
 * - *lost*: a dispute was lost, so it stays taken.
 * - *returned*: a refund failed or a dispute was won.
 */
export type ReversalState = 'announced' | 'taken' | 'lost' | 'returned';

/** Money of a payment that goes back to the payer, or comes back from there. */
export interface ReversalFact extends ProviderAmount {
  readonly kind: 'refund' | 'dispute';
  readonly state: ReversalState;
  /** The provider's id of the refund or dispute. */
  readonly reference: string;
  /** The provider's id of the payment. */
  readonly payment: string;
}

/** The provider has sent something that can't be read or stored: it might be about a payment. */
export interface UnreadableFact {
  readonly kind: 'unreadable';
  /** For the operator. */
  readonly problem: string;
}

export type PaymentFact = ProgressFact | FailedFact | PaidFact | ReversalFact | UnreadableFact;

/** A fact, under the id that makes its repetitions known. */
export interface PaymentEvent {
  readonly provider: string;
  readonly id: string;
  readonly fact: PaymentFact;
}

/**
 * What became of an event. Ignored: it is about no top-up of this instance. Mismatch: it contradicts the top-up that it names,
 * or can't be read; it took no effect, and waits for the operator.
 */
export interface AppliedEvent {
  readonly outcome: 'applied' | 'repeated' | 'ignored' | 'mismatch';
  /** Of a mismatch: what is wrong, for the operator. */
  readonly detail: string | null;
  readonly topUpId: string | null;
  readonly workspaceId: string | null;
}

/**
 * Applies an event: its row, the top-up's state and the postings, in one statement. Repeated, reordered and concurrent
 * events lead to the same credit. @throws DatabaseUnavailable, after which the event must be applied again
 */
export async function applyPaymentEvent(sql: SqlRunner, event: PaymentEvent): Promise<AppliedEvent> {
  const { provider, id, fact } = event;
  if (fact.kind === 'unreadable') return await keepUnreadable(sql, event, fact.problem);
  try {
    return await applyFact(sql, { provider, id, fact });
  } catch (fault) {
    if (!(fault instanceof SqlFault) || !NEVER_STORED.test(fault.sqlState)) throw fault;
    return await keepUnreadable(sql, event, `it can't be stored (${fault.sqlState})`);
  }
}

/** Data exceptions and violated constraints, which another try meets again. */
const NEVER_STORED = /^2[23]/;
const PROBLEM_MAX = 200;

/**
 * Keeps an event for the operator as one that took no effect. Its id is another than its own, which stays free for a version of
 * this program that can read it.
 */
async function keepUnreadable(sql: SqlRunner, { provider, id }: PaymentEvent, problem: string): Promise<AppliedEvent> {
  const detail = `it can't be read: ${problem}`.replaceAll(/\p{C}/gu, ' ').slice(0, PROBLEM_MAX);
  const [kept] = await sql.query(
    `insert into payment_events (provider, id, fact, outcome, detail) values ($1, $2, 'unreadable', 'mismatch', $3)
     on conflict (provider, id) do nothing returning id`,
    [provider, `unreadable:${id}`, detail],
  );
  return { outcome: kept === undefined ? 'repeated' : 'mismatch', detail, topUpId: null, workspaceId: null };
}

async function applyFact(
  sql: SqlRunner,
  { provider, id, fact }: PaymentEvent & { readonly fact: Exclude<PaymentFact, UnreadableFact> },
): Promise<AppliedEvent> {
  const about = 'topUpId' in fact ? fact : null;
  const reversal = 'reference' in fact ? fact : null;
  const [row] = await sql.query<AppliedEvent>(
    `select outcome, detail, top_up as "topUpId", workspace as "workspaceId"
     from apply_payment_fact($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      provider,
      id,
      reversal === null ? fact.kind : `${reversal.kind} ${reversal.state}`,
      'payment' in fact ? fact.payment : null,
      about?.topUpId ?? null,
      about?.workspaceId ?? null,
      about?.origin ?? null,
      reversal?.reference ?? null,
      'amount' in fact ? fact.amount : null,
      'currency' in fact ? fact.currency : null,
      fact.kind === 'paid' ? fact.customer : null,
      fact.kind === 'failed' ? fact.failure : null,
      fact.kind === 'paid' ? (fact.tax ?? 0n) : 0n,
    ],
  );
  assert(row !== undefined, 'an event of a payment is answered');
  return row;
}
