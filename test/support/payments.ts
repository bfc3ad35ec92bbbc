import type { Sql } from '../../src/lib/sql.ts';
import { createTopUp, type TopUp, type TopUpOrder } from '../../src/control/payments/top-ups.ts';
import { type AutoTopUpNotice, runAutoTopUps } from '../../src/control/payments/auto-top-ups.ts';
import type { AppliedEvent, PaymentEvent } from '../../src/control/payments/payment-facts.ts';
import { changeAutoTopUp } from '../../src/control/payments/payment-settings.ts';
import { Payments, type PaymentsParts } from '../../src/control/payments/payments.ts';
import { openStripe, type StripeProvider } from '../../src/control/payments/stripe/stripe-provider.ts';
import { type Account, granted, openAccount } from './accounts.ts';
import { scopeOf } from './scopes.ts';
import { type FakeEvent, type FakeStripe, SECRET_KEY, WEBHOOK_SECRET } from './fake-stripe.ts';

/** One cent, in nano-USD. */
export const CENT = 10_000_000n;

/** Makes a top-up of 10 USD with a fee of 80 cents, unless told otherwise. */
export async function openTopUp(sql: Sql, workspaceId: string, more: Partial<TopUpOrder> = {}): Promise<TopUp> {
  const order: TopUpOrder = {
    provider: 'stripe',
    origin: 'checkout',
    amount: 1_000n * CENT,
    fee: 80n * CENT,
    savesMethod: false,
    once: null,
    ...more,
  };
  return granted(await createTopUp(sql, scopeOf(workspaceId), order));
}

export interface Stage {
  readonly payments: Payments;
  readonly provider: StripeProvider;
  readonly mismatches: PaymentEvent[];
  readonly parts: PaymentsParts;
}

/** Payments with a fee of 5.5 %, at least 80 cents, by this Stripe; with null, by none. */
export async function openStage(
  sql: Sql,
  stripe: FakeStripe | null,
  { hasTax = false }: { readonly hasTax?: boolean } = {},
): Promise<Stage> {
  const mismatches: PaymentEvent[] = [];
  const provider = await openStripe({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    baseUrl: stripe?.origin ?? 'http://127.0.0.1:9',
    automaticTax: hasTax,
    invoices: hasTax,
    returnUrlOf: (workspaceId) => `http://127.0.0.1/workspaces/${workspaceId}/credit`,
  });
  const parts: PaymentsParts = {
    sql,
    provider: stripe === null ? null : provider,
    terms: { fee: { share: 550n, min: 80n * CENT }, amountMin: 500n * CENT, amountMax: 100_000n * CENT, hasTax },
    onMismatch: (event) => void mismatches.push(event),
  };
  return { payments: new Payments(parts), provider, mismatches, parts };
}

export interface AutoStage extends Stage {
  readonly account: Account;
  readonly notices: AutoTopUpNotice[];
  readonly faults: unknown[];
  /** One run of the job, with tax on or not. */
  readonly run: (on?: Sql, hasTax?: boolean) => Promise<void>;
}

/** A workspace whose card is kept, with 10 USD, that is topped up by 20 USD below 15 USD, for at most 50 USD a month. */
export async function openAutoStage(sql: Sql, stripe: FakeStripe): Promise<AutoStage> {
  const stage = await openStage(sql, stripe);
  const account = await openAccount(sql);
  const scope = scopeOf(account.workspace.id);
  const wish = { amount: 1_000n * CENT, savesMethod: true, once: null };
  const topUp = granted(await stage.payments.startTopUp(scope, wish));
  await deliverTo(stage, stripe, stripe.pay(topUp.checkoutReference ?? ''));
  const change = {
    enabled: true,
    threshold: 1_500n * CENT,
    amount: 2_000n * CENT,
    monthMax: 5_000n * CENT,
    consent: true,
  };
  granted(await changeAutoTopUp(sql, scope, change, { terms: stage.payments.terms, expected: null }));
  stripe.events.splice(0);
  const notices: AutoTopUpNotice[] = [];
  const faults: unknown[] = [];
  const run = async (on = sql, hasTax = false): Promise<void> => {
    const payments = new Payments({ ...stage.parts, sql: on, terms: { ...stage.parts.terms, hasTax } });
    const { provider } = stage;
    const onNotice = async (_tx: unknown, notice: AutoTopUpNotice): Promise<boolean> => notices.push(notice) > 0;
    await runAutoTopUps({ sql: on, provider, payments, onNotice, onFault: (fault) => void faults.push(fault) });
  };
  return { ...stage, account, notices, faults, run };
}

/** Delivers an event as a webhook does. */
export async function deliverTo(
  { provider, payments }: Pick<Stage, 'provider' | 'payments'>,
  stripe: FakeStripe,
  event: FakeEvent,
): Promise<AppliedEvent | null> {
  const { body, signature } = stripe.signed(event);
  const read = provider.readWebhook(Buffer.from(body), signature);
  return read === null ? null : await payments.apply(read);
}
