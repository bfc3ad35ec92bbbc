import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted, grantCredit, Spender, workspaceNow } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { FakeStripe } from '../../test/support/fake-stripe.ts';
import { type AutoStage, CENT, deliverTo, openAutoStage, openTopUp } from '../../test/support/payments.ts';
import { scopeOf } from '../../test/support/scopes.ts';
import { verifyLedger } from '../../test/support/verify-ledger.ts';
import { postCredit } from '../ledger/postings.ts';
import { assert } from '../lib/assert.ts';
import type { Sql } from '../lib/sql.ts';
import { type AutoTopUpChange, changeAutoTopUp, showPaymentSettings } from './payment-settings.ts';
import { listTopUps, type TopUp } from './top-ups.ts';

/** Behind all ids of version 7. */
const LAST_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

let testDatabase: TestDatabase;
let sql: Sql;
let stripe: FakeStripe;
let stage: AutoStage;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());
beforeEach(async () => {
  stripe = await FakeStripe.start();
  stage = await openAutoStage(sql, stripe);
  return async () => {
    // Another test's runs must not meet this workspace.
    await sql.query(
      'update payment_settings set auto_enabled = false, auto_noticed_at = now(), recovery_top_up_id = null',
    );
    await stripe.stop();
  };
});

const id = (): string => stage.account.workspace.id;
const balance = async () => (await workspaceNow(sql, id())).balance;
const settings = () => showPaymentSettings(sql, scopeOf(id()));
const take = (cents: bigint) =>
  postCredit(sql, scopeOf(id()), { kind: 'adjustment', amount: -cents * CENT, reason: 'spent' });
const change = (fields: AutoTopUpChange, expected: number | null = null) =>
  changeAutoTopUp(sql, scopeOf(id()), fields, { terms: stage.payments.terms, expected });

async function automatic(): Promise<readonly TopUp[]> {
  const { items } = await listTopUps(sql, scopeOf(id()), {});
  return items.filter(({ origin }) => origin === 'auto').toReversed();
}

/** Lets the hour after a failure pass. */
const passHour = () => sql.query(`update payment_settings set auto_failed_at = auto_failed_at - interval '61 minutes'`);

test('an automatic top-up is made below its threshold, charges its fee on top, and is made once', async () => {
  await stage.run();
  await stage.run();
  expect(await balance()).toBe(3_000n * CENT);
  expect(await automatic()).toMatchObject([{ state: 'paid', amount: 2_000n * CENT, fee: 110n * CENT }]);
  expect(stripe.all('payment_intent').at(-1)).toMatchObject({ amount: 2_110, currency: 'usd' });
  for (const event of stripe.events) await deliverTo(stage, stripe, event);
  expect(await balance()).toBe(3_000n * CENT);
});

test('an automatic top-up is made once by many processes that run at the same time', async () => {
  await Promise.all(Array.from({ length: 6 }, () => stage.run()));
  expect(await balance()).toBe(3_000n * CENT);
  expect(stripe.all('charge')).toHaveLength(2);
});

test('automatic top-ups of a month come to its maximum at most, fees included', async () => {
  for (let round = 0; round < 4; round += 1) {
    await stage.run();
    await take(2_000n);
  }
  expect(await automatic()).toHaveLength(2);
  await sql.query(`update top_ups set created_at = created_at - interval '32 days' where workspace_id = $1`, [id()]);
  await stage.run();
  expect(await automatic()).toHaveLength(3);
});

test('the owners get one notice in each month whose maximum keeps an automatic top-up from being made', async () => {
  for (let round = 0; round < 2; round += 1) {
    await stage.run();
    await take(2_000n);
  }
  await stage.run();
  await stage.run();
  expect(stage.notices).toMatchObject([{ workspaceId: id(), stop: 'month_max', until: expect.any(Date) }]);
  await sql.query(
    `update payment_settings set auto_month_noticed_at = auto_month_noticed_at - interval '32 days' where workspace_id = $1`,
    [id()],
  );
  await stage.run();
  await stage.run();
  expect(stage.notices).toMatchObject([{ stop: 'month_max' }, { stop: 'month_max' }]);
});

test('the owners get the notice too when the fee alone would exceed the maximum of the month', async () => {
  await stage.run();
  const [{ amount, fee } = { amount: 0n, fee: 0n }] = await automatic();
  const monthMax = 2n * (amount + fee) - 1n;
  await sql.query('update payment_settings set auto_month_max_nano_usd = $2 where workspace_id = $1', [id(), monthMax]);
  await take(2_000n);
  await stage.run();
  expect(await automatic()).toHaveLength(1);
  expect(stage.notices).toMatchObject([{ workspaceId: id(), stop: 'month_max' }]);
});

test('an automatic top-up whose money is under way keeps others from being made', async () => {
  stripe.card = 'processes';
  await stage.run();
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'processing' }]);
  expect(stripe.all('payment_intent')).toHaveLength(2);
});

