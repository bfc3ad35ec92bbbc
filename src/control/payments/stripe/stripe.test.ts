import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { granted, openAccount, Spender, workspaceNow } from '../../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { type FakeEvent, FakeStripe, SECRET_KEY } from '../../../../test/support/fake-stripe.ts';
import { CENT, openStage, type Stage } from '../../../../test/support/payments.ts';
import { operatorScope, scopeOf } from '../../../../test/support/scopes.ts';
import { verifyLedger } from '../../../../test/support/verify-ledger.ts';
import type { Page } from '../../../lib/page.ts';
import type { Sql } from '../../../lib/sql.ts';
import { ProviderUnavailable, UnsignedWebhook } from '../payment-provider.ts';
import { paymentProblems } from '../payment-upkeep.ts';
import { showPaymentSettings } from '../payment-settings.ts';
import { Payments, type TopUpWish } from '../payments.ts';
import { findTopUp, listAllTopUps, listTopUps, type TopUp, type TopUpFilter } from '../top-ups.ts';
import { EVENT_TYPES } from './stripe-facts.ts';
import { isLiveKey, openStripe } from './stripe-provider.ts';

let testDatabase: TestDatabase;
let sql: Sql;
let stripe: FakeStripe;
let stage: Stage;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());
beforeEach(async () => {
  stripe = await FakeStripe.start();
  stage = await openStage(sql, stripe);
  return () => stripe.stop();
});

const wish: TopUpWish = { amount: 1_000n * CENT, savesMethod: false, once: null };
const start = async (workspaceId: string, more: Partial<TopUpWish> = {}): Promise<TopUp & { session: string }> => {
  const topUp = granted(await stage.payments.startTopUp(scopeOf(workspaceId), { ...wish, ...more }));
  return { ...topUp, session: topUp.checkoutReference ?? '' };
};
const deliver = async (event: FakeEvent | undefined, secret?: string, timestamp?: number) => {
  const { body, signature } = stripe.signed(event, secret, timestamp);
  const read = stage.provider.readWebhook(Buffer.from(body), signature);
  return read === null ? null : await stage.payments.apply(read);
};
const balanceOf = async (id: string) => (await workspaceNow(sql, id)).balance;
const stateOf = async ({ workspaceId, id }: TopUp) => (await findTopUp(sql, scopeOf(workspaceId), id))?.state;
const paymentOf = (session: string): string => String(stripe.objects.get(session)?.['payment_intent']);

test('a top-up opens a page for its amount and fee in dollars, and gives credit once Stripe says that it is paid', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  expect(topUp).toMatchObject({
    state: 'pending',
    amount: 1_000n * CENT,
    fee: 80n * CENT,
    checkoutUrl: expect.any(String),
  });
  expect(stripe.objects.get(topUp.session)).toMatchObject({
    client_reference_id: topUp.id,
    amount_total: 1_080,
    mode: 'payment',
  });
  expect(await balanceOf(workspace.id)).toBe(0n);
  const event = stripe.pay(topUp.session);
  expect(await deliver(event)).toMatchObject({ outcome: 'applied', topUpId: topUp.id });
  expect(await deliver(event)).toMatchObject({ outcome: 'repeated' });
  expect([await balanceOf(workspace.id), await stateOf(topUp)]).toEqual([1_000n * CENT, 'paid']);
});

test('a page to pay on names the credit and its fee in dollars, ends after 23 hours and leads back to the workspace', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  const line = (index: number, name: string, cents: number) => ({
    [`line_items[${index}][quantity]`]: '1',
    [`line_items[${index}][price_data][currency]`]: 'usd',
    [`line_items[${index}][price_data][unit_amount]`]: String(cents),
    [`line_items[${index}][price_data][product_data][name]`]: name,
  });
  const named = (prefix: string) => ({
    [`${prefix}[faregate_top_up]`]: topUp.id,
    [`${prefix}[faregate_workspace]`]: workspace.id,
    [`${prefix}[faregate_origin]`]: 'checkout',
  });
  const back = `http://127.0.0.1/workspaces/${workspace.id}/credit?top_up=${topUp.id}&result=`;
  const endS = Math.floor(topUp.createdAt.getTime() / 1_000) + 23 * 3_600;
  expect(stripe.lastForm('/v1/checkout/sessions')).toEqual({
    mode: 'payment',
    client_reference_id: topUp.id,
    ...named('metadata'),
    ...named('payment_intent_data[metadata]'),
    ...line(0, 'Credit', 1_000),
    ...line(1, 'Fee', 80),
    'adaptive_pricing[enabled]': 'false',
    customer_creation: 'if_required',
    expires_at: String(endS),
    success_url: `${back}success`,
    cancel_url: `${back}cancel`,
  });
  expect(stripe.requests.at(-1)?.headers['idempotency-key']).toBe(`faregate-checkout-${topUp.id}`);
  expect(topUp.expiresAt).toEqual(new Date(endS * 1_000));
});

