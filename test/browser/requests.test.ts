import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLargeLedger } from '../../bench/large-ledger.ts';
import { parseCsv, sumOf } from '../support/csv.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const RECEIPTS = 400;
const SOON = { timeout: 10_000 };

const TERMS = 'context_window: 32768, max_output: 8192';
const CONFIG = `
providers: { box: { kind: sandbox } }
models:
  - { id: sandbox/echo, routes: [{ provider: box, model: echo }], price: { input: "0.25", output: "2" }, ${TERMS} }
  - { id: acme/fee, routes: [{ provider: box, model: echo }], price: { input: "0.25", output: "2", fees: { request: "0.002" } }, ${TERMS} }
`;

let program: Program;
/** A workspace with some days of receipts, and two keys: one that works, and one that may spend next to nothing. */
let workspace: string;
let served: string;
let streamed: string;
let withFee: string;
let refused: string;
/** Two requests of a session of an agent; the first one repeats one that was refused. */
const ofSession: string[] = [];
const SESSION = '019a0000-0000-7000-8000-000000000024';

async function chat(key: string, body: object = {}): Promise<string> {
  const messages = [{ role: 'user', content: 'Write a haiku about trains.' }];
  const answer = await program.chat(key, { model: 'sandbox/echo', messages, ...body });
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

/** Sends an agent's requests: one that is served once its key's limit has been raised, and another one. */
async function agentsRequests(project: string): Promise<readonly string[]> {
  const { id, key } = await program.admin.createKey(project, { name: 'agent', spend_limit_usd: '0.000001' });
  const send = async (text: string): Promise<Response> => {
    const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: text }] };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'session-id': SESSION };
    const answer = await program.chat(key, body, { headers });
    await answer.text();
    return answer;
  };
  expect((await send('one')).status).toBe(402);
  await program.admin.updateKey(id, { spend_limit_usd: '5' });
  const repeated = await vi.waitUntil(
    async () => {
      const answer = await send('one');
      return answer.status === 200 && answer;
    },
    { timeout: 20_000 },
  );
  return [repeated, await send('two')].map(({ headers }) => headers.get('x-request-id') ?? '');
}

beforeAll(async () => {
  program = await startProgram({ config: CONFIG });
  const { admin } = program;
  const ledger = { receipts: RECEIPTS, keys: 4, projects: 2, days: 4 };
  workspace = (await openLargeLedger(await program.openDatabase(), ledger)).workspace.id;
  const { id: web } = await admin.createProject(workspace, { name: 'web', budget_usd: '5' });
  const { id: poor } = await admin.createProject(workspace, { name: 'poor', budget_usd: '0.000002' });
  const { key } = await admin.createKey(web, { name: 'laptop' });
  const { key: limited } = await admin.createKey(poor, { name: 'small', spend_limit_usd: '0.000001' });
  served = await chat(key);
  streamed = await chat(key, { stream: true });
  withFee = await chat(key, { model: 'acme/fee' });
  refused = await chat(limited);
  ofSession.push(...(await agentsRequests(web)));
  for (const id of [served, streamed, withFee, refused]) {
    await vi.waitUntil(() => admin.showRequest(workspace, id).catch(() => null), { timeout: 20_000 });
  }
});

afterAll(() => program.dispose());

/** Each has windows of their own: nobody may have more than ten of them. */
const anOwner = (): Promise<SignedInPerson> => signedIn(program, { workspaceId: workspace });

const at = (path: string): string => `/workspaces/${workspace}/requests${path}`;

test('the session on an agent’s request leads to all requests of that session, and a retry is marked as one', async () => {
  const { page } = await visit(program, at(`/${ofSession[0]}`), { as: await anOwner() });
  await page.getByText('Sent again: the same request had failed within the minute before.').waitFor();
  await page.getByRole('link', { name: SESSION }).click();
  const rows = page.getByRole('table', { name: 'Requests', exact: true }).getByRole('row');
  await expect.poll(() => rows.count(), SOON).toBe(1 + ofSession.length);
  await page.getByRole('button', { name: 'Remove the filter by session' }).click();
  await expect.poll(() => rows.count(), SOON).toBeGreaterThan(1 + ofSession.length);
  expect(new URL(page.url()).searchParams.has('session')).toBe(false);
});

