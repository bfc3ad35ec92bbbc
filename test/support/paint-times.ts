import type { Page } from 'playwright-core';

/**
 * Takes an action on a page, a script, and resolves with the milliseconds until the table that it loads is painted: from the
 * action to the frame after the one in which the rows are there.
 */
export async function tablePaintMs(page: Page, action: string): Promise<number> {
  return await page.evaluate<number>(`new Promise((resolve, reject) => {
    let wasBusy = false;
    const look = () => {
      const table = document.querySelector('main [aria-busy]');
      if (table === null) return;
      if (table.getAttribute('aria-busy') === 'true') wasBusy = true;
      else if (wasBusy && table.querySelector('tbody tr, p') !== null) {
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - since)));
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] });
    setTimeout(() => reject(new Error('the table was not loaded: ' + location.href)), 20000);
    const since = performance.now();
    ${action}
  })`);
}

const SEARCH = `document.querySelector('input[type="search"]')`;

/** Types all of a text into the search field, as a paste does. */
function typing(text: string): string {
  return `{
    const field = ${SEARCH};
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }`;
}

const ordering = (header: string): string =>
  `[...document.querySelectorAll('th button')].find((each) => each.textContent.startsWith(${JSON.stringify(header)})).click();`;

/** What somebody does with the list of keys, and the script that does it. */
const ACTIONS: Readonly<Record<string, string>> = {
  'the first page': `document.querySelector('nav a[href$="/keys"]').click();`,
  'sorted by name': ordering('Name'),
  'sorted by spend': ordering('Spent'),
  'sorted by expiry': ordering('Expires'),
  'sorted by last use': ordering('Last used'),
  'a search': typing('key 7'),
  'a search by last four': typing('abcd'),
  'a search that finds no key': typing('nothing'),
};

/** How long the list of a workspace's keys takes to be painted after each action; milliseconds. */
export async function keyListPaintTimes(page: Page, workspace: string): Promise<ReadonlyMap<string, number>> {
  await page.goto(`/workspaces/${workspace}/projects`);
  await page.getByRole('table', { name: 'Projects' }).locator('a').first().waitFor();
  const times = new Map<string, number>();
  for (const [name, action] of Object.entries(ACTIONS)) times.set(name, await tablePaintMs(page, action));
  return times;
}
