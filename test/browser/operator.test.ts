import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openAccount, Spender } from '../support/accounts.ts';
import { expectAccessible, expectNoNeedlessScroll } from '../support/page-checks.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';

// The pages of the whole instance, on a program of their own: they show what all workspaces have together.

/** Enough on the busiest machine. */
const PATIENCE = { timeout: 30_000, interval: 50 };
const MODEL = 'acme/small-chat';
const PAGES = [
  ['workspaces', 'Workspaces'],
  ['providers', 'Providers'],
  ['refusals', 'Refusals'],
  ['codes', 'Codes'],
  ['prices', 'Prices'],
  ['ledger', 'Ledger'],
  ['cells', 'Cells'],
  ['instance', 'Instance'],
] as const;

const configText = (input: string): string => `
providers:
  main: { kind: openai, base_url: "http://127.0.0.1:1/v1" }
models:
  - { id: ${MODEL}, routes: [{ provider: main, model: m }], price: { input: "${input}", output: "2" }, context_window: 9000, max_output: 99 }
`;

let program: Program;
let operator: SignedInPerson;

beforeAll(async () => {
  program = await startProgram({ config: configText('1') });
});
afterAll(() => program.dispose());

beforeEach(async () => {
  operator = await signedIn(program, { isOperator: true });
});

async function open(name: (typeof PAGES)[number][0], search = ''): Promise<Page> {
  const { page } = await visit(program, `/operator/${name}${search}`, { as: operator });
  return page;
}

/** Gives the config file another price, and waits until the instance has read it. */
async function offer(input: string): Promise<void> {
  await writeFile(join(dirname(program.data), 'faregate.yaml'), configText(input));
  process.kill(program.pid, 'SIGHUP');
  await vi.waitFor(async () => expect((await program.admin.previewCatalogue()).changes).toHaveLength(1), {
    timeout: 10_000,
    interval: 50,
  });
}

