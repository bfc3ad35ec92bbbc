import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { listPostings } from './posting-history.ts';
import type { PostingKind } from './posting.ts';
import { postCredit, type PostingRequest } from './postings.ts';

let testDatabase: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const post = (workspaceId: string, kind: PostingKind, amount: bigint) =>
  postCredit(sql, scopeOf(workspaceId), { kind, amount, reason: `${kind} by hand` });

async function entries(postingId: string, runner: SqlRunner = sql): Promise<Record<string, bigint>> {
  const rows = await runner.query<{ account: string; amount: bigint }>(
    'select account, amount_nano_usd as amount from ledger_entries where posting_id = $1',
    [postingId],
  );
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]));
}

test.each([
  ['grant', 'promotions'],
  ['top_up', 'payments'],
  ['adjustment', 'adjustments'],
] as const)('a posting of a %s gives credit out of %s, and is in the history', async (kind, account) => {
  const { workspace } = await openAccount(sql);
  const posted = granted(await post(workspace.id, kind, 70n));
  expect(posted).toMatchObject({ amount: 70n, balance: 70n });
  expect(await entries(posted.id)).toEqual({ credit: 70n, [account]: -70n });
  expect((await listPostings(sql, scopeOf(workspace.id))).items).toMatchObject([
    { id: posted.id, kind, amount: 70n, actor: 'test', reason: `${kind} by hand`, postedAt: expect.any(Date) },
  ]);
});

test('a posting that takes more than there is leaves a debt, which the next top-up repays first', async () => {
  const { workspace } = await openAccount(sql, { credit: 100n });
  const taken = granted(await post(workspace.id, 'dispute', -130n));
  expect(await entries(taken.id)).toEqual({ credit: -100n, owed: -30n, payments: 130n });
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ credit: 0n, owed: 30n, balance: -30n });
  const part = granted(await post(workspace.id, 'top_up', 10n));
  expect(await entries(part.id)).toEqual({ owed: 10n, payments: -10n });
  const rest = granted(await post(workspace.id, 'top_up', 50n));
  expect(await entries(rest.id)).toEqual({ owed: 20n, credit: 30n, payments: -50n });
  expect(rest.balance).toBe(30n);
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ credit: 30n, owed: 0n, balance: 30n });
  expect((await listPostings(sql, scopeOf(workspace.id))).items.map(({ amount }) => amount)).toEqual([
    50n,
    10n,
    -130n,
    100n,
  ]);
});

test('a posting never takes what a process has leased or spent', async () => {
  const account = await openAccount(sql, { credit: 100n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 60n, charge: 20n });
  granted(await post(account.workspace.id, 'adjustment', -90n));
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ credit: 60n, owed: 50n, balance: -10n });
  await spender.end();
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test.each([
  ['top_up', -1n],
  ['grant', -1n],
  ['refund', 1n],
] as const)('a posting of a %s of %d is refused, as its kind goes the other way', async (kind, amount) => {
  const { workspace } = await openAccount(sql, { credit: 10n });
  expect(await post(workspace.id, kind, amount)).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ balance: 10n });
});

test('a posting of a dispute that was won gives back what disputes took, debt first, and no more', async () => {
  const { workspace } = await openAccount(sql, { credit: 100n });
  granted(await post(workspace.id, 'dispute', -130n));
  expect(await post(workspace.id, 'dispute', 131n)).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect(granted(await post(workspace.id, 'dispute', 50n))).toMatchObject({ balance: 20n });
  expect(granted(await post(workspace.id, 'dispute', 80n))).toMatchObject({ balance: 100n });
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ credit: 100n, owed: 0n });
  expect(await post(workspace.id, 'dispute', 1n)).toMatchObject({ code: 'INVALID_REQUEST' });
  const undisputed = (await openAccount(sql, { credit: 100n })).workspace;
  expect(await post(undisputed.id, 'dispute', 1n)).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect(await workspaceNow(sql, undisputed.id)).toMatchObject({ credit: 100n });
});

test('a posting of a refund takes at most what was paid and has not gone back, whatever else gave credit', async () => {
  const { workspace } = await openAccount(sql, { credit: 1_000n });
  const refusal = { code: 'INVALID_REQUEST', param: 'amount_usd' };
  expect(await post(workspace.id, 'refund', -1n)).toMatchObject(refusal);
  granted(await post(workspace.id, 'top_up', 100n));
  expect(await post(workspace.id, 'refund', -101n)).toMatchObject(refusal);
  granted(await post(workspace.id, 'dispute', -30n));
  expect(await post(workspace.id, 'refund', -71n)).toMatchObject({
    ...refusal,
    message: 'Only 0.00000007 USD of the payments have not been refunded, so no more can be.',
  });
  granted(await post(workspace.id, 'refund', -40n));
  granted(await post(workspace.id, 'refund', -30n));
  expect(await post(workspace.id, 'refund', -1n)).toMatchObject(refusal);
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ balance: 1_000n });
});

