import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted, openAccount, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type FakeEvent, FakeStripe } from '../../../test/support/fake-stripe.ts';
import { CENT, openStage, type Stage } from '../../../test/support/payments.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { Page } from '../../lib/page.ts';
import type { Sql } from '../../lib/sql.ts';
import { UnsignedWebhook } from '../payment-provider.ts';
import { paymentProblems } from '../payment-upkeep.ts';
import { showPaymentSettings } from '../payment-settings.ts';
import type { TopUpWish } from '../payments.ts';
import { findTopUp, listAllTopUps, listTopUps, type TopUp, type TopUpFilter } from '../top-ups.ts';

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
  await expect(deliver(event, 'whsec_other')).rejects.toThrow(UnsignedWebhook);
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
  expect(await payments.startTopUp(scopeOf(workspace.id), wish)).toMatchObject({
    code: 'CONFLICT',
    message: 'This instance takes no payments: its operator grants credit, or hands out redemption codes.',
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
