import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PASSWORD, secretIn } from '../support/identity.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';

const run = promisify(execFile);
/** What a new operator may need from the printed link to a first answer, by keys alone. */
const FIRST_RUN_MS_MAX = 120_000;
const TABS_MAX = 80;

let program: Program;

beforeAll(async () => {
  program = await startProgram();
});

afterAll(() => program.dispose());

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, role: 'textbox' | 'button' | 'link', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  await wanted.waitFor();
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    if ((await wanted.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  expect.fail(`${TABS_MAX} presses of Tab do not lead to the ${role} "${name}"`);
}

/** The status of the request that a copied command sends. */
async function statusOf(command: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('sh', ['-c', `${command} -so /dev/null -w '%{http_code}'`], { env });
  return stdout;
}

test('a new operator gets to an answer for a new key within two minutes of the printed link, by the keyboard alone', async () => {
  const beganMs = Date.now();
  const { page, context } = await visit(program, `/set-up#${secretIn(program.stdout())}`);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [field, value] of [
    ['Email address', 'owner@example.com'],
    ['Your name', 'Ada Example'],
    ['Password', PASSWORD],
  ] as const) {
    await tabTo(page, 'textbox', field);
    await page.keyboard.type(value);
  }
  await page.keyboard.press('Enter');
  await page.getByText('Waiting for your first request').waitFor();
  await tabTo(page, 'link', 'create another key');
  await page.keyboard.press('Enter');
  await tabTo(page, 'textbox', 'Name');
  await page.keyboard.type('laptop');
  await page
    .getByLabel('Project')
    .getByRole('option', { name: 'Default', selected: true })
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Copy curl code');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(command).toContain('Bearer fg_live_');
  await tabTo(page, 'button', 'I have saved it');
  await page.keyboard.press('Enter');
  expect(await statusOf(command)).toBe('200');
  await tabTo(page, 'link', 'Home');
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Latest requests' }).getByText('completed').waitFor();
  expect(Date.now() - beganMs).toBeLessThan(FIRST_RUN_MS_MAX);
});

test('the first request ticks the last of the first steps within 2 seconds, on the page as it is', async () => {
  const person = await signedIn(program);
  const { workspaceId } = person;
  const { page } = await visit(program, `/workspaces/${workspaceId}`, { as: person });
  await page.getByText('none is served without').waitFor();
  await page.evaluate('window.isSamePage = true');
  await program.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: '5.00', reason: 'a start' });
  await page.getByRole('link', { name: 'Create key' }).waitFor();
  const project = await program.admin.createProject(workspaceId, { name: 'web' });
  const { key } = await program.admin.createKey(project.id, { name: 'laptop' });
  await page.getByText('Waiting for your first request').waitFor();
  const command = await page.getByRole('region', { name: 'curl code' }).innerText();
  expect(await statusOf(command, { FAREGATE_KEY: 'fg_live_unknown' })).toBe('401');
  expect(await statusOf(command, { FAREGATE_KEY: key })).toBe('200');
  const answeredMs = Date.now();
  await page.getByText('arrived, and was charged').waitFor();
  expect(Date.now() - answeredMs).toBeLessThan(2_000);
  await page.getByRole('heading', { name: 'Latest requests' }).waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});

test('code in TypeScript is answered as it stands, and a refusal is shown while the first request is waited for', async () => {
  const person = await signedIn(program);
  const { workspaceId } = person;
  await program.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: '5.00', reason: 'a start' });
  const project = await program.admin.createProject(workspaceId, { name: 'web', models: ['another-model'] });
  const { key } = await program.admin.createKey(project.id, { name: 'laptop' });
  const { page } = await visit(program, `/workspaces/${workspaceId}`, { as: person });
  await page.getByRole('tab', { name: 'TypeScript' }).click();
  const code = await page.getByRole('region', { name: 'TypeScript code' }).innerText();
  const send = async (): Promise<string> => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
      env: { FAREGATE_KEY: key },
    });
    return stdout;
  };
  await expect(send()).rejects.toThrow('MODEL_NOT_ALLOWED');
  await page.getByText('Your last request was refused').waitFor();
  await program.admin.updateProject(project.id, { models: null });
  // A project's new models hold within a second.
  await vi.waitFor(async () => expect(await send()).toContain('Hello, Faregate'), 10_000);
  await page.getByText('arrived, and was charged').waitFor();
});
