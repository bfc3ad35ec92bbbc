/** Pending, then processing while the payer is done and the money is under way; at last one of the other three. */
export const TOP_UP_STATES = ['pending', 'processing', 'expired', 'failed', 'paid'] as const;

export type TopUpState = (typeof TOP_UP_STATES)[number];