test('a page to pay on names no fee where none is taken, and asks for a customer where the card is kept', async () => {
  const { workspace } = await openAccount(sql);
  const payments = new Payments({ ...stage.parts, terms: { ...stage.parts.terms, fee: { share: 0n, min: 0n } } });
  granted(await payments.startTopUp(scopeOf(workspace.id), { ...wish, savesMethod: true }));
  const form = stripe.lastForm('/v1/checkout/sessions');
  expect(Object.keys(form).filter((name) => name.endsWith('[name]'))).toHaveLength(1);
  expect(form).toMatchObject({
    customer_creation: 'always',
    'payment_intent_data[setup_future_usage]': 'off_session',
  });
});

test.each([
  ['https://api.stripe.com', { protocol: 'https', host: 'api.stripe.com', port: 443 }],
  ['http://stripe.example', { protocol: 'http', host: 'stripe.example', port: 80 }],
  ['https://stripe.example:8443', { protocol: 'https', host: 'stripe.example', port: '8443' }],
])('Stripe at %s is called there, for 20 seconds twice, and told nothing else', async (baseUrl, address) => {
  const made = vi.fn<(key: string, options: object) => void>();
  class Library {
    static readonly errors = {};
    constructor(...given: Parameters<typeof made>) {
      made(...given);
    }
  }
  vi.doMock('stripe', () => ({ default: Library }));
  onTestFinished(() => vi.doUnmock('stripe'));
  const returnUrlOf = (id: string): string => id;
  await openStripe({ secretKey: SECRET_KEY, webhookSecret: null, baseUrl, returnUrlOf });
  const limits = { timeout: 20_000, maxNetworkRetries: 1, telemetry: false };
  expect(made.mock.calls).toEqual([[SECRET_KEY, { ...address, ...limits }]]);
});

test('a key of Stripe is for real money if it says so', () => {
  expect(['sk_live_1', 'rk_live_1', 'sk_test_live', 'sk_test_1'].map(isLiveKey)).toEqual([true, true, false, false]);
});

test('a top-up that is asked for twice under one name, or whose answer was lost, has one row and one page', async () => {
  const { workspace } = await openAccount(sql);
  stripe.outages.push('after', 'after');
  const lost = await stage.payments.startTopUp(scopeOf(workspace.id), { ...wish, once: 'mine' });
  expect(lost).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const again = await start(workspace.id, { once: 'mine' });
  expect(await start(workspace.id, { once: 'mine' })).toMatchObject({
    id: again.id,
    session: again.session,
    repeated: true,
  });
  expect(stripe.all('checkout.session')).toHaveLength(1);
  expect((await listTopUps(sql, scopeOf(workspace.id), {})).items).toHaveLength(1);
  const other = { ...wish, amount: 2_000n * CENT, once: 'mine' };
  expect(await stage.payments.startTopUp(scopeOf(workspace.id), other)).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
});

test.each([499n * CENT, 100_001n * CENT, 1_000n * CENT + 1n])('a top-up of %d nano-USD is refused', async (amount) => {
  const { workspace } = await openAccount(sql);
  const refusal = await stage.payments.startTopUp(scopeOf(workspace.id), { ...wish, amount });
  expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect((await listTopUps(sql, scopeOf(workspace.id), {})).items).toEqual([]);
});

