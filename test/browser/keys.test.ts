import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { expectAccessible } from '../support/page-checks.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';
import { openWorkspace, type WorkspaceStage } from '../support/workspace-stage.ts';

const run = promisify(execFile);
const site = sharedSite();
const SAVED = { name: 'I have saved it' };

let stage: WorkspaceStage;

beforeAll(async () => {
  stage = await openWorkspace(site);
});

const listPath = (search = '') => `/workspaces/${stage.workspace}/keys${search}`;
const keyPath = (id: string) => listPath(`/${id}`);

/** Fills in the form of a new key, sends it, and returns the secret that the dialog shows. */
async function create(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Create key' });
  await sheet.getByLabel('Name').fill(name);
  await sheet.getByLabel('Project').selectOption('web');
  await sheet.getByRole('button', { name: 'Create key' }).click();
  return (await page.getByRole('region', { name: 'key', exact: true }).innerText()).trim();
}

test('several keys are created one after the other, in the same project, each with its secret shown once', async () => {
  const { page } = await visit(site, listPath(), { as: stage.owner });
  const first = await create(page, 'the first');
  await page.getByRole('button', { name: 'Saved, create another' }).click();
  const sheet = page.getByRole('dialog', { name: 'Create key' });
  expect(await sheet.getByLabel('Name').inputValue()).toBe('');
  await sheet.getByLabel('Name').fill('the second');
  await sheet.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog', { name: 'Key the second is created.' }).waitFor();
  expect((await page.getByRole('region', { name: 'key', exact: true }).innerText()).trim()).not.toBe(first);
  await page.getByRole('button', SAVED).click();
  for (const name of ['the first', 'the second']) await page.getByRole('row', { name }).first().waitFor();
});

