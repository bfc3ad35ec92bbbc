import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { expectAccessible, expectNoNeedlessScroll } from '../support/page-checks.ts';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// The palette, which finds things by their names, and the list of the keyboard's keys.

const site = sharedSite();

/** Opens the palette and types. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(text);
}

test('the palette finds a project, a key and a model by a part of their name, and opens each by the keyboard alone', async () => {
  const owner = await signedIn(site);
  const { id: project } = await site.admin.createProject(owner.workspaceId, { name: 'Nightly reports' });
  const { id: key } = await site.admin.createKey(project, { name: 'Nightly laptop' });
  const home = `/workspaces/${owner.workspaceId}`;
  const { page } = await visit(site, home, { as: owner });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  for (const [typed, name, pathname] of [
    ['nightly rep', 'Nightly reports', `${home}/projects/${project}`],
    ['nightly lap', 'Nightly laptop', `${home}/keys/${key}`],
    ['box/ec', 'sandbox/echo', `${home}/models/sandbox/echo`],
  ] as const) {
    await find(page, typed);
    const option = page.getByRole('option', { name: new RegExp(`^${name}`) });
    await option.and(page.locator('[aria-selected="true"]')).waitFor();
    const active = await page.getByRole('combobox').getAttribute('aria-activedescendant');
    expect(await option.getAttribute('id')).toBe(active);
    await page
      .getByRole('status')
      .filter({ hasText: /^1 found$/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === pathname);
  }
  const searches = asked.filter((url) => /\/keys\?.*search=/.test(url));
  // Typing is waited for: one for each name, where a slow machine does not pause between letters, and never one for each letter.
  expect(searches.length).toBeLessThan('nightly rep nightly lap box/ec'.length / 2);
  expect(searches.every((url) => new URL(url).searchParams.get('limit') === '5')).toBe(true);
});

test('the palette asks for no keys where the role does not see them', async () => {
  const person = await signedIn(site, { role: 'billing' });
  const { id: project } = await site.admin.createProject(person.workspaceId, { name: 'Secret garden' });
  await site.admin.createKey(project, { name: 'Secret laptop' });
  const { page } = await visit(site, `/workspaces/${person.workspaceId}`, { as: person });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await find(page, 'secret');
  await page.getByRole('option', { name: /^Secret garden/ }).waitFor();
  expect(asked.filter((path) => path.endsWith('/keys'))).toEqual([]);
});

test('"?" lists the keys, and single keys are turned off and on again there', async () => {
  const owner = await signedIn(site);
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/projects`, { as: owner });
  const search = page.getByRole('searchbox', { name: 'Search projects' });
  await search.waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Next row').waitFor();
  await help.getByRole('switch', { name: 'Single keys' }).click();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  expect(await search.and(page.locator(':focus')).count()).toBe(0);
  expect(await help.count()).toBe(0);
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitem', { name: /^Keyboard shortcuts/ }).click();
  await help.getByRole('switch', { name: 'Single keys' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await search.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('?');
  expect(await search.inputValue()).toBe('?');
  expect(await help.count()).toBe(0);
});

test('the palette and the list of keys are accessible and fit 320 pixels', async () => {
  const owner = await signedIn(site);
  const { id: project } = await site.admin.createProject(owner.workspaceId, {
    name: 'A project with a name as long as names ever are',
  });
  await site.admin.createKey(project, { name: 'A key with a name as long as names ever are, or longer' });
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/settings`, {
    as: owner,
    theme: 'light',
    width: 320,
  });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await find(page, 'as long as');
  await page.getByRole('option', { name: /fg_live_/ }).waitFor();
  await expectAccessible(page);
  await expectNoNeedlessScroll(page);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  // A key that comes before the palette has given the focus back is still the palette's.
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await vi.waitFor(
    async () => {
      await page.keyboard.press('?');
      await help.waitFor({ timeout: 1_000 });
    },
    { timeout: 60_000 },
  );
  await expectAccessible(page);
  await expectNoNeedlessScroll(page);
});
