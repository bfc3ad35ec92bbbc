import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { parseUsd } from '../../src/domain/money.ts';
import { runAutoTopUps } from '../../src/control/payments/auto-top-ups.ts';
import { parseCsv, sumOf } from '../support/csv.ts';
import { type FakeEvent, FakeStripe, SECRET_KEY, WEBHOOK_SECRET } from '../support/fake-stripe.ts';
import { openStage } from '../support/payments.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

let stripe: FakeStripe;
let program: Program;
let owner: SignedInPerson;
let name: string;

beforeAll(async () => {
  stripe = await FakeStripe.start();
  const config = `
payments:
  stripe: { secret_key: ${SECRET_KEY}, base_url: "${stripe.origin}", webhook_secret: ${WEBHOOK_SECRET} }
  fee: { percent: "5.5", min: "0.80" }
`;
  program = await startProgram({ config, beside: [stripe] });
});
beforeEach(async () => {
  owner = await signedIn(program);
  ({ name } = await program.admin.showWorkspace(owner.workspaceId));
});
afterAll(() => program.dispose());

/** The provider's pages: nothing of them is looked at but their address. */
const PROVIDER = [/^request to another origin: https:\/\/checkout\.stripe/];

async function openCredit(search = '', as = owner, more: Parameters<typeof visit>[2] = {}): Promise<Page> {
  const { context, page } = await visit(program, `/workspaces/${owner.workspaceId}/credit${search}`, {
    as,
    expectedFaults: PROVIDER,
    ...more,
  });
  await context.route('https://checkout.stripe*/**', (route) => route.fulfill({ body: 'the page of Stripe' }));
  await page.getByRole('heading', { name: 'Credit', exact: true }).waitFor();
  return page;
}

const balance = (page: Page) => page.getByRole('region', { name: 'Balance' });