test('a webhook that is forged, changed, old or signed with another secret is not read', async () => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  const event = stripe.pay(session);
  await expect(deliver(event, 'whsec_other')).rejects.toMatchObject({
    name: 'UnsignedWebhook',
    message: 'a webhook is not signed by Stripe with the configured secret',
    cause: { type: 'StripeSignatureVerificationError' },
  });
  await expect(deliver(event, undefined, Math.floor(Date.now() / 1_000) - 301)).rejects.toThrow(UnsignedWebhook);
  const { body, signature } = stripe.signed(event);
  const changed = Buffer.from(body.replace('1080', '9999'));
  expect(() => stage.provider.readWebhook(changed, signature)).toThrow(UnsignedWebhook);
  expect(() => stage.provider.readWebhook(Buffer.from(body), '')).toThrow(UnsignedWebhook);
  expect(await balanceOf(workspace.id)).toBe(0n);
});

test.each([
  ['another amount', { amount_total: 1_000 }, 'mismatch'],
  ['another currency', { currency: 'eur' }, 'mismatch'],
  ['no payment', { payment_intent: null }, 'mismatch'],
] as const)('a paid page with %s gives no credit', async (_name, changes, outcome) => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  expect(await deliver(stripe.pay(session, changes))).toMatchObject({ outcome });
  expect(await balanceOf(workspace.id)).toBe(0n);
  expect(stage.mismatches).toHaveLength(1);
});

test('a paid page of another mode or product, or of real money while a test key is configured, gives no credit', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  expect(await deliver(stripe.pay(topUp.session, { mode: 'subscription' }))).toBeNull();
  expect(await deliver(stripe.pay(topUp.session, { mode: 'payment', client_reference_id: 'order 7' }))).toBeNull();
  stripe.livemode = true;
  expect(await deliver(stripe.pay(topUp.session, { client_reference_id: topUp.id }))).toBeNull();
  expect([await balanceOf(workspace.id), await stateOf(topUp)]).toEqual([0n, 'pending']);
});

const ODD_SHAPES: readonly [string, (event: Record<string, unknown>) => unknown][] = [
  ['no object', (event) => ({ ...event, data: { object: null } })],
  ['no data', (event) => ({ ...event, data: undefined })],
  ['no mode', (event) => ({ ...event, livemode: undefined })],
  ['no id', (event) => ({ ...event, id: undefined })],
  ['no type', (event) => ({ ...event, type: 7 })],
  ['an amount in fractions of cents', (event) => withObject(event, { amount_total: 1080.5 })],
  ['an amount beyond what can be stored', (event) => withObject(event, { amount_total: 9_007_199_254_740_991 })],
  ['an amount that is no number', (event) => withObject(event, { amount_total: 'much' })],
  ['a payment with a null character', (event) => withObject(event, { payment_intent: 'pi_\u0000' })],
  ['no event at all', () => null],
  ['a list', (event) => [event]],
  ['no JSON', () => undefined],
];

function withObject(event: Record<string, unknown>, change: object): object {
  return { ...event, data: { object: { ...(event['data'] as { object: object }).object, ...change } } };
}

test.each(ODD_SHAPES)(
  'a signed event with %s is taken once, gives no credit, and is a problem for the operator',
  async (_name, change) => {
    const { workspace } = await openAccount(sql);
    const { session } = await start(workspace.id);
    const event = stripe.pay(session);
    const odd = change(event as unknown as Record<string, unknown>) as FakeEvent | undefined;
    expect(await deliver(odd)).toMatchObject({ outcome: 'mismatch', detail: expect.stringContaining("can't be read") });
    expect(await deliver(odd)).toMatchObject({ outcome: 'repeated' });
    expect(await balanceOf(workspace.id)).toBe(0n);
    expect(stage.mismatches).toHaveLength(1);
    expect((await paymentProblems(sql)).join(' ')).toContain("can't be read");
    // The event as it should have been still counts.
    expect(await deliver(event)).toMatchObject({ outcome: 'applied' });
    expect(await balanceOf(workspace.id)).toBe(1_000n * CENT);
  },
);

const readSigned = (body: string) => {
  const { signature } = stripe.signedText(body);
  return stage.provider.readWebhook(Buffer.from(body), signature);
};

