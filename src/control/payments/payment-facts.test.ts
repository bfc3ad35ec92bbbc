import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { CENT, openTopUp } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { listPostings } from '../ledger/posting-history.ts';
import { postCredit } from '../ledger/postings.ts';
import { type Sql, SqlFault, type SqlRunner } from '../../lib/sql.ts';
import {
  applyPaymentEvent,
  type PaidFact,
  type PaymentFact,
  type ReversalFact,
  type ReversalState,
} from './payment-facts.ts';
import { readPaidCredit } from './paid-credit.ts';
import { showPaymentSettings } from './payment-settings.ts';
import { createTopUp, findTopUp, keepCheckout, type TopUp, type TopUpOrder } from './top-ups.ts';

let testDatabase: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const apply = (fact: PaymentFact, id: string = randomUUID(), on: SqlRunner = sql) =>
  applyPaymentEvent(on, { provider: 'stripe', id, fact });

function paid(topUp: TopUp, payment: string, more: Partial<PaidFact> = {}): PaidFact {
  const { id: topUpId, workspaceId, origin, amount, fee } = topUp;
  return {
    kind: 'paid',
    topUpId,
    workspaceId,
    origin,
    payment,
    amount: amount + fee,
    currency: 'usd',
    customer: null,
    ...more,
  };
}

const reversal = (
  kind: 'refund' | 'dispute',
  payment: string,
  cents: bigint,
  state: ReversalState = 'taken',
  reference: string = randomUUID(),
): ReversalFact => ({ kind, payment, reference, amount: cents * CENT, currency: 'usd', state });

interface Paid {
  readonly account: Account;
  readonly topUp: TopUp;
  readonly payment: string;
}

async function openPaid(): Promise<Paid> {
  const account = await openAccount(sql);
  const topUp = await openTopUp(sql, account.workspace.id);
  const payment = `pi_${randomUUID()}`;
  expect(await apply(paid(topUp, payment))).toMatchObject({ outcome: 'applied', topUpId: topUp.id });
  return { account, topUp, payment };
}

async function standing(workspaceId: string): Promise<{ balance: bigint | undefined; owed: bigint | undefined }> {
  const workspace = await workspaceNow(sql, workspaceId);
  return { balance: workspace?.balance, owed: workspace?.owed };
}

const stateOf = async ({ workspaceId, id }: TopUp) => (await findTopUp(sql, scopeOf(workspaceId), id))?.state;

test('a payment gives its credit without the fee, under its own name in the history', async () => {
  const { account, topUp, payment } = await openPaid();
  const { items } = await listPostings(sql, scopeOf(account.workspace.id));
  expect(items).toMatchObject([
    { kind: 'top_up', amount: 1_000n * CENT, actor: 'stripe', once: `payment:stripe:${payment}` },
  ]);
  expect(await findTopUp(sql, scopeOf(account.workspace.id), topUp.id)).toMatchObject({
    state: 'paid',
    payment,
    postingId: items[0]?.id,
  });
});

test('a payment keeps its customer if its top-up asks for it, and one without a customer leaves the former kept', async () => {
  const { workspace } = await openAccount(sql);
  const pay = async (savesMethod: boolean, customer: string | null) => {
    const topUp = await openTopUp(sql, workspace.id, { savesMethod });
    expect(await apply(paid(topUp, randomUUID(), { customer }))).toMatchObject({ outcome: 'applied' });
    return await showPaymentSettings(sql, scopeOf(workspace.id));
  };
  const { version } = await pay(true, 'cus_1');
  const changed = { customer: 'cus_2', version: version + 1 };
  expect(await pay(true, 'cus_2')).toMatchObject(changed);
  expect(await pay(true, null)).toMatchObject(changed);
  expect(await pay(false, 'cus_3')).toMatchObject(changed);
});

test('a payment takes the refunds of it that came before, and leaves those of other payments alone', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  const [own, other] = [randomUUID(), randomUUID()];
  for (const payment of [own, other]) await apply(reversal('refund', payment, 300n, 'taken', `re of ${payment}`));
  await apply(paid(topUp, own));
  expect(await standing(workspace.id)).toMatchObject({ balance: 700n * CENT });
  const topUpsOf = `select top_up_id as id from payment_reversals where reference = any ($1) order by reference = $2`;
  const references = [own, other].map((payment) => `re of ${payment}`);
  expect(await sql.query(topUpsOf, [references, references[1] ?? ''])).toEqual([{ id: topUp.id }, { id: null }]);
});

