import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addCell, moveBySql, pointCell, SANDBOX, startCells } from '../support/cells.ts';
import { expectAccessible, expectNoNeedlessScroll } from '../support/page-checks.ts';
import type { Program } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';

// What an operator sees of other cells: the console of one cell that knows another, both started.

let zero: Program;
let one: Program;
let operator: SignedInPerson;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  [zero, one] = await startCells(running, SANDBOX);
});
afterAll(() => running.disposeAsync());

beforeEach(async () => {
  operator = await signedIn(zero, { isOperator: true });
});

async function open(path: string, expectedFaults: readonly RegExp[] = []): Promise<Page> {
  const { page } = await visit(zero, path, { as: operator, expectedFaults });
  return page;
}

const cells = (page: Page) => page.getByRole('table', { name: 'Cells' });
const rowOf = (page: Page, address: string) => cells(page).getByRole('row', { name: address });

test('an operator adds a cell that answers, sees its figures, gives it another token, and removes it', async () => {
  const page = await open('/operator/cells', [/status of 400/]);
  await rowOf(page, 'this cell').getByText('answers', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add cell' }).click();
  const form = page.getByRole('dialog', { name: 'Add cell' });
  await form.getByLabel('Shard').fill('01');
  await form.getByLabel('Address').fill('http://one.gateway.example');
  await form.getByLabel('Operator token').fill(one.operatorToken);
  await form.getByRole('button', { name: 'Add cell' }).click();
  await form.getByText(/"url" is not https/).waitFor();
  await form.getByLabel('Address').fill(one.url);
  await form.getByText(`faregate cell add 01 ${one.url}`).waitFor();
  await form.getByRole('button', { name: 'Add cell' }).click();
  const row = rowOf(page, one.url);
  await row.getByText('answers', { exact: true }).waitFor();
  expect(await row.getByRole('link', { name: one.url }).getAttribute('href')).toBe(one.url);
  const [listed] = (await zero.admin.listCells()).data;
  await row.getByText(listed?.figures?.version ?? 'no version', { exact: true }).waitFor();

  await row.getByRole('button', { name: 'Change cell 01' }).click();
  const change = page.getByRole('dialog', { name: 'Change cell 01' });
  await change.getByLabel('Operator token').fill(one.operatorToken);
  await change.getByRole('button', { name: 'Change cell' }).click();
  await expect.poll(async () => (await zero.admin.listCells()).data).toMatchObject([{ shard: '01', version: 2 }]);

  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.getByRole('button', { name: 'Remove cell 01' }).click();
  const question = page.getByRole('dialog', { name: 'Remove cell 01?' });
  await question.getByText('faregate cell remove 01').waitFor();
  await question.getByRole('button', { name: 'Remove cell' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await zero.admin.listCells()).data).toEqual([]);
});

test('a workspace and a request are found in each cell, with a link there, and a cell that is away is named', async () => {
  await addCell(zero, '01', one);
  await zero.admin.createWorkspace({ name: 'orchard of zero' });
  const { id } = await one.admin.createWorkspace({ name: 'orchard of one' });
  const { key, workspaceId } = await one.createTenant();
  const answer = await one.chat(key, { model: 'small-chat', messages: [{ role: 'user', content: 'hello' }] });
  expect(answer.status).toBe(200);
  const request = answer.headers.get('x-request-id') ?? '';
  await expect.poll(() => one.admin.lookUp({ request_id: request }).catch(() => null)).not.toBeNull();

  const page = await open('/operator/cells', [/status of 404/]);
  const search = page.getByRole('searchbox', { name: 'Find a workspace or request' });
  const found = page.getByRole('table', { name: 'Found in cells' });
  const link = (name: string) => found.getByRole('link', { name });
  await search.fill('orchard');
  await link('orchard of zero').waitFor();
  expect(await link('orchard of one').getAttribute('href')).toBe(`${one.url}/operator/workspaces/${id}`);
  expect(await found.getByRole('row', { name: 'orchard of zero' }).innerText()).toContain('this cell');
  await search.fill(request);
  await expect
    .poll(() => found.getByRole('link').first().getAttribute('href'))
    .toBe(`${one.url}/workspaces/${workspaceId}/requests/${request}`);

  await pointCell(zero, '01', 'http://127.0.0.1:1');
  await search.fill('orchard of');
  await page.getByText(/^Not looked at: cell 01 \(.*ECONNREFUSED.*\)/).waitFor();
  await link('orchard of zero').waitFor();
  expect(await link('orchard of one').count()).toBe(0);
  await page.reload();
  await rowOf(page, 'http://127.0.0.1:1').getByText('does not answer', { exact: true }).waitFor();
  await rowOf(page, 'http://127.0.0.1:1').getByText('ECONNREFUSED').waitFor();
  await page.setViewportSize({ width: 320, height: 900 });
  await expectAccessible(page);
  await expectNoNeedlessScroll(page);
  await pointCell(zero, '01', one.url);
});

test('a workspace that has moved says in which cell it lives, leads there, and offers no change here', async () => {
  await addCell(zero, '01', one);
  await addCell(one, '00', zero);
  const tenant = await zero.createTenant();
  const member = await signedIn(zero, { workspaceId: tenant.workspaceId, role: 'viewer' });
  await moveBySql({ from: zero, to: one, shard: '01' }, tenant);
  const { name } = await zero.admin.showWorkspace(tenant.workspaceId);
  const page = await open(`/operator/workspaces/${tenant.workspaceId}`);
  await page.getByText('This workspace lives in cell 01.').waitFor();
  const there = page.getByRole('link', { name: 'Go to cell 01' });
  expect(await there.getAttribute('href')).toBe(`${one.url}/workspaces/${tenant.workspaceId}`);
  await page.getByText('in cell 01', { exact: true }).waitFor();
  for (const action of ['Post credit', 'Suspend workspace', 'Close workspace']) {
    expect(await page.getByRole('button', { name: action }).count()).toBe(0);
  }
  await page.goto('/operator/workspaces');
  await page.getByRole('row', { name }).getByText('in cell 01', { exact: true }).waitFor();
  await page.goto(`/workspaces/${tenant.workspaceId}/keys`);
  await there.waitFor();
  const create = page.getByRole('button', { name: 'Create key' }).first();
  await create.and(page.locator('[aria-disabled="true"]')).focus();
  expect(await page.getByRole('tooltip').textContent()).toBe('This workspace lives in cell 01, and is changed there.');
  await expectAccessible(page);
  // Nothing is asked for that the cell refuses: neither on the page nor on one that is about no workspace.
  const { page: theirs } = await visit(zero, '/', { as: member });
  await theirs.getByRole('heading', { name: 'In another cell' }).waitFor();
  expect(await theirs.getByRole('link', { name: 'Go to cell 01' }).getAttribute('href')).toBe(
    `${one.url}/workspaces/${tenant.workspaceId}`,
  );
  await theirs.goto('/account');
  await theirs.getByRole('button', { name: /^Leave / }).waitFor();
});