test.each<[string, boolean]>([
  ['evt_1', true],
  ['~'.repeat(255), true],
  ['!'.repeat(256), false],
  ['', false],
  [' evt_1', false],
  ['evt_1 ', false],
  ['evt_é', false],
])('an event under the id "%s" can be read: %s', (id, isReadable) => {
  const read = readSigned(JSON.stringify({ ...stripe.dispute('pi_1', 1), id }));
  expect(read?.fact.kind).toBe(isReadable ? 'dispute' : 'unreadable');
  if (!isReadable) expect(read?.fact).toMatchObject({ problem: 'TypeError: it has no id, type or mode' });
});

test.each([
  ['{"id": "evt_1", "type"', 'evt_1'],
  [`{"id":"evt_${'x'.repeat(200)}"`, `evt_${'x'.repeat(200)}`],
  [`{"id":"evt_${'x'.repeat(201)}"`, null],
  ['{"id":"evt_"', null],
  ['{"id":"re_1"', null],
  ['nothing', null],
])('the signed text %j that can not be read has the id in it, or that of its content', (body, id) => {
  const hash = createHash('sha256').update(body).digest('hex');
  expect(readSigned(body)).toEqual({
    provider: 'stripe',
    id: id ?? hash,
    fact: { kind: 'unreadable', problem: expect.stringMatching(/^SyntaxError: /) },
  });
});

test('events are asked for by their types and time, part by part, and one that can not be read is among them', async () => {
  const disputes = Array.from({ length: 7 }, (_, index) => stripe.dispute(`pi_${index}`, 1).id);
  const odd = stripe.emit('refund.created', {});
  stripe.emit('customer.created', {});
  const since = new Date((odd.created - 60) * 1_000);
  const first = await stage.provider.listEvents(since, null);
  expect(first.items).toMatchObject([
    { id: odd.id, fact: { kind: 'unreadable' } },
    ...disputes
      .slice(-3)
      .toReversed()
      .map((id) => ({ provider: 'stripe', id, fact: { kind: 'dispute' } })),
  ]);
  const asked = new URL(stripe.requests.at(-1)?.path ?? '', stripe.origin).searchParams;
  const types = EVENT_TYPES.map((type, index) => [`types[${index}]`, type]);
  expect(Object.fromEntries(asked)).toEqual({
    ...Object.fromEntries(types),
    'created[gte]': String(odd.created - 60),
    limit: '100',
  });
  const rest = await stage.provider.listEvents(since, first.next);
  expect([rest.items.map(({ id }) => id), rest.next]).toEqual([disputes.slice(0, 4).toReversed(), null]);
});

test('payments are those that succeeded, in what was captured and given back of them, and none of charges alone', async () => {
  const topUpId = randomUUID();
  const created = Math.floor(Date.now() / 1_000);
  const charge = {
    object: 'charge',
    status: 'succeeded',
    amount_captured: 1_080,
    amount_refunded: 80,
    metadata: { faregate_top_up: topUpId },
    created,
  };
  const charges = [
    { ...charge, payment_intent: 'pi_1' },
    { ...charge, payment_intent: { id: 'pi_2' }, metadata: {} },
    { ...charge, payment_intent: null },
    { ...charge, payment_intent: 'pi_failed', status: 'failed' },
    { ...charge, payment_intent: 'pi_early', created: created - 11 },
    { ...charge, payment_intent: 'pi_late', created: created + 10 },
  ];
  for (const [index, each] of charges.entries()) stripe.objects.set(`ch_${index}`, { ...each, id: `ch_${index}` });
  const at = (seconds: number): Date => new Date((created + seconds) * 1_000);
  const amounts = { amount: 1_080n * CENT, refunded: 80n * CENT };
  expect(await stage.provider.listPayments(at(-10), at(10), null)).toEqual({
    items: [
      { payment: 'pi_2', topUpId: null, ...amounts },
      { payment: 'pi_1', topUpId, ...amounts },
    ],
    next: null,
  });
  expect(stripe.requests.at(-1)?.path).toContain('limit=100');
});

test('lists that Stripe does not answer are asked for again later', async () => {
  stripe.outages.push('before', 'before');
  await expect(stage.provider.listEvents(new Date(0), null)).rejects.toThrow(ProviderUnavailable);
  stripe.outages.push('before', 'before');
  await expect(stage.provider.listPayments(new Date(0), new Date(), null)).rejects.toThrow(ProviderUnavailable);
});

