import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openLargeLedger } from '../../bench/large-ledger.ts';
import { parseUsd } from '../../src/domain/money.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { parseCsv, sumOf } from '../support/csv.ts';
import { usagePaintTimes } from '../support/paint-times.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { visit, type VisitOptions } from '../support/visit.ts';

let program: Program;
let sql: Sql;
let workspaceId: string;
let owner: SignedInPerson;

beforeAll(async () => {
  program = await startProgram();
  sql = await program.openDatabase();
  const { workspace } = await openLargeLedger(sql, { receipts: 1_200, keys: 60, projects: 3, days: 20 });
  workspaceId = workspace.id;
});
beforeEach(async () => {
  // A user may have ten pages open.
  owner = await signedIn(program, { workspaceId });
});
afterAll(() => program.dispose());

async function openUsage(search = '', options: VisitOptions = {}): Promise<Page> {
  const { page } = await visit(program, `/workspaces/${workspaceId}/usage${search}`, { as: owner, ...options });
  await loaded(page);
  return page;
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  await vi.waitFor(async () => expect(await page.locator('main [aria-busy="true"]').count()).toBe(0), 5_000);
}

const cents = (text: string): bigint => parseUsd(text.replaceAll(/[$,\s]/g, '')) ?? -1n;

/** The rows of the chart's own table, each as its cells. */
async function chartRows(page: Page): Promise<readonly (readonly string[])[]> {
  const figure = page.getByRole('figure');
  const button = figure.getByRole('button', { name: 'Show as a table (T)' });
  if ((await button.count()) > 0) await button.click();
  const rows = await figure.getByRole('table').getByRole('row').allInnerTexts();
  return rows.map((row) => row.split('\t').map((cell) => cell.trim()));
}

/** The bars' totals. */
async function totalsOf(page: Page): Promise<readonly bigint[]> {
  const [head = [], ...rows] = await chartRows(page);
  return rows.map((row) => cents(row[head.indexOf('Total')] ?? ''));
}

const groups = (page: Page) => page.getByRole('main').getByRole('table', { name: /^Usage by/ });

/** The amounts of a row of the table of groups: its charge last. */
async function chargesOf(page: Page, part: 'tbody' | 'tfoot'): Promise<readonly bigint[]> {
  const rows = groups(page).locator(`${part} tr`);
  const values = await rows.evaluateAll((all: { querySelectorAll: (selector: string) => Iterable<unknown> }[]) =>
    all.map((row) => {
      const cells = [...row.querySelectorAll('data')] as { title: string; value: string }[];
      return cells.find(({ title }) => title.startsWith('$'))?.value ?? '';
    }),
  );
  return values.map(cents);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

async function charged(where = 'true'): Promise<bigint> {
  const [row] = await sql.query<{ charged: bigint }>(
    `select coalesce(sum(charge_nano_usd), 0)::bigint as charged from receipts where workspace_id = $1 and ${where}`,
    [workspaceId],
  );
  return row?.charged ?? -1n;
}

/** What the link downloads. */
async function downloaded(page: Page): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  return parseCsv(await readFile(await download.path(), 'utf8'));
}

test('header, purse, postings less receipts, the bars, the groups and the download agree to the nano-dollar', async () => {
  const page = await openUsage();
  const used = await charged();
  const balance = cents((await page.locator('header a[href$="/credit"] data').first().getAttribute('value')) ?? '');
  const [books] = await sql.query<{ purse: bigint; posted: bigint }>(
    `select (select limit_nano_usd - owed_nano_usd - spent_nano_usd from purses
        where workspace_id = $1 and kind = 'credit')::bigint as purse,
      (select sum(amount_nano_usd) from postings where workspace_id = $1)::bigint as posted`,
    [workspaceId],
  );
  expect(used).toBeGreaterThan(0n);
  expect([balance, books?.purse]).toEqual([(books?.posted ?? 0n) - used, (books?.posted ?? 0n) - used]);
  const shown = [sum(await totalsOf(page)), sum(await chargesOf(page, 'tbody')), sum(await chargesOf(page, 'tfoot'))];
  expect([...shown, sumOf(await downloaded(page), 'net_charge_nano_usd')]).toEqual([used, used, used, used]);
});

test.each([
  ['Today', 'today', `date_trunc('day', now(), 'UTC')`, `'infinity'`],
  ['Yesterday', 'yesterday', `date_trunc('day', now() - interval '1 day', 'UTC')`, `date_trunc('day', now(), 'UTC')`],
  [
    'Last month',
    'former-month',
    `(date_trunc('month', now() at time zone 'UTC') - interval '1 month') at time zone 'UTC'`,
    `date_trunc('month', now(), 'UTC')`,
  ],
])('usage of "%s" is that of whole days of UTC, and the address keeps the name', async (label, name, from, to) => {
  const page = await openUsage();
  await page.getByLabel('Time', { exact: true }).selectOption({ label });
  await page.waitForURL((url) => url.searchParams.get('period') === name);
  await loaded(page);
  const used = await charged(`admitted_at >= ${from} and admitted_at < ${to}`);
  expect(sum(used === 0n ? [] : await chargesOf(page, 'tbody'))).toBe(used);
  await page.reload();
  expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe(name);
});

