import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted, openAccount, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { CENT, deliverTo, openStage, openTopUp, type Stage } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { refuse } from '../../domain/refusals.ts';
import type { Sql } from '../../lib/sql.ts';
import { refundClosedPayments } from './closed-payments.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { expireTopUps, paymentProblems, prunePayments } from './payment-upkeep.ts';
import { reconcile, type Reconciliation } from './reconciliation.ts';
import { findTopUp, listTopUps, type TopUp } from './top-ups.ts';

let testDatabase: TestDatabase;
let sql: Sql;
let stripe: FakeStripe;
let stage: Stage;
let nights: number;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());
beforeEach(async () => {
  stripe = await FakeStripe.start();
  stage = await openStage(sql, stripe);
  nights = 0;
  return async () => {
    await stripe.stop();
    await sql.query(`update top_ups set created_at = created_at - interval '30 days'`);
    await sql.query('delete from payment_reconciliations');
    await sql.query('delete from payment_events');
  };
});

const start = async (workspaceId: string): Promise<TopUp & { session: string }> => {
  const wish = { amount: 1_000n * CENT, savesMethod: false, once: null };
  const topUp = granted(await stage.payments.startTopUp(scopeOf(workspaceId), wish));
  return { ...topUp, session: topUp.checkoutReference ?? '' };
};
const balanceOf = async (id: string) => (await workspaceNow(sql, id)).balance;
const paymentOf = (session: string): string => String(stripe.objects.get(session)?.['payment_intent']);

/** A comparison as of two hours from now, so that what was paid until now counts. */
async function compare(): Promise<Reconciliation> {
  nights += 1;
  const now = new Date(Date.now() + 2 * 3_600_000);
  const made = await reconcile({ sql, ...stage }, { night: new Date(Date.UTC(2030, 0, nights)), now });
  if (made === null) throw new Error('the night has its comparison');
  return made;
}

test('the nightly comparison credits payments, refunds and disputes whose webhooks were missed, over many pages', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => openAccount(sql)));
  for (const { workspace } of accounts) {
    const { session } = await start(workspace.id);
    stripe.pay(session);
    stripe.refund(paymentOf(session), 100);
  }
  expect(await compare()).toMatchObject({ missed: 16n, compared: 8n, differences: [] });
  expect(await sql.query('select missed, compared from payment_reconciliations order by night desc limit 1')).toEqual([
    { missed: 16n, compared: 8n },
  ]);
  for (const { workspace } of accounts) expect(await balanceOf(workspace.id)).toBe(900n * CENT);
  expect(await compare()).toMatchObject({ missed: 0n, differences: [] });
  expect(await paymentProblems(sql)).toEqual([]);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});

test('a comparison is made once a night', async () => {
  const night = new Date(Date.UTC(2031, 0, 1));
  expect(await reconcile({ sql, ...stage }, { night, now: new Date() })).not.toBeNull();
  expect(await reconcile({ sql, ...stage }, { night, now: new Date() })).toBeNull();
});

test('the nightly comparison reports what differs, and corrects nothing by itself', async () => {
  const { workspace } = await openAccount(sql);
  const [unpaid, refunded, unknown] = [await start(workspace.id), await start(workspace.id), await start(workspace.id)];
  stripe.pay(unpaid.session);
  for (const { session } of [refunded, unknown]) await deliverTo(stage, stripe, stripe.pay(session));
  const payments = [unpaid, refunded, unknown].map(({ session }) => paymentOf(session));
  stripe.refund(payments[1] ?? '', 250);
  for (const charge of stripe.all('charge')) {
    if (charge['payment_intent'] === payments[2]) stripe.objects.delete(String(charge['id']));
  }
  stripe.events.splice(0);
  const { differences } = await compare();
  expect(differences.toSorted()).toEqual(
    [
      `Payment ${payments[0]} of top-up ${unpaid.id} (10.80 USD) succeeded there and is not paid here.`,
      `Payment ${payments[1]} of top-up ${refunded.id} has refunds of 2.50 USD there and of 0.00 USD here.`,
      `Payment ${payments[2]} of top-up ${unknown.id} is paid here and not known there.`,
    ].toSorted(),
  );
  expect(await balanceOf(workspace.id)).toBe(2_000n * CENT);
  expect(await paymentProblems(sql)).toEqual([expect.stringContaining('found 3 differences; the first: Payment')]);
});

