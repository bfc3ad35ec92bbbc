import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openLargeLedger } from '../../bench/large-ledger.ts';
import { type Role, ROLES } from '../../src/domain/roles.ts';
import { parseUsd } from '../../src/domain/money.ts';
import type { Sql } from '../../src/lib/sql.ts';
import { parseCsv } from '../support/csv.ts';
import { HOME_QUESTIONS, homePath } from '../support/open-consoles.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn, type SignedInPerson } from '../support/signed-in-person.ts';
import { visit } from '../support/visit.ts';

let program: Program;
let sql: Sql;
let owner: SignedInPerson;
/** A key of the workspace that has a history. */
let secret: string;
let lastRequestId: string;

beforeAll(async () => {
  program = await startProgram();
  sql = await program.openDatabase();
  const { workspace } = await openLargeLedger(sql, { receipts: 400, keys: 4, projects: 2, days: 40 });
  owner = await signedIn(program, { workspaceId: workspace.id });
  const project = await program.admin.createProject(workspace.id, { name: 'web', budget_usd: '20' });
  ({ key: secret } = await program.admin.createKey(project.id, { name: 'laptop' }));
  await send();
});

afterAll(() => program.dispose());

async function send(): Promise<void> {
  const messages = [{ role: 'user', content: 'Hello' }];
  const answer = await program.chat(secret, { model: 'sandbox/echo', stream: true, messages });
  lastRequestId = answer.headers.get('x-request-id') ?? '';
  await answer.text();
}

/** The exact amount of the one <data> in what a locator finds, in nano-USD. */
async function amountIn(page: Page, selector: string): Promise<bigint> {
  const value = await page.locator(selector).locator('data').first().getAttribute('value');
  return parseUsd(value ?? '') ?? -1n;
}

const HEADER = 'header a[href$="/credit"]';
const hero = (term: string): string => `dl > div:has(dt:text-is("${term}"))`;

async function loaded(page: Page): Promise<void> {
  await vi.waitFor(async () => expect(await page.locator('main [aria-busy="true"]').count()).toBe(0), 5_000);
}

/** The rows of the chart's table: a day and what it cost. */
async function chartRows(page: Page): Promise<readonly (readonly [string, bigint])[]> {
  await page.getByRole('button', { name: 'Show as a table (T)' }).click();
  const rows = await page.getByRole('table', { name: 'Charged by day' }).getByRole('row').allInnerTexts();
  return rows.slice(1).map((text) => {
    const [day = '', charged = ''] = text.split('\t');
    return [day, parseUsd(charged.replaceAll(/[$,]/g, '').trim()) ?? -1n] as const;
  });
}

async function purseOf(workspace: string): Promise<bigint> {
  const [row] = await sql.query<{ left: bigint }>(
    `select limit_nano_usd - owed_nano_usd - spent_nano_usd -
       (select coalesce(sum(charged_nano_usd), 0)::bigint from leases where purse_id = purses.id) as left
     from purses where workspace_id = $1 and kind = 'credit'`,
    [workspace],
  );
  return row?.left ?? -1n;
}

async function booksOf(workspace: string): Promise<bigint> {
  const [row] = await sql.query<{ left: bigint }>(
    `select (select sum(amount_nano_usd) from postings where workspace_id = $1)::bigint
       - (select sum(charge_nano_usd) from receipts where workspace_id = $1)::bigint as left`,
    [workspace],
  );
  return row?.left ?? -1n;
}

test('the balance of the header and of the home page are the purse and postings less receipts, to the nano-dollar', async () => {
  const { workspaceId } = owner;
  const { page } = await visit(program, `/workspaces/${workspaceId}`, { as: owner });
  await page.getByText("at this week's pace").waitFor();
  const shown = [await amountIn(page, HEADER), await amountIn(page, hero('Balance'))];
  const books = await booksOf(workspaceId);
  expect([...shown, await purseOf(workspaceId)]).toEqual([books, books, books]);
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  await page.evaluate('window.isSamePage = true');
  await send();
  await vi.waitFor(async () => expect(await amountIn(page, HEADER)).toBe(await booksOf(workspaceId)), 4_000);
  expect(await booksOf(workspaceId)).toBeLessThan(books);
  expect(await page.evaluate('window.isSamePage')).toBe(true);
});

test('what the month and each day cost is the same in figures, chart, export and receipts, to the nano-dollar', async () => {
  const { workspaceId } = owner;
  await program.admin.correctReceipt(lastRequestId, { charge_usd: '0', reason: 'a test' });
  const { page } = await visit(program, `/workspaces/${workspaceId}`, { as: owner });
  const rows = await chartRows(page);
  const spent = await amountIn(page, hero('Spent this month'));
  const charged = await sql.query<{ day: string; spent: bigint }>(
    `select to_char(admitted_at at time zone 'UTC', 'YYYY-MM-DD') as day,
       (sum(charge_nano_usd) - coalesce(sum(corrections.amount), 0))::bigint as spent
     from receipts
     left join lateral (
       select sum(amount_nano_usd) as amount from postings
       where postings.workspace_id = receipts.workspace_id and receipt_request_id = request_id
     ) corrections on true
     where workspace_id = $1 group by 1 order by 1`,
    [workspaceId],
  );
  const days = charged.slice(-30).map((row) => row.spent);
  expect(rows.map(([, amount]) => amount)).toEqual(days);
  const month = new Date().toISOString().slice(0, 7);
  const inMonth = charged.filter(({ day }) => day.startsWith(month)).reduce((sum, row) => sum + row.spent, 0n);
  expect(spent).toBe(inMonth);
  const csv = await page.evaluate<string>(
    `fetch('/admin/v1/workspaces/${workspaceId}/usage/export?from=${month}-01').then((answer) => answer.text())`,
  );
  const exported = parseCsv(csv).reduce((sum, row) => sum + BigInt(row['net_charge_nano_usd'] ?? ''), 0n);
  expect(exported).toBe(inMonth);
});

