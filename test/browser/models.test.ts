import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sharedSite } from '../support/site.ts';
import { visit, type VisitOptions } from '../support/visit.ts';
import { openWorkspace } from '../support/workspace-stage.ts';

// What can be called and what it costs, as a workspace pays it.

const site = sharedSite();

async function openModels(below = '', look: VisitOptions = {}) {
  const stage = await openWorkspace(site);
  const open = async () =>
    (await visit(site, `/workspaces/${stage.workspace}/models${below}`, { ...look, as: stage.owner })).page;
  return { ...stage, open };
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const amountsOf = (page: Page, name: string): Promise<(string | null)[]> =>
  rowOf(page, name)
    .locator('data[title^="$"]')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('value')));

test('each model stands with its context window and the price that this workspace pays, whose discount is told', async () => {
  const { workspace, open } = await openModels();
  await site.admin.adjustPrices(workspace, { model: 'sandbox/echo', change_percent: '-12.5' });
  const page = await open();
  await rowOf(page, 'sandbox/echo').getByText('12.5% below list').waitFor();
  const { data } = await site.admin.listModels(workspace);
  for (const { id, price, context_window: context } of data.filter((model) => model.on_sale)) {
    const shown = ['input', 'cached_input', 'output'].map(
      (name) => price.tiers[0]?.rates.find((rate) => rate.class === name)?.rate_usd,
    );
    expect((await amountsOf(page, id)).map(Number)).toEqual(shown.map(Number));
    await rowOf(page, id).locator(`data[value="${context}"]`).waitFor();
  }
  expect(await amountsOf(page, 'sandbox/echo')).toEqual(['0.21875', '0.21875', '1.75']);
  await rowOf(page, 'sandbox/slow').getByText('below list').waitFor({ state: 'detached' });
});

test('search and filters narrow the list, stand in the address, and come back with it', async () => {
  const { open } = await openModels();
  const page = await open();
  const names = () => page.locator('[data-row-link]').allInnerTexts();
  await page.getByRole('link', { name: 'sandbox/echo' }).waitFor();
  await page.getByLabel('Kind').selectOption({ label: 'Embedding' });
  await expect.poll(names).toEqual(['sandbox/embedding']);
  await page.reload();
  await expect.poll(names).toEqual(['sandbox/embedding']);
  await page.goBack();
  await expect.poll(async () => (await names()).length).toBeGreaterThan(4);
  await page.keyboard.press('/');
  await page.keyboard.type('TOOL sand');
  await expect.poll(names).toEqual(['sandbox/tool-call']);
  expect(new URL(page.url()).searchParams.get('search')).toBe('TOOL sand');
  await page.getByLabel('Search models').fill('nothing like it');
  await page.getByText('No model here has "nothing like it" in its id.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Input' }).click();
  await expect.poll(async () => (await names()).at(-1)).toBe('sandbox/moderation');
  await page.getByRole('button', { name: 'Input' }).click();
  await expect.poll(async () => (await names())[0]).toBe('sandbox/moderation');
});

test('a model has its price history, with the moments from which prices applied and what each changed', async () => {
  const { workspace, open } = await openModels('/sandbox/echo');
  await site.admin.adjustPrices(workspace, { change_percent: '20' });
  await site.admin.adjustPrices(workspace, { change_percent: null });
  const { history } = await site.admin.showModel(workspace, 'sandbox/echo');
  const page = await open();
  const rows = page.getByRole('table', { name: 'Price history' }).locator('tbody tr');
  await rows.first().waitFor();
  const periods = await rows.evaluateAll((shown) =>
    shown.map((row) => [...row.querySelectorAll('time')].map((time) => time.dateTime)),
  );
  expect(periods).toEqual(history.map(({ from, to }) => (to === null ? [from] : [from, to])));
  expect(await rows.first().innerText()).toContain('still applies');
  expect(await rows.nth(0).innerText()).toContain('List price again');
  expect(await rows.nth(0).innerText()).toContain('from $0.30 to $0.25');
  expect(await rows.nth(1).innerText()).toContain('20% above list');
  expect(await rows.nth(1).innerText()).toContain('from $2.00 to $2.40');
  expect(await rows.nth(2).innerText()).toContain('first price shown');
});

test("a model's page says which projects may call it, how, and leads to the playground with it", async () => {
  const { workspace, open } = await openModels('/sandbox/echo');
  await site.admin.createProject(workspace, { name: 'closed', models: ['sandbox/slow'] });
  await site.admin.createProject(workspace, { name: 'open', models: ['sandbox/slow', 'sandbox/e*'] });
  const page = await open();
  const projects = page.getByRole('table', { name: 'Which projects may call it' });
  for (const told of [/^web yes all models/, /^closed no only others/, /^open yes sandbox\/e\*/]) {
    await projects.getByRole('row', { name: told }).waitFor();
  }
  const code = await page.getByRole('region', { name: 'curl code' }).innerText();
  expect(code).toContain(`${site.url}/v1/chat/completions`);
  expect(code).toContain('"model":"sandbox/echo"');
  await page.getByRole('link', { name: 'Open in playground' }).click();
  await expect.poll(() => page.getByLabel('Model').inputValue()).toBe('sandbox/echo');
});

test('by keys alone one goes from the list to a model and back, and an unknown model says so with its request id', async () => {
  const { open, workspace } = await openModels('', { expectedFaults: [/status of 404/] });
  const page = await open();
  await page.getByRole('link', { name: 'sandbox/echo' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'sandbox/echo' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  await page.goto(`/workspaces/${workspace}/models/no/such-model`);
  await page.getByText('There is no such model.').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await page.locator('main').innerText()).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
  await page.getByRole('link', { name: 'See all models' }).click();
  await page.getByRole('link', { name: 'sandbox/echo' }).waitFor();
});