async function deliver(event: FakeEvent): Promise<void> {
  const { body, signature } = stripe.signed(event);
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  const answer = await fetch(`${program.url}/webhooks/stripe`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
}

/** The page on which the workspace's last top-up is paid. */
function lastCheckout(): Record<string, unknown> {
  const session = stripe.all('checkout.session').at(-1);
  if (session === undefined) throw new Error('no page was opened');
  return session;
}

/** The address that the payer comes back to. */
function wayBack(which: 'success_url' | 'cancel_url'): string {
  const { pathname, search } = new URL(String(lastCheckout()[which]));
  return pathname + search;
}

/** Words on the page, not those that are only spoken. */
const said = (page: Page, words: string) => page.getByRole('main').getByText(words);

/** Begins a top-up without a page. */
async function startTopUp(body: object): Promise<Record<string, unknown>> {
  const answer = await owner.session.post(`/workspaces/${owner.workspaceId}/top-ups`, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Presses Tab until the focus is on this. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'checkbox', target: string): Promise<void> {
  const wanted = page.getByRole(role, { name: target, exact: true });
  for (let presses = 0; presses < 60; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the focus never came to ${target}`);
}

test('a top-up by keys alone names its workspace and its price, and turns from waiting to paid without a reload', async () => {
  const page = await openCredit();
  await tabTo(page, 'button', 'Add credit');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add credit' });
  await dialog.getByText(name).waitFor();
  await tabTo(page, 'button', '$50');
  await page.keyboard.press('Space');
  expect(await dialog.getByRole('definition').allTextContents()).toEqual(['$50.00', '$2.75', '$52.75']);
  await tabTo(page, 'button', 'Pay $52.75');
  await page.keyboard.press('Enter');
  await page.waitForURL('https://checkout.stripe.test/pay');

  await page.goto(wayBack('success_url'));
  await said(page, `Waiting for the payment: ${name} gets $50.00 of credit`).waitFor();
  await page.getByRole('region', { name: 'Balance' }).getByText('$0.00').first().waitFor();
  await page.evaluate('globalThis.wasNeverReloaded = true');
  await deliver(stripe.pay(String(lastCheckout()['id'])));
  await said(page, `Paid. ${name} has $50.00 more credit.`).waitFor({ timeout: 8_000 });
  await balance(page).getByText('$50.00').waitFor();
  await page.getByRole('link', { name: 'Top-up', exact: true }).waitFor();
  expect(await page.evaluate('globalThis.wasNeverReloaded')).toBe(true);
  await tabTo(page, 'button', 'Dismiss');
  await page.keyboard.press('Enter');
  await vi.waitFor(() => expect(new URL(page.url()).search).toBe(''), { timeout: 10_000 });
});

test('the page to which payers come back credits nothing when it is opened by hand, even with the id of a top-up', async () => {
  const topUp = await startTopUp({ amount_usd: '100' });
  const page = await openCredit(`?top_up=${String(topUp['id'])}&result=success`, owner, {
    expectedFaults: [...PROVIDER, /status of 404/],
  });
  await said(page, 'Waiting for the payment').waitFor();
  await page.reload();
  await said(page, 'Waiting for the payment').waitFor();
  await page.goto(`/workspaces/${owner.workspaceId}/credit?top_up=${crypto.randomUUID()}&result=success`);
  await page.getByText('This workspace has no such top-up.').waitFor();
  const { balance_usd: usd } = await program.admin.showWorkspace(owner.workspaceId);
  expect(usd).toBe('0.00');
  expect(await program.admin.listPostings(owner.workspaceId, {})).toMatchObject({ data: [] });
});

test('a payment that was left, is under way, failed or has expired is explained, with the way on', async () => {
  await startTopUp({ amount_usd: '20' });
  const session = String(lastCheckout()['id']);
  const page = await openCredit(wayBack('cancel_url').replace(/^[^?]*/, ''));
  await said(page, 'You left the payment page. Nothing was charged').waitFor();
  const link = page.getByRole('link', { name: 'Continue to payment' });
  expect(await link.getAttribute('href')).toBe('https://checkout.stripe.test/pay');
  await deliver(stripe.pay(session, { later: true }));
  await said(page, 'The payment is under way').waitFor();
  await deliver(stripe.settle(session, 'failed'));
  await said(page, 'The payment did not go through').waitFor();
  await page.getByRole('button', { name: 'Add credit' }).first().click();
  await page.getByRole('dialog', { name: 'Add credit' }).waitFor();

  await startTopUp({ amount_usd: '30' });
  await deliver(stripe.expire(String(lastCheckout()['id'])));
  await page.goto(wayBack('success_url'));
  await said(page, 'The payment page has expired. Nothing was charged').waitFor();
});

test('automatic top-up is off at birth, wants consent, and stops after three failures with a banner and a way back', async () => {
  const page = await openCredit();
  await page.getByText('It is off: nothing is charged unless somebody adds credit.').waitFor();
  expect(await page.getByRole('button', { name: 'Turn on' }).getAttribute('aria-disabled')).toBe('true');

  await startTopUp({ amount_usd: '5', save_method: true });
  await deliver(stripe.pay(String(lastCheckout()['id'])));
  await page.getByText('A payment method is kept by Stripe, not here.').waitFor();
  await page.getByText('It is off: nothing is charged unless somebody adds credit.').waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const sheet = page.getByRole('dialog', { name: 'Turn on automatic top-up' });
  await sheet.getByLabel('When the balance falls below').fill('15');
  await sheet.getByLabel('add this much credit').fill('20');
  await sheet.getByLabel('and charge at most this much in a month').fill('50');
  await sheet.getByText('In the worst month that is 2 top-ups: $42.20 charged, fees included').waitFor();
  await sheet.getByRole('button', { name: 'Turn on automatic top-up' }).click();
  await sheet.getByText('Agree to the charges first').waitFor();
  await sheet.getByRole('checkbox').check();
  await sheet.getByRole('button', { name: 'Turn on automatic top-up' }).click();
  await page.getByText('When the balance falls below $15.00, $20.00 of credit is added').waitFor();

  stripe.card = 'declines';
  await failThrice(owner.workspaceId);
  stripe.card = 'pays';
  await page.getByRole('alert').getByText('Automatic top-up has stopped after 3 failed payments').waitFor();
  await page.getByRole('tab', { name: 'Top-ups' }).click();
  await page.getByText('Automatic top-up').nth(1).waitFor();
  await page.getByRole('button', { name: 'Turn on again' }).click();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Turn on automatic top-up' }).click();
  await page.getByText('When the balance falls below $15.00').waitFor();
  await page.getByText('Automatic top-up has stopped').waitFor({ state: 'detached' });
});

/** Runs the job of automatic top-ups three times, without the hour between two failures. */
async function failThrice(workspaceId: string): Promise<void> {
  const sql = await program.openDatabase();
  const { payments, provider } = await openStage(sql, stripe);
  const onNotice = (): Promise<boolean> => Promise.resolve(false);
  for (let failures = 0; failures < 3; failures++) {
    await runAutoTopUps({ sql, provider, payments, onNotice, onFault: () => undefined });
    await sql.query('update payment_settings set auto_failed_at = null where workspace_id = $1', [workspaceId]);
  }
}

test('the balance is the same to the nano-dollar in header, statement, its end, its CSV and the ledger', async () => {
  const site = sharedSite();
  const person = await signedIn(site);
  const { workspaceId } = person;
  await site.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: '12.000000001', reason: 'Welcome' });
  const { id: project } = await site.admin.createProject(workspaceId, { name: 'web' });
  const { key } = await site.admin.createKey(project, {});
  for (const content of ['one', 'two and three']) {
    const answer = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content }] }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  const exact = async (): Promise<string> => (await site.admin.showWorkspace(workspaceId)).balance_usd;
  await vi.waitFor(async () => expect(await exact()).not.toBe('12.000000001'), { timeout: 10_000 });
  const { page } = await visit(site, `/workspaces/${workspaceId}/credit`, { as: person });
  await page.getByRole('link', { name: 'Usage, 2 requests' }).waitFor();
  const usd = await exact();
  const figures = await page.locator('data').evaluateAll((all) => all.map((each) => each.getAttribute('value')));
  // The header, the hero, the end of the month, and the balance of its last line.
  expect(figures.filter((figure) => figure === usd)).toHaveLength(4);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const rows = parseCsv(await readFile(await file.path(), 'utf8'));
  expect(rows.at(-1)?.['balance_usd']).toBe(usd);
  expect(sumOf(rows, 'amount_nano_usd')).toBe(parseUsd(usd));
});

test('two clicks on the page of credit print a month by project, model and member, whose sums are its balance', async () => {
  const site = sharedSite();
  const person = await signedIn(site, { role: 'billing' });
  const { workspaceId } = person;
  await site.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: '7.5', reason: 'Welcome' });
  const { id: project } = await site.admin.createProject(workspaceId, { name: 'Night shift' });
  const { key } = await site.admin.createKey(project, {});
  const answer = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'one' }] }),
  });
  await answer.text();
  const balanceUsd = async (): Promise<string> => (await site.admin.showWorkspace(workspaceId)).balance_usd;
  await vi.waitFor(async () => expect(await balanceUsd()).not.toBe('7.5'), { timeout: 30_000 });
  await site.admin.changeWorkspace(workspaceId, { billing_name: 'Acme GmbH', billing_tax_id: 'DE123' });
  const { page } = await visit(site, `/workspaces/${workspaceId}/keys`, { as: person });
  const prints: string[] = [];
  await page.exposeFunction('noted', (title: string) => prints.push(title));
  await page.evaluate('window.print = () => window.noted(document.title)');

  // Two clicks from any page.
  await page.getByRole('link', { name: 'Credit', exact: true }).first().click();
  await page.getByRole('link', { name: 'Print statement' }).click();
  for (const [label, row] of [
    ['Charges by project', /^Night shift 1 /],
    ['Charges by model', /^sandbox\/echo 1 /],
    ['Charges by member', /^keys of no member 1 /],
  ] as const) {
    await page.getByRole('table', { name: label }).getByRole('row', { name: row }).waitFor();
  }
  await page.getByRole('button', { name: 'Print' }).click();
  await expect.poll(() => prints).toHaveLength(1);
  expect(prints[0]).toContain('Credit statement of');

  const valueOf = async (term: string): Promise<string> =>
    (await page.locator(`dt:text-is("${term}") + dd data`).getAttribute('value')) ?? '';
  expect(await valueOf('At the beginning')).toBe('0.00');
  expect(await valueOf('At the end')).toBe(await balanceUsd());
  expect(await valueOf('Net additions')).toBe('7.50');
  const number = await page.locator('dt:text-is("Number") + dd').innerText();
  const month = new Date().toISOString().slice(0, 7);
  const statement = await site.admin.showStatement(workspaceId, { month });
  expect(number).toBe(statement.number);
  expect(await page.locator('dt:text-is("Buyer") + dd').innerText()).toMatch(/^Acme GmbH\s+DE123$/);
  const former = await site.admin.showStatement(workspaceId, { month: '2025-01' });
  expect(former.number).toBe(number.replace(month, '2025-01'));

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const hidden of [page.getByRole('navigation').first(), page.getByRole('button', { name: 'Print' })]) {
    await hidden.waitFor({ state: 'hidden' });
  }
  // Ink on white, though the page on the screen is dark.
  const ink = await page.evaluate("getComputedStyle(document.querySelector('h1')).color");
  expect(ink).toMatch(/^(?:oklch\(0\.[12]|lab\(\d\.)/);
});

test('each line of the statement leads to its cause', async () => {
  const { workspaceId } = owner;
  await startTopUp({ amount_usd: '40' });
  await deliver(stripe.pay(String(lastCheckout()['id'])));
  const operator = await signedIn(program, { workspaceId, isOperator: true });
  const page = await openCredit('', operator);
  await page.getByRole('button', { name: 'Post credit' }).click();
  const form = page.getByRole('dialog', { name: 'Post credit' });
  await form.getByLabel('Amount in USD').fill('7.5');
  await form.getByLabel('Reason').fill('for the outage');
  await form.getByText(`faregate credit grant ${workspaceId} 7.50 --reason 'for the outage'`).waitFor();
  await form.getByRole('button', { name: 'Post grant' }).click();
  await page.getByText('Grant: for the outage').waitFor();
  await balance(page).getByText('$47.50').waitFor();
  await page.getByRole('link', { name: 'Top-up', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Top-up' });
  await sheet.getByText('$40.00 of credit was added.').waitFor();
  await sheet.getByRole('button', { name: 'Refund payment' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund this payment' });
  await refund.getByLabel('Amount in USD').fill('10');
  await refund.getByRole('button', { name: 'Refund $10.00' }).click();
  await sheet.getByText('Refunded').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Refund of a payment' }).waitFor();
  await balance(page).getByText('$37.50').waitFor();
  expect(await program.admin.showWorkspace(workspaceId)).toMatchObject({ balance_usd: '37.50' });
});

test('a code is redeemed for its credit once, and a wrong one is answered in its place', async () => {
  const { codes } = await program.admin.createCodeBatch({
    count: 1,
    amount_usd: '9',
    expires_at: '2099-01-01',
    reason: 'a fair',
  });
  const page = await openCredit('?redeem=true', owner, { expectedFaults: [/status of 4/] });
  const dialog = page.getByRole('dialog', { name: 'Redeem a code' });
  await dialog.getByLabel('Code').fill('nothing');
  await dialog.getByRole('button', { name: 'Redeem code' }).click();
  await dialog.getByText('This is not a redemption code').waitFor();
  await dialog.getByLabel('Code').fill(codes?.[0] ?? '');
  await dialog.getByRole('button', { name: 'Redeem code' }).click();
  await balance(page).getByText('$9.00').waitFor();
  await page.getByRole('link', { name: 'Redeemed code' }).waitFor();
  expect(await program.admin.showWorkspace(owner.workspaceId)).toMatchObject({ balance_usd: '9.00' });
});

test('members who may not buy or see credit keep its balance, and read why the rest is out of reach', async () => {
  const { workspaceId } = owner;
  const viewer = await openCredit('?add=true', await signedIn(program, { workspaceId, role: 'viewer' }));
  const add = viewer.getByRole('button', { name: 'Add credit' }).first();
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  await add.focus();
  await viewer.getByRole('tooltip').getByText('Only owners and billing members can add credit.').waitFor();
  expect(await viewer.getByRole('dialog').count()).toBe(0);
  const developer = await openCredit('', await signedIn(program, { workspaceId, role: 'developer' }));
  await balance(developer).getByText('$0.00').first().waitFor();
  await developer.getByText('can see where credit came from.').waitFor();
});

test('an instance without payments says that its operator grants credit, and how', async () => {
  const site = sharedSite();
  const person = await signedIn(site);
  const { page } = await visit(site, `/workspaces/${person.workspaceId}/credit`, { as: person });
  await page.getByText('This instance takes no payments: its operator grants credit.').waitFor();
  expect(await page.getByRole('button', { name: 'Add credit' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Redeem code' }).waitFor();
  const operator = await signedIn(site, { workspaceId: person.workspaceId, isOperator: true });
  const { page: theirs } = await visit(site, `/workspaces/${person.workspaceId}/credit`, { as: operator });
  await theirs.getByText(`faregate credit grant ${person.workspaceId} USD --reason REASON`).waitFor();
});
