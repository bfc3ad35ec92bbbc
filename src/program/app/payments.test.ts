import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { FakeStripe, SECRET_KEY, WEBHOOK_SECRET } from '../../../test/support/fake-stripe.ts';
import type { Config } from '../../config/config.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { ControlSql } from '../../lib/control-sql.ts';
import { SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type Sql } from '../../lib/sql.ts';
import { openPayments } from './payments.ts';

const TERMS = { fee: { share: 0n, min: 0n }, amountMin: 1n, amountMax: 2n };
const SERVER = { host: '127.0.0.1', port: 8_080, publicUrl: null };

/** A desk of a Stripe, over a database that fails so, and the lines that it logs. */
async function openDesk({
  fault = new Error('boom'),
  webhookSecret = WEBHOOK_SECRET,
  publicUrl = null,
  returnUrl = null,
}: {
  readonly fault?: Error;
  readonly webhookSecret?: string | null;
  readonly publicUrl?: string | null;
  readonly returnUrl?: string | null;
} = {}) {
  const stripe = await FakeStripe.start();
  onTestFinished(() => stripe.stop());
  const lines: string[] = [];
  const note = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const sql: Sql = { query: () => Promise.reject(fault), transaction: () => Promise.reject(fault) };
  const config = {
    payments: {
      ...TERMS,
      seller: null,
      stripe: { secretKey: SECRET_KEY, webhookSecret, baseUrl: stripe.origin, automaticTax: false, invoices: false },
      returnUrl,
    },
    server: { ...SERVER, publicUrl } as Config['server'],
  };
  const control = new ControlSql(sql, { clock: new SystemClock(), connectionsMax: 2 });
  return { stripe, lines, desk: await openPayments({ config, sql: control, log }) };
}

/** A webhook of a payment, as the fake signs it. */
function paidWebhook(stripe: FakeStripe, secret?: string) {
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1', metadata: {} } } };
  return stripe.signed(event as unknown as Parameters<FakeStripe['signed']>[0], secret);
}

test('webhooks are taken only with a secret that shows who sent them', async () => {
  expect((await openDesk()).desk.webhooks).not.toBeNull();
  expect((await openDesk({ webhookSecret: null })).desk).toMatchObject({
    webhooks: null,
    provider: { name: 'stripe' },
  });
});

test('a webhook that is signed by another secret is refused for good, and logged', async () => {
  const { stripe, desk, lines } = await openDesk();
  const { body, signature } = paidWebhook(stripe, 'whsec_another');
  const refusal = desk.webhooks?.read(Buffer.from(body), signature);
  expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', message: 'The signature is not valid.' });
  expect(lines).toEqual(['warn: a webhook was refused: it has no valid signature']);
});

test('a webhook that is signed by its secret is read', async () => {
  const { stripe, desk, lines } = await openDesk();
  const { body, signature } = paidWebhook(stripe);
  expect(isRefusal(desk.webhooks?.read(Buffer.from(body), signature))).toBe(false);
  expect(lines).toEqual([]);
});

const FACT = { kind: 'expired', topUpId: randomUUID(), workspaceId: randomUUID(), origin: 'checkout' } as const;

test.each<[string, Error, readonly string[]]>([
  ['cannot be reached', new DatabaseUnavailable('the database is away'), []],
  ['fails', new Error('boom'), ['error: a payment event could not be applied; its sender will repeat it']],
])(
  'a webhook whose database %s is to be sent again a second later, and only a fault is logged',
  async (_, fault, logged) => {
    const { desk, lines } = await openDesk({ fault });
    expect(await desk.webhooks?.apply({ provider: 'stripe', id: 'evt_1', fact: FACT })).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterMs: 1_000,
    });
    expect(lines).toEqual(logged);
  },
);

// What is configured, and where the payer comes back to.
test.each([
  [{}, 'http://127.0.0.1:8080/workspaces/w/credit'],
  [{ publicUrl: 'https://gateway.example' }, 'https://gateway.example/workspaces/w/credit'],
  [{ publicUrl: 'https://gateway.example/' }, 'https://gateway.example/workspaces/w/credit'],
  [
    { publicUrl: 'https://gateway.example', seller: null, returnUrl: 'https://shop.example/paid' },
    'https://shop.example/paid',
  ],
])('with %j a payer comes back to %s', async (settings, url) => {
  const { stripe, desk } = await openDesk(settings);
  await desk.provider?.openCheckout({
    topUpId: randomUUID(),
    workspaceId: 'w',
    amount: 10_000_000_000n,
    fee: 0n,
    createdAt: new Date(),
    savesMethod: false,
    customer: null,
  });
  const [session] = stripe.all('checkout.session');
  expect([session?.['success_url'], session?.['cancel_url']].map((each) => String(each).split('?')[0])).toEqual([
    url,
    url,
  ]);
});
