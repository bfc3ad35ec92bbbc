import type { NanoUsd } from '../../domain/money.ts';

/** What can be posted: top-ups, refunds and disputes are balanced by `payments`, grants by `promotions`, adjustments by `adjustments`. */
const POSTED_KINDS = ['top_up', 'grant', 'refund', 'dispute', 'adjustment'] as const;

export type PostingKind = (typeof POSTED_KINDS)[number];

/** The kinds of postings: `expiry` takes what is left of a grant that has expired back to `promotions`. */
export const POSTING_KINDS = [...POSTED_KINDS, 'expiry'] as const;

/** A posting in the ledger. */
export interface Posting {
  readonly id: string;
  readonly kind: (typeof POSTING_KINDS)[number];
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
  /** When what is left of a grant expires; null: it doesn't. */
  readonly expiresAt: Date | null;
}