test('a refund that failed counts neither there nor here in the nightly comparison', async () => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  await deliverTo(stage, stripe, stripe.pay(session));
  const failing = stripe.refund(paymentOf(session), 300);
  for (const event of [failing, stripe.refund(paymentOf(session), 200)]) await deliverTo(stage, stripe, event);
  await deliverTo(stage, stripe, stripe.change(String(failing.data.object['id']), 'failed', 'refund.failed'));
  expect(await compare()).toMatchObject({ compared: 1n, differences: [] });
  expect(await balanceOf(workspace.id)).toBe(800n * CENT);
});

test('a top-up says how much of it was refunded, without refunds that failed', async () => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  await deliverTo(stage, stripe, stripe.pay(session));
  const failing = stripe.refund(paymentOf(session), 300);
  for (const event of [failing, stripe.refund(paymentOf(session), 200)]) await deliverTo(stage, stripe, event);
  const refunded = async () => (await listTopUps(sql, scopeOf(workspace.id), {})).items.map((topUp) => topUp.refunded);
  expect(await refunded()).toEqual([500n * CENT]);
  await deliverTo(stage, stripe, stripe.change(String(failing.data.object['id']), 'failed', 'refund.failed'));
  expect(await refunded()).toEqual([200n * CENT]);
});

test('payments of other products and instances in the same account are passed over', async () => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  Object.assign(stripe.objects.get(session) ?? {}, { client_reference_id: 'order 7', metadata: {} });
  stripe.pay(session);
  stripe.refund(paymentOf(session), 500);
  expect(await compare()).toMatchObject({ compared: 0n, differences: [] });
  expect(await balanceOf(workspace.id)).toBe(0n);
});

test('an event that contradicts its top-up is a problem for the operator', async () => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  const event = stripe.pay(session, { amount_total: 7 });
  await deliverTo(stage, stripe, event);
  expect(await paymentProblems(sql)).toEqual([
    `1 payment events of the last week contradict their top-ups or can't be read, and gave no credit; the last is ${event.id}: 70000000 nano-USD were paid and not 10800000000.`,
  ]);
});

test('a page that nobody paid ends after a day, and what is paid on it after all is credited', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await start(workspace.id);
  await expireTopUps(sql);
  expect(await findTopUp(sql, scopeOf(workspace.id), topUp.id)).toMatchObject({ state: 'pending' });
  await sql.query(`update top_ups set created_at = now() - interval '27 hours' where workspace_id = $1`, [
    workspace.id,
  ]);
  await expireTopUps(sql);
  expect(await findTopUp(sql, scopeOf(workspace.id), topUp.id)).toMatchObject({ state: 'expired' });
  await deliverTo(stage, stripe, stripe.pay(topUp.session));
  expect(await balanceOf(workspace.id)).toBe(1_000n * CENT);
});

test('an automatic top-up never expires, because its charge may still be under way', async () => {
  const { workspace } = await openAccount(sql);
  const automatic = await openTopUp(sql, workspace.id, { origin: 'auto' });
  const byPage = await openTopUp(sql, workspace.id);
  await sql.query(`update top_ups set created_at = now() - interval '27 hours' where workspace_id = $1`, [
    workspace.id,
  ]);
  await expireTopUps(sql);
  const states = await sql.query('select id, state from top_ups where workspace_id = $1 order by id', [workspace.id]);
  expect(states).toEqual([
    { id: automatic.id, state: 'pending' },
    { id: byPage.id, state: 'expired' },
  ]);
  // An event that contradicts its top-up would be left to the operator, one more each time.
  const events = await sql.query('select top_up_id as id from payment_events where workspace_id = $1', [workspace.id]);
  expect(events).toEqual([{ id: byPage.id }]);
});

test('events are kept for as long as a provider may send them again, and no longer', async () => {
  const { workspace } = await openAccount(sql);
  const { session } = await start(workspace.id);
  const event = stripe.pay(session);
  await deliverTo(stage, stripe, event);
  const eventsOf = () => sql.query('select from payment_events where id = $1', [event.id]);
  await prunePayments(sql);
  expect(await eventsOf()).toHaveLength(1);
  await sql.query(`update payment_events set received_at = now() - interval '91 days'`);
  await prunePayments(sql);
  expect(await eventsOf()).toHaveLength(0);
  await deliverTo(stage, stripe, event);
  expect(await balanceOf(workspace.id)).toBe(1_000n * CENT);
});