test('automatic top-ups are turned off after three failures an hour apart, and the owners get one notice', async () => {
  stripe.card = 'declines';
  for (let round = 1; round <= 3; round += 1) {
    await stage.run();
    await stage.run();
    expect(await automatic()).toHaveLength(round);
    await passHour();
  }
  for (const event of stripe.events) await deliverTo(stage, stripe, event);
  await stage.run();
  expect((await settings()).auto).toMatchObject({ enabled: false, failures: 3, stop: 'failures' });
  expect(stage.notices).toMatchObject([
    { workspaceId: id(), stop: 'failures', failure: 'insufficient_funds', recoveryUrl: null },
  ]);
  stripe.card = 'pays';
  granted(await change({ enabled: true }));
  await stage.run();
  expect([await balance(), (await settings()).auto]).toMatchObject([3_000n * CENT, { failures: 0, stop: null }]);
});

test('a success ends the count of failures', async () => {
  stripe.card = 'declines';
  await stage.run();
  await passHour();
  expect((await settings()).auto).toMatchObject({ failures: 1, stop: null });
  stripe.card = 'pays';
  await stage.run();
  expect((await settings()).auto).toMatchObject({ failures: 0 });
});

test('a charge that needs authentication pauses automatic top-ups until its recovery page is paid', async () => {
  stripe.card = 'needs_authentication';
  await stage.run();
  await passHour();
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'authentication_required' }]);
  const { auto } = await settings();
  expect(auto).toMatchObject({ enabled: true, stop: 'authentication_required', recoveryTopUpId: expect.any(String) });
  expect(stage.notices).toMatchObject([
    {
      workspaceId: id(),
      stop: 'authentication_required',
      failure: 'authentication_required',
      recoveryUrl: 'https://checkout.stripe.test/pay',
    },
  ]);
  expect(stripe.all('payment_intent').at(-1)).toMatchObject({ status: 'canceled' });
  const recovery = stripe
    .all('checkout.session')
    .find(({ client_reference_id: name }) => name === auto.recoveryTopUpId);
  await deliverTo(stage, stripe, stripe.pay(String(recovery?.['id'])));
  expect([await balance(), (await settings()).auto]).toMatchObject([3_000n * CENT, { enabled: true, stop: null }]);
});

test('an automatic top-up whose answer was lost is charged once', async () => {
  stripe.outages.push('before', 'after', 'after');
  await stage.run();
  expect(stage.faults).toHaveLength(1);
  stripe.outages.splice(0);
  await stage.run();
  expect([await balance(), stripe.all('charge').length]).toEqual([3_000n * CENT, 2]);
});

test('an automatic top-up that was charged by a process which died is found at Stripe a day later, and paid once', async () => {
  await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
  const [begun] = await automatic();
  assert(begun !== undefined, 'an automatic top-up has begun');
  const customer = String(stripe.all('payment_intent').at(0)?.['customer']);
  await stage.provider.chargeKept({ ...begun, topUpId: begun.id, customer }, true);
  stripe.events.splice(0);
  const dayAgo = new Date(Date.now() - 24 * 3_600_000);
  await sql.query('update top_ups set created_at = $2 where id = $1', [begun.id, dayAgo]);
  // Stripe's clock is five minutes behind.
  const intent = stripe.all('payment_intent').at(-1) ?? {};
  Object.assign(intent, { created: Math.floor(dayAgo.getTime() / 1_000) - 300 });
  // More payments of the same customer than one page lists have come since.
  for (let count = 0; count < 101; count++) {
    const created = Math.floor(Date.now() / 1_000);
    stripe.objects.set(`pi_${count}`, { ...intent, id: `pi_${count}`, metadata: {}, created });
  }
  await stage.run();
  expect(await automatic()).toMatchObject([{ id: begun.id, state: 'paid' }]);
  expect([await balance(), stripe.all('charge').length]).toEqual([3_000n * CENT, 2]);
});

test('an automatic top-up of which Stripe knows nothing after a day has failed, and is not charged any more', async () => {
  await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
  await sql.query(
    `update top_ups set created_at = created_at - interval '24 hours' where origin = 'auto' and workspace_id = $1`,
    [id()],
  );
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'no_answer' }]);
  expect(stripe.all('charge')).toHaveLength(1);
});

test('an automatic top-up that was turned off before it was charged is not charged', async () => {
  await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
  granted(await change({ enabled: false }));
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'withdrawn' }]);
  expect(stripe.all('charge')).toHaveLength(1);
});

test('a page that waits to be paid is never charged to the kept card', async () => {
  const wish = { amount: 700n * CENT, savesMethod: false, once: null };
  const waiting = granted(await stage.payments.startTopUp(scopeOf(id()), wish));
  await stage.run();
  const { items } = await listTopUps(sql, scopeOf(id()), {});
  expect(items.find((topUp) => topUp.id === waiting.id)).toMatchObject({ state: 'pending' });
  expect([await balance(), stripe.all('charge').length]).toEqual([3_000n * CENT, 2]);
});

