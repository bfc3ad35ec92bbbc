import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { factOfEvent, factOfIntent, factOfRefund } from './stripe-facts.ts';

// What an object of Stripe says about a payment of ours, member by member. That what it says is done: stripe.test.ts.

const TOP_UP = '0192aaaa-0000-7000-8000-000000000001';
const WORKSPACE = '0192aaaa-0000-7000-8000-000000000002';
const METADATA = { faregate_top_up: TOP_UP, faregate_workspace: WORKSPACE, faregate_origin: 'auto' };
const ABOUT = { topUpId: TOP_UP, workspaceId: WORKSPACE, origin: 'auto' };

const INTENT = {
  id: 'pi_1',
  status: 'succeeded',
  metadata: METADATA,
  amount_received: 1_080,
  currency: 'usd',
  customer: 'cus_1',
  last_payment_error: null,
};

const intent = (more: object) => factOfIntent({ ...INTENT, ...more } as unknown as Stripe.PaymentIntent);

test('a charge without a page is paid in what was received of it', () => {
  const paid = { kind: 'paid', ...ABOUT, payment: 'pi_1', amount: 10_800_000_000n, currency: 'usd', customer: 'cus_1' };
  expect(intent({})).toEqual(paid);
  expect(intent({ customer: { id: 'cus_1' } })).toEqual(paid);
  expect(intent({ customer: null })).toEqual({ ...paid, customer: null });
  expect(intent({ status: 'processing' })).toEqual({ kind: 'processing', ...ABOUT });
});

test.each<[string, object]>([
  ['without metadata', { metadata: null }],
  ['without a top-up', { metadata: { ...METADATA, faregate_top_up: undefined } }],
  ['whose top-up is no id of ours', { metadata: { ...METADATA, faregate_top_up: 'x' } }],
  ['without a workspace', { metadata: { ...METADATA, faregate_workspace: undefined } }],
  ['whose workspace is no id of ours', { metadata: { ...METADATA, faregate_workspace: 'x' } }],
  ['without an origin', { metadata: { ...METADATA, faregate_origin: undefined } }],
  ['of an origin that is unknown', { metadata: { ...METADATA, faregate_origin: 'elsewhere' } }],
  ['that has a page', { metadata: { ...METADATA, faregate_origin: 'checkout' } }],
])('a charge %s says nothing about a payment of ours', (_, more) => {
  expect(intent(more)).toBeNull();
});

test.each<[string, object]>([
  ['authentication_required', { status: 'requires_action' }],
  [
    'authentication_required',
    { last_payment_error: { code: 'authentication_required', decline_code: 'do_not_honor' } },
  ],
  ['insufficient_funds', { last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' } }],
  ['expired_card', { last_payment_error: { code: 'expired_card' } }],
  ['requires_payment_method', { last_payment_error: {} }],
  ['requires_payment_method', {}],
  ['canceled', { status: 'canceled' }],
])('a charge that failed says why: %s', (failure, more) => {
  expect(intent({ status: 'requires_payment_method', ...more })).toEqual({ kind: 'failed', failure, ...ABOUT });
});

const REFUND = { id: 're_1', amount: 250, currency: 'usd', payment_intent: 'pi_1', status: 'succeeded' };
const refund = (more: object) => factOfRefund({ ...REFUND, ...more } as unknown as Stripe.Refund);

test('a refund takes its amount, unless it failed or was cancelled, and one of no payment says nothing', () => {
  const taken = { kind: 'refund', reference: 're_1', payment: 'pi_1', amount: 2_500_000_000n, currency: 'usd' };
  for (const status of ['succeeded', 'pending', null]) expect(refund({ status })).toEqual({ ...taken, state: 'taken' });
  for (const status of ['failed', 'canceled']) expect(refund({ status })).toEqual({ ...taken, state: 'returned' });
  expect(refund({ payment_intent: { id: 'pi_1' } })).toEqual({ ...taken, state: 'taken' });
  expect(refund({ payment_intent: null })).toBeNull();
});

const DISPUTE = { id: 'dp_1', amount: 1_080, currency: 'usd', payment_intent: 'pi_1' };
const eventOf = (type: string, object: object) => factOfEvent({ type, data: { object } } as unknown as Stripe.Event);

test.each([
  ['payment_intent.succeeded', 'succeeded', 'paid'],
  ['payment_intent.processing', 'processing', 'processing'],
  ['payment_intent.payment_failed', 'requires_payment_method', 'failed'],
  ['payment_intent.canceled', 'canceled', 'failed'],
])('a charge without a page says by %s that it is %s: %s', (type, status, kind) => {
  expect(eventOf(type, { ...INTENT, status })).toMatchObject({ kind, ...ABOUT });
});

test.each([
  ['warning_needs_response', 'announced'],
  ['warning_closed', 'announced'],
  ['prevented', 'announced'],
  ['needs_response', 'taken'],
  ['under_review', 'taken'],
  ['won', 'returned'],
  ['lost', 'lost'],
  ['appeal_under_review', 'lost'],
])('a dispute that is %s is %s, whichever event tells of it', (status, state) => {
  const fact = { kind: 'dispute', reference: 'dp_1', payment: 'pi_1', amount: 10_800_000_000n, currency: 'usd', state };
  for (const what of ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated']) {
    expect(eventOf(`charge.dispute.${what}`, { ...DISPUTE, status })).toEqual(fact);
    expect(eventOf(`charge.dispute.${what}`, { ...DISPUTE, status, payment_intent: null })).toBeNull();
  }
});

const SESSION = {
  mode: 'payment',
  metadata: { ...METADATA, faregate_origin: 'checkout' },
  client_reference_id: TOP_UP,
  payment_status: 'paid',
  payment_intent: 'pi_1',
  amount_total: 1_080,
  currency: 'usd',
  customer: 'cus_1',
};
const CHECKED_OUT = { ...ABOUT, origin: 'checkout' };

test.each<[string, string, object, object | null]>([
  ['completed and paid', 'completed', {}, { kind: 'paid' }],
  ['completed before it is paid', 'completed', { payment_status: 'unpaid' }, { kind: 'processing' }],
  ['paid later', 'async_payment_succeeded', {}, { kind: 'paid' }],
  ['not paid in the end', 'async_payment_failed', {}, { kind: 'failed', failure: 'async_payment_failed' }],
  ['expired', 'expired', {}, { kind: 'expired' }],
  ['of a set-up', 'completed', { mode: 'setup' }, null],
  ['of nobody', 'completed', { client_reference_id: null }, null],
  ['without metadata', 'completed', { metadata: null }, null],
])('a page for a payment that is %s says so', (_, what, more, said) => {
  const paid = { payment: 'pi_1', amount: 10_800_000_000n, currency: 'usd', customer: 'cus_1' };
  const isPaid = said !== null && 'kind' in said && said.kind === 'paid';
  expect(eventOf(`checkout.session.${what}`, { ...SESSION, ...more })).toEqual(
    said === null ? null : { ...said, ...CHECKED_OUT, ...(isPaid ? paid : {}) },
  );
});

test('a page whose amount and currency are not said is paid in nothing', () => {
  const more = { amount_total: null, currency: null, payment_intent: null, customer: null };
  const fact = { kind: 'paid', ...CHECKED_OUT, payment: null, amount: 0n, currency: '', customer: null };
  expect(eventOf('checkout.session.completed', { ...SESSION, ...more })).toEqual(fact);
});

test('an event of another kind says nothing', () => {
  expect(eventOf('customer.created', { id: 'cus_1' })).toBeNull();
});