test('filters, the chosen time and the open receipt survive a reload, the way back and a copied address', async () => {
  const { page, context } = await visit(program, at(''), { as: await anOwner() });
  await page.getByLabel('Time').selectOption('30d');
  await page.getByLabel('Outcome').selectOption('completed');
  await page.getByLabel('Model').selectOption('model-2');
  await page.getByLabel('Cost above, in USD').fill('0.0001');
  await page.getByLabel('Cost above, in USD').press('Enter');
  await page
    .getByRole('row', { name: /model-2/ })
    .first()
    .getByRole('link')
    .click();
  const receipt = page.getByRole('region', { name: 'Open request' });
  await receipt.getByText(/^Completed in/).waitFor();
  const address = page.url();
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    range: '30d',
    outcome: 'completed',
    model: 'model-2',
    min_charge: '0.0001',
  });
  const state = async (where: typeof page) => ({
    id: await where
      .getByRole('region', { name: 'Open request' })
      .getByText(/^Completed in/)
      .innerText(),
    rows: await where.getByRole('table', { name: 'Requests', exact: true }).getByRole('row').count(),
    filters: await Promise.all(
      ['Time', 'Outcome', 'Model', 'Cost above, in USD'].map((label) => where.getByLabel(label).inputValue()),
    ),
  });
  const before = await state(page);
  expect(before.filters).toEqual(['30d', 'completed', 'model-2', '0.0001']);
  expect(before.rows).toBeGreaterThan(2);

  await page.reload();
  await receipt.getByText(/^Completed in/).waitFor();
  await expect.poll(() => state(page), SOON).toEqual(before);

  const copy = await context.newPage();
  await copy.goto(address);
  await expect.poll(() => state(copy), SOON).toEqual(before);

  await page.keyboard.press('Escape');
  await receipt.waitFor({ state: 'detached' });
  await page.goBack();
  await receipt.getByText(/^Completed in/).waitFor();
  expect(page.url()).toBe(address);
});

test('a pasted request id leads to its request, from the palette and from the page', async () => {
  const { page } = await visit(program, at(''), { as: await anOwner() });
  const open = page.getByRole('region', { name: 'Open request' });
  await page.getByRole('searchbox', { name: 'Find a request by its id' }).fill(`x-request-id: ${served}`);
  await open.getByText(/^Completed in .* and charged \$/).waitFor();
  expect(new URL(page.url()).pathname).toBe(at(`/${served}`));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /request id/ }).fill(refused);
  await page.keyboard.press('Enter');
  await open.getByText("The project's budget did not cover the request.").waitFor();
  // The oldest receipt of all is found like the newest.
  const [oldest] = await (
    await program.openDatabase()
  ).query<{ id: string }>('select request_id as id from receipts where workspace_id = $1 order by 1 limit 1', [
    workspace,
  ]);
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Find a request by its id' }).fill(oldest?.id ?? '');
  await open
    .getByText(oldest?.id ?? 'none')
    .first()
    .waitFor();
  await open.getByRole('heading', { name: 'Bill' }).waitFor();
});

test('an unknown request id and one of another workspace are answered alike', async () => {
  const other = await program.createTenant();
  const foreign = await chat(other.key);
  const words = async (id: string) => {
    const { page } = await visit(program, at(`/${id}`), { as: await anOwner(), expectedFaults: [/status of 404/] });
    const open = page.getByRole('region', { name: 'Open request' });
    await open.getByText('This workspace has no request with this id.').waitFor();
    return (await open.innerText()).replace(id, 'ID');
  };
  expect(await words(foreign)).toBe(await words(UNKNOWN));
});

/** An amount as it is shown, in millionths of a nano-dollar. */
function shown(text: string): bigint {
  const [whole = '', fraction = ''] = text
    .replaceAll(/[$,\s]/g, '')
    .replace('−', '-')
    .split('.');
  return BigInt(whole + fraction.padEnd(15, '0'));
}

