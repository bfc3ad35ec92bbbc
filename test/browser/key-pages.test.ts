import { beforeAll, expect, test, vi } from 'vitest';
import { keyListPaintTimes } from '../support/paint-times.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';
import { openWorkspace, type WorkspaceStage } from '../support/workspace-stage.ts';

const site = sharedSite();
const LONG = 'a key of the longest name that people give to their programs';

let stage: WorkspaceStage;

beforeAll(async () => {
  stage = await openWorkspace(site, 'a project of the longest name that people give to their work');
  for (const name of ['alpha', 'beta', 'gamma']) await stage.createKey({ name });
  await stage.createKey({ name: LONG });
  const { id: revoked } = await stage.createKey({ name: 'revoked' });
  await site.admin.revokeKey(revoked);
});

const listPath = (search = '') => `/workspaces/${stage.workspace}/keys${search}`;

test('search, filters and order of keys stand in the address, and reload, back and a copied address restore them', async () => {
  const { page, context } = await visit(site, listPath('?sort=name&direction=asc'), { as: stage.owner });
  const names = () =>
    page.getByRole('table', { name: 'Keys' }).getByRole('rowheader').or(page.locator('tbody td:first-child'));
  const expectNames = async (expected: readonly string[]): Promise<void> => {
    await vi.waitFor(async () => expect(await names().allInnerTexts()).toEqual(expected), { timeout: 5_000 });
  };
  await expectNames([LONG, 'alpha', 'beta', 'gamma', 'revoked']);
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expectNames(['revoked', 'gamma', 'beta', 'alpha', LONG]);
  await page.getByLabel('Status').selectOption('Active');
  await expectNames(['gamma', 'beta', 'alpha', LONG]);
  await page.getByLabel('Name, id, last four or owner').fill('a');
  await page.getByLabel('Name, id, last four or owner').fill('et');
  await expectNames(['beta']);
  await page.reload();
  await expectNames(['beta']);
  const copy = await context.newPage();
  await copy.goto(page.url());
  await copy.getByRole('link', { name: 'beta' }).waitFor();
  expect(await copy.getByLabel('Name, id, last four or owner').inputValue()).toBe('et');
  expect(await copy.getByLabel('Status').inputValue()).toBe('active');
  await page.getByRole('link', { name: 'beta' }).click();
  await page.getByRole('heading', { name: 'beta', level: 1 }).waitFor();
  await page.goBack();
  await expectNames(['beta']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expectNames(['revoked', 'gamma', 'beta', 'alpha', LONG]);
});

test('the list of keys is painted after each search and in each order, as the measurement takes it', async () => {
  const { page } = await visit(site, '/', { as: stage.owner });
  const times = [...(await keyListPaintTimes(page, stage.workspace))];
  expect(times).toHaveLength(8);
  expect(times.filter(([, ms]) => ms > 5_000)).toEqual([]);
});
