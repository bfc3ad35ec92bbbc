import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { type ReceivedRequest, startScriptedUpstream } from './scripted-upstream.ts';

// Stripe on the loopback, as far as Faregate uses it: it keeps objects, honours idempotency keys, and signs events with
// Stripe's own library. What a payer, a bank or a card does is done by the methods of `FakeStripe`.

type Fields = Record<string, unknown>;

export interface FakeEvent {
  readonly id: string;
  readonly type: string;
  readonly livemode: boolean;
  readonly created: number;
  readonly data: { readonly object: Fields };
}

/** What the kept card does when it is charged. */
export type CardBehaviour = 'pays' | 'declines' | 'needs_authentication' | 'processes' | 'is_missing';

export const WEBHOOK_SECRET = 'whsec_test';
export const SECRET_KEY = 'sk_test_fake';

/** `a[b][0]=c` as nested objects. */
function fieldsOf(form: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.replaceAll(']', '').split('[');
    let inner = fields;
    for (const step of path.slice(0, -1)) inner = (inner[step] ??= {}) as Fields;
    inner[path.at(-1) ?? ''] = value;
  }
  return fields;
}

/** The share of what is sold that is tax, where it is computed. */
export const TAX_SHARE = 0.19;

/** The statuses of errors that are no mistake in the request. */
const STATUSES: Readonly<Record<string, number>> = { card_error: 402, api_error: 500 };

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

export class FakeStripe {
  readonly events: FakeEvent[] = [];
  readonly requests: ReceivedRequest[] = [];
  readonly objects = new Map<string, Fields>();
  card: CardBehaviour = 'pays';
  /** What the next requests meet, the first first. */
  readonly outages: ('before' | 'after')[] = [];
  /** Errors that the next requests which change something get instead of an answer, the first first. */
  readonly refusals: Fields[] = [];
  livemode = false;
  /** How a refund stands that is made now. */
  refundStatus: string | null = 'succeeded';
  origin = '';
  readonly #answers = new Map<string, { readonly body: string; readonly status: number; readonly answer: Fields }>();
  stop: () => Promise<void> = () => Promise.resolve();

  static async start(): Promise<FakeStripe> {
    const stripe = new FakeStripe();
    const upstream = await startScriptedUpstream((response, request) => {
      stripe.requests.push(request);
      const outage = stripe.outages.shift();
      if (outage === 'before') return response.destroy();
      const { status, answer } = stripe.#answerOnce(request);
      if (outage === 'after') return response.destroy();
      response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
      return response.end(JSON.stringify(answer));
    });
    stripe.origin = upstream.origin;
    stripe.stop = () => upstream.stop();
    return stripe;
  }

  /** What the last request for this path has said, field by field. */
  lastForm(path: string): Record<string, string> {
    const request = this.requests.findLast((each) => each.method === 'POST' && each.path === path);
    return Object.fromEntries(new URLSearchParams(request?.body.toString()));
  }

  /** All objects of a kind, in the order in which they were made. */
  all(kind: string): Fields[] {
    return [...this.objects.values()].filter(({ object }) => object === kind);
  }

