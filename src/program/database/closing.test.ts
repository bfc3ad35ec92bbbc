import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type Account,
  granted,
  grantCredit,
  openAccount,
  Spender,
  workspaceNow,
} from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { openTopUp } from '../../../test/support/payments.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import {
  commitOnceAwaited,
  type StandingStatement,
  startStandingStatement,
} from '../../../test/support/standing-statement.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { finishClosing, readClosedCredit, refundClosedCredit } from '../../control/accounts/closing.ts';
import { findProblems } from '../../control/admin/problems.ts';
import { closeWorkspace } from '../../control/accounts/workspaces.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { correctReceipt } from '../../control/ledger/corrections.ts';
import type { PostingKind } from '../../control/ledger/posting.ts';
import { postCredit } from '../../control/ledger/postings.ts';
import { readClosedPayments } from '../../control/payments/closed-payments.ts';
import { createBatch } from '../../control/payments/codes/code-batches.ts';
import { redeemCode } from '../../control/payments/codes/redeem-code.ts';
import { readPaidCredit } from '../../control/payments/paid-credit.ts';
import { createTopUp } from '../../control/payments/top-ups.ts';

// No credit stays in a workspace that is closed: whatever posts to it comes before the closing, which refunds it, or sees it.

let db: TestDatabase;
let standing: StandingStatement[] = [];

beforeAll(async () => {
  db = await startTestDatabase();
});
afterEach(async () => {
  await Promise.all(standing.map((each) => each.close()));
  standing = [];
});
afterAll(() => db.stop());

async function stand(statement: string, values: readonly (string | null)[]): Promise<StandingStatement> {
  const started = await startStandingStatement(db, statement, values);
  standing.push(started);
  return started;
}

const post = (workspaceId: string, kind: PostingKind, amount: bigint) =>
  postCredit(db.database, scopeOf(workspaceId), { kind, amount, reason: 'by hand' });

const untilOneWaits = (): Promise<void> =>
  expect
    .poll(() => db.database.query('select from pg_locks where not granted'), { interval: 2, timeout: 15_000 })
    .not.toHaveLength(0);

const startClosing = async (workspaceId: string): Promise<void> =>
  void granted(await db.database.transaction((tx) => closeWorkspace(tx, scopeOf(workspaceId), { version: null })));

async function close(workspaceId: string): Promise<void> {
  await startClosing(workspaceId);
  await finishClosing(db.database);
  expect(await workspaceNow(db.database, workspaceId)).toMatchObject({ state: 'closed', balance: 0n });
}

async function newCode(): Promise<string> {
  const order = { count: 1, amount: 70n, sold: true, expiresAt: new Date(Date.now() + 3_600_000) };
  const batch = await createBatch(db.database, operatorScope(), { ...order, reason: 'a test', once: null });
  return granted(batch).codes?.[0] ?? '';
}

const FACT = 'select outcome from apply_payment_fact($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';

/** The arguments of a payment, or with a reference of a refund or dispute, as the provider reports it. */
const factOf = (fact: string, topUp: string, workspaceId: string, reference: string | null = null) => [
  'stripe',
  randomUUID(),
  fact,
  `payment of ${topUp}`,
  reference === null ? topUp : null,
  reference === null ? workspaceId : null,
  reference === null ? 'checkout' : null,
  reference,
  String(1_080n * 10_000_000n),
  'usd',
  null,
  null,
];

/** An account with a charged request, whose receipt could be corrected. */
async function spentAccount(): Promise<Account & { readonly requestId: string }> {
  const account = await openAccount(db.database, { credit: 1_000n });
  const spender = await Spender.begin(db.database);
  const { requestId } = await spender.spend(account, { hold: 30n, charge: 20n });
  await spender.end();
  granted(await post(account.workspace.id, 'dispute', -5n));
  return { ...account, requestId };
}

