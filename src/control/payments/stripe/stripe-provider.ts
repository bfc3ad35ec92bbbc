import { hash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import { assert } from '../../../lib/assert.ts';
import { centsToNano, nanoToCents } from '../../../domain/payment-amounts.ts';
import type { PaymentEvent, TopUpOrigin } from '../payment-facts.ts';
import {
  type ChargeRequest,
  type Checkout,
  type CheckoutRequest,
  type PaymentProvider,
  type ProviderPage,
  type ProviderPayment,
  ProviderUnavailable,
  type RefundRequest,
  UnsignedWebhook,
} from '../payment-provider.ts';
import { EVENT_TYPES, factOfEvent, factOfIntent, factOfRefund, idOf, METADATA, topUpIdOf } from './stripe-facts.ts';
import { faultMessage } from '../../../lib/fault-message.ts';

export interface StripeSettings {
  readonly secretKey: string;
  /** Null: webhooks are not taken. */
  readonly webhookSecret: string | null;
  /** Where Stripe's API is. */
  readonly baseUrl: string;
  /** Has Stripe compute tax on its pages, and ask companies for their tax numbers. */
  readonly automaticTax?: boolean;
  /** Has Stripe make an invoice of each payment on its pages. */
  readonly invoices?: boolean;
  /** Where the payers of a workspace go afterwards. */
  readonly returnUrlOf: (workspaceId: string) => string;
}

const PROVIDER = 'stripe';
/** How old a webhook's signature may be, seconds. */
const TOLERANCE_S = 300;
/** Stripe ends a page after 24 h at most, and keeps idempotency keys as long. */
const CHECKOUT_MS = 23 * 3_600_000;
const ANSWER_MS_MAX = 20_000;
const PAGE_ITEMS = 100;
/** A top-up's payment is searched from this long before its row was made: clocks differ. */
const CLOCK_MARGIN_S = 600;

/** Whether a secret key is for real money. */
export function isLiveKey(secretKey: string): boolean {
  return secretKey.includes('_live_');
}

/**
 * Loads Stripe's library, which takes a third of a second of the event loop: called before the process serves, and only
 * if Stripe is configured.
 */
export async function openStripe(settings: StripeSettings): Promise<StripeProvider> {
  const { default: library } = await import('stripe');
  const { protocol, hostname, port } = new URL(settings.baseUrl);
  const client = new library(settings.secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : port,
    timeout: ANSWER_MS_MAX,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  return new StripeProvider(client, library, settings);
}

/** Payments by Stripe: Checkout pages, kept cards, refunds, webhooks. */
export class StripeProvider implements PaymentProvider {
  readonly name = PROVIDER;
  readonly #stripe: Stripe;
  readonly #errors: typeof Stripe.errors;
  readonly #settings: StripeSettings;

  constructor(client: Stripe, { errors }: Pick<typeof Stripe, 'errors'>, settings: StripeSettings) {
    this.#stripe = client;
    this.#errors = errors;
    this.#settings = settings;
  }

  async openCheckout(request: CheckoutRequest): Promise<Checkout | Refusal> {
    const idempotencyKey = `faregate-checkout-${request.topUpId}`;
    try {
      const session = await this.#stripe.checkout.sessions.create(this.#sessionOf(request), { idempotencyKey });
      return { reference: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1_000) };
    } catch (fault) {
      return this.#refusalOf(fault);
    }
  }

  async chargeKept(request: ChargeRequest, mayCharge: boolean): Promise<PaymentEvent> {
    const { topUpId, workspaceId, customer } = request;
    assert(customer !== null, 'an automatic top-up has a customer');
    const about = { topUpId, workspaceId, origin: 'auto' as const };
    const failed = (failure: string): PaymentEvent => ({
      provider: PROVIDER,
      id: `charge:${topUpId}:${failure}`,
      fact: { kind: 'failed', failure, ...about },
    });
    try {
      const found = await this.#findIntent(request, customer);
      if (found !== null) return await this.#eventOfIntent(found);
      if (!mayCharge) return failed('withdrawn');
      // Its idempotency key may be forgotten by now, so it is not tried again.
      if (Date.now() - request.createdAt.getTime() > CHECKOUT_MS) return failed('no_answer');
      const methods = await this.#stripe.customers.listPaymentMethods(customer, { limit: 1 });
      const method = methods.data[0];
      if (method === undefined) return failed('no_payment_method');
      const idempotencyKey = `faregate-charge-${topUpId}`;
      const intent = await this.#stripe.paymentIntents.create(
        {
          amount: nanoToCents(request.amount + request.fee),
          currency: 'usd',
          customer,
          payment_method: method.id,
          off_session: true,
          confirm: true,
          metadata: metadataOf(request, 'auto'),
        },
        { idempotencyKey },
      );
      return await this.#eventOfIntent(intent);
    } catch (fault) {
      if (fault instanceof this.#errors.StripeCardError) {
        if (fault.payment_intent !== undefined) return await this.#eventOfIntent(fault.payment_intent);
        // The library has an empty text where Stripe names no decline code.
        return failed(fault.decline_code === '' ? (fault.code ?? 'card_error') : fault.decline_code);
      }
      if (fault instanceof this.#errors.StripeInvalidRequestError) return failed(fault.code ?? 'invalid_request');
      throw unavailable(fault);
    }
  }

  async refund({ payment, amount, once }: RefundRequest): Promise<PaymentEvent | Refusal> {
    try {
      const refund = await this.#stripe.refunds.create(
        {
          payment_intent: payment,
          reason: 'requested_by_customer',
          ...(amount === null ? {} : { amount: nanoToCents(amount) }),
        },
        { idempotencyKey: `faregate-refund-${once}` },
      );
      const fact = factOfRefund(refund);
      assert(fact !== null, 'a refund of a payment names it');
      return { provider: PROVIDER, id: `${refund.id}:${refund.status ?? 'created'}`, fact };
    } catch (fault) {
      return this.#refusalOf(fault);
    }
  }

  readWebhook(body: Buffer, signature: string): PaymentEvent | null {
    const { webhookSecret } = this.#settings;
    assert(webhookSecret !== null, 'webhooks are read only with a secret');
    try {
      return this.#eventOf(this.#stripe.webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_S));
    } catch (fault) {
      // The signature is checked before anything is read.
      if (!(fault instanceof this.#errors.StripeSignatureVerificationError)) return unreadableEvent(body, fault);
      throw new UnsignedWebhook('a webhook is not signed by Stripe with the configured secret', { cause: fault });
    }
  }

  async listEvents(since: Date, after: string | null): Promise<ProviderPage<PaymentEvent>> {
    try {
      const page = await this.#stripe.events.list({
        types: [...EVENT_TYPES],
        created: { gte: seconds(since) },
        limit: PAGE_ITEMS,
        ...(after === null ? {} : { starting_after: after }),
      });
      const items = page.data.map((event) => this.#eventOf(event)).filter((event) => event !== null);
      return { items, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null };
    } catch (fault) {
      throw unavailable(fault);
    }
  }

  async listPayments(from: Date, to: Date, after: string | null): Promise<ProviderPage<ProviderPayment>> {
    try {
      const page = await this.#stripe.charges.list({
        created: { gte: seconds(from), lt: seconds(to) },
        limit: PAGE_ITEMS,
        ...(after === null ? {} : { starting_after: after }),
      });
      const items = page.data.flatMap((charge): ProviderPayment[] => {
        const payment = idOf(charge.payment_intent);
        if (payment === null || charge.status !== 'succeeded') return [];
        const { amount_captured: cents, amount_refunded: refunded, metadata } = charge;
        return [{ payment, topUpId: topUpIdOf(metadata), amount: centsToNano(cents), refunded: centsToNano(refunded) }];
      });
      return { items, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null };
    } catch (fault) {
      throw unavailable(fault);
    }
  }

  /**
   * Events of the other mode are about no real money, or about no test: they are none of ours. One of another shape than Stripe
   * documents might be about a payment, so it is kept for the operator.
   */
  #eventOf(event: Stripe.Event): PaymentEvent | null {
    try {
      if (typeof event.livemode !== 'boolean' || typeof event.type !== 'string' || !isEventId(event.id)) {
        throw new TypeError('it has no id, type or mode');
      }
      if (event.livemode !== isLiveKey(this.#settings.secretKey)) return null;
      const fact = factOfEvent(event);
      return fact === null ? null : { provider: PROVIDER, id: event.id, fact };
    } catch (fault) {
      return unreadableEvent(JSON.stringify(event), fault);
    }
  }

  /** The result of an automatic payment. A failed one is cancelled, so that it can't be completed later. */
  async #eventOfIntent(intent: Stripe.PaymentIntent): Promise<PaymentEvent> {
    const fact = factOfIntent(intent);
    assert(fact !== null, 'an automatic payment names its top-up');
    if (fact.kind === 'failed' && intent.status !== 'canceled') {
      await this.#stripe.paymentIntents.cancel(intent.id).catch((fault: unknown) => {
        throw unavailable(fault);
      });
    }
    return { provider: PROVIDER, id: `${intent.id}:${intent.status}`, fact };
  }

  /** The payment that an earlier attempt has made for this top-up; null: none. */
  async #findIntent({ topUpId, createdAt }: ChargeRequest, customer: string): Promise<Stripe.PaymentIntent | null> {
    const created = { gte: seconds(createdAt) - CLOCK_MARGIN_S };
    // The newest come first, and it is the oldest of these.
    for await (const intent of this.#stripe.paymentIntents.list({ customer, created, limit: PAGE_ITEMS })) {
      if (topUpIdOf(intent.metadata) === topUpId) return intent;
    }
    return null;
  }

  #sessionOf(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
    const { topUpId, workspaceId, amount, fee, createdAt, savesMethod, customer } = request;
    const metadata = metadataOf(request, 'checkout');
    const { automaticTax: taxed = false, invoices = false } = this.#settings;
    const line = (name: string, cents: number): Stripe.Checkout.SessionCreateParams.LineItem => ({
      quantity: 1,
      // Tax comes on top, so that credit and fee stay what they are.
      price_data: {
        currency: 'usd',
        unit_amount: cents,
        product_data: { name },
        ...(taxed && { tax_behavior: 'exclusive' }),
      },
    });
    const back = (result: string): string =>
      `${this.#settings.returnUrlOf(workspaceId)}?top_up=${topUpId}&result=${result}`;
    return {
      mode: 'payment',
      client_reference_id: topUpId,
      metadata,
      line_items: [line('Credit', nanoToCents(amount)), ...(fee > 0n ? [line('Fee', nanoToCents(fee))] : [])],
      payment_intent_data: { metadata, ...(savesMethod ? { setup_future_usage: 'off_session' } : {}) },
      adaptive_pricing: { enabled: false },
      expires_at: seconds(createdAt) + CHECKOUT_MS / 1_000,
      success_url: back('success'),
      cancel_url: back('cancel'),
      ...(taxed && { automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } }),
      ...(invoices && { invoice_creation: { enabled: true, invoice_data: { metadata } } }),
      ...(customer === null
        ? { customer_creation: savesMethod || invoices ? 'always' : 'if_required' }
        : { customer, ...(taxed && { customer_update: { address: 'auto', name: 'auto' } }) }),
    };
  }

  /** Stripe's refusal, for the caller. @throws ProviderUnavailable for all else */
  #refusalOf(fault: unknown): Refusal {
    const { StripeInvalidRequestError, StripeIdempotencyError } = this.#errors;
    if (fault instanceof StripeInvalidRequestError || fault instanceof StripeIdempotencyError) {
      return refuse('CONFLICT', `Stripe refused this: ${fault.message}`);
    }
    throw unavailable(fault);
  }
}

/** Printable, as a column keeps it. */
function isEventId(id: unknown): id is string {
  return typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id);
}

/** A signed event that can't be read, under the id in its text if there is one. */
function unreadableEvent(text: Buffer | string, fault: unknown): PaymentEvent {
  const id = /"id":\s*"(evt_\w{1,200})"/.exec(text.toString())?.[1] ?? hash('sha256', text, 'hex');
  return { provider: PROVIDER, id, fact: { kind: 'unreadable', problem: String(fault) } };
}

function unavailable(fault: unknown): ProviderUnavailable {
  if (fault instanceof ProviderUnavailable) return fault;
  const said = faultMessage(fault);
  return new ProviderUnavailable(`Stripe did not answer clearly: ${said}`, { cause: fault });
}

function metadataOf({ topUpId, workspaceId }: ChargeRequest, origin: TopUpOrigin): Record<string, string> {
  return { [METADATA.topUp]: topUpId, [METADATA.workspace]: workspaceId, [METADATA.origin]: origin };
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