test('a payment whose event comes eight times at the same time, and under other ids, gives its credit once', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  const same = Array.from({ length: 8 }, () => apply(paid(topUp, 'pi_eight'), 'evt_eight'));
  const others = Array.from({ length: 4 }, () => apply(paid(topUp, 'pi_eight')));
  const outcomes = (await Promise.all([...same, ...others])).map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(7);
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(5);
  expect(await standing(workspace.id)).toMatchObject({ balance: 1_000n * CENT });
});

test.each([
  ['a smaller amount', { amount: 1_000n * CENT }, '10000000000 nano-USD were paid and not 10800000000'],
  ['a larger amount', { amount: 1_081n * CENT }, '10810000000 nano-USD were paid and not 10800000000'],
  [
    'a tax that is not on top of it',
    { tax: 190n * CENT },
    '10800000000 nano-USD were paid and not 12700000000, of them 1900000000 as tax',
  ],
  ['a tax below zero', { amount: 1_000n * CENT, tax: -80n * CENT }, 'its tax is -800000000 nano-USD'],
  ['another currency', { currency: 'eur' }, 'it was paid in eur and not in usd'],
  ['another purpose', { origin: 'auto' }, 'the top-up was made for another provider, workspace or purpose'],
  ['no id', { payment: null }, 'the payment has no id'],
] as const)(
  'a payment of %s than its top-up gives no credit and is left to the operator',
  async (_name, more, detail) => {
    const { workspace } = await openAccount(sql);
    const topUp = await openTopUp(sql, workspace.id);
    expect(await apply(paid(topUp, randomUUID(), more))).toMatchObject({ outcome: 'mismatch', detail });
    expect([await standing(workspace.id), await stateOf(topUp)]).toEqual([{ balance: 0n, owed: 0n }, 'pending']);
  },
);

test('a payment of another workspace, another provider or another payment than the first gives no credit', async () => {
  const { topUp, payment, account } = await openPaid();
  const other = await openAccount(sql);
  const second = await openTopUp(sql, account.workspace.id);
  expect(await apply(paid(second, 'pi_x', { workspaceId: other.workspace.id }))).toMatchObject({ outcome: 'mismatch' });
  const fact = paid(second, 'pi_x');
  expect(await applyPaymentEvent(sql, { provider: 'other', id: 'evt', fact })).toMatchObject({ outcome: 'mismatch' });
  expect(await apply(paid(topUp, 'pi_second'))).toMatchObject({
    outcome: 'mismatch',
    detail: `it was paid before, by ${payment}`,
  });
  expect(await apply(paid(second, payment))).toMatchObject({
    outcome: 'mismatch',
    detail: 'the payment has paid another top-up',
  });
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 1_000n * CENT });
  expect(await standing(other.workspace.id)).toMatchObject({ balance: 0n });
});

test('a payment of a top-up that is not known is left to the operator if it names a workspace, else ignored', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  const lost = { ...topUp, id: randomUUID() };
  expect(await apply(paid(lost, 'pi_lost'))).toMatchObject({ outcome: 'mismatch', workspaceId: workspace.id });
  const foreign = { ...lost, workspaceId: randomUUID() };
  expect(await apply(paid(foreign, 'pi_foreign'))).toMatchObject({ outcome: 'ignored', workspaceId: null });
});

test('a payment that an operator posted by hand under its name gives no second credit', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  const byHand = { kind: 'top_up', amount: 1_000n * CENT, reason: 'the webhook was down' } as const;
  await postCredit(sql, scopeOf(workspace.id), { ...byHand, once: 'payment:stripe:pi_hand' });
  expect(await apply(paid(topUp, 'pi_hand'))).toMatchObject({ outcome: 'mismatch' });
  expect(await standing(workspace.id)).toMatchObject({ balance: 1_000n * CENT });
});