test('a bank transfer gives credit when it arrives and not when its page is completed', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  await deliver(stripe.pay(topUp.session, { later: true }));
  expect([await balanceOf(workspace.id), await stateOf(topUp)]).toEqual([0n, 'processing']);
  await deliver(stripe.settle(topUp.session, 'succeeded'));
  expect([await balanceOf(workspace.id), await stateOf(topUp)]).toEqual([1_000n * CENT, 'paid']);
  const failing = await start(workspace.id);
  await deliver(stripe.pay(failing.session, { later: true }));
  await deliver(stripe.settle(failing.session, 'failed'));
  expect([await balanceOf(workspace.id), await stateOf(failing)]).toEqual([1_000n * CENT, 'failed']);
});

test('a page that expires ends its top-up', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  await deliver(stripe.expire(topUp.session));
  expect(await stateOf(topUp)).toBe('expired');
});

test('events of Stripe in reverse order, and all at the same time, lead to the same credit', async () => {
  for (const isReversed of [true, false]) {
    const account = await openAccount(sql);
    const { session } = await start(account.workspace.id);
    stripe.pay(session, { later: true });
    stripe.settle(session, 'succeeded');
    const payment = paymentOf(session);
    const refund = stripe.refund(payment, 200);
    stripe.change(String(refund.data.object['id']), 'succeeded', 'refund.updated');
    const dispute = stripe.dispute(payment, 880);
    stripe.change(String(dispute.data.object['id']), 'won', 'charge.dispute.closed');
    const events = stripe.events.splice(0);
    if (isReversed) for (const event of events.toReversed()) await deliver(event);
    else await Promise.all(events.map((event) => deliver(event)));
    expect(await balanceOf(account.workspace.id)).toBe(800n * CENT);
  }
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});

test('a refund by the operator takes its credit as Stripe makes it, once for each name, also of spent credit', async () => {
  const account = await openAccount(sql);
  const topUp = await start(account.workspace.id);
  await deliver(stripe.pay(topUp.session));
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 900n * CENT, charge: 900n * CENT });
  await spender.end();
  const scope = scopeOf(account.workspace.id);
  const part = { amount: 300n * CENT, once: 'complaint' };
  stripe.outages.push('after', 'after');
  expect(await stage.payments.refund(scope, topUp.id, part)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(granted(await stage.payments.refund(scope, topUp.id, part))).toMatchObject({ refunded: 300n * CENT });
  expect(stripe.all('refund')).toHaveLength(1);
  for (const event of stripe.events.splice(0)) await deliver(event);
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ balance: -200n * CENT, owed: 200n * CENT });
  granted(await stage.payments.refund(scope, topUp.id, { amount: null, once: null }));
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ owed: 900n * CENT });
  const more = await stage.payments.refund(scope, topUp.id, { amount: CENT, once: null });
  expect(more).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Stripe refused this') });
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});

test('a refund is asked for once under its name, of its amount or of all that is left, and is recorded', async () => {
  const { workspace } = await openAccount(sql);
  const scope = scopeOf(workspace.id);
  const paid = [await start(workspace.id), await start(workspace.id)];
  for (const { session } of paid) await deliver(stripe.pay(session));
  for (const topUp of paid) {
    const payment = paymentOf(topUp.session);
    const asked = { payment_intent: payment, reason: 'requested_by_customer' };
    granted(await stage.payments.refund(scope, topUp.id, { amount: 300n * CENT, once: 'complaint' }));
    expect(stripe.lastForm('/v1/refunds')).toEqual({ ...asked, amount: '300' });
    expect(stripe.requests.at(-1)?.headers['idempotency-key']).toBe(`faregate-refund-${topUp.id}-complaint`);
    granted(await stage.payments.refund(scope, topUp.id, { amount: null, once: null }));
    expect(stripe.lastForm('/v1/refunds')).toEqual(asked);
    const recorded = await sql.query(
      `select target_kind as kind, before, after from audit_events where action = 'payment.refund' and target_id = $1 order by id`,
      [topUp.id],
    );
    expect(recorded).toEqual([
      { kind: 'top_up', before: null, after: { amount_nano_usd: '3000000000', payment } },
      { kind: 'top_up', before: null, after: { amount_nano_usd: null, payment } },
    ]);
  }
});

