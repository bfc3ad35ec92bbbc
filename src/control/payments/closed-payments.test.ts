import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openTopUp } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { closeWorkspace } from '../accounts/workspaces.ts';
import { finishClosing, readClosedCredit } from '../accounts/closing.ts';
import { readClosedPayments } from './closed-payments.ts';
import { applyPaymentEvent, type PaymentFact } from './payment-facts.ts';
import type { TopUp } from './top-ups.ts';

// A payment of 10 credits and a fee of 3, in nano-USD, which came after its workspace was closed.

let db: TestDatabase;
let account: Account;
let topUp: TopUp;
let events = 0;

beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());
beforeEach(async () => {
  account = await openAccount(db.database);
  topUp = await openTopUp(db.database, account.workspace.id, { amount: 10n, fee: 3n });
  await db.database.transaction((tx) => closeWorkspace(tx, scopeOf(account.workspace.id), { version: null }));
  await finishClosing(db.database);
  const { workspaceId, origin } = topUp;
  const paid = { topUpId: topUp.id, workspaceId, origin, payment: topUp.id, amount: 13n, currency: 'usd' } as const;
  await apply({ kind: 'paid', ...paid, customer: null });
});

async function apply(fact: PaymentFact): Promise<void> {
  const id = `event ${(events += 1)}`;
  expect(await applyPaymentEvent(db.database, { provider: 'stripe', id, fact })).toMatchObject({ outcome: 'applied' });
}

const refund = (amount: bigint, state: 'announced' | 'taken' | 'returned', reference = 'a refund'): Promise<void> =>
  apply({ kind: 'refund', payment: topUp.id, reference: `${topUp.id} ${reference}`, amount, currency: 'usd', state });

/** What is still in the credit of the workspace's closed payments; null: none is left to go back. */
async function creditLeft(): Promise<bigint | null> {
  const [row] = await db.database.query<{ paid: bigint; credit: bigint }>(
    'select paid_nano_usd as paid, credit_nano_usd as credit from closed_payments() where workspace_id = $1',
    [account.workspace.id],
  );
  if (row === undefined) return null;
  expect(row.paid).toBe(13n);
  return row.credit;
}

// What has been refunded, and what of the credit is still there: the fee goes back last.
test.each<[string, readonly bigint[], bigint | null]>([
  ['nothing was refunded', [], 10n],
  ['part of the credit was refunded', [4n], 6n],
  ['all but the fee was refunded', [10n], 0n],
  ['part of the fee was refunded too', [10n, 2n], 0n],
  ['all was refunded', [10n, 3n], null],
])('a payment for a closed workspace of which %s has the right rest in the credit', async (_, amounts, credit) => {
  for (const [index, amount] of amounts.entries()) await refund(amount, 'taken', `refund ${index}`);
  expect(await creditLeft()).toBe(credit);
  const listed = (await readClosedPayments(db.database)).filter(({ topUpId }) => topUpId === topUp.id);
  expect(listed).toHaveLength(credit === null ? 0 : 1);
  // What the provider returns is no credit that the sweep refunds.
  const swept = (await readClosedCredit(db.database)).filter(({ workspaceId }) => workspaceId === account.workspace.id);
  expect(swept).toEqual([]);
});

test('a refund that failed leaves its payment for a closed workspace to be refunded', async () => {
  await refund(13n, 'taken');
  expect(await creditLeft()).toBeNull();
  await refund(13n, 'returned');
  expect(await creditLeft()).toBe(10n);
});

test('a refund that is only announced leaves its payment for a closed workspace to be refunded', async () => {
  await refund(13n, 'announced');
  expect(await creditLeft()).toBe(10n);
});

test('a payment that came before its workspace was closed is none of those that go back by themselves', async () => {
  await db.database.query("update workspaces set archived_at = now() + interval '1 hour' where id = $1", [
    account.workspace.id,
  ]);
  expect(await creditLeft()).toBeNull();
});
