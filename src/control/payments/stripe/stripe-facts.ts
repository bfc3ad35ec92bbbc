import type { Stripe } from 'stripe';
import { centsToNano } from '../../../domain/payment-amounts.ts';
import type { PaymentFact, ReversalState, TopUpOrigin } from '../payment-facts.ts';

// What Stripe's objects say of a payment. Metadata names the top-up, because an account may be shared with other products:
// everything without it is none of ours.

/** The keys of the metadata that Faregate adds. */
export const METADATA = {
  topUp: 'faregate_top_up',
  workspace: 'faregate_workspace',
  origin: 'faregate_origin',
} as const;

/** The types of event that lead to a fact. */
export const EVENT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const satisfies readonly Stripe.Event['type'][];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Reference = { readonly topUpId: string; readonly workspaceId: string; readonly origin: TopUpOrigin };

/** The id of an object that may be expanded inside another one. */
export function idOf(object: string | { readonly id: string } | null): string | null {
  return typeof object === 'string' || object === null ? object : object.id;
}

/** The top-up that metadata names; null: none. */
export function topUpIdOf(metadata: Stripe.Metadata | null): string | null {
  const id = metadata?.[METADATA.topUp] ?? '';
  return UUID.test(id) ? id : null;
}

function referenceOf(metadata: Stripe.Metadata | null, topUpId: string | null): Reference | null {
  const workspaceId = metadata?.[METADATA.workspace] ?? '';
  const origin = metadata?.[METADATA.origin];
  if (topUpId === null || !UUID.test(topUpId) || !UUID.test(workspaceId)) return null;
  return origin === 'checkout' || origin === 'auto' ? { topUpId, workspaceId, origin } : null;
}

/** The fact in an event; null: it concerns no payment of ours. */
export function factOfEvent(event: Stripe.Event): PaymentFact | null {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return factOfSession(event.data.object, event.type);
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return factOfIntent(event.data.object);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return factOfRefund(event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return factOfDispute(event.data.object);
    default:
      return null;
  }
}

function factOfSession(session: Stripe.Checkout.Session, type: string): PaymentFact | null {
  const about = session.mode === 'payment' ? referenceOf(session.metadata, session.client_reference_id) : null;
  if (about === null) return null;
  if (type === 'checkout.session.expired') return { kind: 'expired', ...about };
  if (type === 'checkout.session.async_payment_failed') {
    return { kind: 'failed', failure: 'async_payment_failed', ...about };
  }
  if (session.payment_status !== 'paid') return { kind: 'processing', ...about };
  const tax = centsToNano(session.total_details?.amount_tax ?? 0);
  return {
    kind: 'paid',
    ...about,
    ...(tax !== 0n && { tax }),
    payment: idOf(session.payment_intent),
    amount: centsToNano(session.amount_total ?? 0),
    currency: session.currency ?? '',
    customer: idOf(session.customer),
  };
}

/** Only of payments without a page: those with one are paid when their session says so. */
export function factOfIntent(intent: Stripe.PaymentIntent): PaymentFact | null {
  const about = referenceOf(intent.metadata, topUpIdOf(intent.metadata));
  if (about === null || about.origin !== 'auto') return null;
  if (intent.status === 'succeeded') {
    const { id: payment, amount_received: cents, currency, customer } = intent;
    return { kind: 'paid', ...about, payment, amount: centsToNano(cents), currency, customer: idOf(customer) };
  }
  if (intent.status === 'processing') return { kind: 'processing', ...about };
  return { kind: 'failed', failure: failureOf(intent), ...about };
}

function failureOf({ status, last_payment_error: error }: Stripe.PaymentIntent): string {
  if (status === 'requires_action') return 'authentication_required';
  if (error?.code === 'authentication_required') return error.code;
  return error?.decline_code ?? error?.code ?? status;
}

/** The fact in a refund: its current state, not its history. */
export function factOfRefund(refund: Stripe.Refund): PaymentFact | null {
  const payment = idOf(refund.payment_intent);
  if (payment === null) return null;
  const state: ReversalState = refund.status === 'failed' || refund.status === 'canceled' ? 'returned' : 'taken';
  const { id: reference, amount: cents, currency } = refund;
  return { kind: 'refund', state, reference, payment, amount: centsToNano(cents), currency };
}

function factOfDispute(dispute: Stripe.Dispute): PaymentFact | null {
  const payment = idOf(dispute.payment_intent);
  if (payment === null) return null;
  const { id: reference, amount: cents, currency } = dispute;
  return {
    kind: 'dispute',
    state: stateOfDispute(dispute.status),
    reference,
    payment,
    amount: centsToNano(cents),
    currency,
  };
}

/** Inquiries (`warning_…`) and disputes that were prevented move no money. An appeal is about a dispute that was lost. */
function stateOfDispute(status: Stripe.Dispute.Status): ReversalState {
  if (status.startsWith('warning_') || status === 'prevented') return 'announced';
  if (status === 'won') return 'returned';
  return status === 'lost' || status.startsWith('appeal_') ? 'lost' : 'taken';
}
