import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit, type VisitOptions } from '../support/visit.ts';

// The playground: a prompt is sent from the page, streams back, says what it cost, and can be had as code.

const run = promisify(execFile);
const site = sharedSite();

async function openPlayground({
  credit = '5.00',
  search = '?model=sandbox/echo',
  ...look
}: { credit?: string; search?: string } & VisitOptions = {}) {
  const person = await signedIn(site);
  const { workspaceId } = person;
  if (credit !== '0')
    await site.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: credit, reason: 'a start' });
  const project = await site.admin.createProject(workspaceId, { name: 'web' });
  const path = `/workspaces/${workspaceId}/playground${search}`;
  const { page } = await visit(site, path, { ...look, as: person });
  await page.getByRole('button', { name: 'Send' }).waitFor();
  return { page, person, workspaceId, project };
}

const answerOf = (page: Page) => page.locator('[data-answer]');
const messageOf = (page: Page) => page.getByLabel('User message', { exact: true });
const sendOf = (page: Page) => page.getByRole('button', { name: 'Send' });
const factOf = (page: Page, term: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(term, { exact: true }) })
    .locator('dd');

/** The receipt that the page links to. */
async function receiptOf(page: Page, workspace: string): Promise<Record<string, unknown>> {
  const link = page.locator(`a[href^="/workspaces/${workspace}/requests/"]`);
  const id = (await link.innerText()).trim();
  const headers = { authorization: `Bearer ${site.operatorToken}` };
  const answer = await fetch(`${site.url}/admin/v1/workspaces/${workspace}/receipts/${id}`, { headers });
  return (await answer.json()) as Record<string, unknown>;
}

test('an answer streams as text, and its charge, hold, tokens and request id are those of its receipt', async () => {
  const { page, workspaceId } = await openPlayground();
  await messageOf(page).fill('<b>bold</b> & plain');
  await page.getByText(/Costs at most \$/).waitFor();
  await sendOf(page).click();
  await factOf(page, 'Charge').locator('data').waitFor();
  expect(await answerOf(page).innerText()).toContain('<b>bold</b> & plain');
  const receipt = await receiptOf(page, workspaceId);
  const exact = async (term: string): Promise<string | null> =>
    await factOf(page, term).locator('data').first().getAttribute('value');
  expect(await exact('Charge')).toBe(receipt['charge_usd']);
  expect(await exact('Hold')).toBe(receipt['hold_usd']);
  expect(await factOf(page, 'Tokens').innerText()).toMatch(/^\d+ in, \d+ out$/);
  expect(await factOf(page, 'First token').innerText()).toMatch(/ms|s$/);
});