test('a top-up that has failed or expired is paid if its payment arrives, and stays paid whatever else does', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  const about = { topUpId: topUp.id, workspaceId: workspace.id, origin: 'checkout' } as const;
  await apply({ kind: 'processing', ...about });
  expect(await stateOf(topUp)).toBe('processing');
  await apply({ kind: 'failed', failure: 'bank', ...about });
  await apply({ kind: 'expired', ...about });
  expect(await findTopUp(sql, scopeOf(workspace.id), topUp.id)).toMatchObject({ state: 'failed', failure: 'bank' });
  await apply(paid(topUp, 'pi_late'));
  await apply({ kind: 'expired', ...about });
  await apply({ kind: 'processing', ...about });
  expect(await stateOf(topUp)).toBe('paid');
  expect(await standing(workspace.id)).toMatchObject({ balance: 1_000n * CENT });
});

test('an event that comes again is answered as it was, whatever became of others', async () => {
  const { topUp, payment } = await openPaid();
  const events = [
    ['evt_wrong', paid(topUp, 'pi_other')],
    ['evt_refund', reversal('refund', payment, 1n)],
    ['evt_nobody', reversal('refund', 'pi_nobody', 1n)],
  ] as const;
  const answers = [];
  for (const [id, fact] of events) answers.push(await apply(fact, id));
  expect(answers.map(({ outcome, topUpId }) => [outcome, topUpId])).toEqual([
    ['mismatch', topUp.id],
    ['applied', topUp.id],
    ['applied', null],
  ]);
  for (const [index, [id, fact]] of events.entries()) {
    expect(await apply(fact, id)).toEqual({ ...answers[index], outcome: 'repeated' });
  }
});

test('refunds take their amounts one by one, the fee last, and never more than the credit of their payment', async () => {
  const { account, topUp, payment } = await openPaid();
  const answer = await apply(reversal('refund', payment, 300n, 'taken', 're_1'));
  const { workspaceId, id: topUpId } = topUp;
  expect(answer).toEqual({ outcome: 'applied', detail: null, topUpId, workspaceId });
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 700n * CENT });
  await apply(reversal('refund', payment, 300n, 'taken', 're_1'));
  await apply(reversal('refund', payment, 500n, 'taken', 're_2'));
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 200n * CENT });
  await apply(reversal('refund', payment, 280n, 'taken', 're_3'));
  expect(await standing(account.workspace.id)).toEqual({ balance: 0n, owed: 0n });
  const { items } = await listPostings(sql, scopeOf(account.workspace.id));
  expect(items.map(({ once }) => once)).toEqual([
    'refund:stripe:re_3',
    'refund:stripe:re_2',
    'refund:stripe:re_1',
    `payment:stripe:${payment}`,
  ]);
});

test('a refund of credit that is spent leaves a debt, and one that fails gives its credit back', async () => {
  const { account, payment } = await openPaid();
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 900n * CENT, charge: 700n * CENT });
  await spender.end();
  await apply(reversal('refund', payment, 1_080n, 'taken', 're_spent'));
  expect(await standing(account.workspace.id)).toEqual({ balance: -700n * CENT, owed: 700n * CENT });
  await apply(reversal('refund', payment, 1_080n, 'returned', 're_spent'));
  await apply(reversal('refund', payment, 1_080n, 'taken', 're_spent'));
  expect(await standing(account.workspace.id)).toEqual({ balance: 300n * CENT, owed: 0n });
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});

test('a dispute takes the credit when it opens, keeps it if it is lost and gives it back if it is won', async () => {
  const { account, payment } = await openPaid();
  await apply(reversal('dispute', payment, 1_080n, 'announced', 'dp_1'));
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 1_000n * CENT });
  await apply(reversal('dispute', payment, 1_080n, 'taken', 'dp_1'));
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 0n });
  await apply(reversal('dispute', payment, 1_080n, 'lost', 'dp_1'));
  await apply(reversal('dispute', payment, 1_080n, 'taken', 'dp_1'));
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 0n });
  const won = await openPaid();
  await apply(reversal('dispute', won.payment, 1_080n, 'taken', 'dp_2'));
  await apply(reversal('dispute', won.payment, 1_080n, 'returned', 'dp_2'));
  await apply(reversal('dispute', won.payment, 1_080n, 'taken', 'dp_2'));
  expect(await standing(won.account.workspace.id)).toEqual({ balance: 1_000n * CENT, owed: 0n });
});

