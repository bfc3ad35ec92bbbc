import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { expectAccessible, expectNoNeedlessScroll } from '../support/page-checks.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import type { Tenant } from '../support/tenant.ts';
import { visit } from '../support/visit.ts';

// Providers, refusals and redemption codes: lists of the whole instance, on a program whose one provider cannot be reached.

const TERMS = 'price: { input: "1", output: "2" }, context_window: 9000, max_output: 99';
const LOST = 'acme/lost-chat';
const SAFE = 'acme/safe-chat';
const SECRET = 'sk-upstream-0123456789abcdef';

let program: Program;
let operator: SignedInPerson;
let tenant: Tenant;
let name: string;

beforeAll(async () => {
  program = await startProgram({
    config: `
routing: { window: 3600s, results_min: 2, rest: 3600s }
providers:
  main: { kind: openai, base_url: "http://127.0.0.1:1/v1", api_key: ${SECRET} }
  built-in: { kind: sandbox }
models:
  - { id: ${LOST}, routes: [{ provider: main, model: gone-1 }], ${TERMS} }
  - { id: ${SAFE}, routes: [{ provider: main, model: gone-2 }, { provider: built-in, model: echo }], ${TERMS} }
`,
  });
  tenant = await program.createTenant();
  ({ name } = await program.admin.showWorkspace(tenant.workspaceId));
});
afterAll(() => program.dispose());

beforeEach(async () => {
  operator = await signedIn(program, { isOperator: true });
});

async function open(path: string): Promise<Page> {
  const { page } = await visit(program, path, { as: operator });
  return page;
}

async function ask(model: string, { key }: Pick<Tenant, 'key'> = tenant): Promise<string> {
  const answer = await program.chat(key, { model, messages: [{ role: 'user', content: 'hello' }] });
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

/** Asks until the route rests; it does for the rest of the tests. */
async function exhaust(): Promise<void> {
  for (const model of [LOST, LOST, SAFE, SAFE]) await ask(model);
}

/** Waits until the refusals of these requests are recorded. */
async function recorded(ids: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const { data } = await program.admin.listAllRefusals({ limit: 200 });
      expect(data.map(({ request_id: id }) => id)).toEqual(expect.arrayContaining([...ids]));
    },
    { timeout: 15_000, interval: 100 },
  );
}

test('a page of providers that is open shows by itself that routes rest, why, and what their models have left', async () => {
  const page = await open('/operator/providers');
  const routes = page.getByRole('table', { name: 'Routes to main' });
  await routes.getByRole('row', { name: LOST }).waitFor();
  await exhaust();
  const lost = routes.getByRole('row', { name: LOST });
  await lost.getByText('resting').waitFor({ timeout: 15_000 });
  await lost.getByText('Too many attempts failed (unreachable). Tried again in').waitFor();
  await page.getByText('All its routes rest.').waitFor();
  const safe = page.getByRole('table', { name: 'Routes to built-in' }).getByRole('row', { name: SAFE });
  await safe.getByText('answering').waitFor();
  await page.getByText('faregate provider list').waitFor();
  expect(await page.content()).not.toMatch(new RegExp(`${SECRET}|127\\.0\\.0\\.1:1/`));
  await page.goto(`/workspaces/${tenant.workspaceId}`);
  await page.getByText(`2 of 2 routes to provider main rest. Requests to ${LOST} are refused.`).waitFor();
  await page.getByRole('link', { name: 'See the providers' }).click();
  await page.getByRole('heading', { name: 'Providers', level: 1 }).waitFor();
});

test('refusals of all workspaces are counted by reason, filtered in the address, and each leads to its explanation', async () => {
  const poor = await program.createTenant({ credit: '0.000001' });
  const { name: nameOfPoor } = await program.admin.showWorkspace(poor.workspaceId);
  const refused = await ask('no-such-model');
  await recorded([refused, await ask(SAFE, poor), await ask('no-such-model', poor)]);

  const page = await open('/operator/refusals');
  const table = page.getByRole('table', { name: 'Refused requests' });
  await table.getByRole('row', { name: nameOfPoor }).first().waitFor();
  await page.getByRole('group', { name: 'Reasons' }).getByRole('button', { name: 'not enough credit' }).waitFor();
  await page.getByRole('button', { name: 'unknown model' }).click();
  await expect.poll(() => table.getByRole('row', { name: 'not enough credit' }).count()).toBe(0);
  await page.getByText('faregate requests --refused --all --code MODEL_NOT_FOUND').waitFor();
  await table.getByText(name, { exact: true }).first().waitFor();
  await page.getByRole('combobox', { name: 'Workspace' }).selectOption(poor.workspaceId);
  await expect.poll(() => table.getByText(name, { exact: true }).count()).toBe(0);
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('workspace'), searchParams.get('code')]).toEqual([poor.workspaceId, 'MODEL_NOT_FOUND']);
  await page.getByText(`faregate requests ${poor.workspaceId} --refused --code MODEL_NOT_FOUND`).waitFor();
  await page.reload();
  await table.getByRole('row', { name: 'unknown model' }).first().waitFor();
  expect(await table.getByRole('row', { name: 'not enough credit' }).count()).toBe(0);

  await page.goto(`/operator/refusals?model=no-such-model&status=4xx&workspace=${tenant.workspaceId}`);
  await table.getByRole('link').first().click();
  await page.getByText('No model with this id was on sale.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/workspaces/${tenant.workspaceId}/requests/${refused}`);
  await page.goto('/operator/refusals?code=FORBIDDEN');
  await page.getByRole('button', { name: 'Show all refused requests' }).click();
  await table.getByRole('row', { name: nameOfPoor }).first().waitFor();
});

