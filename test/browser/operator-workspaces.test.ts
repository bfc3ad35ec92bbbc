import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectAccessible, expectNoNeedlessScroll } from '../support/page-checks.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import type { Tenant } from '../support/tenant.ts';
import { visit } from '../support/visit.ts';

// The operator's pages of workspaces, on a program of their own: the list has all of them.

const LONG = 'A workspace whose name is as long as names of workspaces go';
const PATIENCE = { timeout: 15_000, interval: 100 };

// A request of the sandbox that says "hi" is charged for 1 and 1 tokens, as the tests below read from its receipt.
const CONFIG = `
providers:
  box: { kind: sandbox }
models:
  - id: acme/costed
    routes: [{ provider: box, model: echo, cost: { input: "0.4", output: "1", fees: { web_search: "0.008" } } }]
    price: { input: "1", output: "2", fees: { web_search: "0.01" } }
    context_window: 9000
    max_output: 99
  - { id: acme/unknown, routes: [{ provider: box, model: echo }], price: { input: "1", output: "2" }, context_window: 9000, max_output: 99 }
`;

let program: Program;
let operator: SignedInPerson;
let tenant: Tenant;

beforeAll(async () => {
  program = await startProgram({ config: CONFIG });
  const { id } = await program.admin.createWorkspace({ name: LONG });
  await program.admin.postCredit(id, { kind: 'grant', amount_usd: '98765.4321', reason: 'a test' });
  operator = await signedIn(program, { isOperator: true });
  tenant = await program.createTenant();
});
afterAll(() => program.dispose());

async function open(workspace?: string, search = ''): Promise<Page> {
  const below = workspace === undefined ? '' : `/${workspace}`;
  const { page } = await visit(program, `/operator/workspaces${below}${search}`, { as: operator });
  return page;
}

/** Pays for a request of a model; returns what it was charged. */
async function pay(model: string): Promise<string> {
  const answer = await program.chat(tenant.key, { model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] });
  await answer.text();
  expect(answer.status).toBe(200);
  const { data } = await program.admin.listReceipts(tenant.workspaceId, { limit: 1 });
  return data[0]?.charge_nano_usd ?? '';
}

test('workspaces are searched and sorted by their balance, which a reload keeps, and each leads to its page', async () => {
  const page = await open();
  const names = page
    .getByRole('table', { name: 'Workspaces' })
    .getByRole('rowheader')
    .or(page.locator('tbody td:first-child'));
  await page.getByRole('button', { name: 'Balance' }).click();
  await vi.waitFor(async () => expect(await names.first().innerText()).toBe(LONG), { timeout: 10_000 });
  await page.getByRole('row', { name: LONG }).getByText('$98,765.43').waitFor();
  await page.reload();
  await vi.waitFor(async () => expect(await names.first().innerText()).toBe(LONG), { timeout: 10_000 });
  await page.getByRole('button', { name: 'Balance' }).click();
  await vi.waitFor(async () => expect(await names.last().innerText()).toBe(LONG), { timeout: 10_000 });
  await page.getByRole('searchbox', { name: 'Search workspaces' }).fill('as LONG as');
  await vi.waitFor(async () => expect(await names.allInnerTexts()).toEqual([LONG]), { timeout: 10_000 });
  expect(new URL(page.url()).searchParams.get('search')).toBe('as LONG as');
  await page.getByRole('link', { name: LONG }).click();
  await page.getByRole('heading', { name: LONG, level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: LONG }).waitFor();
});

test('a workspace is created in the list, which leads into it and then has it', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Create workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('made here');
  await dialog.getByText(`faregate workspace create 'made here'`).waitFor();
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('button', { name: 'Workspace made here' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'made here' }).waitFor();
  const { data } = await program.admin.listWorkspaces();
  expect(data.filter(({ name }) => name === 'made here')).toHaveLength(1);
});

test('a workspace’s page shows what it brings by model, and never takes a cost that is not known for zero', async () => {
  await pay('acme/costed');
  await pay('acme/unknown');
  const { groups } = await program.admin.showUsage(tenant.workspaceId, { group_by: 'model' });
  const costed = groups.find(({ group }) => group === 'acme/costed')?.total;
  const page = await open(tenant.workspaceId);
  const table = page.getByRole('table', { name: 'Margin by model' });
  const amounts = async (model: string) => {
    const cells = table.getByRole('row', { name: model }).locator('data');
    return await cells.evaluateAll((all) => all.map((each) => each.getAttribute('value')));
  };
  await table.getByRole('row', { name: 'acme/costed' }).waitFor();
  expect(await amounts('acme/costed')).toEqual(['1', costed?.net_charge_usd, costed?.cost_usd, costed?.margin_usd]);
  const unknown = table.getByRole('row', { name: 'acme/unknown' });
  expect(await unknown.getByText('not known').count()).toBe(2);
  const total = table.getByRole('row', { name: 'Total' });
  expect(await total.innerText()).toMatch(/at least \$0\.\d+\s+at most \$0\.\d+/);
  await page.getByText('The cost of 50.0% of these requests is not known').waitFor();

  await page.getByRole('link', { name: 'Workspaces' }).click();
  const row = page.getByRole('row', { name: (await program.admin.showWorkspace(tenant.workspaceId)).name });
  await row.getByText('at most').first().waitFor();
  const other = page.getByRole('row', { name: LONG });
  await vi.waitFor(async () => expect(await other.getByText('$0.00').count()).toBeGreaterThanOrEqual(3), PATIENCE);
});