test('each day of the chart is its own day of UTC, wherever the browser is', async () => {
  const today = new Date().toISOString().slice(8, 10);
  const seen = [];
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    const { page } = await visit(program, `/workspaces/${owner.workspaceId}`, { as: owner, timeZone });
    seen.push(await chartRows(page));
  }
  const [ahead = [], behind] = seen;
  expect(ahead).toHaveLength(30);
  expect(behind).toEqual(ahead);
  expect(ahead.at(-1)?.[0]).toMatch(new RegExp(`^${Number(today)} \\w+, so far$`));
});

test('what needs somebody is named with the one thing to do about it, once', async () => {
  const { workspaceId } = owner;
  const project = await program.admin.createProject(workspaceId, { name: 'nightly' });
  const soon = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await program.admin.createKey(project.id, { name: 'contractor', expires_at: soon });
  const { page } = await visit(program, `/workspaces/${workspaceId}`, { as: owner });
  const list = page.getByRole('list', { name: 'Needs you' });
  const item = list.getByRole('listitem').filter({ hasText: 'Key contractor expires on' });
  await item.waitFor();
  expect(await item.getByRole('link').allInnerTexts()).toEqual(['Change its expiry']);
  const { admin } = program;
  await admin.suspendWorkspace(workspaceId, { reason: 'a disputed payment' });
  await page.reload();
  await list.getByText('The reason: a disputed payment.').waitFor();
  await admin.resumeWorkspace(workspaceId);
});

test.each(ROLES)('with the role %s, all pages of a workspace without credit can be read', async (role: Role) => {
  const person = await signedIn(program, { role });
  const { page } = await visit(program, `/workspaces/${person.workspaceId}`, { as: person });
  const seesCredit = role !== 'member';
  await page.getByText(seesCredit ? 'no credit left' : 'No limit').waitFor();
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const names = await links.allInnerTexts();
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await page.locator('main h1').filter({ hasText: name }).waitFor();
    await loaded(page);
    expect(await page.locator('main [role="alert"]').allInnerTexts()).toEqual([]);
    expect(await page.locator(HEADER).allInnerTexts()).toEqual(seesCredit ? [expect.stringContaining('$0.00')] : []);
  }
});

test('the page, opened for the first time, takes twelve requests at most, to an operator too', async () => {
  const operator = await signedIn(program, { workspaceId: owner.workspaceId, isOperator: true });
  for (const [as, answers] of [
    [owner, 3],
    [operator, 5],
  ] as const) {
    const { context, page } = await visit(program, '/docs', { as });
    await page.close();
    const home = await context.newPage();
    const sent: string[] = [];
    home.on('request', (request) => {
      if (!request.url().startsWith('data:')) sent.push(new URL(request.url()).pathname);
    });
    await home.goto(`/workspaces/${owner.workspaceId}`);
    await home.getByText('in 30 days of UTC').waitFor();
    await loaded(home);
    await expect
      .poll(() => sent.filter((path) => path.startsWith('/admin/v1')).length, { timeout: 10_000 })
      .toBe(answers);
    expect(sent.length).toBeLessThanOrEqual(12);
  }
});

test('the page asks what the measurement of open consoles takes it to ask, and again when a request was charged', async () => {
  const { page } = await visit(program, `/workspaces/${owner.workspaceId}`, { as: owner });
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('requestfinished', (request) => {
    const [, path] = request.url().split('/admin/v1');
    if (path?.startsWith('/workspaces/') === true && !path.endsWith('/events')) asked.push(path);
  });
  type Moment = keyof typeof HOME_QUESTIONS;
  const expectAsked = async (moments: readonly Moment[], sinceMs: number): Promise<void> => {
    const paths = (nowMs: number): readonly string[] =>
      moments
        .flatMap((moment) => HOME_QUESTIONS[moment].map((name) => homePath(owner.workspaceId, name, nowMs)))
        .toSorted();
    // An hour may begin on the way.
    await vi.waitFor(() => expect([paths(sinceMs), paths(Date.now())]).toContainEqual(asked.toSorted()), 10_000);
    asked.length = 0;
  };
  const openedMs = Date.now();
  await page.goto(`/workspaces/${owner.workspaceId}`);
  await expectAsked(['opened'], openedMs);
  await loaded(page);
  const sentMs = Date.now();
  await send();
  await expectAsked(['charged'], sentMs);
});
