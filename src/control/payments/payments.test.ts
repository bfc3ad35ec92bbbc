import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { type FakeEvent, FakeStripe } from '../../../test/support/fake-stripe.ts';
import { type AutoStage, CENT, deliverTo, openAutoStage, openStage } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { runAutoTopUps } from './auto-top-ups.ts';
import { changeAutoTopUp } from './payment-settings.ts';
import { listTopUps } from './top-ups.ts';

let db: TestDatabase;
let stripe: FakeStripe;
let stage: AutoStage;

beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());
beforeEach(async () => {
  stripe = await FakeStripe.start();
  stage = await openAutoStage(db.database, stripe);
  return () => stripe.stop();
});

const scope = () => scopeOf(stage.account.workspace.id);
const WISH = { amount: 700n * CENT, savesMethod: false, once: 'order 7' };

test('a top-up whose provider does not answer stays to be paid, and the same request goes on with it', async () => {
  stripe.outages.push(...Array.from({ length: 20 }, () => 'before' as const));
  expect(await stage.payments.startTopUp(scope(), WISH)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterMs: 1_000,
  });
  const { items } = await listTopUps(db.database, scope(), { state: 'pending' });
  expect(items).toMatchObject([{ amount: WISH.amount, checkoutReference: null }]);
  stripe.outages.splice(0);
  const opened = granted(await stage.payments.startTopUp(scope(), WISH));
  expect(opened).toMatchObject({ id: items[0]?.id, repeated: true, checkoutUrl: expect.stringContaining('https://') });
});

test('a page to pay on is of the payer’s account at the same provider, and never of one at another', async () => {
  const customerOf = async (once: string): Promise<unknown> => {
    const topUp = granted(await stage.payments.startTopUp(scope(), { ...WISH, once }));
    return stripe.all('checkout.session').find(({ id }) => id === topUp.checkoutReference)?.['customer'];
  };
  const [kept] = await db.database.query<{ customer: string }>(
    'select customer_reference as customer from payment_settings where workspace_id = $1',
    [scope().workspaceId],
  );
  expect(await customerOf('one')).toBe(kept?.customer);
  await db.database.query(`update payment_settings set provider = 'another' where workspace_id = $1`, [
    scope().workspaceId,
  ]);
  expect(await customerOf('two')).not.toBe(kept?.customer);
});

test('a top-up that has ended unpaid opens no page any more, for a repeated request under its name either', async () => {
  stripe.outages.push(...Array.from({ length: 20 }, () => 'before' as const));
  await stage.payments.startTopUp(scope(), WISH);
  stripe.outages.splice(0);
  const [{ id: topUpId, workspaceId } = { id: '', workspaceId: '' }] = (await listTopUps(db.database, scope(), {}))
    .items;
  const fact = { kind: 'expired', topUpId, workspaceId, origin: 'checkout' } as const;
  await stage.payments.apply({ provider: 'stripe', id: 'an end', fact });
  expect(await stage.payments.startTopUp(scope(), WISH)).toMatchObject({
    id: topUpId,
    state: 'expired',
    checkoutReference: null,
    repeated: true,
  });
});

test.each(['invalid_request_error', 'idempotency_error'])(
  'a top-up whose page the provider refuses by %s has failed, for a reason of two hundred characters at most',
  async (type) => {
    const message = `No such customer: ${'x'.repeat(300)}`;
    stripe.refusals.push({ type, message });
    const refused = await stage.payments.startTopUp(scope(), WISH);
    expect(refused).toMatchObject({ code: 'CONFLICT', message: `Stripe refused this: ${message}` });
    const failure = `Stripe refused this: ${message}`.slice(0, 200);
    const { items } = await listTopUps(db.database, scope(), { state: 'failed' });
    expect(items).toMatchObject([{ amount: WISH.amount, failure }]);
  },
);

test('with tax, a page asks Stripe to compute it and for an invoice, and what it adds is recorded and no credit', async () => {
  const taxed = await openStage(db.database, stripe, { hasTax: true });
  const before = await balanceNow();
  const topUp = granted(await taxed.payments.startTopUp(scope(), { ...WISH, once: 'taxed' }));
  const session = stripe.objects.get(topUp.checkoutReference ?? '');
  expect(session?.['asked']).toMatchObject({
    automatic_tax: { enabled: 'true' },
    tax_id_collection: { enabled: 'true' },
    invoice_creation: { enabled: 'true' },
    customer_update: { address: 'auto', name: 'auto' },
    line_items: { 0: { price_data: { tax_behavior: 'exclusive' } } },
  });
  const event: FakeEvent = stripe.pay(topUp.checkoutReference ?? '');
  await deliverTo(taxed, stripe, event);
  const [paid] = (await listTopUps(db.database, scope(), { state: 'paid' })).items;
  // 19 % of 7.00 and its fee of 0.80.
  expect(paid).toMatchObject({ id: topUp.id, amount: 700n * CENT, fee: 80n * CENT, tax: 148n * CENT });
  expect((await balanceNow()) - before).toBe(700n * CENT);
});

test.each([
  ['a tax that was not paid', { total_details: { amount_tax: 900 } }],
  ['a total without its tax', { amount_total: 780 }],
  ['a tax below zero', { amount_total: 700, total_details: { amount_tax: -80 } }],
  ['a tax that is no number', { total_details: { amount_tax: 'much' } }],
])('a page that reports %s gives no credit', async (_what, changes) => {
  const taxed = await openStage(db.database, stripe, { hasTax: true });
  const before = await balanceNow();
  const topUp = granted(await taxed.payments.startTopUp(scope(), { ...WISH, once: randomUUID() }));
  await deliverTo(taxed, stripe, stripe.pay(topUp.checkoutReference ?? '', changes));
  expect(await balanceNow()).toBe(before);
  expect(taxed.mismatches).toHaveLength(1);
});

test('without tax, a page asks for none, and a kept card is charged by itself only then', async () => {
  const topUp = granted(await stage.payments.startTopUp(scope(), { ...WISH, once: 'untaxed' }));
  const asked = stripe.objects.get(topUp.checkoutReference ?? '')?.['asked'];
  for (const field of ['automatic_tax', 'invoice_creation', 'customer_update']) expect(asked).not.toHaveProperty(field);
  const taxed = await openStage(db.database, stripe, { hasTax: true });
  const on = { enabled: true, consent: true };
  const how = { terms: taxed.payments.terms, expected: null };
  expect(await changeAutoTopUp(db.database, scope(), on, how)).toMatchObject({ code: 'CONFLICT', param: 'enabled' });
  const parts = { sql: db.database, provider: taxed.provider, payments: taxed.payments };
  await runAutoTopUps({ ...parts, onNotice: () => Promise.resolve(true), onFault: () => undefined });
  expect((await listTopUps(db.database, scope(), {})).items.filter(({ origin }) => origin === 'auto')).toEqual([]);
});

async function balanceNow(): Promise<bigint> {
  return (await workspaceNow(db.database, stage.account.workspace.id)).balance;
}
