import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { granted, workspaceNow } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { testKeyring } from '../../../test/support/keyring.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { signedIn } from '../../../test/support/identity.ts';
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts';
import { type AutoStage, CENT, deliverTo, openAutoStage } from '../../../test/support/payments.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { UNPACED, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { finishClosing } from '../../control/accounts/closing.ts';
import { closeWorkspace } from '../../control/accounts/workspaces.ts';
import { AlertWatch } from '../../control/alerts/alert-watch.ts';
import { listAlerts } from '../../control/alerts/alerts.ts';
import type { Config } from '../../config/config.ts';
import { postCredit } from '../../control/ledger/postings.ts';
import { runAutoTopUps } from '../../control/payments/auto-top-ups.ts';
import { changeAutoTopUp } from '../../control/payments/payment-settings.ts';
import { paymentProblems } from '../../control/payments/payment-upkeep.ts';
import { createLogTo } from '../telemetry/log.ts';
import { notifyingOf } from './alerts.ts';
import { startOutbox } from './notices.ts';
import { returnClosedPayments, stopNotices } from './payment-notices.ts';

// What owners and the operator learn of payments: from Stripe through the alerts to a mail server.

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

interface NoticeStage {
  readonly id: string;
  readonly stripe: FakeStripe;
  readonly stage: AutoStage;
  readonly mail: MailServer;
  readonly config: Pick<Config, 'mail' | 'webhooks'>;
  /** The alert watch looks once. */
  readonly look: () => Promise<void>;
  /** One run of the job of automatic top-ups. */
  readonly run: () => Promise<void>;
}

/** Runs a test with a workspace that is topped up automatically, an owner, a Stripe, an SMTP server and the outbox. */
async function withStage(run: (stage: NoticeStage) => Promise<void>): Promise<void> {
  const mail = await startMailServer();
  const sql = db.control;
  const running = new AsyncDisposableStack();
  onTestFinished(() => running.disposeAsync());
  // The job serves all workspaces, and must not meet those of other tests.
  await sql.query(
    'update payment_settings set auto_enabled = false, auto_noticed_at = now(), recovery_top_up_id = null',
  );
  const stripe = await FakeStripe.start();
  running.defer(() => stripe.stop());
  const stage = await openAutoStage(db.database, stripe);
  const { id } = stage.account.workspace;
  await signedIn(sql, { email: `owner-${id}@example.com`, roles: { [id]: 'owner' } });
  const config = { mail: { smtpUrl: mail.url, from: 'gate@example.com' }, webhooks: { allowedNetworks: [] } };
  const log = createLogTo('silent', { write: () => undefined });
  startOutbox({ config, sql, keyring: testKeyring(sql), log, closing: running });
  const onNotice = stopNotices({ config, log });
  const look = () => new AlertWatch({ sql, pacer: UNPACED, notifying: notifyingOf(config) }).run();
  const { provider, payments } = stage;
  const onFault = (fault: unknown): void => void stage.faults.push(fault);
  await run({
    id,
    stripe,
    stage,
    mail,
    config,
    look,
    run: () => runAutoTopUps({ sql: db.database, provider, payments, onNotice, onFault }),
  });
}

const stopsOf = async (id: string) => {
  const { items } = await listAlerts(db.control, scopeOf(id, 'alerts:read'), {});
  return items.filter(({ kind }) => kind === 'auto_top_up_stopped');
};

const mailsTo = ({ mail, id }: NoticeStage): readonly string[] =>
  mail.received
    .filter(({ to }) => to[0] === `owner-${id}@example.com`)
    .map(({ message }) => message.replaceAll('=\r\n', ''));

const change = ({ id, stage }: NoticeStage, fields: Parameters<typeof changeAutoTopUp>[2]) =>
  changeAutoTopUp(db.database, scopeOf(id), fields, { terms: stage.payments.terms, expected: null });

const spend = ({ id }: NoticeStage, cents: bigint) =>
  postCredit(db.database, scopeOf(id), { kind: 'adjustment', amount: -cents * CENT, reason: 'spent' });