// Each kind of row, the days after which it goes, and the statement that makes one of that age.
test.each<[string, number, string]>([
  [
    'an event that was applied',
    90,
    `insert into payment_events (provider, id, fact, outcome, received_at) values ('stripe', 'kept-for', 'paid', 'applied', $1)`,
  ],
  [
    'an event that was ignored',
    90,
    `insert into payment_events (provider, id, fact, outcome, received_at) values ('stripe', 'kept-for', 'paid', 'ignored', $1)`,
  ],
  [
    'an event that is left to the operator',
    400,
    `insert into payment_events (provider, id, fact, outcome, received_at) values ('stripe', 'kept-for', 'paid', 'mismatch', $1)`,
  ],
  [
    'a refund of another product',
    90,
    `insert into payment_reversals (provider, kind, reference, payment_reference, amount_nano_usd, state, created_at) values ('stripe', 'refund', 'kept-for', 'p', 1, 'taken', $1)`,
  ],
  [
    'a comparison',
    400,
    `insert into payment_reconciliations (provider, night, started_at, events_until, missed, compared, difference_count, differences) values ('stripe', $1, now(), now(), 0, 0, 0, '[]')`,
  ],
])('the payment record "%s" is kept for %i days', async (_, days, insert) => {
  const table = /into (\w+)/.exec(insert)?.[1] ?? '';
  const count = async () => (await sql.query(`select from ${table}`)).length;
  const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  await sql.query(`delete from ${table}`);
  await sql.query(insert, [ago(days * 24 - 12)]);
  await prunePayments(sql);
  expect(await count()).toBe(1);
  await sql.query(`delete from ${table}`);
  await sql.query(insert, [ago(days * 24 + 12)]);
  await prunePayments(sql);
  expect(await count()).toBe(0);
});

test('a refund of a top-up is kept for ever', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  await sql.query(
    `insert into payment_reversals (provider, kind, reference, payment_reference, amount_nano_usd, state, workspace_id, top_up_id, created_at)
     values ('stripe', 'refund', 'of-a-top-up', 'p', 1, 'taken', $1, $2, now() - interval '1000 days')`,
    [workspace.id, topUp.id],
  );
  await prunePayments(sql);
  expect(await sql.query(`select from payment_reversals where reference = 'of-a-top-up'`)).toHaveLength(1);
});