test.each([
  { kind: 'an answer', parts: ['input', 'output'], idOf: () => served },
  { kind: 'a stream', parts: ['input', 'output'], idOf: () => streamed },
  { kind: 'a request with a fee', parts: ['input', 'output', 'request'], idOf: () => withFee },
])('the lines of the receipt of $kind add up exactly to its charge, rounded up once', async ({ parts, idOf }) => {
  const id = idOf();
  const { page } = await visit(program, at(`/${id}`), { as: await anOwner() });
  const bill = page.getByRole('table', { name: 'Bill' });
  await bill.waitFor();
  const amounts = await bill
    .locator('tr[data-line]')
    .evaluateAll((rows) =>
      rows.map((row) => [row.getAttribute('data-line') ?? '', row.lastElementChild?.textContent ?? '']),
    );
  const lines = amounts.filter(([line = '']) => !['sum', 'charge'].includes(line));
  expect(lines.map(([line]) => line)).toEqual(parts);
  const exact = lines.reduce((sum, [, amount = '']) => sum + shown(amount), 0n);
  const charge = shown(amounts.find(([line]) => line === 'charge')?.[1] ?? '');
  expect(charge).toBe(((exact + 999_999n) / 1_000_000n) * 1_000_000n);
  const { charge_nano_usd: charged } = await program.admin.showReceipt(id);
  expect(charge).toBe(BigInt(charged) * 1_000_000n);
  const attempts = page.getByRole('table', { name: 'Attempts' });
  expect(await attempts.getByRole('row').count()).toBe(2);
  expect(await attempts.innerText()).toContain('answered · 200');
});

test('a corrected receipt shows the correction, and what is charged after it', async () => {
  const tenant = await program.createTenant();
  const id = await chat(tenant.key);
  await expect.poll(() => program.admin.showReceipt(id).catch(() => null), SOON).not.toBeNull();
  await program.admin.correctReceipt(id, { charge_usd: '0.00', reason: 'the answer was empty' });
  const person = await signedIn(program, { workspaceId: tenant.workspaceId, role: 'viewer' });
  const { page } = await visit(program, `/workspaces/${tenant.workspaceId}/requests/${id}`, { as: person });
  const bill = page.getByRole('table', { name: 'Bill' });
  await bill.getByText('the answer was empty').waitFor();
  const net = bill.locator('tr[data-line=net]');
  expect(shown(await net.locator('td').last().innerText())).toBe(0n);
});

test('a 402 stands under refused requests with its levels, and its buttons lead to forms that are filled in', async () => {
  const { page } = await visit(program, at(''), { as: await anOwner() });
  await page.getByRole('tab', { name: 'Refused' }).click();
  await page
    .getByRole('row', { name: /402 project budget used up/ })
    .getByRole('link')
    .click();
  const open = page.getByRole('region', { name: 'Open request' });
  const levels = open.getByRole('list', { name: 'Levels' }).getByRole('listitem');
  await levels.first().waitFor();
  expect(await levels.allInnerTexts()).toEqual([
    expect.stringMatching(/^Credit of the workspace\s+covered it$/),
    expect.stringMatching(/^Budget of poor\s+\$0\.\d+ short\s+\$0\.00 spent, \$0\.000002 left of \$0\.000002/),
    expect.stringMatching(/^Limit of small\s+\$0\.\d+ short\s+\$0\.00 spent, \$0\.000001 left of \$0\.000001/),
  ]);
  const limit = new URL(
    (await open.getByRole('link', { name: "Raise the key's limit" }).getAttribute('href')) ?? '',
    program.url,
  );
  expect([limit.searchParams.get('change'), limit.searchParams.get('limit')]).toEqual(['true', '0.01']);
  await open.getByRole('link', { name: "Raise the project's budget" }).click();
  await page.getByRole('heading', { name: 'Change poor' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Budget' }).inputValue()).toBe('0.01');
  // The way back leads to the refusal beside its list.
  await page.goBack();
  await levels.first().waitFor();
  expect(await page.getByRole('tab', { name: 'Refused' }).getAttribute('aria-selected')).toBe('true');
});

test('a part of the histogram that is dragged over, or chosen by keys, is what the list shows', async () => {
  const { page } = await visit(program, at('?range=30d'), { as: await anOwner() });
  const chart = page.getByRole('figure', { name: 'Requests by day' });
  const slider = chart.getByRole('slider');
  const loaded = page.getByText(/requests so far|requests, all of this time/);
  await loaded.waitFor();
  const box = await chart.locator('svg').last().boundingBox();
  if (box === null) throw new Error('the chart is not shown');
  const day = box.width / 30;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 27.5 * day, y);
  await page.mouse.down();
  await page.mouse.move(box.x + 28.5 * day, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/since=/);
  const chosen = new URL(page.url()).searchParams;
  const [since, until] = [chosen.get('since') ?? '', chosen.get('until') ?? ''];
  expect(Date.parse(until) - Date.parse(since)).toBe(2 * 86_400_000);
  const times = async () =>
    await page
      .getByRole('table', { name: 'Requests', exact: true })
      .locator('time[datetime*=T]')
      .evaluateAll((all) =>
        all.map((time) => time.getAttribute('datetime') ?? '').filter((text) => text.startsWith('2')),
      );
  await expect
    .poll(async () => {
      const all = await times();
      return all.length > 0 && all.every((time) => time >= since && time < until);
    }, SOON)
    .toBe(true);

  await slider.focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url(), SOON).not.toContain('since=');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await page.waitForURL(/since=/);
  const keys = new URL(page.url()).searchParams;
  expect(Date.parse(keys.get('until') ?? '') - Date.parse(keys.get('since') ?? '')).toBe(2 * 86_400_000);
});