test('owners get one mail when automatic top-ups are turned off, and the alert ends when they are on again', async () => {
  await withStage(async (given) => {
    const { id, stripe, look, run } = given;
    await look();
    stripe.card = 'declines';
    for (let round = 0; round < 3; round += 1) {
      await run();
      await db.database.query(`update payment_settings set auto_failed_at = auto_failed_at - interval '61 minutes'`);
    }
    await run();
    await look();
    expect(await stopsOf(id)).toMatchObject([
      { resolvedAt: null, summary: expect.stringContaining('off after three failures, the last: insufficient_funds') },
    ]);
    await vi.waitFor(() => expect(mailsTo(given)).toHaveLength(1), { timeout: 20_000 });
    expect(mailsTo(given)[0]).toContain('off after three failures');
    stripe.card = 'pays';
    granted(await change(given, { enabled: true }));
    await look();
    expect(await stopsOf(id)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  });
});

test('owners get the page on which a payment is authenticated, and the alert ends when it is paid', async () => {
  await withStage(async (given) => {
    const { id, stripe, stage, look, run } = given;
    stripe.card = 'needs_authentication';
    await run();
    expect(await stopsOf(id)).toEqual([]);
    // Before the watch has looked at a workspace, it has no rules; the notice waits.
    await look();
    await run();
    const url = 'https://checkout.stripe.test/pay';
    expect(await stopsOf(id)).toMatchObject([{ resolvedAt: null, url }]);
    await vi.waitFor(() => expect(mailsTo(given)).toHaveLength(1), { timeout: 20_000 });
    expect(mailsTo(given)[0]).toContain(url);
    const recovery = stripe.all('checkout.session').at(-1);
    await deliverTo(stage, stripe, stripe.pay(String(recovery?.['id'])));
    await look();
    expect(await stopsOf(id)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
  });
});

test('owners learn once that the maximum of the month is reached, and again if it is reached after it was raised', async () => {
  await withStage(async (given) => {
    const { id, look, run } = given;
    await look();
    for (let round = 0; round < 4; round += 1) {
      await run();
      await spend(given, 2_000n);
      await look();
    }
    expect(await stopsOf(id)).toMatchObject([
      { resolvedAt: null, summary: expect.stringContaining('have reached the maximum of this month') },
    ]);
    granted(await change(given, { monthMax: 7_000n * CENT }));
    await look();
    expect(await stopsOf(id)).toMatchObject([{ resolvedAt: expect.any(Date) }]);
    for (let round = 0; round < 3; round += 1) {
      await run();
      await spend(given, 2_000n);
    }
    await look();
    expect(await stopsOf(id)).toMatchObject([{ resolvedAt: null }, { resolvedAt: expect.any(Date) }]);
  });
});

test('a payment for a closed workspace is a problem and an alert of the operator until it is refunded in full', async () => {
  await withStage(async (given) => {
    const { id, stripe, stage, config, look } = given;
    await look();
    const { payments } = stage;
    const wish = { amount: 1_000n * CENT, savesMethod: false, once: null };
    const page = granted(await payments.startTopUp(scopeOf(id), wish)).checkoutReference ?? '';
    granted(await db.database.transaction((tx) => closeWorkspace(tx, scopeOf(id), { version: null })));
    await finishClosing(db.database);
    expect(await workspaceNow(db.database, id)).toMatchObject({ balance: 0n, state: 'closed' });
    await deliverTo(stage, stripe, stripe.pay(page));
    expect((await workspaceNow(db.database, id)).balance).toBe(1_000n * CENT);
    expect(await paymentProblems(db.database)).toEqual([expect.stringContaining('have not gone back')]);

    const now = { sql: db.database, payments, nowMs: Date.now() };
    stripe.outages.push('before', 'before', 'before');
    await returnClosedPayments(config, now);
    stripe.outages.splice(0);
    const alerts = async () => {
      const { items } = await listAlerts(db.control, operatorScope(), {});
      return items.filter(({ kind }) => kind === 'payment_after_closing');
    };
    expect(await alerts()).toMatchObject([{ resolvedAt: null, subjectId: id }]);
    await returnClosedPayments(config, now);
    await returnClosedPayments(config, now);
    expect(stripe.all('refund')).toMatchObject([{ amount: 1_080 }]);
    expect((await workspaceNow(db.database, id)).balance).toBe(0n);
    expect(await paymentProblems(db.database)).toEqual([]);
    expect(await alerts()).toMatchObject([{ resolvedAt: expect.any(Date) }]);
    expect(await verifyLedger(db.database)).toMatchObject({ ok: true, differences: [] });
  });
});

test('no kept card is charged for a workspace that is being closed', async () => {
  await withStage(async ({ id, stripe, run }) => {
    const charged = stripe.all('charge').length;
    granted(await db.database.transaction((tx) => closeWorkspace(tx, scopeOf(id), { version: null })));
    await db.database.query('select begin_auto_top_up($1, gen_random_uuid(), $2, $3)', [
      id,
      2_000n * CENT,
      110n * CENT,
    ]);
    await run();
    expect(stripe.all('charge')).toHaveLength(charged);
    expect(await db.database.query(`select from top_ups where workspace_id = $1 and origin = 'auto'`, [id])).toEqual(
      [],
    );
  });
});