  /** The payer pays on a page; by a bank transfer, the money arrives with `settle`. */
  pay(sessionId: string, { later = false, ...changes }: { later?: boolean } & Fields = {}): FakeEvent {
    const session = this.#object(sessionId);
    const intent = this.#add('payment_intent', 'pi', {
      amount: session['amount_total'],
      amount_received: later ? 0 : session['amount_total'],
      currency: 'usd',
      customer: session['customer'],
      metadata: session['metadata'],
      status: later ? 'processing' : 'succeeded',
      last_payment_error: null,
    });
    Object.assign(session, {
      status: 'complete',
      payment_status: later ? 'unpaid' : 'paid',
      payment_intent: intent['id'],
      ...changes,
    });
    if (!later) this.#charge(intent);
    return this.emit('checkout.session.completed', session);
  }

  /** The transfer that a payer has begun arrives, or fails. */
  settle(sessionId: string, outcome: 'succeeded' | 'failed'): FakeEvent {
    const session = this.#object(sessionId);
    const intent = this.#object(String(session['payment_intent']));
    if (outcome === 'succeeded') {
      session['payment_status'] = 'paid';
      Object.assign(intent, { status: 'succeeded', amount_received: intent['amount'] });
      this.#charge(intent);
    }
    return this.emit(`checkout.session.async_payment_${outcome}`, session);
  }

  expire(sessionId: string): FakeEvent {
    const session = Object.assign(this.#object(sessionId), { status: 'expired', url: null });
    return this.emit('checkout.session.expired', session);
  }

  /** A refund from Stripe's dashboard. */
  refund(payment: string, cents: number): FakeEvent {
    return this.emit('refund.created', this.#makeRefund(payment, cents));
  }

  /** A refund's or dispute's status changes. A charge doesn't count what a refund of it that fails has given back. */
  change(id: string, status: string, type: string): FakeEvent {
    const changed = this.#object(id);
    if (changed['object'] === 'refund' && (status === 'failed' || status === 'canceled')) {
      this.#countRefunded(String(changed['payment_intent']), -Number(changed['amount']));
    }
    return this.emit(type, Object.assign(changed, { status }));
  }

  dispute(payment: string, cents: number, status = 'needs_response'): FakeEvent {
    const dispute = this.#add('dispute', 'dp', { payment_intent: payment, amount: cents, currency: 'usd', status });
    return this.emit('charge.dispute.created', dispute);
  }

  emit(type: string, object: Fields): FakeEvent {
    const data = { object: structuredClone(object) };
    const event = {
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      object: 'event',
      type,
      livemode: this.livemode,
      created: nowSeconds(),
      data,
    };
    this.events.push(event);
    return event;
  }

  /** An event's body and signature, as Stripe sends them. */
  signed(
    event: FakeEvent | undefined,
    secret = WEBHOOK_SECRET,
    timestamp = nowSeconds(),
  ): { body: string; signature: string } {
    return this.signedText(event === undefined ? 'no JSON' : JSON.stringify(event), secret, timestamp);
  }

  /** Any text with its signature. */
  signedText(body: string, secret = WEBHOOK_SECRET, timestamp = nowSeconds()): { body: string; signature: string } {
    const { webhooks } = new Stripe(SECRET_KEY);
    return { body, signature: webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) };
  }

  #answerOnce(request: ReceivedRequest): { status: number; answer: Fields } {
    const key = request.headers['idempotency-key'];
    const body = request.body.toString();
    if (typeof key !== 'string' || request.method !== 'POST' || !key.startsWith('faregate-'))
      return this.#answer(request);
    const former = this.#answers.get(key);
    if (former !== undefined && former.body !== body) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      return { status: 400, answer: { error: { type: 'idempotency_error', message } } };
    }
    if (former !== undefined) return former;
    const made = { body, ...this.#answer(request) };
    this.#answers.set(key, made);
    return made;
  }

  #answer({ method, path, body }: ReceivedRequest): { status: number; answer: Fields } {
    const error = method === 'POST' ? this.refusals.shift() : undefined;
    if (error !== undefined) return { status: STATUSES[String(error['type'])] ?? 400, answer: { error } };
    const url = new URL(path, 'http://fake');
    const fields = fieldsOf(body.toString());
    const [, , kind = '', first, second] = url.pathname.split('/');
    const route = `${method} ${kind}${second === undefined ? '' : `/${second}`}`;
    if (route === 'POST checkout') return this.#open(fields);
    if (route === 'POST payment_intents') return this.#chargeKept(fields);
    if (route === 'POST payment_intents/cancel')
      return this.#found(Object.assign(this.#object(first ?? ''), { status: 'canceled' }));
    if (route === 'GET payment_intents')
      return this.#list('payment_intent', url, ({ customer }) => customer === url.searchParams.get('customer'));
    if (route === 'GET customers/payment_methods') {
      return this.#found({
        object: 'list',
        data: this.card === 'is_missing' ? [] : [{ id: 'pm_card', object: 'payment_method' }],
      });
    }
    if (route === 'POST refunds') return this.#refunded(fields);
    if (route === 'GET charges') return this.#list('charge', url);
    if (route === 'GET events') {
      const events: Fields[] = this.events.map((event) => ({ ...event }));
      return this.#found(this.#page(events, url));
    }
    return { status: 404, answer: { error: { type: 'invalid_request_error', message: `no ${route}` } } };
  }

  #open(fields: Fields): { status: number; answer: Fields } {
    const lines = Object.values(fields['line_items'] as Record<string, { price_data: { unit_amount: string } }>);
    const intentData = fields['payment_intent_data'] as Fields;
    const net = lines.reduce((sum, { price_data: { unit_amount: cents } }) => sum + Number(cents), 0);
    const tax = fields['automatic_tax'] === undefined ? 0 : Math.round(net * TAX_SHARE);
    const session = this.#add('checkout.session', 'cs', {
      asked: fields,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
      mode: fields['mode'],
      client_reference_id: fields['client_reference_id'],
      metadata: fields['metadata'],
      customer: fields['customer'] ?? (fields['customer_creation'] === 'always' ? `cus_${randomUUID()}` : null),
      setup_future_usage: intentData['setup_future_usage'] ?? null,
      currency: 'usd',
      amount_total: net + tax,
      expires_at: Number(fields['expires_at']),
      payment_status: 'unpaid',
      payment_intent: null,
      status: 'open',
      success_url: fields['success_url'],
      cancel_url: fields['cancel_url'],
      url: 'https://checkout.stripe.test/pay',
    });
    return this.#found(session);
  }

  #chargeKept(fields: Fields): { status: number; answer: Fields } {
    const isProcessed = this.card === 'processes';
    const intent = this.#add('payment_intent', 'pi', {
      amount: Number(fields['amount']),
      amount_received: this.card === 'pays' ? Number(fields['amount']) : 0,
      currency: fields['currency'],
      customer: fields['customer'],
      metadata: fields['metadata'],
      status: this.card === 'pays' ? 'succeeded' : isProcessed ? 'processing' : 'requires_payment_method',
      last_payment_error: null,
    });
    if (this.card === 'pays') this.#charge(intent);
    if (this.card === 'pays') this.emit('payment_intent.succeeded', intent);
    if (this.card === 'pays' || isProcessed) return this.#found(intent);
    const code = this.card === 'needs_authentication' ? 'authentication_required' : 'card_declined';
    intent['last_payment_error'] = { code, decline_code: code === 'card_declined' ? 'insufficient_funds' : code };
    this.emit('payment_intent.payment_failed', intent);
    const error = {
      type: 'card_error',
      code,
      message: 'The card was declined.',
      payment_intent: structuredClone(intent),
    };
    return { status: 402, answer: { error } };
  }

  #refunded(fields: Fields): { status: number; answer: Fields } {
    const payment = String(fields['payment_intent']);
    const charge = this.all('charge').find(({ payment_intent: id }) => id === payment);
    const left = Number(charge?.['amount_captured']) - Number(charge?.['amount_refunded']);
    const cents = fields['amount'] === undefined ? left : Number(fields['amount']);
    if (cents > left || left === 0) {
      const message = `Refund amount is greater than unrefunded amount on charge (${left}).`;
      return { status: 400, answer: { error: { type: 'invalid_request_error', message } } };
    }
    const refund = this.#makeRefund(payment, cents);
    this.emit('refund.created', refund);
    return this.#found(refund);
  }

  #makeRefund(payment: string, cents: number): Fields {
    this.#countRefunded(payment, cents);
    const status = this.refundStatus;
    return this.#add('refund', 're', { payment_intent: payment, amount: cents, currency: 'usd', status });
  }

  #countRefunded(payment: string, cents: number): void {
    const charge = this.all('charge').find(({ payment_intent: id }) => id === payment);
    if (charge !== undefined) charge['amount_refunded'] = Number(charge['amount_refunded']) + cents;
  }

  #charge(intent: Fields): void {
    this.#add('charge', 'ch', {
      payment_intent: intent['id'],
      amount_captured: intent['amount'],
      amount_refunded: 0,
      metadata: intent['metadata'],
      status: 'succeeded',
      // An hour ago, so that the nightly comparison counts it already.
      created: nowSeconds() - 7_200,
    });
  }

  #list(
    kind: string,
    url: URL,
    isListed: (object: Fields) => boolean = () => true,
  ): { status: number; answer: Fields } {
    return this.#found(this.#page(this.all(kind).filter(isListed), url));
  }

  #page(oldestFirst: readonly Fields[], { searchParams }: URL): Fields {
    const since = Number(searchParams.get('created[gte]') ?? 0);
    const before = Number(searchParams.get('created[lt]') ?? Infinity);
    const newest = oldestFirst
      .toReversed()
      .filter(({ created }) => Number(created) >= since && Number(created) < before);
    const after = searchParams.get('starting_after');
    const begin = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const limit = Math.min(Number(searchParams.get('limit') ?? 10), 5);
    return { object: 'list', data: newest.slice(begin, begin + limit), has_more: newest.length > begin + limit };
  }

  #found(answer: Fields): { status: number; answer: Fields } {
    return { status: 200, answer: structuredClone(answer) };
  }

  #object(id: string): Fields {
    const object = this.objects.get(id);
    if (object === undefined) throw new Error(`there is no ${id}`);
    return object;
  }

  #add(kind: string, prefix: string, fields: Fields): Fields {
    const object = { id: `${prefix}_${randomUUID()}`, object: kind, created: nowSeconds(), ...fields };
    this.objects.set(object.id, object);
    return object;
  }
}
