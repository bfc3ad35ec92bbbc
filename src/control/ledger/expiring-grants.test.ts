import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, granted, openAccount, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import { CrashingSql } from '../../../test/support/crashing-sql.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { letGrantsAge } from '../../../test/support/moved-time.ts';
import { operatorIn, scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Sql } from '../../lib/sql.ts';
import { closeWorkspace } from '../accounts/workspaces.ts';
import { makeChange } from '../audit/change.ts';
import { correctReceipt } from './corrections.ts';
import { listExpiringGrants, postExpiries } from './expiring-grants.ts';
import { listPostings } from './posting-history.ts';
import { postCredit, type PostingRequest } from './postings.ts';
import {
  createRecurringGrant,
  endRecurringGrant,
  listRecurringGrants,
  findOverdueGrants,
  RecurringGrantPosting,
  type RecurringGrantRequest,
} from './recurring-grants.ts';

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const DAY_MS = 86_400_000;

let monotonicMs = 0;
const postingOn = (on: Sql) => new RecurringGrantPosting(on, { monotonicMs: () => monotonicMs });
/** Posts as a process does that has refused nothing yet. */
const postRecurringGrants = (on: Sql) => postingOn(on).post();

async function grant({ workspace }: Account, amount: bigint, days: number | null, more: Partial<PostingRequest> = {}) {
  const expiresAt = days === null ? null : new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * DAY_MS);
  return granted(
    await postCredit(sql, scopeOf(workspace.id), { kind: 'grant', amount, reason: 'a plan', expiresAt, ...more }),
  );
}

const left = async ({ workspace }: Account): Promise<readonly bigint[]> =>
  (await listExpiringGrants(sql, scopeOf(workspace.id))).items.map((each) => each.left);

const expiries = async ({ workspace }: Account): Promise<readonly bigint[]> =>
  (await listPostings(sql, scopeOf(workspace.id))).items
    .filter(({ kind }) => kind === 'expiry')
    .map(({ amount }) => amount)
    .toReversed();

const balance = async ({ workspace }: Account): Promise<bigint> => (await workspaceNow(sql, workspace.id)).balance;

test('requests are charged to the grant that expires first, whenever it was given, and to other credit last', async () => {
  const account = await openAccount(sql, { credit: 100n });
  const spender = await Spender.begin(sql);
  await grant(account, 20n, 9);
  await spender.spend(account, { hold: 5n, charge: 5n });
  await grant(account, 10n, 3);
  await spender.spend(account, { hold: 4n, charge: 4n });
  expect(await left(account)).toEqual([6n, 15n]);
  await spender.spend(account, { hold: 30n, charge: 30n });
  expect(await left(account)).toEqual([]);
  expect(await balance(account)).toBe(91n);
});