test('a list that cannot be read says so with the request id, and is read again by a press', async () => {
  const { page } = await visit(program, '/operator/codes', { as: operator, expectedFaults: [/status of 403/] });
  await page.getByRole('heading', { name: 'Codes', level: 1 }).waitFor();
  const body = { error: { message: 'It is broken.', type: 'api_error', param: null, code: 'FORBIDDEN' } };
  await page.route('**/admin/v1/code-batches**', (route) =>
    route.fulfill({ status: 403, headers: { 'x-request-id': 'the-id-of-it' }, json: body }),
  );
  await page.reload();
  await page.getByText('It is broken.').waitFor();
  await page.getByText('the-id-of-it').waitFor();
  await page.unroute('**/admin/v1/code-batches**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => page.getByText('It is broken.').count()).toBe(0);
});

test('codes are shown and saved once, then only by their ends with who redeemed them, until the rest is cancelled', async () => {
  const page = await open('/operator/codes');
  await page.getByRole('button', { name: 'Create codes' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create codes' });
  await form.getByLabel('How many').fill('3');
  await form.getByLabel('Credit of each in USD').fill('2.50');
  await form.getByLabel('What they are for').fill('spring fair');
  await form
    .getByText(/faregate code create --count 3 --amount 2.50? --expires \d{4}-\d\d-\d\d --reason 'spring fair'/)
    .waitFor();
  await form.getByRole('button', { name: 'Create codes' }).click();
  const shown = await page.getByRole('region', { name: 'batch of codes' }).innerText();
  const codes = shown.trim().split('\n');
  expect(codes).toHaveLength(3);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const saved = await saving;
  const [header, ...lines] = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
  expect(header).toBe('code,amount_usd,expires_at');
  expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual(codes.map((code) => [code, '2.50']));
  for (const code of codes) expect(saved.url() + page.url() + saved.suggestedFilename()).not.toContain(code);
  await page.getByRole('button', { name: 'I have saved it' }).click();

  const [redeemed = '', unused = ''] = codes;
  await program.admin.redeemCode(tenant.workspaceId, { code: redeemed });
  await page.reload();
  const batch = page.getByRole('table', { name: 'Batches of codes' }).getByRole('row', { name: 'spring fair' });
  await batch.getByText('1 of 3').waitFor();
  for (const code of codes) expect(await page.content()).not.toContain(code);
  await batch.getByRole('link').click();
  const sheet = page.getByRole('dialog', { name: 'spring fair' });
  const row = sheet.getByRole('row', { name: `…${redeemed.slice(-4)}` });
  await row.getByRole('link', { name }).waitFor();
  await sheet
    .getByRole('row', { name: `…${unused.slice(-4)}` })
    .getByText('nobody yet')
    .waitFor();
  await sheet.getByRole('button', { name: 'Cancel unused codes' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel 2 codes?' });
  await question.getByText('faregate code cancel').waitFor();
  await question.getByRole('button', { name: 'Cancel codes' }).click();
  await sheet.getByText('over', { exact: true }).waitFor();
  await expect(program.admin.redeemCode(tenant.workspaceId, { code: unused })).rejects.toThrow(
    'This code has expired.',
  );
});

test('routes that rest and codes that nobody has used are accessible and fit 320 pixels', async () => {
  await exhaust();
  const reason = 'fair on a phone';
  await program.admin.createCodeBatch({ count: 2, amount_usd: '5', expires_at: '2099-01-01', reason });
  const { page } = await visit(program, '/operator/providers', { as: operator, theme: 'light', width: 320 });
  const check = async (): Promise<void> => {
    await expectAccessible(page);
    await expectNoNeedlessScroll(page);
  };
  await page.getByText('All its routes rest.').waitFor();
  await check();
  await page.goto('/operator/codes');
  await page.getByRole('link', { name: reason }).click();
  await page.getByText('nobody yet').first().waitFor();
  await check();
});