test('an event that contradicts its top-up is a problem for a week', async () => {
  const mismatchAt = async (days: number): Promise<number> => {
    await sql.query('delete from payment_events');
    await sql.query(
      `insert into payment_events (provider, id, fact, outcome, detail, received_at)
       values ('stripe', 'e', 'paid', 'mismatch', 'too little', $1)`,
      [new Date(Date.now() - days * 24 * 3_600_000)],
    );
    return (await paymentProblems(sql)).length;
  };
  expect([await mismatchAt(6.5), await mismatchAt(7.5)]).toEqual([1, 0]);
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('the nightly comparison reads events since a day before the last, a month at most, and payments of two weeks', async () => {
  const now = new Date(Date.UTC(2032, 5, 30));
  const asked: string[] = [];
  const ago = (time: Date): number => (now.getTime() - time.getTime()) / HOUR_MS;
  const provider: PaymentProvider = Object.assign(Object.create(stage.provider) as PaymentProvider, {
    listEvents: (since: Date, after: string | null) => {
      asked.push(`events ${ago(since)} ${after}`);
      return Promise.resolve({ items: [], next: after === null ? 'more' : null });
    },
    listPayments: (from: Date, to: Date, after: string | null) => {
      asked.push(`payments ${ago(from)} ${ago(to)} ${after}`);
      return Promise.resolve({ items: [], next: after === null ? 'more' : null });
    },
  });
  const readOn = async (night: Date, lastUntil: Date | null): Promise<readonly string[]> => {
    asked.splice(0);
    if (lastUntil !== null) await sql.query('update payment_reconciliations set events_until = $1', [lastUntil]);
    expect(await reconcile({ sql, provider, payments: stage.payments }, { night, now })).toMatchObject({ missed: 0n });
    return asked.filter((each) => each.endsWith('null') || each.startsWith('payments'));
  };
  const payments = ['payments 336 1 null', 'payments 336 1 more'];
  expect(await readOn(new Date(now.getTime() - 2 * DAY_MS), null)).toEqual(['events 72 null', ...payments]);
  const lately = new Date(now.getTime() - DAY_MS);
  expect(await readOn(lately, lately)).toEqual(['events 48 null', ...payments]);
  expect(await readOn(now, new Date(now.getTime() - 40 * DAY_MS))).toEqual([`events ${29 * 24} null`, ...payments]);
  expect(await reconcile({ sql, provider, payments: stage.payments }, { night: now, now })).toBeNull();
});

test('the nightly comparison that meets a list without end reads a hundred parts of it, and says so', async () => {
  const now = new Date(Date.UTC(2032, 5, 30));
  let parts = 0;
  const endless = () => Promise.resolve({ items: [], next: String((parts += 1)) });
  const provider: PaymentProvider = Object.assign(Object.create(stage.provider) as PaymentProvider, {
    listEvents: endless,
    listPayments: endless,
  });
  expect(await reconcile({ sql, provider, payments: stage.payments }, { night: now, now })).toMatchObject({
    compared: 0n,
    differenceCount: 2n,
    differences: [
      'There are more than 100 pages of events since 2032-06-27T00:00:00.000Z: older ones were not read.',
      'There are more than 100 pages of payments since 2032-06-16T00:00:00.000Z: not all were compared.',
    ],
  });
  expect(parts).toBe(200);
});

test('the nightly comparison names the payment and the amounts that differ', async () => {
  const { workspace } = await openAccount(sql);
  const [first, second] = [await start(workspace.id), await start(workspace.id)];
  for (const { session } of [first, second]) await deliverTo(stage, stripe, stripe.pay(session));
  const [one, other] = [first, second].map(({ session }) => paymentOf(session));
  const theirs = { amount: 1_080n * CENT, refunded: 0n };
  const provider: PaymentProvider = Object.assign(Object.create(stage.provider) as PaymentProvider, {
    listEvents: () => Promise.resolve({ items: [], next: null }),
    listPayments: () =>
      Promise.resolve({
        items: [
          { ...theirs, payment: one, topUpId: first.id, amount: 1_081n * CENT },
          { ...theirs, payment: 'pi_other', topUpId: second.id },
          { ...theirs, payment: other, topUpId: second.id },
        ],
        next: null,
      }),
  });
  const now = new Date(Date.now() + 2 * HOUR_MS);
  const compared = await reconcile({ sql, provider, payments: stage.payments }, { night: now, now });
  expect(compared).toMatchObject({ compared: 3n, differenceCount: 2n });
  expect(compared?.differences).toEqual([
    `Payment ${one} of top-up ${first.id} is 10.81 USD there and 10.80 USD here.`,
    `Payment pi_other of top-up ${second.id} is not the payment that paid it here, ${other}.`,
  ]);
});

test('payments for closed workspaces are refunded whole for a day, by the provider that took them', async () => {
  const nowMs = Date.now();
  const payment = {
    workspaceId: '00000000-0000-7000-8000-000000000001',
    workspaceName: 'closed',
    provider: 'stripe',
    amount: CENT,
    paidAt: new Date(nowMs - DAY_MS),
  };
  const closed = [
    { ...payment, topUpId: 'refunded' },
    { ...payment, topUpId: 'too old', paidAt: new Date(nowMs - DAY_MS - 1) },
    { ...payment, topUpId: 'of another', provider: 'codes' },
    { ...payment, topUpId: 'refused' },
    { ...payment, topUpId: 'refunded too' },
  ];
  const asked: object[] = [];
  const payments: Parameters<typeof refundClosedPayments>[0] = {
    provider: 'stripe',
    refund: ({ workspaceId }, topUpId, order) => {
      asked.push({ workspaceId, topUpId, ...order });
      return Promise.resolve(
        topUpId === 'refused' ? refuse('CONFLICT', 'Stripe refused this.') : ({ id: topUpId } as TopUp),
      );
    },
  };
  expect(await refundClosedPayments(payments, closed, nowMs)).toBe(2);
  const order = { workspaceId: payment.workspaceId, amount: null, once: 'after-closing' };
  expect(asked).toEqual([
    { ...order, topUpId: 'refunded' },
    { ...order, topUpId: 'refused' },
    { ...order, topUpId: 'refunded too' },
  ]);
});
