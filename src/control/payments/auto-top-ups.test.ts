import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { granted, grantCredit, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { type AutoStage, CENT, deliverTo, openAutoStage, openTopUp } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { postCredit } from '../ledger/postings.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql } from '../../lib/sql.ts';
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
    // Another test's runs must not meet this workspace, nor ask Stripe for what it waits for.
    await sql.query(
      `update payment_settings set auto_enabled = false, auto_noticed_at = now(), recovery_top_up_id = null,
         auto_stop = null, auto_stopped_at = null`,
    );
    await sql.query(
      `update top_ups set state = 'failed', failure = 'left' where origin = 'auto' and state = 'pending'`,
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
  const [{ id: topUpId } = { id: '' }] = await automatic();
  expect(stripe.lastForm('/v1/payment_intents')).toEqual({
    amount: '2110',
    currency: 'usd',
    customer: String(stripe.all('payment_intent').at(0)?.['customer']),
    payment_method: 'pm_card',
    off_session: 'true',
    confirm: 'true',
    'metadata[faregate_top_up]': topUpId,
    'metadata[faregate_workspace]': id(),
    'metadata[faregate_origin]': 'auto',
  });
  expect(stripe.requests.at(-1)?.headers['idempotency-key']).toBe(`faregate-charge-${topUpId}`);
  for (const event of stripe.events) await deliverTo(stage, stripe, event);
  expect(await balance()).toBe(3_000n * CENT);
});

test('an automatic top-up is made once by many processes that run at the same time', async () => {
  await Promise.all(Array.from({ length: 6 }, () => stage.run()));
  expect(await balance()).toBe(3_000n * CENT);
  expect(stripe.all('charge')).toHaveLength(2);
});

test('an automatic top-up that waited for Stripe while tax was turned on charges no card', async () => {
  stripe.outages.push('before', 'before');
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'pending' }]);
  await stage.run(sql, true);
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'withdrawn' }]);
  expect(stripe.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')).toEqual([]);
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
  granted(await change({ monthMax: monthMax + 1n }));
  await stage.run();
  expect(await automatic()).toHaveLength(2);
});

test('the owners get no notice of the maximum of the month while an automatic top-up is being charged', async () => {
  stripe.card = 'processes';
  granted(await change({ monthMax: 3_000n * CENT }));
  await stage.run();
  await stage.run();
  expect([await automatic(), stage.notices]).toMatchObject([[{ state: 'processing' }], []]);
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

test('a page that is paid ends neither the count of failures nor the pause of automatic top-ups', async () => {
  const payPage = async (): Promise<void> => {
    const wish = { amount: 500n * CENT, savesMethod: false, once: null };
    const page = granted(await stage.payments.startTopUp(scopeOf(id()), wish));
    await deliverTo(stage, stripe, stripe.pay(page.checkoutReference ?? ''));
    await take(500n);
  };
  const { version } = await settings();
  stripe.card = 'declines';
  await stage.run();
  await payPage();
  expect(await settings()).toMatchObject({ version: version + 1, auto: { failures: 1 } });
  stripe.card = 'needs_authentication';
  await passHour();
  await stage.run();
  await payPage();
  expect((await settings()).auto).toMatchObject({ failures: 2, stop: 'authentication_required' });
});

// Each error that Stripe answers a charge with, and the failure that the top-up has.
test.each<[Record<string, string>, string]>([
  [{ type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' }, 'do_not_honor'],
  [{ type: 'card_error', code: 'expired_card' }, 'expired_card'],
  [{ type: 'card_error' }, 'card_error'],
  [{ type: 'invalid_request_error', code: 'resource_missing' }, 'resource_missing'],
  [{ type: 'invalid_request_error' }, 'invalid_request'],
])('an automatic top-up whose charge is answered by %j has failed: %s', async (error, failure) => {
  stripe.refusals.push({ ...error, message: 'No.' });
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure }]);
  expect(stage.faults).toEqual([]);
});

test('an automatic top-up whose charge is answered unclearly is still to be charged', async () => {
  stripe.refusals.push({ type: 'api_error', message: 'We are on it.' });
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'pending' }]);
  expect(stage.faults).toMatchObject([
    { name: 'ProviderUnavailable', message: 'Stripe did not answer clearly: We are on it.', cause: expect.any(Error) },
  ]);
});

