import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { granted, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { type AutoStage, CENT, deliverTo, openAutoStage, openTopUp } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { commitOnceAwaited, startStandingStatement } from '../../../test/support/standing-statement.ts';
import { postCredit } from '../ledger/postings.ts';
import type { SqlRunner } from '../../lib/sql.ts';

// What begin_auto_top_up decides by itself, under its lock: a run has looked for workspaces in need before, and everything may
// have changed since. The workspace has 10 USD, and is to be topped up by 20 USD below 15 USD, for at most 50 USD a month.

const AMOUNT = 2_000n * CENT;
const FEE = 110n * CENT;

let db: TestDatabase;
let stripe: FakeStripe;
let id: string;
let stage: AutoStage;

beforeAll(async () => {
  db = await startTestDatabase();
  stripe = await FakeStripe.start();
});
afterAll(async () => {
  await stripe.stop();
  await db.stop();
});
beforeEach(async () => {
  stage = await openAutoStage(db.database, stripe);
  id = stage.account.workspace.id;
});

async function begins(sql: SqlRunner = db.database, amount = AMOUNT, fee = FEE): Promise<boolean> {
  const begin = 'select begin_auto_top_up($1, $2, $3, $4) as begun';
  const [row] = await sql.query<{ begun: boolean }>(begin, [id, randomUUID(), amount, fee]);
  return row?.begun === true;
}

const set = (settings: string, sql: SqlRunner = db.database) =>
  sql.query(`update payment_settings set ${settings} where workspace_id = $1`, [id]);

test('an automatic top-up begins once, for the workspace alone, by its provider and with its fee', async () => {
  const other = (await openAutoStage(db.database, stripe)).account.workspace.id;
  expect(await begins()).toBe(true);
  expect(await begins()).toBe(false);
  expect(
    await db.database.query(
      `select workspace_id as workspace, provider, state, amount_nano_usd as amount, fee_nano_usd as fee, actor
       from top_ups where origin = 'auto' and workspace_id = any ($1::uuid[])`,
      [[id, other]],
    ),
  ).toEqual([{ workspace: id, provider: 'stripe', state: 'pending', amount: AMOUNT, fee: FEE, actor: 'auto top-up' }]);
  id = other;
  expect(await begins()).toBe(true);
});

test.each([
  'auto_enabled = false',
  `auto_stop = 'failures', auto_stopped_at = now()`,
  'customer_reference = null, auto_enabled = false',
  'auto_amount_nano_usd = auto_amount_nano_usd + 1',
  `auto_failed_at = now() - interval '59 minutes'`,
])('no automatic top-up begins once its settings say %s', async (settings) => {
  await set(settings);
  expect(await begins()).toBe(false);
});

test.each(['closing_at = now()', 'archived_at = now()'])(
  'no automatic top-up begins once its workspace has %s',
  async (closing) => {
    await db.database.query(`update workspaces set ${closing} where id = $1`, [id]);
    expect(await begins()).toBe(false);
    await db.database.query('update workspaces set closing_at = null, archived_at = null where id = $1', [id]);
    expect(await begins()).toBe(true);
  },
);

test('an automatic top-up begins an hour after the last failure, and no microsecond earlier', async () => {
  // A transaction's time stands still.
  const failedAgo = (interval: string) =>
    db.database.transaction(async (tx) => {
      await set(`auto_failed_at = now() - interval '${interval}'`, tx);
      return await begins(tx);
    });
  expect(await failedAgo('59 minutes 59.999999 seconds')).toBe(false);
  expect(await failedAgo('1 hour')).toBe(true);
});

test.each(['pending', 'processing'])('no automatic top-up begins while another one is %s', async (state) => {
  await openTopUp(db.database, id, { amount: AMOUNT });
  expect(await begins()).toBe(true);
  await db.database.query(`update top_ups set state = $2 where workspace_id = $1 and origin = 'auto'`, [id, state]);
  await set('auto_month_max_nano_usd = 1000000000000');
  expect(await begins()).toBe(false);
});

test('an automatic top-up begins below the threshold, of which what is spent, leased charges and debts are taken', async () => {
  const below = async (balance: bigint): Promise<void> => {
    await set(`auto_threshold_nano_usd = ${balance}`);
    expect(await begins()).toBe(false);
    await set(`auto_threshold_nano_usd = ${balance + 1n}`);
    const undone = db.database.transaction(async (tx) => {
      expect(await begins(tx)).toBe(true);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  };
  await below(1_000n * CENT);
  const spender = await Spender.begin(db.database);
  await spender.spend(stage.account, { hold: 300n * CENT, charge: 100n * CENT });
  await below(900n * CENT);
  // The lease keeps what the dispute takes more than there is, until its end.
  granted(await postCredit(db.database, scopeOf(id), { kind: 'dispute', amount: -800n * CENT, reason: 'a test' }));
  const owed = `select owed_nano_usd as owed from purses where workspace_id = $1 and kind = 'credit'`;
  expect(await db.database.query(owed, [id])).toEqual([{ owed: 100n * CENT }]);
  await below(100n * CENT);
  await spender.end();
  await below(100n * CENT);
});

test('the first automatic top-up of a month needs as much room as it and its fee', async () => {
  await set(`auto_month_max_nano_usd = ${AMOUNT + FEE - 1n}`);
  expect(await begins()).toBe(false);
  await set(`auto_month_max_nano_usd = ${AMOUNT + FEE}`);
  expect(await begins()).toBe(true);
});

test('an automatic top-up begins if the month has room for it and its fee, beside those of the month, fees included', async () => {
  const amount = 500n * CENT;
  const paid = async (origin: 'auto' | 'checkout', at: string): Promise<void> => {
    const topUp = granted(await stage.payments.startTopUp(scopeOf(id), { amount, savesMethod: false, once: null }));
    await deliverTo(stage, stripe, stripe.pay(topUp.checkoutReference ?? ''));
    const change = `update top_ups set origin = $2, created_at = ${at} where id = $1`;
    await db.database.query(change, [topUp.id, origin]);
  };
  const month = `date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;
  await paid('auto', month);
  await paid('auto', 'now()');
  // None of these counts.
  await paid('checkout', 'now()');
  await paid('auto', `${month} - interval '1 microsecond'`);
  const failed = await openTopUp(db.database, id, { amount });
  await db.database.query(`update top_ups set origin = 'auto', state = 'failed', failure = 'a test' where id = $1`, [
    failed.id,
  ]);
  await set(`auto_threshold_nano_usd = ${10_000n * CENT}`);
  // The fee of five dollars is eighty cents.
  const needed = 2n * (amount + 80n * CENT) + AMOUNT + FEE;
  await set(`auto_month_max_nano_usd = ${needed - 1n}`);
  expect(await begins()).toBe(false);
  await set(`auto_month_max_nano_usd = ${needed}`);
  expect(await begins()).toBe(true);
});

const standing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(standing.splice(0).map((each) => each.close()));
});

test('an automatic top-up that is begun twice at the same time begins once', async () => {
  const values = [id, randomUUID(), AMOUNT, FEE].map(String);
  const first = await startStandingStatement(db, 'select begin_auto_top_up($1, $2, $3, $4)', values);
  standing.push(first);
  const second = begins();
  await commitOnceAwaited(db, first);
  expect(await second).toBe(false);
});