test('a posting under a name is made once, however often and by however many it is asked for', async () => {
  const { workspace } = await openAccount(sql);
  const request = { amount: 70n, kind: 'top_up', reason: 'invoice 7', once: 'invoice-7' } as const;
  const ask = (more: Partial<PostingRequest> = {}, workspaceId = workspace.id) =>
    postCredit(sql, scopeOf(workspaceId), { ...request, ...more });
  const answers = (await Promise.all(Array.from({ length: 8 }, () => ask()))).map(granted);
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.every(({ amount, balance }) => amount === 70n && balance === 70n)).toBe(true);
  for (const other of [{ amount: 71n }, { reason: 'invoice 8' }, { kind: 'grant' }] as const) {
    expect(await ask(other)).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', param: 'once' });
  }
  const another = await openAccount(sql);
  expect(granted(await ask({}, another.workspace.id))).toMatchObject({ repeated: false });
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ balance: 70n });
});

test('a posting leaves the balance in the history as it was then, charges included, page by page', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 300n, charge: 200n });
  granted(await post(account.workspace.id, 'top_up', 50n));
  await spender.end();
  granted(await post(account.workspace.id, 'adjustment', -900n));
  const first = await listPostings(sql, scopeOf(account.workspace.id), { limit: 2 });
  expect(first.items.map(({ balance }) => balance)).toEqual([-50n, 850n]);
  expect(first.next).toBe(first.items.at(-1)?.id);
  const rest = await listPostings(sql, scopeOf(account.workspace.id), { limit: 2, after: first.next });
  expect(rest.items.map(({ balance }) => balance)).toEqual([1_000n]);
  expect(rest.next).toBeNull();
});

test('a posting that is refused says why, with the amounts that bound it', async () => {
  const { workspace } = await openAccount(sql, { credit: 1n });
  granted(await post(workspace.id, 'dispute', -30n));
  const refused = { code: 'INVALID_REQUEST', param: 'amount_usd' };
  for (const [kind, amount, message] of [
    ['grant', 0n, 'The amount must not be zero.'],
    ['grant', -1n, 'Top-ups and grants add credit, a refund takes it back.'],
    ['dispute', 31n, 'Disputes have taken 0.00000003 USD, so no more can be restored.'],
    ['refund', -1n, 'Only 0.00 USD of the payments have not been refunded, so no more can be.'],
    ['grant', 9_100_000_000_000_000_000n, 'A workspace may have at most 9000000000.00 USD of credit.'],
  ] as const) {
    expect(await post(workspace.id, kind, amount)).toMatchObject({ ...refused, message });
  }
  const request = { kind: 'top_up', amount: 5n, reason: 'paid', once: 'bill-1' } as const;
  const { postedAt } = granted(await postCredit(sql, scopeOf(workspace.id), request));
  expect(await postCredit(sql, scopeOf(workspace.id), { ...request, amount: 6n })).toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
    message: `"bill-1" belongs to another posting: a top-up at ${postedAt.toISOString()}.`,
  });
  const nobody = '00000000-0000-4000-8000-000000000000';
  expect(await post(nobody, 'grant', 1n)).toMatchObject({ message: 'There is no such workspace.' });
});

test('a posting of nothing, to nobody, or beyond what can be counted is refused and changes nothing', async () => {
  const { workspace } = await openAccount(sql, { credit: 1n });
  expect(await post(workspace.id, 'grant', 0n)).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  const nobody = '00000000-0000-4000-8000-000000000000';
  expect(await post(nobody, 'grant', 1n)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await post(workspace.id, 'grant', 9_000_000_000_000_000_000n)).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await post(workspace.id, 'dispute', -9_000_000_000_000_000_002n)).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ balance: 1n, owed: 0n });
});

