import type { NanoUsd } from '../../domain/money.ts';
import type { POSTED_KINDS, POSTING_KINDS } from '../../domain/posting-kinds.ts';

export type PostingKind = (typeof POSTED_KINDS)[number];

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