let corrections = 0;
const GIFTS: readonly [string, (account: Awaited<ReturnType<typeof spentAccount>>) => Promise<unknown>][] = [
  ['a grant', ({ workspace }) => post(workspace.id, 'grant', 1n)],
  ['a top-up by hand', ({ workspace }) => post(workspace.id, 'top_up', 1n)],
  ['an adjustment', ({ workspace }) => post(workspace.id, 'adjustment', 1n)],
  ['a dispute that was won', ({ workspace }) => post(workspace.id, 'dispute', 1n)],
  [
    'a correction of a receipt',
    ({ workspace, requestId }) => {
      const correction = { requestId, charge: 10n - BigInt((corrections += 1)), reason: 'a slip' };
      return correctReceipt(db.database, scopeOf(workspace.id), correction);
    },
  ],
  ['a redemption code', async ({ workspace }) => redeemCode(db.database, scopeOf(workspace.id), await newCode())],
  [
    'a new page to pay on',
    ({ workspace }) =>
      createTopUp(db.database, scopeOf(workspace.id), {
        provider: 'stripe',
        origin: 'checkout',
        amount: 1_000n,
        fee: 0n,
        savesMethod: false,
        once: null,
      }),
  ],
];

test.each(GIFTS)('a workspace takes %s before it is closed, and refuses it from then on', async (_what, give) => {
  const account = await spentAccount();
  expect(await give(account)).not.toHaveProperty('code');
  await startClosing(account.workspace.id);
  const refused: Partial<Refusal> = { code: 'CONFLICT', message: expect.stringContaining('has been closed') };
  expect(await give(account)).toMatchObject(refused);
  await finishClosing(db.database);
  expect(await give(account)).toMatchObject(refused);
  expect(await workspaceNow(db.database, account.workspace.id)).toMatchObject({ state: 'closed', balance: 0n });
});

test('a closed workspace can still be debited', async () => {
  const { workspace } = await spentAccount();
  await close(workspace.id);
  granted(await post(workspace.id, 'dispute', -7n));
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ balance: -7n, owed: 7n });
});

test('a posting that meets the end of a closing waits for it and is refused', async () => {
  const { workspace } = await openAccount(db.database, { credit: 50n });
  await startClosing(workspace.id);
  const closing = await stand('select refund_closing($1, $2)', [workspace.id, 'closing']);
  const late = post(workspace.id, 'grant', 7n);
  await commitOnceAwaited(db, closing);
  expect(await late).toMatchObject({ code: 'CONFLICT' });
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ state: 'closed', balance: 0n });
});

test('a posting that has not committed when the closing ends is refunded by it', async () => {
  const { workspace } = await openAccount(db.database, { credit: 50n });
  const grant = await stand(`select post_credit($1, $2, 'grant', 7, 'a', 'a test', null, null)`, [
    randomUUID(),
    workspace.id,
  ]);
  await startClosing(workspace.id);
  const ended = finishClosing(db.database);
  await commitOnceAwaited(db, grant);
  await ended;
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ state: 'closed', balance: 0n });
});

test('a code that is redeemed while its workspace is closed is refunded, or can be redeemed for another', async () => {
  const [early, late] = [await openAccount(db.database), await openAccount(db.database)];
  const code = await newCode();
  const hash = 'select redeem_code((select code_sha256 from redemption_codes order by id desc limit 1), $1, $2, $3)';
  const redeeming = await stand(hash, [early.workspace.id, randomUUID(), 'somebody']);
  const closed = startClosing(early.workspace.id);
  await commitOnceAwaited(db, redeeming);
  await closed;
  await finishClosing(db.database);
  expect(await workspaceNow(db.database, early.workspace.id)).toMatchObject({ state: 'closed', balance: 0n });
  expect(await redeemCode(db.database, scopeOf(late.workspace.id), code)).toMatchObject({ code: 'CONFLICT' });

  const other = await newCode();
  const closing = await stand('update workspaces set closing_at = now() where id = $1', [late.workspace.id]);
  const refused = redeemCode(db.database, scopeOf(late.workspace.id), other);
  await commitOnceAwaited(db, closing);
  expect(await refused).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('another one') });
  const third = await openAccount(db.database);
  granted(await redeemCode(db.database, scopeOf(third.workspace.id), other));
});