test('a dispute that is won after a refund has failed gives back more than disputes took', async () => {
  const { account, payment } = await openPaid();
  await apply(reversal('refund', payment, 1_080n, 'taken', 're_first'));
  await apply(reversal('dispute', payment, 480n, 'taken', 'dp_second'));
  await apply(reversal('refund', payment, 1_080n, 'returned', 're_first'));
  await apply(reversal('dispute', payment, 480n, 'returned', 'dp_second'));
  expect(await standing(account.workspace.id)).toEqual({ balance: 1_000n * CENT, owed: 0n });
});

test('a refund of what an operator has refunded by hand already is taken all the same, as an adjustment', async () => {
  const { account, payment } = await openPaid();
  const byHand = { kind: 'refund', amount: -1_000n * CENT, reason: 'by hand' } as const;
  await postCredit(sql, scopeOf(account.workspace.id), byHand);
  await apply(reversal('refund', payment, 1_080n));
  expect((await listPostings(sql, scopeOf(account.workspace.id))).items[0]).toMatchObject({ kind: 'adjustment' });
  expect(await standing(account.workspace.id)).toEqual({ balance: -1_000n * CENT, owed: 1_000n * CENT });
});

test('a refund in another currency, or with another amount or payment than before, is left to the operator', async () => {
  const { account, payment } = await openPaid();
  const refund = reversal('refund', payment, 100n, 'taken', 're_same');
  await apply(refund);
  expect(await apply({ ...reversal('refund', payment, 100n), currency: 'eur' })).toMatchObject({ outcome: 'mismatch' });
  expect(await apply(reversal('refund', payment, 101n, 'taken', 're_same'))).toMatchObject({ outcome: 'mismatch' });
  expect(await apply(reversal('refund', 'pi_z', 100n, 'taken', 're_same'))).toMatchObject({ outcome: 'mismatch' });
  expect(await standing(account.workspace.id)).toMatchObject({ balance: 900n * CENT });
});

test('a refund that is applied at the same moment as its payment, and commits later, is taken', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  let payment: Promise<unknown> = Promise.resolve();
  await sql.transaction(async (tx) => {
    await apply(reversal('refund', 'pi_same_moment', 300n), randomUUID(), tx);
    payment = apply(paid(topUp, 'pi_same_moment'));
    let isOver = false;
    payment.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    await expect.poll(async () => isOver || (await waitingForLocks()) > 0, { timeout: 20_000 }).toBe(true);
  });
  await payment;
  expect(await standing(workspace.id)).toMatchObject({ balance: 700n * CENT });
});

test('an event that can never be read or stored is kept for the operator in one line; other faults are not its own', async () => {
  const unreadable = { kind: 'unreadable', problem: `a\nb\u0000${'x'.repeat(300)}` } as const;
  const detail = `it can't be read: a b ${'x'.repeat(178)}`;
  const id = randomUUID();
  const kept = { detail, topUpId: null, workspaceId: null };
  expect(await apply(unreadable, id)).toEqual({ outcome: 'mismatch', ...kept });
  expect(await apply(unreadable, id)).toEqual({ outcome: 'repeated', ...kept });
  expect(
    await sql.query('select provider, fact, outcome, detail from payment_events where id = $1', [`unreadable:${id}`]),
  ).toEqual([{ provider: 'stripe', fact: 'unreadable', outcome: 'mismatch', detail }]);

  const failing = (sqlState: string): SqlRunner => ({
    query: (text, values) =>
      text.includes('apply_payment_fact')
        ? Promise.reject(new SqlFault('it failed', sqlState, null))
        : sql.query(text, values),
  });
  const refund = reversal('refund', 'pi_failing', 1n);
  for (const sqlState of ['22003', '23514']) {
    expect(await apply(refund, randomUUID(), failing(sqlState))).toMatchObject({
      outcome: 'mismatch',
      detail: `it can't be read: it can't be stored (${sqlState})`,
    });
  }
  for (const sqlState of ['42P22', '40001']) {
    await expect(apply(refund, randomUUID(), failing(sqlState))).rejects.toThrow('it failed');
  }
});