test('a member of a workspace asks for its usage and gets neither costs nor margins, as the operator’s page does', async () => {
  const owner = await signedIn(program, { workspaceId: tenant.workspaceId });
  const path = `/workspaces/${tenant.workspaceId}/usage?group_by=model`;
  expect(JSON.stringify((await owner.session.get(path)).body)).not.toMatch(/cost_|costed_|margin/);
  expect(JSON.stringify((await operator.session.get(path)).body)).toMatch(/"margin_usd"/);
});

test('a discount is charged as the form has shown it, stands on the model’s page, and ends with the list price', async () => {
  const page = await open(tenant.workspaceId);
  await page.getByText('This workspace pays list prices, and always has.').waitFor();
  await page.getByRole('button', { name: 'Change prices' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Change prices' });
  await sheet.getByLabel('Model').selectOption('acme/costed');
  await sheet.getByLabel('Percent below list').fill('70');
  const preview = sheet.getByRole('table', { name: 'Prices that follow' });
  const row = preview.getByRole('row', { name: 'acme/costed' });
  await row.getByText('$0.30', { exact: true }).waitFor();
  await row.getByText('$0.60', { exact: true }).waitFor();
  expect(await row.getByText('below cost').count()).toBe(2);
  const fee = sheet.getByRole('table', { name: 'Fees that follow' }).getByRole('row', { name: 'acme/costed' });
  expect(await fee.innerText()).toMatch(/^acme\/costed\s+per web search\s+\$0\.01\s+to\s+\$0\.003\s+below cost$/);
  await sheet.getByLabel('Percent below list').fill('20');
  await fee.getByText('$0.008', { exact: true }).waitFor();
  expect(await fee.getByText('below cost').count()).toBe(0);
  await sheet.getByLabel('Percent below list').fill('70');
  expect(await preview.getByRole('row', { name: 'acme/unknown' }).count()).toBe(0);
  await sheet.getByText(`faregate workspace price ${tenant.workspaceId} --model acme/costed --discount 70%`).waitFor();
  await sheet.getByRole('button', { name: 'Apply prices' }).click();
  await sheet.waitFor({ state: 'detached' });
  const adjustment = page
    .getByRole('table', { name: 'Discounts and mark-ups' })
    .getByRole('row', { name: 'acme/costed' });
  await adjustment.getByText('70% below list').waitFor();
  const priceOf = async () => (await program.admin.showModel(tenant.workspaceId, 'acme/costed')).price.tiers[0]?.rates;
  expect(await priceOf()).toContainEqual(expect.objectContaining({ class: 'input', rate_usd: '0.30' }));
  expect(await priceOf()).toContainEqual(expect.objectContaining({ class: 'output', rate_usd: '0.60' }));
  const member = await signedIn(program, { workspaceId: tenant.workspaceId });
  const model = await visit(program, `/workspaces/${tenant.workspaceId}/models/acme/costed`, { as: member });
  await model.page.getByText('USD per million tokens, and fees for each use: 70% below list').waitFor();
  const fees = model.page.getByRole('table', { name: 'Fees of acme/costed' });
  expect(await fees.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Beside tokens\s+Fee$/),
    expect.stringMatching(/^Per web search\s+\$0\.003$/),
  ]);

  await adjustment.getByRole('button', { name: 'End the price of acme/costed' }).click();
  const dialog = page.getByRole('dialog', { name: 'End 70% below list for acme/costed?' });
  await dialog.getByText('New requests pay the list price').waitFor();
  await dialog.getByRole('button', { name: 'End price' }).click();
  await adjustment.getByText('ended').waitFor();
  expect(await priceOf()).toContainEqual(expect.objectContaining({ class: 'input', rate_usd: '1.00' }));
});

