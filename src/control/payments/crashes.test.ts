import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount, workspaceNow } from '../../../test/support/accounts.ts';
import { CrashingSql } from '../../../test/support/crashing-sql.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { CENT, deliverTo, openStage, type Stage } from '../../../test/support/payments.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { verifyLedger } from '../../../test/support/verify-ledger.ts';
import type { Sql } from '../../lib/sql.ts';
import { runAutoTopUps } from './auto-top-ups.ts';
import { createBatch } from './codes/code-batches.ts';
import { redeemCode } from './codes/redeem-code.ts';
import { changeAutoTopUp } from './payment-settings.ts';
import { Payments } from './payments.ts';
import { reconcile } from './reconciliation.ts';

let testDatabase: TestDatabase;
let sql: Sql;
let stripe: FakeStripe;
let stage: Stage;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  stripe = await FakeStripe.start();
  stage = await openStage(sql, stripe);
});
afterAll(async () => {
  await stripe.stop();
  await testDatabase.stop();
});

interface Story {
  readonly workspaceId: string;
  readonly code: string;
  readonly night: Date;
}

/** Everything that moves money, each step under a name of its own, so that the whole can be done again. */
async function live({ workspaceId, code, night }: Story, on: Sql): Promise<void> {
  const payments = new Payments({ ...stage.parts, sql: on });
  const { provider } = stage;
  const scope = scopeOf(workspaceId);
  const wish = { amount: 1_000n * CENT, savesMethod: true, once: 'first' };
  const topUp = granted(await payments.startTopUp(scope, wish));
  const session = stripe.objects.get(topUp.checkoutReference ?? '');
  if (session?.['status'] === 'open') stripe.pay(String(session['id']));
  for (const event of stripe.events.filter(({ data }) => isAbout(data.object, workspaceId))) {
    await deliverTo({ provider, payments }, stripe, event);
  }
  const auto = {
    enabled: true,
    threshold: 1_500n * CENT,
    amount: 2_000n * CENT,
    monthMax: 2_500n * CENT,
    consent: true,
  };
  granted(await changeAutoTopUp(on, scope, auto, { terms: payments.terms, expected: null }));
  const ignore = (): void => undefined;
  await runAutoTopUps({ sql: on, provider, payments, onNotice: () => Promise.resolve(true), onFault: ignore });
  granted(await payments.refund(scope, topUp.id, { amount: 300n * CENT, once: 'a part' }));
  granted(await redeemCode(on, scope, code));
  await reconcile({ sql: on, provider, payments }, { night, now: new Date() });
}

function isAbout({ metadata }: Readonly<Record<string, unknown>>, workspaceId: string): boolean {
  return (metadata as Record<string, string> | undefined)?.['faregate_workspace'] === workspaceId;
}

test('a process that dies at any place where it waits leaves payments that go on to exactly the right credit', async () => {
  let place = 0;
  for (let isOver = false; !isOver;) {
    place += 1;
    const { workspace } = await openAccount(sql);
    const expiresAt = new Date(Date.now() + 3_600_000);
    const order = { count: 1, amount: 500n * CENT, sold: false, expiresAt, reason: 'a test', once: null };
    const [code = ''] = granted(await createBatch(sql, operatorScope(), order)).codes ?? [];
    const story = { workspaceId: workspace.id, code, night: new Date(Date.UTC(2030, 0, place)) };
    const dying = new CrashingSql(sql, place);
    await live(story, dying).catch((fault: unknown) => {
      if (!dying.hasCrashed) throw fault;
    });
    isOver = !dying.hasCrashed;
    await live(story, sql);
    const credit = await workspaceNow(sql, workspace.id);
    expect([place, credit?.balance, credit?.owed]).toEqual([place, 3_200n * CENT, 0n]);
    expect([stripe.all('charge').length, stripe.all('refund').length]).toEqual([2, 1]);
    const now = new Date(Date.now() + 2 * 3_600_000);
    const compared = await reconcile({ sql, ...stage }, { night: new Date(Date.UTC(2040, 0, place)), now });
    expect(compared).toMatchObject({ compared: 2n, differences: [] });
    // The next round has Stripe and the job to itself.
    stripe.objects.clear();
    stripe.events.splice(0);
    await sql.query('delete from payment_reconciliations');
    await sql.query(`update top_ups set created_at = created_at - interval '30 days'`);
    await sql.query('update payment_settings set auto_enabled = false');
  }
  expect(place).toBeGreaterThan(60);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true, differences: [] });
}, 120_000);