test('a posting may give or take as much as can be counted to the last nano-USD, and one more is refused', async () => {
  const most = 9_000_000_000_000_000_000n;
  const { workspace } = await openAccount(sql, { credit: 1n });
  expect(granted(await post(workspace.id, 'grant', most - 1n))).toMatchObject({ balance: most });
  expect(await post(workspace.id, 'grant', 1n)).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect(await workspaceNow(sql, workspace.id)).toMatchObject({ balance: most, owed: 0n });
  const debtor = (await openAccount(sql)).workspace;
  expect(granted(await post(debtor.id, 'dispute', -most))).toMatchObject({ balance: -most });
  expect(await post(debtor.id, 'dispute', -1n)).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect(await workspaceNow(sql, debtor.id)).toMatchObject({ owed: most });
});

test('a posting tells every process of the purse in the same transaction', async () => {
  const { workspace } = await openAccount(sql);
  const posted = granted(await post(workspace.id, 'grant', 5n));
  const rows = await sql.query(
    `select 1 from changes join purses on changes.subject_id = purses.id::text
       join ledger_postings on ledger_postings.workspace_id = purses.workspace_id
       where changes.kind = 'purse' and purses.kind = 'credit' and ledger_postings.id = $1
         and changes.xmin = ledger_postings.xmin`,
    [posted.id],
  );
  expect(rows).toHaveLength(1);
});

test('a posting adds up when many are made at the same time, while requests spend', async () => {
  const account = await openAccount(sql, { credit: 1_000n });
  const spender = await Spender.begin(sql);
  const spending = (async () => {
    for (let request = 0; request < 20; request++) await spender.spend(account, { hold: 9n, charge: 7n });
  })();
  const amounts = Array.from({ length: 40 }, (_, index) => (index % 4 === 3 ? -5n : 11n));
  const posted = await Promise.all(
    amounts.map((amount) => post(account.workspace.id, amount < 0n ? 'adjustment' : 'grant', amount)),
  );
  expect(posted.map(granted)).toHaveLength(40);
  await spending;
  await spender.end();
  const credit = 1_000n + amounts.reduce((sum, amount) => sum + amount, 0n);
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ credit, balance: credit - 140n });
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
});

test('the ledger refuses entries that do not balance, and to change or lose any', async () => {
  const { workspace } = await openAccount(sql, { credit: 5n });
  const [posting] = (await listPostings(sql, scopeOf(workspace.id))).items;
  const id = posting?.id ?? '';
  const add = `insert into ledger_entries (workspace_id, posting_id, account, amount_nano_usd) values ($1, $2, 'owed', 1)`;
  await expect(sql.query(add, [workspace.id, id])).rejects.toThrow('does not balance');
  await expect(sql.query('delete from ledger_entries where posting_id = $1', [id])).rejects.toThrow('append-only');
  await expect(sql.query(`update ledger_postings set reason = '' where id = $1`, [id])).rejects.toThrow('append-only');
});

test('an amount is divided without loss, and the credit never falls below what is spent or leased', async () => {
  const { workspace } = await openAccount(sql);
  const part = fc.bigInt({ min: 0n, max: 1_000n });
  const by = fc.bigInt({ min: -3_000n, max: 3_000n }).filter((amount) => amount !== 0n);
  await fc.assert(
    fc.asyncProperty(part, part, part, part, by, async (spent, leased, rest, owed, amount) => {
      const limit = spent + leased + rest;
      await undone(async (tx) => {
        await tx.query(
          `update purses set limit_nano_usd = $2, spent_nano_usd = $3, leased_nano_usd = $4, owed_nano_usd = $5
           where workspace_id = $1`,
          [workspace.id, limit, spent, leased, owed],
        );
        const request = { kind: 'adjustment', amount, reason: 'by chance' } as const;
        const posted = granted(await postCredit(tx, scopeOf(workspace.id), request));
        const { credit: toCredit = 0n, owed: toOwed = 0n } = await entries(posted.id, tx);
        expect(posted.balance).toBe(limit - spent - owed + amount);
        expect(toCredit + toOwed).toBe(amount);
        expect(limit + toCredit).toBeGreaterThanOrEqual(spent + leased);
        expect(owed - toOwed).toBeGreaterThanOrEqual(0n);
        if (amount > 0n && toCredit > 0n) expect(owed - toOwed).toBe(0n);
        if (amount < 0n && toOwed < 0n) expect(limit + toCredit).toBe(spent + leased);
      });
    }),
    { numRuns: 60 },
  );
});

/** Does it in a transaction that is rolled back. */
async function undone(work: (tx: SqlRunner) => Promise<void>): Promise<void> {
  const done = new Error('done');
  const doing = sql.transaction(async (tx) => {
    await work(tx);
    throw done;
  });
  await doing.catch((fault: unknown) => {
    if (fault !== done) throw fault;
  });
}