test('j and k move through the rows, Enter opens one beside them, Escape closes it', async () => {
  const { page } = await visit(program, at('?range=30d'), { as: await anOwner() });
  const table = page.getByRole('table', { name: 'Requests', exact: true });
  await table.getByRole('link').first().waitFor();
  const hrefs = await table.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const focused = () => page.evaluate<string | null>(`document.activeElement.getAttribute('href')`);
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
  expect(await focused()).toBe(hrefs[1]);
  await page.keyboard.press('Enter');
  const open = page.getByRole('region', { name: 'Open request' });
  await open.getByRole('heading', { name: 'Bill' }).waitFor();
  expect(await focused()).toBe(hrefs[1]);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === hrefs[2]?.split('?')[0]);
  await page.keyboard.press('Escape');
  await open.waitFor({ state: 'detached' });
  expect(await focused()).toBe(hrefs[2]);
});

test('the CSV of the list has what the list has, and its charges add up to the usage of the same filter', async () => {
  const { page } = await visit(program, at('?range=30d&outcome=completed&model=model-2'), { as: await anOwner() });
  const more = page.getByRole('button', { name: 'Load more' });
  const end = page.getByText('all of this time');
  await more.or(end).waitFor();
  while (!(await end.isVisible())) {
    await more.click();
    await more.or(end).waitFor();
  }
  const rows = page.getByRole('table', { name: 'Requests', exact: true }).getByRole('row');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const csv = parseCsv(Buffer.concat(chunks).toString());
  expect(download.suggestedFilename()).toBe('requests.csv');
  expect(csv.length).toBe((await rows.count()) - 1);
  const usage = await program.admin.showUsage(workspace, { model: 'model-2', outcome: 'completed' });
  expect(sumOf(csv, 'net_charge_nano_usd')).toBe(BigInt(usage.total.net_charge_nano_usd));
});

test('a search that finds nothing for long says how far it has looked, goes on by itself, and stops when asked', async () => {
  const { page } = await visit(program, '/sign-up', { as: await anOwner() });
  let calls = 0;
  await page.route(/\/receipts\?.*limit=50/, async (route) => {
    calls += 1;
    const until = new Date(Date.now() - calls * 3_600_000).toISOString();
    const body = { data: [], next_cursor: `cursor-${calls}`, searched_until: until };
    await new Promise((resolve) => setTimeout(resolve, 50));
    await route.fulfill({ json: body });
  });
  await page.goto(at('?model=rare'));
  const progress = page.getByText('everything since');
  await progress.waitFor();
  await expect.poll(() => calls, SOON).toBeGreaterThan(2);
  expect(await progress.innerText()).toMatch(/Searching. 0 requests so far; everything since \d h ago was looked at/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Search on' }).waitFor();
  const before = calls;
  await page.getByRole('button', { name: 'Search on' }).click();
  await expect.poll(() => calls, SOON).toBeGreaterThan(before + 1);
});
