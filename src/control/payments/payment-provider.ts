import type { NanoUsd } from '../../domain/money.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { PaymentEvent } from './payment-facts.ts';

// What the room needs of a company that takes payments. Each has a folder here. All that a provider learns leaves it as a
// `PaymentEvent`; none touches credit. Redemption codes (`codes/`) are a provider without a page, kept cards or events.

/** The provider could not be reached or did not answer clearly: the same request may be sent again. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** A webhook's body was not signed by the provider, or too long ago. */
export class UnsignedWebhook extends Error {
  override readonly name = 'UnsignedWebhook';
}

/** A top-up as a provider is asked to charge it. */
export interface ChargeRequest {
  readonly topUpId: string;
  readonly workspaceId: string;
  readonly amount: NanoUsd;
  readonly fee: NanoUsd;
  readonly createdAt: Date;
  /** The workspace as a customer of the provider; null: it is none yet. */
  readonly customer: string | null;
}

export interface CheckoutRequest extends ChargeRequest {
  /** The payer agreed that the means of payment is kept. */
  readonly savesMethod: boolean;
}

/** A page of the provider's on which one top-up is paid. */
export interface Checkout {
  readonly reference: string;
  /** Null: it can't be opened any more. */
  readonly url: string | null;
  readonly expiresAt: Date;
}

export interface RefundRequest {
  /** The provider's id of the payment. */
  readonly payment: string;
  /** What goes back to the payer; null: all that is left. */
  readonly amount: NanoUsd | null;
  /** Names the refund: a repeat refunds once. */
  readonly once: string;
}

/** A payment in the provider's own records. */
export interface ProviderPayment {
  readonly payment: string;
  /** The top-up that it names; null: it is none of Faregate's. */
  readonly topUpId: string | null;
  readonly amount: NanoUsd;
  readonly refunded: NanoUsd;
}

/** A bounded part of a provider's list. */
export interface ProviderPage<Item> {
  readonly items: readonly Item[];
  /** Where the next part begins; null: this is the last. */
  readonly next: string | null;
}

export interface PaymentProvider {
  readonly name: string;
  /** Opens the page on which a top-up is paid; for the same top-up the same page. @throws ProviderUnavailable */
  openCheckout(request: CheckoutRequest): Promise<Checkout | Refusal>;
  /**
   * Charges the kept means of payment, once for a top-up, and reports what became of it; without `mayCharge`, what became of
   * an earlier try. @throws ProviderUnavailable
   */
  chargeKept(request: ChargeRequest, mayCharge: boolean): Promise<PaymentEvent>;
  /** Sends money back to the payer. @throws ProviderUnavailable */
  refund(request: RefundRequest): Promise<PaymentEvent | Refusal>;
  /** The event in a webhook's body, be it unreadable; null: it concerns no payment of ours. @throws UnsignedWebhook */
  readWebhook(body: Buffer, signature: string): PaymentEvent | null;
  /** A part of the events that the provider has recorded since then, newest first. @throws ProviderUnavailable */
  listEvents(since: Date, after: string | null): Promise<ProviderPage<PaymentEvent>>;
  /** A part of the payments that succeeded in this time, newest first. @throws ProviderUnavailable */
  listPayments(from: Date, to: Date, after: string | null): Promise<ProviderPage<ProviderPayment>>;
}
