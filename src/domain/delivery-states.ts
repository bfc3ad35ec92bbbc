/** How the sending of a mail or a webhook stands. */
export const DELIVERY_STATES = ['waiting', 'sent', 'given_up'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