test('an operator finds the pages of the instance in a menu of their own, under its header, and the way back', async () => {
  const home = `/workspaces/${operator.workspaceId}`;
  const { page } = await visit(program, home, { as: operator });
  const menu = page.getByRole('navigation', { name: 'Main' });
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: /^Balance \$0\.00/ }).waitFor();
  expect(await menu.getByRole('link', { name: 'Alerts' }).count()).toBe(1);
  expect(await menu.getByRole('link').count()).toBe(14);
  await menu.getByRole('link', { name: 'Instance' }).click();
  for (const [name, title] of PAGES) {
    await menu.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/operator/${name}`);
    await header.getByRole('link', { name: /^Instance (no|\d+) problems?$/ }).waitFor();
    expect(await header.getByRole('link', { name: 'Balance' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Instance: workspaces' }).waitFor();
  }
  const lists = menu.getByRole('list');
  expect(await lists.evaluateAll((all: { ariaLabel: string | null }[]) => all.map((each) => each.ariaLabel))).toEqual([
    'Customers',
    'Catalogue',
    'System',
    null,
  ]);
  expect(await menu.getByRole('link', { name: 'Alerts' }).count()).toBe(1);
  await menu.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(home);
});

test('a proof shows the totals, and money that was made with its place and both figures until it is gone', async () => {
  const { id } = await program.admin.createWorkspace({ name: 'bent' });
  await program.admin.postCredit(id, { kind: 'grant', amount_usd: '5', reason: 'a test' });
  const database = await program.openDatabase();
  const bend = (by: number) =>
    database.query(
      `update purses set limit_nano_usd = limit_nano_usd + $1 where kind = 'credit' and workspace_id = $2`,
      [by, id],
    );
  const page = await open('ledger');
  const verify = page.getByRole('button', { name: 'Verify ledger' });
  // The list of proofs is read just before the proof ends, and that answer comes after it.
  const listed = Promise.withResolvers<void>();
  const proven = Promise.withResolvers<void>();
  await page.route(
    '**/ledger/proofs',
    async (route) => {
      const response = await route.fetch();
      listed.resolve();
      await proven.promise;
      await route.fulfill({ response }).catch(() => undefined);
    },
    { times: 1 },
  );
  await page.route(
    '**/ledger/verify',
    async (route) => {
      await listed.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const answered = page.waitForResponse('**/ledger/verify');
  await verify.click();
  await answered;
  proven.resolve();
  await page.getByText('The ledger is proven', { exact: true }).waitFor();
  const { credit_usd: credit, receipts } = await program.admin.verifyLedger();
  const fact = (term: string) => page.locator('dl > div').filter({ hasText: term }).getByRole('definition');
  expect(await fact('Receipts').innerText()).toBe(String(receipts));
  expect(await fact('Credit posted').locator('data').getAttribute('value')).toBe(credit);

  await bend(1);
  await verify.click();
  const differences = page.getByRole('table', { name: 'Differences' });
  const row = differences.getByRole('row', { name: 'workspace_balance' });
  await row.waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toBe(`/workspaces/${id}/credit`);
  expect(await row.innerText()).toContain('5,000,000,001');
  expect(await row.innerText()).toContain('5,000,000,000');
  await page.getByRole('navigation').getByRole('link', { name: 'Instance', exact: true }).click();
  await page.getByText('The ledger did not add up').waitFor();
  await page.getByRole('link', { name: 'Ledger' }).click();
  await row.waitFor();
  await page.reload();
  await row.waitFor();
  const made = page.getByRole('table', { name: 'Proofs' });
  await made
    .getByRole('row', { name: /request/ })
    .getByText('difference')
    .first()
    .waitFor();

  await bend(-1);
  await verify.click();
  await page.getByText('The ledger is proven', { exact: true }).waitFor();
  expect(await differences.count()).toBe(0);
});

test('a correction of any workspace is on record with the way to its receipt, and records are downloaded by name', async () => {
  const { id, name } = await program.admin.createWorkspace({ name: 'corrected' });
  const page = await open('ledger');
  await page.getByRole('tab', { name: 'Corrections' }).click();
  await page.getByText('No receipt was ever corrected.').waitFor();
  const database = await program.openDatabase();
  const account = await openAccount(database, { credit: 1_000n });
  const spender = await Spender.begin(database);
  const { requestId } = await spender.spend(account, { hold: 300n, charge: 200n });
  await spender.end();
  await program.admin.correctReceipt(requestId, { charge_usd: '0', reason: 'the answer was empty' });
  await page.reload();
  const row = page.getByRole('table', { name: 'Corrections' }).getByRole('row', { name: 'the answer was empty' });
  await row.getByText(account.workspace.name).waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toBe(
    `/workspaces/${account.workspace.id}/requests/${requestId}`,
  );
  expect(await row.locator('data').getAttribute('value')).toBe('0.0000002');

  await page.getByRole('tab', { name: 'Seals' }).click();
  await page.getByText('No receipts are sealed.').waitFor();
  await page.getByRole('tab', { name: 'Export' }).click();
  await page.getByRole('combobox', { name: 'Workspace', exact: true }).fill('no such one');
  await page.getByText('No workspace has this name.').waitFor();
  await page.getByRole('combobox', { name: 'Workspace', exact: true }).fill(name);
  await page.getByRole('radio', { name: 'Entries' }).check();
  await program.admin.postCredit(id, { kind: 'grant', amount_usd: '7', reason: 'a test' });
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download export' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toContain('7000000000');
  await page.getByText('faregate ledger export entries corrected').waitFor();
});

test('a price that looks like a slip waits with its difference, and is charged once it is approved by name', async () => {
  await offer('100');
  const page = await open('prices');
  const waiting = page.getByRole('table', { name: 'Waiting changes' });
  const change = waiting.getByRole('row', { name: 'price.input' });
  await change.getByRole('cell', { name: '1.00', exact: true }).waitFor();
  await change.getByRole('cell', { name: '100.00', exact: true }).waitFor();
  const price = page.getByRole('table', { name: 'Prices' }).getByRole('row', { name: MODEL });
  await price.getByRole('cell', { name: '$1.00' }).first().waitFor();

  await page.getByRole('button', { name: 'Review and apply' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Apply changes' }).click();
  await page.getByText('1 change still waiting').first().waitFor();
  await price.getByRole('cell', { name: '$1.00' }).first().waitFor();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Review and apply' }).click();
  await dialog.getByRole('checkbox', { name: `Approve ${MODEL}` }).check();
  await dialog.getByText(`faregate catalogue apply --accept ${MODEL}`).waitFor();
  await dialog.getByRole('button', { name: 'Apply changes' }).click();
  await price.getByRole('cell', { name: '$100.00' }).first().waitFor();
  await waiting.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: MODEL }).click();
  const versions = page.getByRole('table', { name: `Price versions of ${MODEL}` });
  await versions.getByRole('row', { name: 'Version 2' }).getByText('$100.00').first().waitFor();
  await versions.getByRole('row', { name: 'Version 1' }).getByText('$1.00').first().waitFor();
  expect(new URL(page.url()).searchParams.get('model')).toBe(MODEL);
});

test('an operator token is shown once, may read alone, and is refused once it is revoked by its name', async () => {
  const page = await open('instance');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create token' });
  await dialog.getByLabel('Name').fill('terraform');
  await dialog.getByText('faregate token create --name terraform --read-only').waitFor();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = (await page.getByRole('region', { name: 'token', exact: true }).innerText()).trim();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  const row = page.getByRole('row', { name: 'terraform' });
  await row.getByText('active').waitFor();
  expect(await page.content()).not.toContain(secret);
  const ask = async (method: string, path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = method === 'POST' ? '{"name":"by a reader"}' : null;
    return (await fetch(`${program.url}/admin/v1${path}`, { method, headers, body })).status;
  };
  expect([await ask('GET', '/status'), await ask('POST', '/workspaces')]).toEqual([200, 403]);
  await row.getByRole('button', { name: 'Revoke terraform' }).click();
  await page.getByLabel('Type terraform to confirm').fill('terraform');
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await row.getByText('revoked').waitFor();
  expect(await ask('GET', '/status')).toBe(401);
});

test('a user is found by the address, signed out, disabled and erased, and the page says where they are a member', async () => {
  const person = await signedIn(program, { role: 'developer', name: 'Grace Example' });
  const { name } = await program.admin.showWorkspace(person.workspaceId);
  const page = await open('instance');
  await page.getByRole('searchbox', { name: 'Search users' }).fill(person.email.toUpperCase());
  const users = page.getByRole('table', { name: 'Users' });
  const row = users.getByRole('row', { name: person.email });
  await row.getByRole('link', { name }).waitFor();
  await vi.waitFor(async () => expect(await users.getByRole('row').count()).toBe(2), { timeout: 10_000 });
  await row.getByRole('button', { name: `Sign out ${person.email}` }).click();
  await page.getByText(`faregate user sign-out ${person.email}`).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
  await row.getByText('signed out').waitFor();
  expect((await person.session.get('/me')).status).toBe(401);
  await row.getByRole('button', { name: `Disable ${person.email}` }).click();
  await page.getByRole('button', { name: 'Disable user', exact: true }).click();
  await row.getByText('disabled', { exact: true }).waitFor();
  const { data } = await program.admin.listUsers({ search: person.email });
  expect(data[0]).toMatchObject({ sessions: 0, workspaces: [{ name, role: 'developer' }] });
  expect(data[0]?.disabled_at).not.toBeNull();
  await row.getByRole('button', { name: `Erase ${person.email}` }).click();
  const question = page.getByRole('dialog', { name: `Erase ${person.email}?` });
  await question.getByText('the keys that they made go on working').waitFor();
  const erase = question.getByRole('button', { name: 'Erase person' });
  await question.getByRole('textbox').fill('Grace Example');
  expect(await erase.getAttribute('aria-disabled')).toBe('true');
  await question.getByRole('textbox').fill(person.email);
  await erase.click();
  await row.waitFor({ state: 'detached' });
  expect((await program.admin.listUsers({ search: person.email })).data).toEqual([]);
});

test('the instance lists the process that serves with its version and epoch', async () => {
  const page = await open('instance');
  const { data } = await program.admin.listProcesses();
  const { version } = await program.admin.showStatus();
  expect(data).toMatchObject([{ state: 'serving', name: `faregate ${version}, process ${program.pid}` }]);
  const row = page.getByRole('table', { name: 'Processes' }).getByRole('row', { name: data[0]?.name ?? '' });
  await row.getByText('serving').waitFor();
  await row.getByText(data[0]?.epoch ?? '', { exact: true }).waitFor();
});

test('the instance says whether it serves requests, and what the doctor finds', async () => {
  const page = await open('instance');
  const { version, problems } = await program.admin.showStatus();
  await page.getByText('served', { exact: true }).waitFor();
  await page.getByText(version, { exact: true }).waitFor();
  for (const problem of problems) await page.getByText(problem).waitFor();
  const findings = page.getByRole('table', { name: 'Findings' });
  await findings.getByRole('row', { name: 'database' }).first().waitFor();
  const { data } = await program.admin.examineInstance();
  expect(await findings.getByRole('row').count()).toBe(data.length + 1);
});

test('the settings in force are on the page of the instance, with what waits for a restart and a mistake of the file', async () => {
  const file = join(dirname(program.data), 'faregate.yaml');
  const text = await readFile(file, 'utf8');
  try {
    await writeFile(file, `${text}\nserver: { body_max: 3MiB }\n`);
    await vi.waitFor(async () => {
      const { settings } = await program.admin.showSettings();
      expect(settings.find(({ name }) => name === 'server.body_max')?.waiting).toBe('3MiB');
    }, PATIENCE);
    const page = await open('instance');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('One setting waits for a restart').waitFor();
    const server = page.getByRole('region', { name: 'server', exact: true });
    await server.getByText('waits for a restart: 3MiB').waitFor();
    await page.getByRole('searchbox', { name: 'Filter settings' }).fill('hold_wait');
    await page.getByRole('region', { name: 'timeouts' }).getByText('hold_wait').waitFor();
    await vi.waitFor(async () => expect(await page.locator('dl > div').count()).toBe(1), PATIENCE);
    expect(new URL(page.url()).search).toBe('?tab=settings&search=hold_wait');
    await page.getByText('faregate settings').waitFor();

    await writeFile(file, `${text}\nserver: { body_max: much }\n`);
    await vi.waitFor(
      async () => expect((await program.admin.showSettings()).problem).toContain('server.body_max'),
      PATIENCE,
    );
    await page.reload();
    await page.getByRole('alert').getByText('server.body_max').waitFor();
    await page.getByText('Correct it and save').waitFor();
  } finally {
    await writeFile(file, text);
  }
});

test('prices that wait and ledgers that are proven are accessible and fit 320 pixels', async () => {
  await offer('5000');
  const { page } = await visit(program, '/operator/prices', { as: operator, theme: 'light', width: 320 });
  const check = async (): Promise<void> => {
    await expectAccessible(page);
    await expectNoNeedlessScroll(page);
  };
  await page.getByText('for your approval').waitFor();
  await page.getByRole('link', { name: MODEL }).waitFor();
  await check();
  await page.getByRole('button', { name: 'Review and apply' }).click();
  await page.getByRole('checkbox').waitFor();
  await check();
  await page.goto('/operator/ledger');
  await page.getByRole('button', { name: 'Verify ledger' }).click();
  await page.getByText('The ledger is proven', { exact: true }).waitFor();
  await check();
  await page.goto('/operator/ledger?tab=seals');
  await page.getByText('No receipts are sealed.').waitFor();
  await check();
});