test('a percentage that is none is said to be so before anything is sent', async () => {
  const page = await open(tenant.workspaceId, '?price=true');
  const sheet = page.getByRole('dialog', { name: 'Change prices' });
  await sheet.getByLabel('Percent below list').fill('12.345');
  await sheet.getByText('Write a number of percent with at most two decimals').waitFor();
  const apply = sheet.getByRole('button', { name: 'Apply prices' });
  expect(await apply.getAttribute('aria-disabled')).toBe('true');
  await sheet.getByRole('radio', { name: 'Mark-up' }).check();
  await sheet.getByLabel('Percent above list').fill('901');
  await sheet.getByText('Write a number of percent with at most two decimals').waitFor();
  await sheet.getByLabel('Percent above list').fill('25 %');
  await sheet.getByRole('row', { name: 'acme/unknown' }).getByText('$1.25').waitFor();
});

test('a workspace is credited, suspended, resumed and closed on the operator’s page of it', async () => {
  const { id, name } = await program.admin.createWorkspace({ name: 'to be closed' });
  const page = await open(id);
  await page.getByRole('button', { name: 'Post credit' }).click();
  const sheet = page.getByRole('dialog', { name: 'Post credit' });
  await sheet.getByLabel('Amount in USD').fill('12');
  await sheet.getByLabel('Reason').fill('a test');
  await sheet.getByRole('button', { name: 'Post grant' }).click();
  await page.getByRole('region', { name: 'Facts' }).getByText('$12.00').first().waitFor();
  await page.getByRole('button', { name: 'Suspend workspace' }).click();
  const suspend = page.getByRole('dialog', { name: `Suspend ${name}?` });
  await suspend.getByLabel('Reason').fill('unpaid');
  await suspend.getByRole('button', { name: 'Suspend workspace' }).click();
  await page.getByText(': unpaid', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume workspace' }).click();
  await page.getByRole('button', { name: 'Suspend workspace' }).waitFor();
  await page.getByRole('button', { name: 'Close workspace' }).click();
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Close workspace' }).click();
  await page
    .getByRole('region', { name: 'Facts' })
    .getByText(/closed/)
    .waitFor();
  await expect.poll(async () => (await program.admin.showWorkspace(id)).state, PATIENCE).toBe('closed');
  const closed = await open(id);
  await closed.getByRole('region', { name: 'Facts' }).getByText('closed', { exact: true }).waitFor();
  expect(await closed.getByRole('button', { name: /Post credit|Change prices|Close workspace/ }).count()).toBe(0);
});

test('margins that cannot be read are said to be so with the request id, and the list stays', async () => {
  const { page } = await visit(program, '/operator/prices', { as: operator, expectedFaults: [/status of 500/] });
  const price = page.getByRole('table', { name: 'Prices' }).getByRole('row', { name: 'acme/costed' });
  await price.getByText('per web search $0.01').waitFor();
  await page.route('**/admin/v1/usage?*', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': '0193a7a0-0000-7000-8000-000000000009', 'content-type': 'application/json' },
      body: JSON.stringify({ error: { message: 'It broke.', type: 'x', param: null, code: 'INTERNAL' } }),
    }),
  );
  await page.goto('/operator/workspaces');
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByText('0193a7a0-0000-7000-8000-000000000009').waitFor({ timeout: 15_000 });
  expect(await page.getByRole('row', { name: LONG }).getByText('not read').count()).toBeGreaterThanOrEqual(3);
  await page.unroute('**/admin/v1/usage?*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('row', { name: LONG }).getByText('$0.00').first().waitFor();
});

test('prices with fees are accessible, and fit 320 pixels with all of their fees in sight', async () => {
  const { page } = await visit(program, '/operator/prices', { as: operator, theme: 'light', width: 320 });
  const seen = async (text: string): Promise<void> => {
    await page.getByText(text).filter({ visible: true }).first().scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await expectNoNeedlessScroll(page);
    const { x = -1, width = 0 } = (await page.getByText(text).filter({ visible: true }).first().boundingBox()) ?? {};
    expect([x >= 0, width > 0, x + width <= 320]).toEqual([true, true, true]);
  };
  await page.getByRole('link', { name: 'acme/costed' }).waitFor();
  await seen('per web search');
  await page.goto('/operator/prices?model=acme%2Fcosted');
  await page
    .getByRole('dialog')
    .getByText(/^Version 1/)
    .waitFor();
  await seen('per web search');
  await page.goto(`/operator/workspaces/${tenant.workspaceId}?price=true`);
  await page.getByRole('dialog').getByLabel('Percent below list').fill('70');
  await page.getByLabel('Fees that follow').getByText('below cost').waitFor();
  await seen('per web search');

  const member = await signedIn(program, { workspaceId: tenant.workspaceId });
  const models = await visit(program, `/workspaces/${tenant.workspaceId}/models`, {
    as: member,
    theme: 'light',
    width: 320,
  });
  await models.page.getByText('with fees').waitFor();
  await expectAccessible(models.page);
  await expectNoNeedlessScroll(models.page);
});
