import { expect, test } from 'vitest';
import { signedIn } from '../support/signed-in-person.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// How forms, menus and tooltips behave for those who use keys alone, on pages that have them.

const site = sharedSite();

test('a form takes the focus and gives it back, and asks before what was typed in it is lost', async () => {
  const owner = await signedIn(site);
  const { page } = await visit(site, `/workspaces/${owner.workspaceId}/projects`, { as: owner });
  await page.getByText('There is no project yet.').waitFor();
  const opener = page.getByRole('button', { name: 'Create project' });
  const form = page.getByRole('dialog', { name: 'Create project' });
  const question = form.getByRole('alertdialog', { name: 'Discard what you typed?' });
  const name = form.getByLabel('Name', { exact: true });
  await opener.press('Enter');
  await name.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor();

  await page.keyboard.press('Enter');
  await page.keyboard.type('half a name');
  for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
    await leave();
    await question.getByRole('button', { name: 'Keep editing' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('half a name');
    expect(await page.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await question.getByRole('button', { name: 'Discard' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  expect(await name.inputValue()).toBe('');
});

test('a menu is opened, gone through, searched by letters and closed by keys, and gives the focus back', async () => {
  const owner = await signedIn(site);
  const { page } = await visit(site, '/account', { as: owner });
  const button = page.getByRole('button', { name: /^Your account/ });
  const items = page.getByRole('menu').getByRole('menuitem').or(page.getByRole('menu').getByRole('menuitemradio'));
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
  await button.press('ArrowDown');
  await items.first().waitFor();
  const texts = (await items.allInnerTexts()).map((text) => text.trim());
  expect(texts.length).toBeGreaterThan(3);
  await page.keyboard.press('End');
  expect(await focused()).toBe(texts.at(-1)?.replaceAll('\n', ''));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe(texts.at(-1)?.replaceAll('\n', ''));
  await page.keyboard.press('Home');
  await page.keyboard.press('s');
  expect((await focused()).toLowerCase().startsWith('s')).toBe(true);
  await page.keyboard.press('Escape');
  await items.first().waitFor({ state: 'hidden' });
  await button.and(page.locator(':focus')).and(page.locator('[aria-expanded=false]')).waitFor();
});

test('the reason of an action that is out of reach is shown on focus and on hover, and hidden by Escape', async () => {
  const viewer = await signedIn(site, { role: 'viewer' });
  const { page } = await visit(site, `/workspaces/${viewer.workspaceId}/projects`, { as: viewer });
  // Until the list is there, its button stands in the header.
  await page.getByText('There is no project yet.').waitFor();
  const button = page.getByRole('button', { name: 'Create project' }).first();
  const reason = page.getByRole('tooltip').getByText('can create projects.').first();
  await button.focus();
  await reason.waitFor();
  await page.keyboard.press('Escape');
  await reason.waitFor({ state: 'hidden' });
  await button.evaluate((element: { blur: () => void }) => element.blur());
  await button.hover();
  await reason.waitFor();
  await button.press('Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('what opens moves, unless the reader wants nothing to move', async () => {
  const owner = await signedIn(site);
  const path = `/workspaces/${owner.workspaceId}/projects?create=true`;
  const seconds = async (motion: boolean): Promise<number> => {
    const { page } = await visit(site, path, { as: owner, motion });
    await page.getByRole('dialog').waitFor();
    return await page.evaluate<number>(`Math.max(...[...document.querySelectorAll('dialog, dialog *')].flatMap((element) => {
      const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
      return [animationName === 'none' ? 0 : parseFloat(animationDuration), parseFloat(transitionDuration)];
    }))`);
  };
  expect(await seconds(true)).toBeGreaterThan(0);
  expect(await seconds(false)).toBe(0);
});