test.each([
  ['pending', 'pending'],
  [null, 'created'],
])(
  'a refund that is answered as %s is an event of its own, which a later state does not repeat',
  async (status, name) => {
    const { workspace } = await openAccount(sql);
    const { session } = await start(workspace.id);
    await deliver(stripe.pay(session));
    stripe.refundStatus = status;
    const event = await stage.provider.refund({ payment: paymentOf(session), amount: CENT, once: 'one' });
    expect(event).toMatchObject({ provider: 'stripe', id: `${String(stripe.all('refund').at(-1)?.['id'])}:${name}` });
  },
);

test('a refund is refused that is of no payment, of another provider’s, or of a part of a cent, and says why', async () => {
  const { workspace } = await openAccount(sql);
  const scope = scopeOf(workspace.id);
  const topUp = await start(workspace.id);
  const refund = (amount: bigint | null) => stage.payments.refund(scope, topUp.id, { amount, once: 'one' });
  expect(await refund(null)).toMatchObject({
    code: 'CONFLICT',
    message: 'This top-up is pending: nothing was paid.',
  });
  await deliver(stripe.pay(topUp.session));
  expect(await refund(CENT + 1n)).toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'A refund is whole cents.',
    param: 'amount_usd',
  });
  stripe.outages.push('before', 'before');
  expect(await refund(CENT)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The payment provider did not answer. Send the same request again, with the same once.',
    retryAfterMs: 1_000,
  });
  await sql.query(`update top_ups set provider = 'codes' where id = $1`, [topUp.id]);
  expect(await refund(null)).toMatchObject({
    code: 'CONFLICT',
    message: "A payment by codes can't be refunded here: post a refund or an adjustment by hand.",
  });
  expect(stripe.all('refund')).toEqual([]);
});

test.each([
  ['failed', 'refund.failed'],
  ['canceled', 'refund.updated'],
])('a refund that Stripe reports as %s gives its credit back', async (status, type) => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  await deliver(stripe.pay(session));
  const refund = stripe.refund(paymentOf(session), 400);
  await deliver(refund);
  expect(await balanceOf(workspace.id)).toBe(600n * CENT);
  await deliver(stripe.change(String(refund.data.object['id']), status, type));
  expect(await balanceOf(workspace.id)).toBe(1_000n * CENT);
});

test.each(['pending', 'requires_action', 'succeeded'])(
  'a refund that Stripe reports as %s has taken its credit',
  async (status) => {
    const { workspace } = await openAccount(sql);
    const { session } = await start(workspace.id);
    await deliver(stripe.pay(session));
    const refund = stripe.refund(paymentOf(session), 400);
    await deliver(stripe.change(String(refund.data.object['id']), status, 'refund.updated'));
    expect(await balanceOf(workspace.id)).toBe(600n * CENT);
  },
);

test('a card that is declined on a page leaves its top-up open, because the payer may try another one there', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  for (const [type, status] of [
    ['payment_intent.payment_failed', 'requires_payment_method'],
    ['payment_intent.processing', 'processing'],
    ['payment_intent.canceled', 'canceled'],
  ] as const) {
    const declined = {
      id: 'pi_declined',
      object: 'payment_intent',
      metadata: stripe.objects.get(topUp.session)?.['metadata'],
      status,
      last_payment_error: { code: 'card_declined' },
    };
    expect(await deliver(stripe.emit(type, declined))).toBeNull();
    expect(await stateOf(topUp)).toBe('pending');
  }
  await deliver(stripe.pay(topUp.session));
  expect([await balanceOf(workspace.id), await stateOf(topUp)]).toEqual([1_000n * CENT, 'paid']);
});