test('a payment that begins to be posted before its workspace is closed, and ends after it, is returned to its payer', async () => {
  const { workspace } = await openAccount(db.database, { credit: 50n });
  const topUp = await openTopUp(db.database, workspace.id);
  const busy = await stand('select from top_ups where id = $1 for no key update', [topUp.id]);
  const paid = db.database.query(FACT, factOf('paid', topUp.id, workspace.id));
  await untilOneWaits();
  await close(workspace.id);
  await busy.commit();
  expect(await paid).toEqual([{ outcome: 'applied' }]);
  expect(await readClosedPayments(db.database)).toMatchObject([{ topUpId: topUp.id, amount: 10_800_000_000n }]);
  expect([await readClosedCredit(db.database), await refundClosedCredit(db.database)]).toEqual([[], 0]);
  expect(await verifyLedger(db.database)).toMatchObject({ ok: true });
  await db.database.query(FACT, factOf('refund taken', topUp.id, workspace.id, 'refund 1'));
  expect(await readClosedPayments(db.database)).toEqual([]);
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ balance: 0n, owed: 0n });
});

test('a payment that is posted while the closing waits to begin is refunded with the rest of the credit', async () => {
  const { workspace } = await openAccount(db.database);
  const topUp = await openTopUp(db.database, workspace.id);
  await startClosing(workspace.id);
  const busy = await stand('select from workspaces where id = $1 for no key update', [workspace.id]);
  const closing = finishClosing(db.database);
  await untilOneWaits();
  await db.database.query(FACT, factOf('paid', topUp.id, workspace.id));
  await busy.commit();
  await closing;
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ state: 'closed', balance: 0n });
  expect(await readClosedPayments(db.database)).toEqual([]);
});

test('a dispute that is won after its workspace was closed leaves no credit there', async () => {
  const { workspace } = await openAccount(db.database);
  const topUp = await openTopUp(db.database, workspace.id);
  await db.database.query(FACT, factOf('paid', topUp.id, workspace.id));
  await db.database.query(FACT, factOf('dispute taken', topUp.id, workspace.id, 'dispute 1'));
  await grantCredit(db.database, workspace.id, 3n);
  await close(workspace.id);
  await db.database.query(FACT, factOf('dispute returned', topUp.id, workspace.id, 'dispute 1'));
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ balance: 0n, owed: 0n });
  expect(await verifyLedger(db.database)).toMatchObject({ ok: true });
});

test('closing refunds what was paid, and adjusts away what was given', async () => {
  const { workspace } = await openAccount(db.database, { credit: 30n });
  granted(await post(workspace.id, 'top_up', 50n));
  granted(await post(workspace.id, 'refund', -20n));
  expect(await readPaidCredit(db.database, scopeOf(workspace.id))).toBe(30n);
  await close(workspace.id);
  const accounts = await db.database.query(
    `select kind, account, amount_nano_usd as amount from ledger_entries join ledger_postings q on q.id = posting_id
     where q.workspace_id = $1 and reason = 'the workspace was closed' order by kind, account`,
    [workspace.id],
  );
  expect(accounts).toEqual([
    { kind: 'adjustment', account: 'adjustments', amount: 30n },
    { kind: 'adjustment', account: 'credit', amount: -30n },
    { kind: 'refund', account: 'credit', amount: -30n },
    { kind: 'refund', account: 'payments', amount: 30n },
  ]);
});

/** What refunds for the closing of a workspace have taken from its credit, by their kinds. */
const takenByClosing = (workspaceId: string): Promise<readonly object[]> =>
  db.database.query(
    `select kind, amount_nano_usd as amount from postings
     where workspace_id = $1 and reason = 'the workspace was closed' order by kind`,
    [workspaceId],
  );

