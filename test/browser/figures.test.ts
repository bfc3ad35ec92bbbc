import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseUsd } from '../../src/domain/money.ts';
import type { Database } from '../../src/program/database/pool.ts';
import { parseCsv, sumOf } from '../support/csv.ts';
import { pageLoaded } from '../support/page-checks.ts';
import { openSharedDatabase, sharedSite } from '../support/site.ts';
import { follow, visit } from '../support/visit.ts';
import { openWorkspace, type WorkspaceStage } from '../support/workspace-stage.ts';

// One figure, one source: what was charged and what is left is the same on all pages that say it, and that of the ledger. All
// requests are of this day and month, so that every stretch of time that a page may show has all of them.

const site = sharedSite();
const SOON = { timeout: 10_000 };

let sql: Database;
let stage: WorkspaceStage;
/** A key with three requests, one of which was corrected. */
let key: string;
let request: string;

beforeAll(async () => {
  sql = await openSharedDatabase();
  stage = await openWorkspace(site);
  const { workspace } = stage;
  const busy = await stage.createKey({ name: 'busy', spend_limit_usd: '2' });
  const { id: other } = await site.admin.createProject(workspace, { name: 'other', budget_usd: '3' });
  const { key: secret } = await site.admin.createKey(other, { name: 'quiet' });
  for (const each of [busy.key, secret, busy.key, busy.key]) await stage.ask(each);
  key = busy.id;
  const receipts = await vi.waitUntil(async () => {
    const rows = await sql.query<{ request: string }>(
      'select request_id as request from receipts where workspace_id = $1 and key_id = $2',
      [workspace, key],
    );
    return rows.length === 3 ? rows : null;
  }, SOON);
  request = receipts[0]?.request ?? '';
  await site.admin.correctReceipt(request, { charge_usd: '0.000000007', reason: 'a test' });
});

afterAll(() => sql.close());

const usd = (text: string | null): bigint => parseUsd((text ?? '').replaceAll(/[$,\s+]/g, '').replace('−', '-')) ?? -1n;

/** What was charged after corrections, by the ledger. */
async function charged(column: 'key_id' | 'project_id' | 'workspace_id', id: string): Promise<bigint> {
  const [row] = await sql.query<{ charged: bigint }>(
    `select (sum(charge_nano_usd) - coalesce(sum(corrections.amount), 0))::bigint as charged
     from receipts left join lateral (
       select sum(amount_nano_usd) as amount from postings
       where postings.workspace_id = receipts.workspace_id and receipt_request_id = request_id
     ) corrections on true
     where receipts.workspace_id = $1 and receipts.${column} = $2`,
    [stage.workspace, id],
  );
  return row?.charged ?? -1n;
}

/** Postings less receipts. */
async function books(): Promise<bigint> {
  const [row] = await sql.query<{ left: bigint }>(
    `select ((select sum(amount_nano_usd) from postings where workspace_id = $1)
       - (select sum(charge_nano_usd) from receipts where workspace_id = $1))::bigint as left`,
    [stage.workspace],
  );
  return row?.left ?? -1n;
}