test('a top-up has all that it was ordered with, is recorded, and keeps the page that was opened for it first', async () => {
  const { workspace } = await openAccount(sql);
  const scope = scopeOf(workspace.id);
  const order: TopUpOrder = {
    provider: 'stripe',
    origin: 'checkout',
    amount: 700n * CENT,
    fee: 3n * CENT,
    savesMethod: true,
    once: 'bill-1',
  };
  const made = await createTopUp(sql, scope, order);
  const ordered = {
    tax: 0n,
    ...order,
    id: expect.any(String),
    workspaceId: workspace.id,
    state: 'pending',
    refunded: 0n,
    disputed: 0n,
    actor: 'test',
    checkoutReference: null,
    checkoutUrl: null,
    expiresAt: null,
    payment: null,
    postingId: null,
    failure: null,
    createdAt: expect.any(Date),
    updatedAt: expect.any(Date),
  };
  expect(made).toEqual({ ...ordered, repeated: false });
  expect(await createTopUp(sql, scope, order)).toEqual({ ...made, repeated: true });
  for (const other of [{ amount: 701n * CENT }, { provider: 'codes' }, { savesMethod: false }]) {
    expect(await createTopUp(sql, scope, { ...order, ...other })).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
      param: 'once',
      message: 'Another top-up was made under "bill-1", with another amount or other terms.',
    });
  }
  const { id } = made as TopUp;
  const audited = 'select action, target_kind as kind, before, after from audit_events where target_id = $1';
  expect(await sql.query(audited, [id])).toEqual([
    {
      action: 'top_up.create',
      kind: 'top_up',
      before: null,
      after: { provider: 'stripe', amount_nano_usd: '7000000000', fee_nano_usd: '30000000' },
    },
  ]);
  const expiresAt = new Date(1_900_000_000_000);
  for (const url of ['https://pay.example/1', 'https://pay.example/2']) {
    await keepCheckout(sql, workspace.id, id, { reference: 'cs_1', url, expiresAt });
  }
  const page = { checkoutReference: 'cs_1', checkoutUrl: 'https://pay.example/1', expiresAt };
  expect(await findTopUp(sql, scope, id)).toMatchObject(page);
  expect(await findTopUp(sql, scope, randomUUID())).toBeNull();
});

test('a workspace has at most fifty top-ups that wait to be paid, and may ask for any of them again', async () => {
  const { workspace } = await openAccount(sql);
  const { id } = await openTopUp(sql, workspace.id, { once: 'first' });
  const copies = `insert into top_ups select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'once', n::text))).*
    from top_ups t, generate_series(2, $2::int) n where t.id = $1`;
  await sql.query(copies, [id, 49]);
  expect(await openTopUp(sql, workspace.id, { once: 'fiftieth' })).toMatchObject({ repeated: false });
  await expect(openTopUp(sql, workspace.id)).rejects.toThrow(
    '50 top-ups wait to be paid: pay one, or wait until some have expired.',
  );
  expect(await openTopUp(sql, workspace.id, { once: 'first' })).toMatchObject({ id, repeated: true });
});

test('what was paid for credit and has not gone back is the payments without fees, and never less than nothing', async () => {
  const { account, payment } = await openPaid();
  const scope = scopeOf(account.workspace.id);
  expect(await readPaidCredit(sql, scope)).toBe(1_000n * CENT);
  await apply(reversal('refund', payment, 300n));
  expect(await readPaidCredit(sql, scope)).toBe(700n * CENT);
  const { workspace: debtor } = await openAccount(sql);
  expect(await readPaidCredit(sql, scopeOf(debtor.id))).toBe(0n);
  await postCredit(sql, scopeOf(debtor.id), { kind: 'dispute', amount: -CENT, reason: 'lost' });
  expect(await readPaidCredit(sql, scopeOf(debtor.id))).toBe(0n);
});

async function waitingForLocks(): Promise<number> {
  return (await sql.query(`select from pg_locks where locktype = 'advisory' and not granted`)).length;
}