test('closing refunds no more of what was paid than is left of the credit', async () => {
  const account = await openAccount(db.database);
  granted(await post(account.workspace.id, 'top_up', 50n));
  const spender = await Spender.begin(db.database);
  await spender.spend(account, { hold: 20n, charge: 20n });
  await spender.end();
  await close(account.workspace.id);
  expect(await takenByClosing(account.workspace.id)).toEqual([{ kind: 'refund', amount: -30n }]);
});

test('closing does not wait for leases of which all is charged: they have no credit to give back', async () => {
  const account = await openAccount(db.database, { credit: 50n });
  const spender = await Spender.begin(db.database);
  await spender.spend(account, { hold: 20n, charge: 20n });
  await close(account.workspace.id);
  expect(await takenByClosing(account.workspace.id)).toEqual([{ kind: 'adjustment', amount: -30n }]);
  await spender.end();
  expect(await verifyLedger(db.database)).toMatchObject({ ok: true });
});

test('closing archives only a workspace that is being closed, and once', async () => {
  const { workspace } = await openAccount(db.database, { credit: 40n });
  const end = () => db.database.query('select refund_closing($1, $2) as ended', [workspace.id, 'closing']);
  expect(await end()).toEqual([{ ended: false }]);
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ balance: 40n });
  await startClosing(workspace.id);
  expect([await end(), await end()]).toEqual([[{ ended: true }], [{ ended: false }]]);
});

const archive = (workspaceId: string): Promise<unknown> =>
  db.database.query('update workspaces set closing_at = now(), archived_at = now() where id = $1', [workspaceId]);

test('credit that a closed workspace holds is refunded once by two that find it', async () => {
  const { workspace } = await openAccount(db.database, { credit: 40n });
  await archive(workspace.id);
  const first = await stand('select refund_closed($1, $2)', [workspace.id, 'one']);
  const second = db.database.query('select refund_closed($1, $2) as refunded', [workspace.id, 'another']);
  await commitOnceAwaited(db, first);
  expect(await second).toEqual([{ refunded: false }]);
  expect(await workspaceNow(db.database, workspace.id)).toMatchObject({ balance: 0n, owed: 0n });
});

test('credit that a closed workspace holds beside a payment that goes back is adjusted away', async () => {
  const { workspace } = await openAccount(db.database, { credit: 700n });
  const topUp = await openTopUp(db.database, workspace.id);
  await archive(workspace.id);
  await db.database.query(FACT, factOf('paid', topUp.id, workspace.id));
  expect(await takenByClosing(workspace.id)).toEqual([{ kind: 'adjustment', amount: -700n }]);
  expect(await readClosedPayments(db.database)).toMatchObject([{ topUpId: topUp.id }]);
  await db.database.query(FACT, factOf('refund taken', topUp.id, workspace.id, 'refund 2'));
  expect(await readClosedPayments(db.database)).toEqual([]);
});

test('credit that a closed workspace holds is a difference of the proof, and a problem, until it is refunded', async () => {
  const { workspace } = await openAccount(db.database, { credit: 40n });
  await archive(workspace.id);
  const difference = { check: 'closed_credit', subjectId: workspace.id, expected: 0n, actual: 40n };
  expect(await verifyLedger(db.database)).toMatchObject({ ok: false, differences: [difference] });
  expect(await readClosedCredit(db.database)).toEqual([
    { workspaceId: workspace.id, workspaceName: workspace.name, credit: 40n },
  ]);
  const problems = () =>
    findProblems(
      db.control,
      { configured: [], list: () => [] },
      { keyring: { problem: () => Promise.resolve(null) }, planned: [], nowMs: Date.now() },
    );
  expect(await problems()).toContainEqual(expect.stringMatching(`${workspace.name}.* holds 0.00000004 USD`));
  expect([await refundClosedCredit(db.database), await refundClosedCredit(db.database)]).toEqual([1, 0]);
  expect(await problems()).not.toContainEqual(expect.stringContaining(workspace.name));
  expect(await verifyLedger(db.database)).toMatchObject({ ok: true });
});