test('usage by two things has a row for each pair, adds up to the whole, and leads to the requests of both', async () => {
  const page = await openUsage('?by=project');
  await page.getByLabel('And by').selectOption({ label: 'and model' });
  await page.waitForURL((url) => url.searchParams.get('and') === 'model');
  await loaded(page);
  await page.getByRole('table', { name: 'Usage by project and model' }).waitFor();
  const used = await charged();
  expect([sum(await totalsOf(page)), sum(await chargesOf(page, 'tbody'))]).toEqual([used, used]);
  const rows = await downloaded(page);
  expect(new Set(rows.map((row) => row['second_group'])).size).toBeGreaterThan(1);
  expect(sumOf(rows, 'net_charge_nano_usd')).toBe(used);
  await groups(page).locator('tbody').getByRole('link').first().click();
  await page.waitForURL((url) => url.searchParams.has('project') && url.searchParams.has('model'));
});

test('with more groups than are named, "other" stands in the chart and the table, and the sum is the whole', async () => {
  const page = await openUsage('?by=key');
  const used = await charged();
  const [head = []] = await chartRows(page);
  expect(head.slice(-2)).toEqual(['other', 'Total']);
  expect(await groups(page).locator('tbody tr').count()).toBe(51);
  expect(await groups(page).locator('tbody tr').last().innerText()).toMatch(/^other/);
  expect([sum(await totalsOf(page)), sum(await chargesOf(page, 'tbody'))]).toEqual([used, used]);
  for (const by of ['project', 'member', 'outcome', 'dialect']) {
    await page.goto(`/workspaces/${workspaceId}/usage?by=${by}`);
    await loaded(page);
    expect(sum(await chargesOf(page, 'tbody'))).toBe(used);
  }
});

