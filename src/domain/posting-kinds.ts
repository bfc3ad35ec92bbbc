/** What can be posted: top-ups, refunds and disputes are balanced by `payments`, grants by `promotions`, adjustments by `adjustments`. */
export const POSTED_KINDS = ['top_up', 'grant', 'refund', 'dispute', 'adjustment'] as const;

/** The kinds of postings: `expiry` takes what is left of a grant that has expired back to `promotions`. */
export const POSTING_KINDS = [...POSTED_KINDS, 'expiry'] as const;
