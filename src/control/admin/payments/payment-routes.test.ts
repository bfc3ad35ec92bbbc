import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { adminIdentity, sessionActor } from '../../../../test/support/admin-identity.ts';
import { openAccount } from '../../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { FakeStripe } from '../../../../test/support/fake-stripe.ts';
import { deliverTo, openStage, type Stage } from '../../../../test/support/payments.ts';
import type { Act } from '../../../domain/actor.ts';
import type { Role } from '../../../domain/roles.ts';
import { createAdminApp } from '../admin-app.ts';
import type { AdminApp } from '../route-access.ts';

let testDatabase: TestDatabase;
let stripe: FakeStripe;
let stage: Stage;
let app: AdminApp;
let workspaceId: string;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  const { control } = testDatabase;
  stripe = await FakeStripe.start();
  stage = await openStage(control, stripe);
  app = createAdminApp({
    ...adminDependencies(control),
    payments: stage.payments,
    identity: adminIdentity(control),
    identify: ({ authorization = '' }) => Promise.resolve(actOf(authorization)),
  });
});
beforeEach(async () => {
  workspaceId = (await openAccount(testDatabase.database)).workspace.id;
});
afterAll(async () => {
  await stripe.stop();
  await testDatabase.stop();
});

function actOf(who: string): Act {
  const around = { address: '192.0.2.1', requestId: null };
  if (who === 'operator') {
    return { ...around, actor: { kind: 'operator', tokenId: null, name: 'operator', access: 'all' } };
  }
  return {
    ...around,
    actor: sessionActor({ email: `${who}@example.com`, roles: new Map([[workspaceId, who as Role]]) }),
  };
}

async function call(who: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await app.request(`/admin/v1${path}`, {
    method,
    headers: {
      authorization: who,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: (answer['error'] as { code?: string } | undefined)?.code, answer };
}

const at = (path: string): string => `/workspaces/${workspaceId}${path}`;

/** Buys 10 USD of credit, and pays them. */
async function buy(who: string, once?: string): Promise<string> {
  const made = await call(who, 'POST', at('/top-ups'), { amount_usd: '10', ...(once === undefined ? {} : { once }) });
  expect(made).toMatchObject({ status: 201, answer: { state: 'pending', amount_usd: '10.00', fee_usd: '0.80' } });
  const session = stripe.all('checkout.session').find(({ client_reference_id: id }) => id === made.answer['id']);
  await deliverTo(stage, stripe, stripe.pay(String(session?.['id'])));
  return String(made.answer['id']);
}

test('a billing member buys credit, and sees what became of it', async () => {
  const id = await buy('billing', 'mine');
  const repeated = await call('billing', 'POST', at('/top-ups'), { amount_usd: '10', once: 'mine' });
  expect(repeated).toMatchObject({ status: 200, answer: { id } });
  const shown = await call('viewer', 'GET', at(`/top-ups/${id}`));
  expect(shown).toMatchObject({ status: 200, answer: { state: 'paid', checkout_url: null } });
  expect(await call('viewer', 'GET', at('/top-ups?state=paid'))).toMatchObject({
    answer: { data: [{ state: 'paid' }] },
  });
  expect(await call('viewer', 'GET', at('/top-ups?state=odd'))).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await call('viewer', 'GET', at('/top-ups/odd'))).toMatchObject({ code: 'NOT_FOUND' });
});

test('a member without the right buys no credit, redeems no code and refunds nothing', async () => {
  for (const who of ['admin', 'developer', 'viewer']) {
    expect(await call(who, 'POST', at('/top-ups'), { amount_usd: '10' })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await call(who, 'POST', at('/redemptions'), { code: 'X' })).toMatchObject({ code: 'FORBIDDEN' });
    expect(await call(who, 'PATCH', at('/payment-settings'), {})).toMatchObject({ code: 'FORBIDDEN' });
  }
  const id = await buy('owner');
  expect(await call('owner', 'POST', at(`/top-ups/${id}/refunds`), {})).toMatchObject({ code: 'FORBIDDEN' });
  expect(await call('owner', 'GET', '/payments')).toMatchObject({ code: 'FORBIDDEN' });
  expect(await call('owner', 'GET', '/codes')).toMatchObject({ code: 'FORBIDDEN' });
});

test('the operator refunds a part of a payment, and then the rest', async () => {
  const id = await buy('owner');
  expect(await call('operator', 'GET', '/payments?state=paid&provider=stripe')).toMatchObject({
    answer: { data: expect.arrayContaining([expect.objectContaining({ id })]) },
  });
  const refunds = at(`/top-ups/${id}/refunds`);
  const part = { amount_usd: '3', once: 'a part' };
  expect(await call('operator', 'POST', refunds, part)).toMatchObject({
    status: 200,
    answer: { refunded_usd: '3.00' },
  });
  expect(await call('operator', 'POST', refunds, {})).toMatchObject({ status: 200, answer: { refunded_usd: '10.80' } });
  expect(await call('operator', 'POST', refunds, {})).toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('a session changes payment settings by the version that it has read', async () => {
  const shown = await call('owner', 'GET', at('/payment-settings'));
  expect(shown.answer).toMatchObject({ provider: 'stripe', fee_percent: '5.50', has_saved_method: false });
  const change = { threshold_usd: '5', amount_usd: '20', month_max_usd: '100' };
  expect(await call('owner', 'PATCH', at('/payment-settings'), change)).toMatchObject({ code: 'INVALID_REQUEST' });
  const version = { 'if-match': `"${String(shown.answer['version'])}"` };
  const changed = await call('owner', 'PATCH', at('/payment-settings'), change, version);
  expect(changed).toMatchObject({ status: 200, answer: { auto_top_up: { enabled: false, amount_usd: '20.00' } } });
  expect(await call('owner', 'PATCH', at('/payment-settings'), change, version)).toMatchObject({
    status: 412,
    code: 'PRECONDITION_FAILED',
  });
  expect(await call('operator', 'PATCH', at('/payment-settings'), { enabled: true })).toMatchObject({ status: 409 });
});

test('the operator makes codes, an owner redeems one, and the list says who did', async () => {
  const order = { count: 2, amount_usd: '5', expires_at: '2099-01-01', reason: 'a fair' };
  const made = await call('operator', 'POST', '/code-batches', order);
  const [code = ''] = made.answer['codes'] as string[];
  expect(await call('owner', 'POST', at('/redemptions'), { code })).toMatchObject({
    status: 201,
    answer: { provider: 'codes', state: 'paid', amount_usd: '5.00' },
  });
  expect(await call('owner', 'POST', at('/redemptions'), { code })).toMatchObject({ status: 200 });
  expect(await call('owner', 'POST', at('/redemptions'), { code: 'nonsense' })).toMatchObject({ status: 400 });
  const list = await call('operator', 'GET', `/codes?batch=${String(made.answer['id'])}`);
  const redeemers = (list.answer['data'] as { redeemed_by: string | null }[]).map((each) => each.redeemed_by);
  expect(new Set(redeemers)).toEqual(new Set(['owner@example.com', null]));
  expect(JSON.stringify(list.answer)).not.toContain(code);
  const batches = await call('operator', 'GET', '/code-batches');
  expect(batches.answer['data']).toMatchObject([{ count: 2, redeemed: 1, sold: false }]);
  expect(await call('operator', 'POST', '/code-batches', { ...order, count: 1_001 })).toMatchObject({ status: 400 });
  const past = await call('operator', 'POST', '/code-batches', { ...order, expires_at: '2026-01-01' });
  expect(past).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
});