test('a fault that is not the provider’s ends a run of automatic top-ups, and the next one goes on', async () => {
  vi.spyOn(stage.provider, 'chargeKept').mockRejectedValueOnce(new Error('a mistake'));
  await expect(stage.run()).rejects.toThrow('a mistake');
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'paid' }]);
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
  // The card by which it is paid is charged from then on.
  expect(recovery).toMatchObject({ setup_future_usage: 'off_session' });
  const { items } = await listTopUps(sql, scopeOf(id()), {});
  expect(items.find((topUp) => topUp.id === auto.recoveryTopUpId)).toMatchObject({ actor: 'auto top-up' });
  await deliverTo(stage, stripe, stripe.pay(String(recovery?.['id'])));
  expect([await balance(), (await settings()).auto]).toMatchObject([3_000n * CENT, { enabled: true, stop: null }]);
  // The next charge that needs authentication has a page of its own.
  await take(2_000n);
  await stage.run();
  expect((await settings()).auto.recoveryTopUpId).not.toBe(auto.recoveryTopUpId);
  expect(stage.notices).toHaveLength(2);
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
  // Older payments are not read.
  const listed = stripe.requests.findLast(({ method, path }) => method === 'GET' && path.includes('payment_intents'));
  const since = new URL(listed?.path ?? '', stripe.origin).searchParams.get('created[gte]');
  expect(since).toBe(String(Math.floor(dayAgo.getTime() / 1_000) - 600));
  expect([await balance(), stripe.all('charge').length]).toEqual([3_000n * CENT, 2]);
});

/** An automatic top-up whose charge an earlier process has left in this state. */
async function chargedBefore(status: string): Promise<void> {
  await sql.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [id(), 2_000n * CENT, 110n * CENT]);
  const [begun] = await automatic();
  const [paid] = stripe.all('payment_intent');
  const metadata = { faregate_top_up: begun?.id, faregate_workspace: id(), faregate_origin: 'auto' };
  stripe.objects.set('pi_before', { ...paid, id: 'pi_before', metadata, status });
}

const cancellations = (): readonly string[] =>
  stripe.requests.map(({ path }) => path).filter((path) => path.endsWith('/cancel'));

test('an automatic top-up whose charge was cancelled by a process that died has failed, and is cancelled once', async () => {
  await chargedBefore('canceled');
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'canceled' }]);
  expect(cancellations()).toEqual([]);
});

test('an automatic top-up whose charge can not be cancelled now is cancelled by the next run, and has failed then', async () => {
  await chargedBefore('requires_payment_method');
  stripe.refusals.push({ type: 'api_error', message: 'We are on it.' });
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'pending' }]);
  expect(stage.faults).toMatchObject([{ message: 'Stripe did not answer clearly: We are on it.' }]);
  await stage.run();
  expect(await automatic()).toMatchObject([{ state: 'failed', failure: 'requires_payment_method' }]);
  const path = '/v1/payment_intents/pi_before/cancel';
  expect(cancellations()).toEqual([path, path]);
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
  expect(stage.notices).toEqual([]);
  expect(stage.faults.map(String)).toContainEqual(
    expect.stringMatching(
      /^Error: the recovery page of an automatic top-up could not be opened: The payment provider did not answer/,
    ),
  );
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

test('debts that wait for leases to end count as spent for an automatic top-up', async () => {
  granted(await change({ threshold: 500n * CENT }));
  const spender = await Spender.begin(sql);
  await spender.spend(stage.account, { hold: 600n * CENT, charge: 1n });
  granted(await postCredit(sql, scopeOf(id()), { kind: 'dispute', amount: -500n * CENT, reason: 'a test' }));
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