/** The exact amounts of what a selector finds. */
async function amounts(page: Page, selector: string): Promise<readonly bigint[]> {
  const values = await page
    .locator(selector)
    .locator('data[title^="$"], data[title^="-$"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
  return values.map(usd);
}

const hero = (term: string): string => `dl > div:has(dt:text-is("${term}"))`;
const sum = (all: readonly bigint[]): bigint => all.reduce((total, each) => total + each, 0n);

/** What has been spent of a limit, by the words of its bar. */
async function spentOf(page: Page, label: string): Promise<bigint> {
  const words = await page
    .getByRole('main')
    .getByRole('meter', { name: label, exact: true })
    .getAttribute('aria-valuetext');
  return usd(/^(\S+) spent/.exec(words ?? '')?.[1] ?? null);
}

/** The last bar of the page's chart, which is today, as its table has it. */
async function today(page: Page): Promise<bigint> {
  await page.getByRole('figure').getByRole('button', { name: 'Show as a table (T)' }).click();
  const cells = await page.getByRole('figure').getByRole('row').last().getByRole('cell').allInnerTexts();
  return usd(cells.at(-1) ?? null);
}

/** The sum of a column of the file behind a link. */
async function exported(page: Page, link: string, column: string): Promise<bigint> {
  const href = await page.getByRole('link', { name: link }).getAttribute('href');
  const csv = await page.evaluate<string>(`fetch(${JSON.stringify(href)}).then((answer) => answer.text())`);
  return sumOf(parseCsv(csv), column);
}

test('what was charged and what is left is one figure on every page that says it, to the nano-dollar', async () => {
  const { workspace, project } = stage;
  const [all, ofKey, ofProject, left] = await Promise.all([
    charged('workspace_id', workspace),
    charged('key_id', key),
    charged('project_id', project),
    books(),
  ]);
  const [purse] = await sql.query<{ left: bigint }>(
    `select (limit_nano_usd - owed_nano_usd - spent_nano_usd
       - (select coalesce(sum(charged_nano_usd), 0) from leases where purse_id = purses.id))::bigint as left
     from purses where workspace_id = $1 and kind = 'credit'`,
    [workspace],
  );
  expect([purse?.left, all > ofKey, ofKey]).toEqual([left, true, ofProject]);
  const { page } = await visit(site, '/account', { as: stage.owner });
  const go = async (below: string, heading: string): Promise<void> => {
    await follow(page, `/workspaces/${workspace}${below}`);
    await pageLoaded(page, heading);
    await expect.poll(() => amounts(page, 'header a[href$="/credit"]'), SOON).toEqual([left]);
  };
  const same = async (figures: () => Promise<unknown>, expected: unknown): Promise<void> =>
    await expect.poll(figures, { ...SOON, message: page.url() }).toEqual(expected);

  await go('', 'Home');
  await same(() => amounts(page, hero('Balance')), [left]);
  await same(() => amounts(page, hero('Spent this month')).then(([spent]) => spent), all);
  expect(await today(page)).toBe(all);

  for (const by of ['model', 'key', 'project', 'member', 'outcome']) {
    await go(`/usage?by=${by}`, 'Usage');
    const table = `main table[aria-label^="Usage by"]`;
    await same(() => amounts(page, `${table} tfoot`), [all]);
    await same(() => amounts(page, `${table} tbody`).then(sum), all);
  }
  expect(await today(page)).toBe(all);
  expect(await exported(page, 'Download CSV', 'net_charge_nano_usd')).toBe(all);
  await go(`/usage?key=${key}`, 'Usage');
  await same(() => amounts(page, 'main tfoot'), [ofKey]);
  await go(`/usage?project=${project}&period=24h`, 'Usage');
  await same(() => amounts(page, 'main tfoot'), [ofKey]);

  await go('/keys', 'Keys');
  await same(() => spentOf(page, 'Limit of busy'), ofKey);
  await go(`/keys/${key}`, 'busy');
  const standing = page.getByText('This key may spend $2.00 a month. It has spent');
  expect(usd(await standing.locator('data').last().getAttribute('value'))).toBe(ofKey);
  await same(() => spentOf(page, 'Limit of busy'), ofKey);
  expect(await today(page)).toBe(ofKey);

  await go('/projects', 'Projects');
  await same(() => spentOf(page, 'Budget of other'), all - ofKey);
  await go(`/projects/${project}`, 'web');
  const spent = await page.getByText(/^\$\S+ spent, no limit$/).getAttribute('title');
  expect(usd(/^(\S+) spent$/.exec(spent ?? '')?.[1] ?? null)).toBe(ofKey);

  await go('/credit', 'Credit');
  await same(() => amounts(page, 'main section[aria-label="Balance"] > p:first-child'), [left]);
  const statement = 'main table[aria-label^="Statement"]';
  await same(() => amounts(page, `${statement} tbody tr:first-child td:last-child`), [left]);
  expect(await exported(page, 'Download CSV', 'amount_nano_usd')).toBe(left);

  await go('/requests', 'Requests');
  expect(await exported(page, 'Download CSV', 'net_charge_nano_usd')).toBe(all);
  await go(`/requests/${request}`, 'Requests');
  const net = page.getByRole('table', { name: 'Bill' }).locator('tr[data-line="net"] td').last();
  await same(async () => usd(await net.innerText()), 7n);
});
