import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { noPayments } from '../../../test/support/no-payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { CENT } from '../../../test/support/payments.ts';
import { type AutoTopUpChange, changeAutoTopUp, showPaymentSettings } from './payment-settings.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

test('a refused change of payment settings leaves nothing behind', async () => {
  const { workspace } = await openAccount(db.database);
  const { terms } = noPayments(db.database);
  const refused = await changeAutoTopUp(
    db.database,
    scopeOf(workspace.id),
    { enabled: true },
    { terms, expected: null },
  );
  expect(refused).toMatchObject({ code: 'CONFLICT' });
  const rows = await db.database.query('select from payment_settings where workspace_id = $1', [workspace.id]);
  expect(rows).toEqual([]);
});

const TERMS = { fee: { share: 550n, min: 80n * CENT }, amountMin: 500n * CENT, amountMax: 100_000n * CENT };

test('settings of payments are changed field by field, by whom and after which version, and what is left out stays', async () => {
  const { workspace } = await openAccount(db.database);
  const scope = scopeOf(workspace.id);
  const change = (fields: AutoTopUpChange, expected: number | null = null) =>
    changeAutoTopUp(db.database, scope, fields, { terms: TERMS, expected });
  const nothing = {
    enabled: false,
    threshold: null,
    amount: null,
    monthMax: null,
    consentBy: null,
    consentAt: null,
    failures: 0,
    stop: null,
    stoppedAt: null,
    recoveryTopUpId: null,
  };
  const unset = { version: 0, provider: null, customer: null, auto: nothing };
  expect(await showPaymentSettings(db.database, scope)).toEqual(unset);
  for (const amount of [499n * CENT, 100_001n * CENT]) {
    expect(await change({ amount })).toMatchObject({ code: 'INVALID_REQUEST', param: 'amount_usd' });
  }
  expect(granted(await change({ threshold: 3n }, 0))).toMatchObject({ version: 1, auto: { threshold: 3n } });
  expect(await change({ threshold: 5n }, 0)).toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect(await change({ enabled: true, consent: true })).toMatchObject({
    code: 'CONFLICT',
    param: 'enabled',
    message: 'No means of payment is kept: make a top-up with save_method first.',
  });
  await db.database.query(`update payment_settings set customer_reference = 'cus_1' where workspace_id = $1`, [
    workspace.id,
  ]);
  const all = { threshold: CENT, amount: 2_000n * CENT, monthMax: 2_110n * CENT };
  for (const missing of ['threshold', 'amount', 'monthMax'] as const) {
    await db.database.query(
      `update payment_settings set auto_threshold_nano_usd = null, auto_amount_nano_usd = null,
         auto_month_max_nano_usd = null where workspace_id = $1`,
      [workspace.id],
    );
    const { [missing]: _left, ...rest } = all;
    expect({ missing, refused: await change({ ...rest, enabled: true, consent: true }) }).toMatchObject({
      missing,
      refused: {
        code: 'INVALID_REQUEST',
        param: 'enabled',
        message: 'Automatic top-ups need threshold_usd, amount_usd and month_max_usd.',
      },
    });
  }
  expect(await change({ ...all, enabled: true })).toMatchObject({
    param: 'consent',
    message: 'Automatic top-ups need your consent to be charged without being asked: send "consent": true.',
  });
  expect(await change({ ...all, enabled: true, consent: true, monthMax: 2_110n * CENT - 1n })).toMatchObject({
    param: 'month_max_usd',
    message: 'month_max_usd is below one top-up and its fee, 21.10 USD.',
  });
  const on = granted(await change({ ...all, enabled: true, consent: true }));
  expect(on.auto).toEqual({ ...nothing, ...all, enabled: true, consentBy: 'test', consentAt: expect.any(Date) });
  // As after a failure, and a notice in this month.
  await db.database.query(
    `update payment_settings set auto_failures = 2, auto_failed_at = now(), auto_month_noticed_at = now(),
       auto_consent_by = 'somebody' where workspace_id = $1`,
    [workspace.id],
  );
  const noted = async () =>
    await db.database.query(
      `select auto_failed_at is not null as failed, auto_month_noticed_at is not null as noticed
       from payment_settings where workspace_id = $1`,
      [workspace.id],
    );
  expect(granted(await change({ threshold: 7n })).auto).toMatchObject({ ...all, threshold: 7n, failures: 2 });
  expect(await noted()).toEqual([{ failed: true, noticed: true }]);
  expect(granted(await change({ monthMax: 3_000n * CENT })).auto).toMatchObject({ failures: 2 });
  expect(await noted()).toEqual([{ failed: true, noticed: false }]);
  expect(granted(await change({ enabled: false })).auto).toMatchObject({ enabled: false, failures: 2 });
  expect(granted(await change({ enabled: true })).auto).toMatchObject({ failures: 0, consentBy: 'somebody' });
  expect(await noted()).toEqual([{ failed: false, noticed: false }]);
  const [audited] = await db.database.query(
    `select action, target_kind as kind, target_id as target, before, after from audit_events
     where workspace_id = $1 and before ? 'month_max_nano_usd' order by id desc limit 1`,
    [workspace.id],
  );
  expect(audited).toEqual({
    action: 'auto_top_up.update',
    kind: 'payment_settings',
    target: workspace.id,
    before: { month_max_nano_usd: '21100000000' },
    after: { month_max_nano_usd: '30000000000' },
  });
});
