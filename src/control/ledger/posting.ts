import type { NanoUsd } from '../../domain/money.ts';

/** Top-ups, refunds and disputes are balanced by `payments`, grants by `promotions`, adjustments by `adjustments`. */
export type PostingKind = 'top_up' | 'grant' | 'refund' | 'dispute' | 'adjustment';

/** A posting in the ledger. */
export interface Posting {
  readonly id: string;
  readonly kind: PostingKind;
  /** Nano-USD; above zero it added credit, below zero it took credit back. */
  readonly amount: NanoUsd;
  /** The workspace's balance after it: postings until then, less charges. */
  readonly balance: NanoUsd;
  readonly actor: string;
  readonly reason: string;
  /** Its idempotency key, if it has one. */
  readonly once: string | null;
  /** The receipt that it corrects. */
  readonly receiptRequestId: string | null;
  readonly postedAt: Date;
}