test('the dialog of a new key cannot be left unread: Escape, a press beside it, back and links ask first', async () => {
  const { page } = await visit(site, listPath(), { as: stage.owner });
  await create(page, 'unread');
  const dialog = page.getByRole('dialog', { name: 'Key unread is created.' });
  const question = dialog.getByRole('alertdialog', { name: 'Is the key saved?' });
  const isAsked = async (): Promise<void> => {
    await question.waitFor();
    await question.getByRole('button', { name: 'Keep it open' }).click();
    await question.waitFor({ state: 'detached' });
  };
  await page.keyboard.press('Escape');
  await isAsked();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await isAsked();
  await page.mouse.click(5, 5);
  await isAsked();
  await page.evaluate('history.back()');
  await isAsked();
  await page.evaluate(`document.querySelector('nav a').click()`);
  await isAsked();
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
  await page.evaluate('history.back()');
  await question.getByRole('button', SAVED).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test('a window with an unread key asks before it closes', async () => {
  const { page } = await visit(site, listPath(), { as: stage.owner });
  await create(page, 'closing');
  // The page asks from the moment on in which its effects have run, which is after it shows the key.
  const asks = `!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
  await expect.poll(() => page.evaluate<boolean>(asks)).toBe(true);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('button', SAVED).click();
});

test('the snippets of a new key work as they stand, and its secret is nowhere once it is said to be saved', async () => {
  const { page, context } = await visit(site, listPath(), { as: stage.owner });
  const answers: string[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/admin/') && !response.url().endsWith('/events')) {
      void response.text().then(
        (text) => answers.push(text),
        () => undefined,
      );
    }
  });
  const secret = await create(page, 'snippets');
  expect(secret).toMatch(/^fg_live_\w{30,}$/);
  for (const language of ['TypeScript', 'Python', 'curl']) {
    await page.getByRole('tab', { name: language }).click();
    const code = await page.getByRole('region', { name: `${language} code` }).innerText();
    expect(code).toContain(`${site.url}/v1`);
    expect(code).toContain(secret);
  }
  const command = await page.getByRole('region', { name: 'curl code' }).innerText();
  await expectAccessible(page);
  const { stdout } = await run('sh', ['-c', `${command} -sw '\\n%{http_code}'`]);
  expect(stdout.trim().split('\n').at(-1)).toBe('200');
  await page.getByRole('button', SAVED).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'snippets' }).click();
  await page.getByRole('heading', { name: 'snippets', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('table', { name: 'Keys' }).waitFor();
  const left = await page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML, location.href, history.state, { ...localStorage }, { ...sessionStorage },
    document.cookie, performance.getEntries().map(({ name }) => name),
  ])`);
  const stored = JSON.stringify([await context.cookies(), await context.storageState()]);
  expect(left).toContain('snippets');
  expect(left + stored).not.toContain(secret);
  expect(left).not.toContain(secret.slice(-20));
  expect(answers.filter((text) => text.includes(secret))).toHaveLength(1);
});

/** As much of Claude Code as asks a model that is named as its second word. */
const CLAUDE = `claude() {
  curl -s "$ANTHROPIC_BASE_URL/v1/messages" -H "Authorization: Bearer $ANTHROPIC_AUTH_TOKEN" \\
    -H 'Content-Type: application/json' -d '{"model":"'"$2"'","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}'
}`;

test('the settings of coding agents that a new key comes with reach a model as they stand', async () => {
  const { page } = await visit(site, listPath(), { as: stage.owner });
  const secret = await create(page, 'agents');
  const settingsOf = async (agent: string): Promise<string> => {
    await page.getByRole('tab', { name: agent }).click();
    return await page.getByRole('region', { name: `${agent} settings` }).innerText();
  };
  const commands = await settingsOf('Claude Code');
  const { stdout } = await run('sh', ['-c', `${CLAUDE}\n${commands}`]);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'hi' }] });

  const toml = await settingsOf('Codex');
  const {
    model,
    base_url: base,
    env_key: variable,
    wire_api: api,
  } = Object.fromEntries(
    [...toml.matchAll(/^(\w+) = (".*")$/gm)].map(([, name, value]) => [name, JSON.parse(value ?? '') as string]),
  );
  expect(toml).not.toContain(secret);
  await page.getByText(`export ${variable}=${secret}`).waitFor();
  const answer = await fetch(`${base}/${api}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'hi', store: false }),
  });
  expect(await answer.json()).toMatchObject({ object: 'response', status: 'completed' });
  await expectAccessible(page);
  await page.getByRole('button', SAVED).click();
});

test('a key is listed without reload, is refused once revoked by its name, and stays struck through', async () => {
  const { page } = await visit(site, listPath(), { as: stage.owner });
  await page.getByRole('table', { name: 'Keys' }).waitFor();
  await page.evaluate('window.isSamePage = true');
  const secret = await create(page, 'short-lived');
  await page.getByRole('button', SAVED).click();
  expect(await stage.ask(secret)).toBe(200);
  await page.getByRole('link', { name: 'short-lived' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke short-lived?' });
  await dialog.getByLabel('Type short-lived to confirm').fill('short');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Revoke key' }).click({ force: true });
  await dialog.getByLabel('Type short-lived to confirm').press('Enter');
  expect(await stage.ask(secret)).toBe(200);
  await dialog.getByLabel('Type short-lived to confirm').fill('short-lived');
  const answered = page.waitForResponse((response) => response.url().endsWith('/revoke'));
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await answered;
  await vi.waitFor(async () => expect(await stage.ask(secret)).toBe(401), { interval: 20, timeout: 10_000 });
  await page.getByText('This key is revoked: it is refused.').waitFor();
  await page.goBack();
  const row = page.getByRole('row', { name: 'short-lived' });
  await row.getByText('revoked').waitFor();
  await row.getByRole('deletion').getByText('short-lived').waitFor();
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});

test('a rotated key shows the clock of its former secret, both work until it is ended, and then one', async () => {
  const { id, key: former } = await stage.createKey({ name: 'rotating' });
  const { page } = await visit(site, keyPath(id), { as: stage.owner });
  await page.getByRole('button', { name: 'Rotate key' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate rotating?' });
  await question.getByLabel('The former secret works for').selectOption('1 hour');
  await question.getByRole('button', { name: 'Rotate key' }).click();
  const secret = (await page.getByRole('region', { name: 'key', exact: true }).innerText()).trim();
  await page.getByRole('button', SAVED).click();
  expect(secret).not.toBe(former);
  const clock = page.getByRole('timer');
  const shown = await clock.innerText();
  expect(shown).toMatch(/^(1 h 00 min|59 min \d\d s)$/);
  await vi.waitFor(async () => expect(await clock.innerText()).not.toBe(shown), { timeout: 3_000 });
  for (const each of [former, secret]) expect(await stage.ask(each)).toBe(200);
  await page.getByRole('button', { name: 'End former secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End former secret' }).click();
  await clock.waitFor({ state: 'detached' });
  await vi.waitFor(async () => expect(await stage.ask(former)).toBe(401), { interval: 20, timeout: 10_000 });
  expect(await stage.ask(secret)).toBe(200);
});

test('the rotation of a key that has leaked ends the former secret immediately', async () => {
  const { id, key: former } = await stage.createKey({ name: 'leaked' });
  const { page } = await visit(site, keyPath(id), { as: stage.owner });
  await page.getByRole('button', { name: 'Rotate key' }).click();
  const question = page.getByRole('dialog', { name: 'Rotate leaked?' });
  await question
    .getByRole('group', { name: 'Has the present secret leaked?' })
    .getByRole('radio', { name: 'Yes' })
    .check();
  expect(await question.getByLabel('The former secret works for').count()).toBe(0);
  await question.getByRole('button', { name: 'Rotate key' }).click();
  const secret = (await page.getByRole('region', { name: 'key', exact: true }).innerText()).trim();
  await page.getByText('The former secret has ended.').waitFor();
  await vi.waitFor(async () => expect(await stage.ask(former)).toBe(401), { interval: 20, timeout: 10_000 });
  expect(await stage.ask(secret)).toBe(200);
});

test('the models of a key are chosen out of those on sale, by their ids or by a pattern', async () => {
  const { id } = await stage.createKey({ name: 'choosy' });
  const { page } = await visit(site, `${keyPath(id)}?change=true`, { as: stage.owner });
  const sheet = page.getByRole('dialog', { name: 'Change choosy' });
  const field = sheet.getByRole('combobox', { name: /^Models it may call/ });
  const chosen = sheet.getByRole('list', { name: 'Chosen models' });
  await sheet.locator('datalist option[value="sandbox/*"]').waitFor({ state: 'attached' });
  await field.fill('sandbox/*');
  await chosen.getByText(/^sandbox\/\* \d+ models$/).waitFor();
  await field.fill('acme/');
  await field.press('Enter');
  await field.fill('sandbox/echo');
  await chosen.getByText('sandbox/echo').waitFor();
  await chosen.getByRole('button', { name: 'Remove acme/' }).click();
  await sheet.getByRole('button', { name: 'Change key' }).click();
  await sheet.waitFor({ state: 'detached' });
  expect(await site.admin.showKey(id)).toMatchObject({ models: ['sandbox/*', 'sandbox/echo'] });
});

test('a refusal for the model names key or project, whichever does not allow it, with the way to its models', async () => {
  const { id, key } = await stage.createKey({ name: 'narrow key', models: ['sandbox/slow'] });
  const refused = await fetch(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(await refused.text()).toContain('the models of the key do not include it');
  const below = `/workspaces/${stage.workspace}`;
  const request = refused.headers.get('x-request-id') ?? '';
  const recorded = `/admin/v1${below}/refusals/${request}`;
  const headers = { authorization: `Bearer ${site.operatorToken}` };
  await vi.waitFor(async () => expect((await fetch(site.url + recorded, { headers })).status).toBe(200), {
    timeout: 30_000,
  });
  const { page } = await visit(site, `${below}/requests/${request}`, { as: stage.owner });
  await page.getByText('The key narrow key allows only sandbox/slow.').waitFor();
  expect(await page.getByRole('link', { name: "Change the project's models" }).count()).toBe(0);
  await page.getByRole('link', { name: "Change the key's models" }).click();
  await page.getByRole('dialog', { name: 'Change narrow key' }).waitFor();
  expect(new URL(page.url()).pathname).toContain(id);
});

test('a change of a key that somebody else has changed says so, and keeps what was typed', async () => {
  const { id } = await stage.createKey({ name: 'contested' });
  const { page } = await visit(site, `${keyPath(id)}?change=true`, {
    as: stage.owner,
    expectedFaults: [/status of 412/],
  });
  await page.getByLabel('Spend limit a month').fill('7.50');
  await site.admin.updateKey(id, { name: 'renamed', metadata: { team: 'search' } });
  await page.getByRole('dialog').getByRole('button', { name: 'Change key' }).click();
  await page.getByText('Somebody else has changed this key').waitFor();
  await page.getByRole('button', { name: 'Load their version' }).click();
  await vi.waitFor(async () => expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('renamed'), {
    timeout: 10_000,
  });
  expect(await page.getByLabel('Spend limit a month').inputValue()).toBe('7.50');
  await page.getByRole('dialog').getByRole('button', { name: 'Change key' }).click();
  await page.getByText('This key may spend $7.50 a month. It has spent $0.00 this month.').waitFor();
  expect(await site.admin.showKey(id)).toMatchObject({
    name: 'renamed',
    spend_limit_usd: '7.50',
    metadata: { team: 'search' },
  });
});

test('a disabled key is refused, and works again once enabled', async () => {
  const { id, key } = await stage.createKey({ name: 'resting' });
  const { page } = await visit(site, keyPath(id), { as: stage.owner });
  for (const [action, word, status] of [
    ['Disable key', 'disabled', 401],
    ['Enable key', 'active', 200],
  ] as const) {
    await page.getByRole('button', { name: action }).click();
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
    await page
      .getByRole('definition')
      .filter({ hasText: new RegExp(`^${word}$`) })
      .waitFor();
    await vi.waitFor(async () => expect(await stage.ask(key)).toBe(status), { interval: 20, timeout: 10_000 });
  }
});