test('usage by session is offered for a short time, adds up with what has none, and leads to the requests of one', async () => {
  await sql.query(
    `update receipts set session = 'session ' || (duration_ms % 2)
     where workspace_id = $1 and admitted_at > now() - interval '3 days' and duration_ms % 3 < 2`,
    [workspaceId],
  );
  const page = await openUsage('?by=session&period=7d');
  const from = `${new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
  expect(sum(await chargesOf(page, 'tbody'))).toBe(await charged(`admitted_at >= '${from}'`));
  await groups(page).getByText('no session', { exact: true }).waitFor();
  await groups(page).getByRole('link', { name: 'session 1' }).click();
  await page.getByText('Session session 1').waitFor();
  expect(new URL(page.url()).searchParams.get('session')).toBe('session 1');
  await page.goto(`/workspaces/${workspaceId}/usage?by=session&period=30d`);
  await loaded(page);
  expect(await page.getByLabel('Group by').locator('option[value="session"]').count()).toBe(0);
  expect(sum(await chargesOf(page, 'tbody'))).toBe(await charged());
});

test('each bar is its own day of UTC, and today is not over, wherever the browser is', async () => {
  const days = await sql.query<{ day: string; charged: bigint }>(
    `select to_char(admitted_at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(charge_nano_usd)::bigint as charged
     from receipts where workspace_id = $1 group by 1`,
    [workspaceId],
  );
  const ofDay = new Map(days.map((row) => [row.day, row.charged]));
  const expected = Array.from({ length: 30 }, (_, index) => {
    const day = new Date(Date.now() - (29 - index) * 86_400_000).toISOString().slice(0, 10);
    return ofDay.get(day) ?? 0n;
  });
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    const page = await openUsage('', { timeZone });
    expect(await totalsOf(page)).toEqual(expected);
    const names = (await chartRows(page)).map(([name]) => name);
    expect(names.filter((name) => name?.endsWith(', so far'))).toEqual([names.at(-1)]);
    expect(names.at(-1)).toMatch(new RegExp(`^${new Date().getUTCDate()} `));
  }
});

test('the address restores what was chosen after a reload, back, and in another window', async () => {
  const page = await openUsage();
  await page.getByLabel('Time', { exact: true }).selectOption('90d');
  await page.getByLabel('Measure').selectOption('tokens');
  await page.getByLabel('Group by').selectOption('outcome');
  await page.getByRole('button', { name: 'Compare with the previous period' }).click();
  await page.getByLabel('Model', { exact: true }).selectOption('model-3');
  await page.getByRole('figure', { name: 'Tokens by day and outcome' }).getByText('in the previous period').waitFor();
  await loaded(page);
  const seen = await groups(page).innerText();
  expect(new URL(page.url()).search).toBe('?period=90d&measure=tokens&by=outcome&compare=true&model=model-3');
  await page.reload();
  await loaded(page);
  expect(await groups(page).innerText()).toBe(seen);
  const copied = await openUsage(new URL(page.url()).search);
  expect(await groups(copied).innerText()).toBe(seen);
  await page.goBack();
  await loaded(page);
  expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('');
  expect(await page.getByLabel('Group by').inputValue()).toBe('outcome');
});

test('filters, the download and the command speak of the same usage as the page', async () => {
  const { id: project } = await program.admin.createProject(workspaceId, { name: 'web', budget_usd: '20' });
  const { id: key, key: secret } = await program.admin.createKey(project, { name: 'laptop' });
  for (const words of ['Hello', 'Hello again']) {
    const messages = [{ role: 'user', content: words }];
    await (await program.chat(secret, { model: 'sandbox/echo', messages })).text();
  }
  const used = await charged(`key_id = '${key}'`);
  expect(used).toBeGreaterThan(0n);
  const page = await openUsage(`?by=model&key=${key}&project=${project}`);
  expect(sum(await chargesOf(page, 'tfoot'))).toBe(used);
  expect(sum(await totalsOf(page))).toBe(used);
  expect(sumOf(await downloaded(page), 'net_charge_nano_usd')).toBe(used);
  const command = await page.getByRole('main').locator('code').innerText();
  const words = command.split(' ').slice(1);
  const { stdout } = await program.cli(...words, '--json');
  const { total } = JSON.parse(stdout) as { total: { net_charge_nano_usd: string } };
  expect(total.net_charge_nano_usd).toBe(`${used}`);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await vi.waitFor(async () => expect(sum(await chargesOf(page, 'tfoot'))).toBe(await charged()), { timeout: 10_000 });
});

test('a bar, by pointer or by keys, and a row lead to their requests with the same filters', async () => {
  const page = await openUsage('?model=model-2&by=outcome');
  const bars = page.getByRole('slider', { name: /^Charge by day and outcome/ });
  await bars.focus();
  await page.keyboard.press('ArrowLeft');
  expect(await bars.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+: \$/);
  await page.keyboard.press('Enter');
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const today = new Date().toISOString().slice(0, 10);
  const bar = { from: `${yesterday}T00:00:00.000Z`, to: `${today}T00:00:00.000Z`, model: 'model-2' };
  const address = () => {
    const { pathname, searchParams } = new URL(page.url());
    return [pathname.split('/').at(-1), Object.fromEntries(searchParams)];
  };
  await vi.waitFor(() => expect(address()).toEqual(['requests', bar]), { timeout: 10_000 });
  await page.goBack();
  await loaded(page);
  await page.locator('figure svg g.cursor-pointer').nth(28).click();
  await vi.waitFor(() => expect(address()).toEqual(['requests', bar]), { timeout: 10_000 });
  await page.goBack();
  await loaded(page);
  await groups(page).getByRole('link', { name: 'completed' }).click();
  await vi.waitFor(
    () =>
      expect(address()).toEqual([
        'requests',
        { from: expect.stringMatching(/T00:00:00.000Z$/) as string, model: 'model-2', outcome: 'completed' },
      ]),
    { timeout: 10_000 },
  );
});

test('a comparison stands beside each group, and adds up to the time before', async () => {
  const startMs = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 6 * 86_400_000;
  const [start, end] = [startMs - 7 * 86_400_000, startMs].map((ms) => `'${new Date(ms).toISOString()}'`);
  const page = await openUsage('?period=7d&compare=true');
  const [head = [], ...rows] = await chartRows(page);
  const before = rows.map((row) => cents(row[head.indexOf('Previous period')] ?? ''));
  expect(before).toHaveLength(7);
  expect(sum(before)).toBe(await charged(`admitted_at >= ${start} and admitted_at < ${end}`));
});

test('each model has the colour alone that it has among others', async () => {
  const page = await openUsage();
  const colors = async (): Promise<readonly (readonly [name: string, color: string | null])[]> => {
    const rows = await groups(page).locator('tbody tr').all();
    return await Promise.all(
      rows.map(async (row) => [await row.locator('a').innerText(), await row.locator('rect').getAttribute('fill')]),
    );
  };
  const together = (await colors()).slice(0, 7);
  expect(new Set(together.map(([, color]) => color)).size).toBe(7);
  for (const [name, color] of together) {
    await page.goto(`/workspaces/${workspaceId}/usage?model=${name}`);
    await loaded(page);
    expect(await colors()).toEqual([[name, color]]);
  }
});

test('who may not export reads why, and nothing used has a cause and an action', async () => {
  const viewer = await signedIn(program, { workspaceId, role: 'viewer' });
  const page = await openUsage('?from=2024-02-01&to=2024-02-03', { as: viewer });
  await page.getByText('Nothing was used in this time.').waitFor();
  const button = page.getByRole('button', { name: 'Download CSV' });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.focus();
  await page.getByRole('tooltip').getByText('can download usage').waitFor();
  await page.getByRole('link', { name: 'Look at the last 90 days' }).click();
  await groups(page).getByText('model-1', { exact: true }).waitFor();
});

test('the time until 90 days of usage are painted is measured for every grouping, and none waits for seconds', async () => {
  const page = await openUsage();
  const times = await usagePaintTimes(page, workspaceId);
  expect(times.size).toBe(12);
  expect([...times].filter(([, ms]) => !(ms < 5_000))).toEqual([]);
});
