import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { type AutoStage, CENT, openAutoStage } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
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
