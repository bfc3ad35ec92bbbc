import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectAccessible } from '../support/page-checks.ts';
import { KNOWN_MODEL, PROVIDER_KEY, startPricedProvider } from '../support/priced-provider.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import type { Tenant } from '../support/tenant.ts';
import { visit } from '../support/visit.ts';

// An operator sells a real model without a config file, in one session of the browser.

const CLICKS_MAX = 12;
const UNKNOWN_MODEL = 'house-model';
const PATIENCE = { timeout: 30_000, interval: 100 };

let provider: ScriptedUpstream;
let program: Program;
let tenant: Tenant;
let operator: SignedInPerson;

beforeAll(async () => {
  provider = await startPricedProvider();
  program = await startProgram({ beside: [provider] });
  tenant = await program.createTenant({ credit: '10' });
  operator = await signedIn(program, { isOperator: true, workspaceId: tenant.workspaceId });
});
afterAll(() => program.dispose());

const statusOf = async (model: string): Promise<number> => {
  const messages = [{ role: 'user', content: 'hi' }];
  const response = await program.chat(tenant.key, { model, max_tokens: 50, messages });
  await response.arrayBuffer();
  return response.status;
};

/** Presses what it is given, and counts. */
function counter() {
  let count = 0;
  const click = async (target: Locator): Promise<void> => {
    count += 1;
    await target.click();
  };
  return { click, clicks: () => count };
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

test('an operator sells a model at cost and ten percent without a file, in at most twelve clicks', async () => {
  const { page } = await visit(program, '/operator/workspaces', { as: operator });
  const { click, clicks } = counter();
  await click(page.getByRole('link', { name: 'Providers' }));
  await click(button(page, 'Add provider'));
  await page.getByRole('textbox', { name: 'Address' }).fill(`${provider.origin}/v1`);
  await page.getByLabel('Key').fill(PROVIDER_KEY);
  await click(page.getByRole('dialog').getByRole('button', { name: 'Add provider' }));
  const selling = page.getByRole('dialog', { name: 'Sell models of openai' });
  await click(selling.getByRole('checkbox', { name: KNOWN_MODEL }));
  const prices = selling.getByRole('table', { name: 'Prices that follow' });
  // 0.25 USD and 2.00 USD, and ten percent.
  await expect.poll(() => prices.getByRole('row', { name: KNOWN_MODEL }).innerText()).toMatch(/0\.275[^]*2\.20?/);
  await expectAccessible(page);
  await click(selling.getByRole('button', { name: 'Put on sale' }));
  const models = page.getByRole('table', { name: 'Declared models' });
  await models.getByRole('row', { name: KNOWN_MODEL }).getByText('cost + 10%').waitFor();
  expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX);
  expect(clicks()).toBe(5);
  await expect.poll(() => statusOf(KNOWN_MODEL), PATIENCE).toBe(200);
  expect(await page.content()).not.toContain(PROVIDER_KEY);
  await click(models.getByRole('link', { name: 'Try it' }));
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('model')).toBe(KNOWN_MODEL);
});