test('what is left of a grant is posted once it expires, and names it', async () => {
  const account = await openAccount(sql, { credit: 100n });
  const spender = await Spender.begin(sql);
  const { id } = await grant(account, 20n, 3);
  await spender.spend(account, { hold: 8n, charge: 8n });
  await spender.end();
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([]);
  await letGrantsAge(sql, account.workspace.id, '3 days 1 minute');
  await postExpiries(sql);
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([-12n]);
  const [posting] = (await listPostings(sql, scopeOf(account.workspace.id))).items;
  expect(posting).toMatchObject({
    kind: 'expiry',
    amount: -12n,
    balance: 100n,
    actor: 'expiry',
    once: `expiry:${id}:0`,
  });
  expect(posting?.reason).toMatch(/^expired on \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('a request that runs while credit expires keeps what it holds, and what it leaves of that expires after it', async () => {
  const account = await openAccount(sql);
  const spender = await Spender.begin(sql);
  await grant(account, 20n, 3);
  await spender.spend(account, { hold: 15n, charge: 0n });
  await letGrantsAge(sql, account.workspace.id, '3 days 1 minute');
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([-5n]);
  // Credit that comes now is not taken in place of what the request still holds.
  await grant(account, 100n, null);
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([-5n]);
  await spender.spend(account, { hold: 15n, charge: 9n });
  await spender.end();
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([-5n, -6n]);
  expect(await balance(account)).toBe(100n);
});

test('holds that follow one another keep expired credit for a day at most, then it is owed', async () => {
  const account = await openAccount(sql);
  const spender = await Spender.begin(sql);
  await grant(account, 20n, 3);
  await spender.spend(account, { hold: 20n, charge: 0n });
  await letGrantsAge(sql, account.workspace.id, '3 days 1 minute');
  await postExpiries(sql);
  await letGrantsAge(sql, account.workspace.id, '23 hours');
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([]);
  await letGrantsAge(sql, account.workspace.id, '2 hours');
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([-20n]);
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ credit: 20n, owed: 20n, balance: 0n });
  await spender.end();
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('a correction goes back to the grant that was charged, or to credit that stays if that has expired', async () => {
  const account = await openAccount(sql);
  const spender = await Spender.begin(sql);
  const scope = scopeOf(account.workspace.id);
  await grant(account, 20n, 9);
  const { requestId } = await spender.spend(account, { hold: 8n, charge: 8n });
  await grant(account, 5n, 1);
  granted(await correctReceipt(sql, scope, { requestId, charge: 6n, reason: 'wrong' }));
  expect(await left(account)).toEqual([5n, 14n]);
  await spender.end();
  await letGrantsAge(sql, account.workspace.id, '10 days');
  await postExpiries(sql);
  granted(await correctReceipt(sql, scope, { requestId, charge: 1n, reason: 'wrong' }));
  expect(await balance(account)).toBe(5n);
  expect(await left(account)).toEqual([]);
});

test('a correction goes back to no grant that came after its receipt', async () => {
  const account = await openAccount(sql);
  const spender = await Spender.begin(sql);
  await grant(account, 20n, 9);
  const { requestId } = await spender.spend(account, { hold: 8n, charge: 8n });
  await grant(account, 5n, 30);
  await spender.spend(account, { hold: 14n, charge: 14n });
  expect(await left(account)).toEqual([3n]);
  granted(await correctReceipt(sql, scopeOf(account.workspace.id), { requestId, charge: 6n, reason: 'wrong' }));
  expect(await left(account)).toEqual([2n, 3n]);
});

test('a debit takes credit that does not expire first, and a debt is repaid before anything is left to expire', async () => {
  const account = await openAccount(sql, { credit: 10n });
  const take = (amount: bigint) =>
    postCredit(sql, scopeOf(account.workspace.id), { kind: 'dispute', amount, reason: 'r' });
  await grant(account, 20n, 3);
  await take(-10n);
  expect(await left(account)).toEqual([20n]);
  await take(-25n);
  expect(await left(account)).toEqual([]);
  await grant(account, 7n, 3);
  expect(await left(account)).toEqual([2n]);
  await letGrantsAge(sql, account.workspace.id, '4 days');
  await postExpiries(sql);
  expect(await workspaceNow(sql, account.workspace.id)).toMatchObject({ credit: 0n, owed: 0n });
});

test('an expiry that two connections post at the same moment is posted once', async () => {
  const account = await openAccount(sql);
  await grant(account, 20n, 3);
  await letGrantsAge(sql, account.workspace.id, '4 days');
  const both = await sql.transaction(async (tx) => {
    await tx.query('select from purses where workspace_id = $1 for no key update', [account.workspace.id]);
    const posting = [postExpiries(sql), postExpiries(sql)];
    await waiting(2);
    return { posting };
  });
  await Promise.all(both.posting);
  expect(await expiries(account)).toEqual([-20n]);
});

/** Until this many connections wait for a lock. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const [row] = await sql.query<{ waiting: bigint }>(
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (row?.waiting === BigInt(count)) return;
  }
}

test('a repeat with another expiry, and an expiry in the past, are refused', async () => {
  const account = await openAccount(sql);
  const first = await grant(account, 5n, 3, { once: 'plan' });
  const repeated = await grant(account, 5n, 3, { once: 'plan', expiresAt: first.expiresAt });
  expect(repeated).toMatchObject({ id: first.id, repeated: true });
  const post = (more: Partial<PostingRequest>): Promise<unknown> =>
    postCredit(sql, scopeOf(account.workspace.id), { kind: 'grant', amount: 5n, reason: 'a plan', ...more });
  expect(await post({ once: 'plan' })).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(await post({ once: 'plan', expiresAt: new Date(0) })).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(await post({ expiresAt: new Date(0) })).toMatchObject({ code: 'INVALID_REQUEST', param: 'expires_at' });
});

test('what was paid for stays, whatever it is beside, and no posting of it can expire', async () => {
  const account = await openAccount(sql);
  const scope = scopeOf(account.workspace.id);
  const spender = await Spender.begin(sql);
  granted(await postCredit(sql, scope, { kind: 'top_up', amount: 100n, reason: 'an invoice' }));
  await grant(account, 20n, 3);
  await grant(account, 30n, 9);
  await spender.spend(account, { hold: 25n, charge: 25n });
  expect(await left(account)).toEqual([25n]);
  granted(await postCredit(sql, scope, { kind: 'refund', amount: -40n, reason: 'half of it' }));
  expect(await left(account)).toEqual([25n]);
  await spender.end();
  await letGrantsAge(sql, account.workspace.id, '1000 days');
  await postExpiries(sql);
  expect(await expiries(account)).toEqual([-25n]);
  expect(await balance(account)).toBe(60n);
  for (const kind of ['top_up', 'adjustment', 'refund', 'dispute'] as const) {
    const amount = kind === 'top_up' || kind === 'adjustment' ? 5n : -5n;
    const refused = await postCredit(sql, scope, {
      kind,
      amount,
      reason: 'x',
      expiresAt: new Date(Date.now() + DAY_MS),
    });
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', param: 'expires_at' });
  }
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

function recur({ workspace }: Account, request: Partial<RecurringGrantRequest> = {}) {
  const expires = { expires: 'with_period', expiresAfterDays: null } as const;
  const plan = { amount: 10n, period: 'month', ...expires, starts: 'now', reason: 'plan', ...request } as const;
  return makeChange(sql, (tx) => createRecurringGrant(tx, operatorIn(workspace.id, 'postings:write'), plan));
}

const unrefused = <Value>(value: Value | Refusal): Value => {
  if (isRefusal(value)) throw new Error(value.message);
  return value;
};

const day = (date: Date | null | undefined): string | undefined => date?.toISOString().slice(0, 10);

test('a recurring grant gives its amount now, until the end of the month in UTC, and its audit event says so', async () => {
  const account = await openAccount(sql);
  const plan = unrefused(await recur(account));
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  expect(plan.nextAt).toEqual(next);
  const { items } = await listExpiringGrants(sql, scopeOf(account.workspace.id));
  expect(items).toMatchObject([{ left: 10n, expiresAt: next, recurringId: plan.id, reason: 'plan' }]);
  await postRecurringGrants(sql);
  expect(await balance(account)).toBe(10n);
  const events = await sql.query('select action, after from audit_events where target_id = $1', [plan.id]);
  expect(events).toEqual([
    {
      action: 'recurring_grant.create',
      after: {
        amount_nano_usd: '10',
        period: 'month',
        expires: 'with_period',
        expires_after_days: null,
        starts: 'now',
        reason: 'plan',
      },
    },
  ]);
});

test('each period is posted once, whatever dies in between and however many do it', async () => {
  const account = await openAccount(sql);
  unrefused(await recur(account, { period: 'day', expires: 'never', starts: 'next' }));
  expect(await balance(account)).toBe(0n);
  await letGrantsAge(sql, account.workspace.id, '1 day');
  for (let place = 1; ; place += 1) {
    const crashing = new CrashingSql(sql, place);
    await postRecurringGrants(crashing).catch(() => undefined);
    if (!crashing.hasCrashed) break;
  }
  await Promise.all([postRecurringGrants(sql), postRecurringGrants(sql)]);
  expect(await balance(account)).toBe(10n);
});

test('periods that were missed are caught up, but for those whose credit would have expired', async () => {
  const account = await openAccount(sql);
  const other = await openAccount(sql);
  unrefused(await recur(account, { period: 'day', expires: 'never', starts: 'next' }));
  unrefused(await recur(other, { period: 'day', expires: 'after_days', expiresAfterDays: 2, starts: 'next' }));
  for (const { workspace } of [account, other]) await letGrantsAge(sql, workspace.id, '5 days');
  // Of five days, the credit of three has expired: that of the third one at the begin of today.
  await postRecurringGrants(sql);
  await postExpiries(sql);
  expect(await balance(account)).toBe(50n);
  expect(await balance(other)).toBe(20n);
  expect((await left(other)).length).toBe(2);
});

test('a recurring grant that was ended gives nothing more, and what it gave stays', async () => {
  const account = await openAccount(sql);
  const plan = unrefused(await recur(account));
  const end = () =>
    makeChange(sql, (tx) => endRecurringGrant(tx, operatorIn(account.workspace.id, 'postings:write'), plan.id));
  expect(unrefused(await end())).toMatchObject({ id: plan.id, nextAt: null, endedAt: expect.any(Date) });
  expect(unrefused(await end()).endedAt).toEqual(expect.any(Date));
  await letGrantsAge(sql, account.workspace.id, '40 days');
  await postRecurringGrants(sql);
  expect(await balance(account)).toBe(10n);
  const { items } = await listRecurringGrants(sql, scopeOf(account.workspace.id));
  expect(items).toMatchObject([{ amount: 10n, period: 'month', expires: 'with_period' }]);
  const actions = await sql.query<{ action: string }>(
    'select action from audit_events where target_id = $1 order by id',
    [plan.id],
  );
  expect(actions.map(({ action }) => action)).toEqual(['recurring_grant.create', 'recurring_grant.end']);
});

test('a repeated creation makes one recurring grant, and a closed workspace gets none', async () => {
  const account = await openAccount(sql);
  const first = unrefused(await recur(account, { once: 'plan' }));
  expect(unrefused(await recur(account, { once: 'plan' }))).toMatchObject({ id: first.id, repeated: true });
  expect(await recur(account, { once: 'plan', amount: 11n })).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  const closing = (tx: Parameters<typeof closeWorkspace>[0]) =>
    closeWorkspace(tx, scopeOf(account.workspace.id), { version: null });
  unrefused(await makeChange(sql, closing));
  expect(await recur(account)).toMatchObject({ code: 'CONFLICT' });
  await letGrantsAge(sql, account.workspace.id, '40 days');
  await postRecurringGrants(sql);
  expect((await listPostings(sql, scopeOf(account.workspace.id))).items).toHaveLength(1);
  const { items } = await listRecurringGrants(sql, scopeOf(account.workspace.id));
  expect(items[0]?.endedAt).toEqual(expect.any(Date));
  expect(day(items[0]?.nextAt)).toBeUndefined();
});

test('a recurring grant whose first credit is more than a workspace may have is refused as a grant is', async () => {
  const account = await openAccount(sql, { credit: 9_000_000_000_000_000_000n });
  const refused = await postCredit(sql, scopeOf(account.workspace.id), { kind: 'grant', amount: 1n, reason: 'a plan' });
  expect(refused).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  expect(await recur(account, { amount: 999_999_999_999_999_999n })).toEqual(refused);
  unrefused(await recur(account, { starts: 'next' }));
});

test('a recurring grant whose present credit would have expired already is refused, one from the next on is not', async () => {
  const account = await openAccount(sql);
  const plan = { period: 'month', expires: 'after_days', expiresAfterDays: 1 } as const;
  const begun = new Date().getUTCDate() > 1;
  const made = await recur(account, { ...plan, starts: 'now' });
  if (begun) expect(made).toMatchObject({ code: 'INVALID_REQUEST', param: 'starts' });
  expect(unrefused(await recur(account, { ...plan, starts: 'next' })).nextAt).not.toBeNull();
});

test('a recurring grant that cannot be posted keeps no other from being posted', async () => {
  const account = await openAccount(sql);
  const other = await openAccount(sql);
  const plan = unrefused(await recur(account, { period: 'day', starts: 'next' }));
  unrefused(await recur(other, { period: 'day', starts: 'next' }));
  const tomorrow = day(plan.nextAt);
  for (const { workspace } of [account, other]) await letGrantsAge(sql, workspace.id, '1 day');
  const today = new Date(Date.parse(`${tomorrow}T00:00:00Z`) - DAY_MS);
  await grant(account, 1n, null, { once: `recurring:${plan.id}:${day(today)}` });
  const posting = postingOn(sql);
  await expect(posting.post()).rejects.toThrow('could not be posted: other_once');
  expect([await balance(account), await balance(other)]).toEqual([1n, 10n]);
  // It is tried again after a minute, then after two.
  for (const waitMs of [60_000, 120_000]) {
    monotonicMs += waitMs - 1;
    expect(await posting.post()).toBe(0);
    monotonicMs += 1;
    await expect(posting.post()).rejects.toThrow('could not be posted');
  }
  const overdue = async () => (await findOverdueGrants(sql)).map(({ id }) => id);
  await sql.query(`update recurring_grants set next_at = now() - interval '9 minutes' where id = $1`, [plan.id]);
  expect(await overdue()).not.toContain(plan.id);
  await sql.query(`update recurring_grants set next_at = now() - interval '11 minutes' where id = $1`, [plan.id]);
  expect(await overdue()).toContain(plan.id);
  unrefused(
    await makeChange(sql, (tx) => endRecurringGrant(tx, operatorIn(account.workspace.id, 'postings:write'), plan.id)),
  );
});

/** How often the parts of a statement are run for one run of it. */
async function mostLoops(statement: string, values: readonly string[]): Promise<number> {
  const [row] = await sql.query<{ 'QUERY PLAN': unknown }>(`explain (analyze, format json) ${statement}`, values);
  const loops = JSON.stringify(row).matchAll(/"Actual Loops":\s*(\d+)/g);
  return Math.max(...[...loops].map(([, count]) => Number(count)));
}

test('what expires next is read by looking at each grant once, however many there are', async () => {
  const account = await openAccount(sql);
  for (let days = 1; days <= 30; days += 1) await grant(account, 10n, days);
  const statement = 'select amount_nano_usd as amount from next_expiries(array[$1::uuid])';
  expect(await sql.query(statement, [account.workspace.id])).toEqual([{ amount: 10n }]);
  expect(await mostLoops(statement, [account.workspace.id])).toBeLessThanOrEqual(30);
});

test('a posting writes no grant that is used up already', async () => {
  const account = await openAccount(sql, { credit: 100n });
  await grant(account, 10n, 1);
  await grant(account, 20n, 2);
  const spender = await Spender.begin(sql);
  await spender.spend(account, { hold: 15n, charge: 15n });
  await grant(account, 1n, 3);
  const versions = async () =>
    (
      await sql.query<{ version: string }>(
        'select xmin::text as version from expiring_grants where workspace_id = $1 order by expires_at',
        [account.workspace.id],
      )
    ).map(({ version }) => version);
  const [usedUp] = await versions();
  await spender.spend(account, { hold: 2n, charge: 2n });
  await grant(account, 1n, 4);
  expect(await left(account)).toEqual([13n, 1n, 1n]);
  expect((await versions())[0]).toBe(usedUp);
  await spender.end();
});
