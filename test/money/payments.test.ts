import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeStripe, type FakeEvent, SECRET_KEY, WEBHOOK_SECRET } from '../support/fake-stripe.ts';
import { type Program, startProgram } from '../support/program.ts';

// Payments through the whole program: webhooks over HTTP, a killed process, an instance without Stripe.

const TOP_UPS = 30;
const ROUNDS = 3;

let stripe: FakeStripe;
let program: Program | null = null;

beforeEach(async () => {
  stripe = await FakeStripe.start();
});
afterEach(async () => {
  await program?.dispose();
  await stripe.stop();
  program = null;
});

const configOf = (webhookSecret: string): string => `
payments:
  stripe: { secret_key: ${SECRET_KEY}, base_url: "${stripe.origin}"${webhookSecret} }
  fee: { percent: "5.5", min: "0.80" }
`;
const SIGNED = `, webhook_secret: ${WEBHOOK_SECRET}`;

async function call(path: string, body: object): Promise<{ status: number; answer: Record<string, unknown> }> {
  if (program === null) throw new Error('no program runs');
  const response = await fetch(`${program.url}/admin/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

/** Sends an event; null if the connection broke. */
async function send(event: FakeEvent, more: { secret?: string; method?: string } = {}): Promise<number | null> {
  const { body, signature } = stripe.signed(event, more.secret);
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const method = more.method ?? 'POST';
  const sent = fetch(`${program?.url}/webhooks/stripe`, { method, headers, ...(method === 'POST' ? { body } : {}) });
  return await sent.then(
    ({ status }) => status,
    () => null,
  );
}

async function openTopUp(workspaceId: string): Promise<string> {
  const { status, answer } = await call(`/workspaces/${workspaceId}/top-ups`, { amount_usd: '10' });
  expect({ status, answer }).toMatchObject({ status: 201 });
  const session = stripe.all('checkout.session').find(({ client_reference_id: id }) => id === answer['id']);
  return String(session?.['id']);
}

test('a webhook over HTTP gives credit only if Stripe has signed it, and is bounded', async () => {
  program = await startProgram({ config: configOf(SIGNED) });
  const workspace = await program.admin.createWorkspace({ name: 'paying' });
  const event = stripe.pay(await openTopUp(workspace.id));
  expect(await send(event, { secret: 'whsec_forged' })).toBe(400);
  expect(await send(event, { method: 'GET' })).toBe(405);
  const huge = await fetch(`${program.url}/webhooks/stripe`, { method: 'POST', body: 'x'.repeat(300_000) });
  expect(huge.status).toBe(413);
  expect(await program.admin.showWorkspace(workspace.id)).toMatchObject({ balance_usd: '0.00' });
  expect(await Promise.all([send(event), send(event), send(event)])).toEqual([200, 200, 200]);
  expect(await program.admin.showWorkspace(workspace.id)).toMatchObject({ balance_usd: '10.00' });
  const other = stripe.emit('customer.created', { object: 'customer', id: 'cus_1' });
  expect(await send(other)).toBe(200);
  const { stdout } = await program.cli('top-up', 'list', 'paying');
  expect(stdout).toMatch(/paid +10\.00 +0\.80 +0\.00 +0\.00 +0\.00 +stripe +pi_/);
  expect((await program.cli('config', 'print')).stdout).not.toContain(WEBHOOK_SECRET);
  expect(program.stderr()).not.toContain(SECRET_KEY);
});

test('without a webhook secret there is no path for webhooks, and without Stripe a top-up says who gives credit', async () => {
  program = await startProgram({ config: configOf('') });
  const workspace = await program.admin.createWorkspace({ name: 'unsigned' });
  const event = stripe.pay(await openTopUp(workspace.id));
  expect(await send(event)).toBe(404);
  expect(await program.admin.showWorkspace(workspace.id)).toMatchObject({ balance_usd: '0.00' });
  await program.dispose();
  program = await startProgram();
  const alone = await program.admin.createWorkspace({ name: 'alone' });
  expect(await send(event)).toBe(404);
  expect(await call(`/workspaces/${alone.id}/top-ups`, { amount_usd: '10' })).toMatchObject({
    status: 409,
    answer: {
      error: { message: 'This instance takes no payments: its operator grants credit, or hands out redemption codes.' },
    },
  });
  const made = await program.cli('code', 'create', '--count', '2', '--amount', '5', '--expires', '2099-01-01');
  const [code = ''] = made.stdout.split('\n');
  expect(await call(`/workspaces/${alone.id}/redemptions`, { code })).toMatchObject({ status: 201 });
  expect(await program.admin.showWorkspace(alone.id)).toMatchObject({ balance_usd: '5.00' });
  const { stdout } = await program.cli('code', 'list');
  expect(stdout).toContain(`…${code.slice(-4)}`);
  expect(stdout).toMatch(/alone +operator/);
});

test('a program that is killed while it takes webhooks credits each payment exactly once in the end', async () => {
  const config = configOf(SIGNED);
  program = await startProgram({ config });
  const { id } = await program.admin.createWorkspace({ name: 'killed' });
  const sessions: string[] = [];
  for (let made = 0; made < TOP_UPS; made += 1) sessions.push(await openTopUp(id));
  for (const session of sessions) {
    stripe.pay(session);
    stripe.refund(String(stripe.objects.get(session)?.['payment_intent']), 400);
  }
  let cut = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = stripe.events.map((event) => send(event));
    await Promise.race(answers);
    await delay(round * 10);
    await program.signal('SIGKILL');
    cut += (await Promise.all(answers)).filter((status) => status !== 200).length;
    program = await program.restart();
  }
  expect(cut).toBeGreaterThan(0);
  for (const event of stripe.events.toReversed()) {
    while ((await send(event)) !== 200) await delay(20);
  }
  expect(await program.admin.showWorkspace(id)).toMatchObject({ balance_usd: `${TOP_UPS * 6}.00`, owed_usd: '0.00' });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true, differences: [] });
}, 120_000);