test('the key is kept when a provider is changed, routes get weights, and what is removed is off sale', async () => {
  const declaration = { kind: 'openai', base_url: `${provider.origin}/v1` };
  await program.admin.storeProvider('openai', { declaration, api_key: PROVIDER_KEY });
  const { models: listed } = await program.admin.probeProvider('openai');
  const known = listed.find(({ id }) => id === KNOWN_MODEL)?.declaration;
  await program.admin.storeModel(KNOWN_MODEL, { declaration: { ...known, markup: '10%' } });
  const { page } = await visit(program, '/operator/providers', { as: operator, expectedFaults: [/409 \(Conflict\)/] });
  await button(page, 'Change openai').click();
  expect(await page.getByLabel('Key').inputValue()).toBe('');
  await page.getByRole('dialog').getByRole('button', { name: 'Change provider' }).click();
  const selling = page.getByRole('dialog', { name: 'Sell models of openai' });
  await selling.getByRole('checkbox', { name: KNOWN_MODEL }).waitFor();
  await selling.getByRole('button', { name: 'Cancel' }).click();

  await button(page, `Change ${KNOWN_MODEL}`).click();
  await page.getByRole('spinbutton', { name: 'Weight' }).fill('3');
  await page.getByRole('textbox', { name: 'Mark-up' }).fill('20%');
  await page.getByRole('dialog').getByRole('button', { name: 'Change model' }).click();
  await page.getByText('cost + 20%').waitFor();
  await expect
    .poll(async () => (await program.admin.listProviders()).data.flatMap(({ routes }) => routes), PATIENCE)
    .toMatchObject([{ model: KNOWN_MODEL, weight: 3 }]);

  await button(page, 'Show as YAML').click();
  const yaml = page.getByRole('dialog', { name: 'The database as a config file' });
  await yaml.getByText('api_key: ${OPENAI_API_KEY}').waitFor();
  await yaml.getByRole('button', { name: 'Close' }).last().click();

  await button(page, 'Remove openai').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click();
  await page.getByText(`Models have a route to it: ${KNOWN_MODEL}`).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await button(page, `Remove ${KNOWN_MODEL}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove model' }).click();
  await page.getByText('No model is declared.').waitFor();
  await expect.poll(() => statusOf(KNOWN_MODEL), PATIENCE).toBe(404);
  await button(page, 'Remove openai').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove provider' }).click();
  await page.getByText('No provider is declared.').waitFor();
});

test('a model whose cost no list has is sold at what is typed, and one of two routes is removed', async () => {
  const declaration = { kind: 'openai', base_url: `${provider.origin}/v1` };
  for (const name of ['first', 'second']) {
    await program.admin.storeProvider(name, { declaration, api_key: PROVIDER_KEY });
  }
  const { page } = await visit(program, '/operator/providers', { as: operator });
  const { click, clicks } = counter();
  for (const name of ['first', 'second']) {
    await click(button(page, `Sell models of ${name}`));
    const selling = page.getByRole('dialog', { name: `Sell models of ${name}` });
    await click(selling.getByRole('checkbox', { name: UNKNOWN_MODEL }));
    const costs = selling.getByRole('group', { name: `What ${UNKNOWN_MODEL} costs you` });
    // Nothing is sent before all of it is there.
    await selling.getByRole('button', { name: 'Put on sale' }).click();
    await costs.getByLabel('A million input tokens').fill('$0.40');
    await costs.getByLabel('A million output tokens').fill('1');
    await costs.getByLabel('Context window').fill('32000');
    await costs.getByLabel('Max output').fill('4000');
    const prices = selling.getByRole('table', { name: 'Prices that follow' });
    await expect.poll(() => prices.getByRole('row', { name: UNKNOWN_MODEL }).innerText()).toMatch(/0\.44[^]*1\.10/);
    await click(selling.getByRole('button', { name: 'Put on sale' }));
    await selling.waitFor({ state: 'detached' });
  }
  await expect.poll(() => statusOf(UNKNOWN_MODEL), PATIENCE).toBe(200);
  const routes = async (): Promise<readonly string[]> =>
    (await program.admin.listProviders()).data.flatMap(({ name, routes: all }) =>
      all.filter(({ model }) => model === UNKNOWN_MODEL).map(() => name),
    );
  await expect.poll(routes, PATIENCE).toEqual(['first', 'second']);

  await click(button(page, `Change ${UNKNOWN_MODEL}`));
  const changing = page.getByRole('dialog', { name: `Change ${UNKNOWN_MODEL}` });
  await click(changing.getByRole('button', { name: `Remove route first: ${UNKNOWN_MODEL}` }));
  const last = changing.getByRole('button', { name: `Remove route second: ${UNKNOWN_MODEL}` });
  expect(await last.getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);
  await click(changing.getByRole('button', { name: 'Change model' }));
  await expect.poll(routes, PATIENCE).toEqual(['second']);
  expect(await statusOf(UNKNOWN_MODEL)).toBe(200);
  expect(clicks()).toBeLessThanOrEqual(CLICKS_MAX);
});

test('what the config file declares can be read, and not be changed', async () => {
  const filed = await startProgram({
    config: `
providers: { built-in: { kind: sandbox } }
models:
  - { id: filed, routes: [{ provider: built-in, model: echo }], price: { input: "1", output: "1" }, context_window: 9000, max_output: 99 }
`,
  });
  // The page is closed before.
  onTestFinished(() => filed.dispose());
  const { page } = await visit(filed, '/operator/providers', { as: await signedIn(filed, { isOperator: true }) });
  const models = page.getByRole('table', { name: 'Declared models' });
  await models.getByRole('row', { name: 'filed' }).getByText('config file').waitFor();
  expect(await page.getByRole('button', { name: /^(Change|Remove) / }).count()).toBe(0);
});
