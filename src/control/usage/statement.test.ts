import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, granted, openAccount, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { CENT, openTopUp } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { countUsageIn } from '../../../test/support/verify-ledger.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { correctReceipt } from '../ledger/corrections.ts';
import { postCredit } from '../ledger/postings.ts';
import { applyPaymentEvent, type PaymentFact } from '../payments/payment-facts.ts';
import { showWorkspace } from '../accounts/workspaces.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { readStatement, type Statement } from './statement.ts';
import { bucketStart } from './segments.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = bucketStart('month', Date.now());
const FORMER_MS = bucketStart('month', MONTH_MS - 1);

let testDatabase: TestDatabase;
let account: Account;
let spender: Spender;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  spender = await Spender.begin(testDatabase.database);
  await countUsageIn(testDatabase.database)();
});
beforeEach(async () => {
  account = await openAccount(testDatabase.database, { credit: 1_000n });
});
afterAll(() => testDatabase.stop());

let made = 0;
async function spendAt(timeMs: number, charge: bigint): Promise<string> {
  made += 1;
  const requestId = leastUuid7At(timeMs).slice(0, -12) + made.toString(16).padStart(12, '0');
  await spender.spend(account, { hold: 100n, charge }, { requestId, admittedAtMs: timeMs });
  return requestId;
}

async function statement(startMs = MONTH_MS, page: Parameters<typeof readStatement>[3] = {}): Promise<Statement> {
  return granted(await readStatement(testDatabase.control, scopeOf(account.workspace.id), new Date(startMs), page));
}

async function balance(): Promise<bigint> {
  return granted(await showWorkspace(testDatabase.control, scopeOf(account.workspace.id))).balance;
}

/** Each line as `kind amount → balance`, in the order in which they happened. */
const lined = ({ lines }: Statement): readonly string[] =>
  lines.items.map(({ kind, amount, balance: after }) => `${kind} ${amount} → ${after}`).toReversed();

test('a statement leads line by line to the balance, through charges that are counted and those that are not', async () => {
  await spendAt(MONTH_MS, 20n);
  await spendAt(MONTH_MS, 5n);
  await countUsageIn(testDatabase.database)();
  await spendAt(MONTH_MS, 30n);
  const read = await statement();
  const today = bucketStart('day', Date.now());
  expect(lined(read)).toEqual(
    today === MONTH_MS ? ['grant 1000 → 1000', 'usage -55 → 945'] : ['usage -55 → -55', 'grant 1000 → 945'],
  );
  expect(read.lines.items.find(({ kind }) => kind === 'usage')?.requests).toBe(3n);
  expect([read.opening, read.closing]).toEqual([0n, await balance()]);
});

test('each line of a payment, its refunds and its disputes names their top-up, whatever references they share', async () => {
  const sql = testDatabase.database;
  const topUps = new Map<string, string>();
  for (const [payment, kind] of [
    ['pi_1', 'refund'],
    ['pi_2', 'dispute'],
  ] as const) {
    const topUp = await openTopUp(sql, account.workspace.id);
    const { id: topUpId, workspaceId, origin, amount, fee } = topUp;
    const about = { topUpId, workspaceId, origin, payment, customer: null };
    const facts: readonly PaymentFact[] = [
      { kind: 'paid', ...about, amount: amount + fee, currency: 'usd' },
      { kind, payment, reference: 'same', amount: CENT, currency: 'usd', state: 'taken' },
    ];
    for (const fact of facts) await applyPaymentEvent(sql, { provider: 'stripe', id: randomUUID(), fact });
    topUps.set(kind, topUpId);
  }
  const { lines } = await statement();
  const named = lines.items.flatMap(({ kind, topUpId }) => (topUpId === null ? [] : [[kind, topUpId]]));
  const [refunded = '', disputed = ''] = [topUps.get('refund'), topUps.get('dispute')];
  expect(named).toEqual([
    ['dispute', disputed],
    ['top_up', disputed],
    ['refund', refunded],
    ['top_up', refunded],
  ]);
});

test('a month ends with the balance that the next one begins with', async () => {
  await spendAt(FORMER_MS + 3 * DAY_MS, 40n);
  await spendAt(FORMER_MS + 4 * DAY_MS, 2n);
  await spendAt(MONTH_MS, 100n);
  const former = await statement(FORMER_MS);
  const present = await statement();
  expect(lined(former)).toEqual(['usage -40 → -40', 'usage -2 → -42']);
  expect(former.closing).toBe(present.opening);
  expect(present.closing).toBe(await balance());
});

test('a correction is a line of its own that names its request, beside the unchanged charges of the day', async () => {
  const requestId = await spendAt(Date.now(), 60n);
  await countUsageIn(testDatabase.database)();
  granted(
    await correctReceipt(testDatabase.control, scopeOf(account.workspace.id), {
      requestId,
      charge: 10n,
      reason: 'too long',
      once: null,
    }),
  );
  const read = await statement();
  expect(lined(read)).toEqual(['grant 1000 → 1000', 'adjustment 50 → 1050', 'usage -60 → 990']);
  expect(read.lines.items.find(({ kind }) => kind === 'adjustment')?.receiptRequestId).toBe(requestId);
  expect(read.closing).toBe(await balance());
});

test('a statement of a workspace that owes leads to what it owes', async () => {
  const dispute = { kind: 'dispute', amount: -1_500n, reason: 'a test' } as const;
  granted(await postCredit(testDatabase.control, scopeOf(account.workspace.id), dispute));
  const read = await statement();
  expect(lined(read)).toEqual(['grant 1000 → 1000', 'dispute -1500 → -500']);
  expect([read.opening, read.closing, await balance()]).toEqual([0n, -500n, -500n]);
});

test('pages of a statement continue its running balance, in both directions', async () => {
  for (let day = 0; day < 5; day++) await spendAt(FORMER_MS + day * DAY_MS, BigInt(day + 1));
  const whole = lined(await statement(FORMER_MS));
  for (const direction of ['asc', 'desc'] as const) {
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page: Statement = await statement(FORMER_MS, { after, limit: 2, direction });
      found.push(...lined(page).toReversed());
      after = page.lines.next;
    } while (after !== null);
    expect(direction === 'asc' ? found : found.toReversed()).toEqual(whole);
  }
});

test('a day whose requests cost nothing has no line', async () => {
  await spendAt(MONTH_MS, 0n);
  expect(lined(await statement())).toEqual(['grant 1000 → 1000']);
});

test('a month without lines has the balance all the same', async () => {
  const read = await statement(FORMER_MS);
  expect(read).toMatchObject({ opening: 0n, closing: 0n, lines: { items: [], next: null } });
});

test('no statement is made of buckets that are not complete', async () => {
  await testDatabase.database.query(`update usage_folding set unbuilt = '{1}'`);
  const read = await readStatement(testDatabase.control, scopeOf(account.workspace.id), new Date(MONTH_MS));
  await testDatabase.database.query(`update usage_folding set unbuilt = '{}'`);
  expect(isRefusal(read) && read.code).toBe('SERVICE_UNAVAILABLE');
});