test('a page that fails besides an automatic top-up changes neither its recovery nor its notice', async () => {
  stripe.card = 'needs_authentication';
  await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
  const other = await openTopUp(sql, id(), { amount: 700n * CENT });
  await sql.query(`update top_ups set state = 'failed', failure = 'expired_card' where id = $1`, [other.id]);
  await sql.query(`update top_ups set id = $2 where id = $1`, [other.id, LAST_ID]);
  await stage.run();
  const { auto } = await settings();
  const { items } = await listTopUps(sql, scopeOf(id()), {});
  expect(items.find((topUp) => topUp.id === auto.recoveryTopUpId)).toMatchObject({ amount: 2_000n * CENT });
  expect(stage.notices).toMatchObject([{ stop: 'authentication_required', failure: 'authentication_required' }]);
});

test('the owners get the notice of a payment to authenticate only with the page on which they do so', async () => {
  stripe.card = 'needs_authentication';
  await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
  await sql.query(
    `update top_ups set state = 'failed', failure = 'authentication_required' where workspace_id = $1 and origin = 'auto'`,
    [id()],
  );
  await sql.query(
    `update payment_settings set auto_stop = 'authentication_required', auto_stopped_at = now(), auto_noticed_at = null
     where workspace_id = $1`,
    [id()],
  );
  stripe.outages.push(...Array.from({ length: 20 }, () => 'before' as const));
  await stage.run();
  expect([stage.notices, stage.faults.length]).toEqual([[], 1]);
  stripe.outages.splice(0);
  await stage.run();
  expect(stage.notices).toMatchObject([
    { stop: 'authentication_required', recoveryUrl: 'https://checkout.stripe.test/pay' },
  ]);
});

test('charges that are still in leases count as spent for an automatic top-up', async () => {
  await grantCredit(sql, id(), 1_000n * CENT);
  await stage.run();
  expect(await automatic()).toHaveLength(0);
  const spender = await Spender.begin(sql);
  await spender.spend(stage.account, { hold: 600n * CENT, charge: 600n * CENT });
  await stage.run();
  expect(await automatic()).toHaveLength(1);
  await spender.end();
});

test.each(['closing_at = now()', 'closing_at = now(), archived_at = now()'])(
  'a workspace with %s has no automatic top-ups, and one that waited to be charged is withdrawn',
  async (closing) => {
    await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
    await sql.query(`update workspaces set ${closing} where id = $1`, [id()]);
    await stage.run();
    await passHour();
    await stage.run();
    expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'withdrawn' }]);
    expect(stripe.all('charge')).toHaveLength(1);
    await sql.query('update workspaces set closing_at = null, archived_at = null where id = $1', [id()]);
  },
);

test('a workspace that is being closed gets no notice about the maximum of its month', async () => {
  await sql.query('update payment_settings set auto_month_max_nano_usd = 1 where workspace_id = $1', [id()]);
  await sql.query('update workspaces set closing_at = now() where id = $1', [id()]);
  await stage.run();
  expect(stage.notices).toEqual([]);
  await sql.query('update workspaces set closing_at = null where id = $1', [id()]);
  await stage.run();
  expect(stage.notices).toMatchObject([{ stop: 'month_max' }]);
});

test('a workspace whose card is gone has no automatic top-ups', async () => {
  stripe.card = 'is_missing';
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'no_payment_method' }]);
});

test('automatic top-ups need a kept card, consent, and a maximum that covers one of them', async () => {
  const { workspace } = (await openAutoStage(sql, stripe)).account;
  await sql.query(
    'update payment_settings set customer_reference = null, auto_consent_at = null, auto_enabled = false where workspace_id = $1',
    [workspace.id],
  );
  const on = (fields: AutoTopUpChange) =>
    changeAutoTopUp(
      sql,
      scopeOf(workspace.id),
      { enabled: true, ...fields },
      { terms: stage.payments.terms, expected: null },
    );
  expect(await on({ consent: true })).toMatchObject({ code: 'CONFLICT', param: 'enabled' });
  await sql.query(`update payment_settings set customer_reference = 'cus_1' where workspace_id = $1`, [workspace.id]);
  expect(await on({})).toMatchObject({ code: 'INVALID_REQUEST', param: 'consent' });
  expect(await on({ consent: true, monthMax: 2_109n * CENT })).toMatchObject({ param: 'month_max_usd' });
  expect(await on({ consent: true, amount: 1n })).toMatchObject({ param: 'amount_usd' });
  expect(await change({ threshold: CENT }, 1)).toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect(await on({ consent: true })).toMatchObject({ auto: { enabled: true, consentBy: 'test' } });
});

test('the ledger adds up after all automatic top-ups', async () => {
  await stage.run();
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});