test('a payment with tax gives its credit alone, and says what its tax was, and no other after it', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  const taxed = paid(topUp, 'pi_taxed', { amount: 1_285n * CENT, tax: 205n * CENT });
  expect(await apply(taxed)).toMatchObject({ outcome: 'applied' });
  expect(await apply(taxed)).toMatchObject({ outcome: 'applied' });
  expect(await apply(paid(topUp, 'pi_taxed'))).toMatchObject({
    outcome: 'mismatch',
    detail: 'its tax was 2050000000 nano-USD before, and not 0',
  });
  expect(await standing(workspace.id)).toEqual({ balance: 1_000n * CENT, owed: 0n });
  expect(await findTopUp(sql, scopeOf(workspace.id), topUp.id)).toMatchObject({ tax: 205n * CENT, fee: 80n * CENT });
});

test('a refund returns its share of the tax, so that a whole one takes the credit and no more', async () => {
  const { workspace } = await openAccount(sql);
  const topUp = await openTopUp(sql, workspace.id);
  await apply(paid(topUp, 'pi_shared', { amount: 1_350n * CENT, tax: 270n * CENT }));
  await apply(reversal('refund', 'pi_shared', 500n));
  // Of 5.00, a fifth is tax.
  expect(await standing(workspace.id)).toMatchObject({ balance: 600n * CENT });
  await apply(reversal('refund', 'pi_shared', 850n));
  expect(await standing(workspace.id)).toEqual({ balance: 0n, owed: 0n });
});

interface Story {
  /** Of the payment, in cents. */
  readonly tax: bigint;
  /** Each reversal's reports, in any number and order. */
  readonly reversals: readonly { kind: 'refund' | 'dispute'; cents: bigint; states: readonly ReversalState[] }[];
  readonly order: readonly number[];
}

const stories: fc.Arbitrary<Story> = fc.record({
  tax: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 300n })),
  reversals: fc.array(
    fc.record({
      kind: fc.constantFrom('refund' as const, 'dispute' as const),
      cents: fc.bigInt({ min: 1n, max: 1_500n }),
      states: fc.uniqueArray(fc.constantFrom<ReversalState>('announced', 'taken', 'lost', 'returned'), {
        minLength: 1,
      }),
    }),
    { maxLength: 4 },
  ),
  order: fc.array(fc.nat(1_000), { minLength: 12, maxLength: 30 }),
});

/** What a payment of 10 USD leaves of its credit in the end, whatever came in which order. */
function creditLeft({ reversals, tax }: Story): bigint {
  const back = reversals
    .filter(({ states }) => !states.includes('returned') && (states.includes('taken') || states.includes('lost')))
    .reduce((sum, { cents }) => sum + cents, 0n);
  const share = (back * CENT * tax) / (1_080n + tax);
  const taken = back * CENT - (share > tax * CENT ? tax * CENT : share);
  return taken > 1_000n * CENT ? 0n : 1_000n * CENT - taken;
}

test('any order, repetition and concurrency of the events of a payment ends in the same credit', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const { workspace } = await openAccount(sql);
      const topUp = await openTopUp(sql, workspace.id);
      const payment = `pi_${topUp.id}`;
      const about = { topUpId: topUp.id, workspaceId: workspace.id, origin: 'checkout' } as const;
      const facts: PaymentFact[] = [
        paid(topUp, payment, { amount: (1_080n + story.tax) * CENT, tax: story.tax * CENT }),
        { kind: 'processing', ...about },
        { kind: 'failed', failure: 'bank', ...about },
        ...story.reversals.flatMap(({ kind, cents, states }, index) =>
          states.map((state) => reversal(kind, payment, cents, state, `${kind}_${topUp.id}_${index}`)),
        ),
      ];
      const rounds = [...story.order.map((pick) => pick % facts.length), ...facts.keys()];
      const shuffled = rounds.toSorted((left, right) => ((left * 7_919 + 13) % 101) - ((right * 7_919 + 13) % 101));
      const deliver = (index: number, copy: number): Promise<unknown> => {
        const fact = facts[index];
        if (fact === undefined) throw new Error('a story has a fact for each delivery');
        return apply(fact, copy % 3 === 0 ? randomUUID() : `${topUp.id} ${index}`);
      };
      for (let start = 0; start < shuffled.length; start += 4) {
        await Promise.all(shuffled.slice(start, start + 4).map((index, offset) => deliver(index, start + offset)));
      }
      expect(await standing(workspace.id)).toEqual({ balance: creditLeft(story), owed: 0n });
      expect(await stateOf(topUp)).toBe('paid');
    }),
    { numRuns: 40 },
  );
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});