test('it begins in a project that allows the model, and a refusal for the model names the policy with the way to it', async () => {
  const person = await signedIn(site);
  const { workspaceId: workspace } = person;
  await site.admin.postCredit(workspace, { kind: 'grant', amount_usd: '5', reason: 'a start' });
  const narrow = await site.admin.createProject(workspace, { name: 'a narrow one', models: ['sandbox/slow'] });
  const wide = await site.admin.createProject(workspace, { name: 'wide', models: ['sandbox/*'] });
  const { page } = await visit(site, `/workspaces/${workspace}/playground?model=sandbox/echo`, {
    as: person,
    expectedFaults: [/status of 403/],
  });
  const project = page.getByRole('combobox', { name: 'Project' });
  await sendOf(page).waitFor();
  expect(await project.inputValue()).toBe(wide.id);
  await project.selectOption({ label: 'a narrow one' });
  await messageOf(page).fill('hello');
  await sendOf(page).click();
  const refused = page.getByRole('alert').filter({ hasText: 'MODEL_NOT_ALLOWED' });
  await refused.getByText('the models of its project do not include it').waitFor();
  await refused.getByRole('link', { name: "Change the project's models" }).click();
  await page.getByRole('dialog', { name: 'Change a narrow one' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/workspaces/${workspace}/projects/${narrow.id}`);
});

test('a stream shows its first words before its last, can be stopped, and is charged for what was written', async () => {
  const { page, workspaceId } = await openPlayground({ search: '?model=sandbox/slow' });
  // Other requests may fill the first page of the list in which the stopped one is looked for.
  await page.route(/\/receipts\?from=[^&]+&limit=200$/, (route) =>
    route.fulfill({ json: { data: [], next_cursor: 'on' } }),
  );
  await page.route(/\/receipts\?from=.+&cursor=on/, (route) =>
    route.continue({ url: route.request().url().replace('&cursor=on', '') }),
  );
  await messageOf(page).fill('one two three four five six seven eight');
  await sendOf(page).click();
  await answerOf(page).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.', { exact: false }).first().waitFor();
  await factOf(page, 'Charge').locator('data').waitFor({ timeout: 20_000 });
  expect(await receiptOf(page, workspaceId)).toMatchObject({ outcome: 'abandoned', streamed: true });
  expect((await answerOf(page).innerText()).length).toBeGreaterThan(0);
});

test('a request ends when its page is left, and is charged for what was written by then', async () => {
  const { page, person, workspaceId } = await openPlayground({ search: '?model=sandbox/slow' });
  await messageOf(page).fill('one two three four five six seven eight');
  await sendOf(page).click();
  await answerOf(page).waitFor();
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/playground/chat/completions'));
  await page.getByRole('navigation').getByRole('link', { name: 'Usage', exact: true }).click();
  await ended;
  const receipts = async (): Promise<unknown> =>
    (await person.session.get(`/workspaces/${workspaceId}/receipts`)).body['data'];
  await expect.poll(receipts, { timeout: 20_000 }).toMatchObject([{ outcome: 'abandoned', streamed: true }]);
});

/** A server that keeps the body of the next request, and ends its answer as a stream of the API ends. */
async function openRecorder(): Promise<{ readonly url: string; readonly next: () => Promise<string> }> {
  let received = Promise.withResolvers<string>();
  const server = createServer((message, response) => {
    const answer = (body: string): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: [DONE]\n\n');
      received.resolve(body);
    };
    text(message).then(answer, received.reject);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const next = async (): Promise<string> => {
    const body = await received.promise;
    received = Promise.withResolvers();
    return body;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, next };
}

/** The arguments of the call in Python code, read by the rules of Python's literals, as the SDK sends them. */
function bodyOfPython(code: string): string {
  const [, call = ''] = /\.create\(\n([^]*?)\n\)\n/.exec(code) ?? [];
  const tokens = call.match(/"(?:[^"\\]|\\.)*"|\w+=|[\w.+-]+|[[\]{}:,]/g) ?? [];
  const words: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
  const json = tokens.map((token) => (token.endsWith('=') ? `"${token.slice(0, -1)}":` : (words[token] ?? token)));
  // What Python allows behind the last item.
  const closed = `{${json.join(' ')}}`.replaceAll(/ , (?=[\]}])/g, ' ').replace(/,\}$/, '}');
  return JSON.stringify(JSON.parse(closed));
}

test('each language of "View code" sends the same bytes as the page, with every field filled in', async () => {
  // What the sandbox says matches no schema.
  const { page } = await openPlayground({ expectedFaults: [/status of 502/] });
  await page.getByLabel('System').fill(`Don't "shout": $HOME, None or True,`);
  await messageOf(page).fill("It's\n`here` \\ ünïcode 🚆 ${x} %s {y}");
  await page.getByLabel('Temperature').fill('0.7');
  await page.getByLabel('Max tokens').fill('50');
  await page.getByText('Answer schema and tools').click();
  await page
    .getByLabel('Answer schema')
    .fill('{"type": "object", "properties": {"it\'s": {"type": "string"}}, "additionalProperties": false}');
  await page
    .getByLabel('Tools')
    .fill('[{"type":"function","function":{"name":"clock","parameters":{"type":"object","default":null}}}]');
  const sent = page.waitForRequest((request) => request.url().includes('/playground/chat/completions'));
  await sendOf(page).click();
  const body = (await sent).postData();
  expect(JSON.parse(body ?? '')).toMatchObject({ temperature: 0.7, max_tokens: 50, stream: true });
  await page.getByRole('button', { name: 'View code' }).click();
  const codeOf = async (language: string): Promise<string> => {
    await page.getByRole('tab', { name: language }).click();
    const code = await page.getByRole('region', { name: `${language} code` }).innerText();
    expect(code).toContain(`${site.url}/v1`);
    return code;
  };
  const { url, next } = await openRecorder();
  const env = { PATH: process.env['PATH'], FAREGATE_KEY: 'fg_live_none' };
  await run('sh', ['-c', (await codeOf('curl')).replace(site.url, url)], { env });
  expect(await next()).toBe(body);
  const typescript = (await codeOf('TypeScript')).replace(site.url, url);
  await run(process.execPath, ['--input-type=module', '--eval', typescript], { env });
  expect(await next()).toBe(body);
  const python = await codeOf('Python');
  expect(python).toContain('client.chat.completions.create(');
  expect(bodyOfPython(python)).toBe(body);
});

test('without credit a request says so with its code, and after the way to a top-up the prompt is as it was', async () => {
  const { page, workspaceId } = await openPlayground({ credit: '0', expectedFaults: [/status of 40[24]/] });
  await messageOf(page).fill('A question worth keeping');
  await sendOf(page).click();
  await page.getByText('INSUFFICIENT_BALANCE').waitFor();
  expect(page.url()).not.toContain('question');
  await page.getByRole('link', { name: 'Add credit' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/credit'));
  await site.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: '5.00', reason: 'a top-up' });
  // As a payment does, which leads to another site and back.
  await page.goto('about:blank');
  await page.goto(`/workspaces/${workspaceId}/credit`);
  await page.getByRole('link', { name: 'Back to the playground' }).click();
  await page.waitForURL((url) => url.pathname.endsWith('/playground') && url.search === '?model=sandbox/echo');
  await expect.poll(() => messageOf(page).inputValue()).toBe('A question worth keeping');
  await sendOf(page).click();
  await factOf(page, 'Charge').locator('data').waitFor();
  expect(await answerOf(page).innerText()).toContain('A question worth keeping');
});

test('a prompt that is left in the tab is not shown to the next user who signs in there', async () => {
  const { page } = await openPlayground();
  // The price of a prompt is asked for a while after it was written: here, while the session ends.
  const quoted = Promise.withResolvers<void>();
  await page.route(/\/playground\/quote/, async (route) => {
    await quoted.promise;
    await route.continue();
  });
  await page.route(/\/session$/, async (route) => {
    if (route.request().method() !== 'DELETE') return await route.continue();
    await route.fulfill({ response: await route.fetch() });
    quoted.resolve();
  });
  const asked = page.waitForRequest(/\/playground\/quote/);
  await messageOf(page).fill('A secret question');
  await asked;
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: /^Sign out/ }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('secret question');
});

test('the conversation goes on from an answer, wrong fields say what would be right, and keys alone do it all', async () => {
  const { page } = await openPlayground();
  await messageOf(page).focus();
  await page.keyboard.type('Hello');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Continue from here' }).waitFor();
  await page.getByRole('button', { name: 'Continue from here' }).press('Enter');
  expect(await page.getByLabel('Assistant message 2').inputValue()).toContain('Hello');
  await page.getByLabel('User message 3').fill('And again');
  await page.getByText('Answer schema and tools').click();
  await page.getByLabel('Tools').fill('{}');
  await page.getByText('Tools are a list', { exact: false }).waitFor();
  await page.getByLabel('Tools').fill('');
  await page.getByLabel('User message 3').press('Control+Enter');
  await expect.poll(() => answerOf(page).innerText()).toContain('And again');
});