test('a dispute takes the credit when it opens, and only one that is won gives it back', async () => {
  for (const [status, cents] of [
    ['won', 1_000n],
    ['lost', 0n],
  ] as const) {
    const { workspace } = await openAccount(sql);
    const { session } = await start(workspace.id);
    await deliver(stripe.pay(session));
    const inquiry = stripe.dispute(paymentOf(session), 1_080, 'warning_needs_response');
    await deliver(inquiry);
    expect(await balanceOf(workspace.id)).toBe(1_000n * CENT);
    const id = String(inquiry.data.object['id']);
    await deliver(stripe.change(id, 'needs_response', 'charge.dispute.funds_withdrawn'));
    expect(await balanceOf(workspace.id)).toBe(0n);
    await deliver(stripe.change(id, status, 'charge.dispute.closed'));
    expect(await balanceOf(workspace.id)).toBe(cents * CENT);
  }
});

test('a card is kept only if the payer agreed to it, and the next page knows the customer', async () => {
  const { workspace } = await openAccount(sql);
  const scope = scopeOf(workspace.id);
  const { session } = await start(workspace.id);
  expect(stripe.objects.get(session)).toMatchObject({ setup_future_usage: null });
  await deliver(stripe.pay(session));
  expect(await showPaymentSettings(sql, scope)).toMatchObject({ customer: null });
  const kept = await start(workspace.id, { savesMethod: true });
  expect(stripe.objects.get(kept.session)).toMatchObject({ setup_future_usage: 'off_session' });
  await deliver(stripe.pay(kept.session));
  const { customer } = await showPaymentSettings(sql, scope);
  expect(customer).toMatch(/^cus_/);
  const next = await start(workspace.id);
  expect(stripe.objects.get(next.session)).toMatchObject({ customer });
});

test('without a payment provider a top-up is refused in one sentence, and nothing is kept', async () => {
  const { workspace } = await openAccount(sql);
  const { payments } = await openStage(sql, null);
  expect([payments.provider, stage.payments.provider]).toEqual([null, 'stripe']);
  const refused = {
    code: 'CONFLICT',
    message: 'This instance takes no payments: its operator grants credit, or hands out redemption codes.',
  };
  expect(await payments.startTopUp(scopeOf(workspace.id), wish)).toMatchObject(refused);
  const paid = await start(workspace.id);
  expect(await payments.openCheckout(scopeOf(workspace.id), paid)).toMatchObject(refused);
  await deliver(stripe.pay(paid.session));
  expect(await payments.refund(scopeOf(workspace.id), paid.id, { amount: null, once: null })).toMatchObject({
    code: 'CONFLICT',
    message: "A payment by stripe can't be refunded here: post a refund or an adjustment by hand.",
  });
  const id = randomUUID();
  expect(await payments.refund(scopeOf(workspace.id), id, { amount: null, once: null })).toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('top-ups are listed newest first, of one workspace or of all, page by page, by state and provider', async () => {
  const { workspace } = await openAccount(sql);
  const [first, second] = [await start(workspace.id), await start(workspace.id)];
  await deliver(stripe.pay(first.session));
  const idsOf = ({ items }: Page<TopUp>) => items.map(({ id }) => id);
  const scope = scopeOf(workspace.id);
  expect(idsOf(await listTopUps(sql, scope, {}))).toEqual([second.id, first.id]);
  expect(idsOf(await listTopUps(sql, scope, { state: 'paid', provider: 'stripe' }))).toEqual([first.id]);
  expect(idsOf(await listTopUps(sql, scope, { provider: 'codes' }))).toEqual([]);
  const page = await listAllTopUps(sql, operatorScope(), {}, { limit: 1 });
  expect(idsOf(page)).toEqual([second.id]);
  expect(idsOf(await listAllTopUps(sql, operatorScope(), {}, { limit: 1, after: page.next }))).toEqual([first.id]);
  expect(idsOf(await listAllTopUps(sql, operatorScope(), { state: 'expired', provider: 'codes' }))).toEqual([]);
  const ofAll = async (filter: TopUpFilter) => idsOf(await listAllTopUps(sql, operatorScope(), filter));
  expect([await ofAll({ state: 'paid' }), await ofAll({ state: 'pending' })]).toEqual([
    expect.not.arrayContaining([second.id]),
    expect.not.arrayContaining([first.id]),
  ]);
  expect([await ofAll({ provider: 'stripe' }), await ofAll({ provider: 'codes' })]).toEqual([
    expect.arrayContaining([first.id, second.id]),
    expect.not.arrayContaining([first.id]),
  ]);
});
