import type { Page } from 'playwright-core';

/**
 * Takes an action on a page, a script, and resolves with the milliseconds until the table that it loads is painted: from the
 * action to the frame after the one in which the rows are there. A table of another page may have its rows from the start.
 */
export async function tablePaintMs(page: Page, action: string): Promise<number> {
  return await page.evaluate<number>(`new Promise((resolve, reject) => {
    const tableNow = () => document.querySelector('main [aria-busy]');
    const former = tableNow();
    let wasBusy = false;
    const look = () => {
      const table = tableNow();
      if (table === null) return;
      if (table.getAttribute('aria-busy') === 'true') wasBusy = true;
      else if ((wasBusy || table !== former) && table.querySelector('tbody tr, p') !== null) {
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

const choosing = (label: string, value: string): string => `{
  const control = document.querySelector('select[aria-label=${JSON.stringify(label)}]');
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(control, ${JSON.stringify(value)});
  control.dispatchEvent(new Event('change', { bubbles: true }));
}`;

const USAGE_ACTIONS: Readonly<Record<string, string>> = {
  '90 days by model': choosing('Time', '90d'),
  '90 days by project': choosing('Group by', 'project'),
  '90 days by key': choosing('Group by', 'key'),
  '90 days by member': choosing('Group by', 'member'),
  '90 days by outcome': choosing('Group by', 'outcome'),
  'compared with the 90 days before': `[...document.querySelectorAll('main button')].find((each) => each.textContent.startsWith('Compare')).click();`,
};

const CHART_PAINTED = 'the chart is painted';

/** Marks when bars of a chart are painted, which the browser's own entries leave out: they tell of text and pictures. */
const MARK_CHART = `{
  const observer = new MutationObserver(() => {
    if (document.querySelector('main figure svg g rect[fill^="var(--"]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(${JSON.stringify(CHART_PAINTED)})));
  });
  observer.observe(document, { subtree: true, childList: true });
}`;

/** When the page began to be painted, its largest text was, and its chart was; by the browser's own entries. */
const PAINTS = `(async () => {
  const last = (type, isIt) => new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      const found = list.getEntries().filter(isIt).at(-1);
      if (found === undefined) return;
      observer.disconnect();
      resolve(found.startTime);
    }).observe({ type, buffered: true });
  });
  const chart = await last('mark', ({ name }) => name === ${JSON.stringify(CHART_PAINTED)});
  const first = await last('paint', ({ name }) => name === 'first-contentful-paint');
  return { first, largest: await last('largest-contentful-paint', () => true), chart };
})()`;

const marked = new WeakSet<Page>();

/** Opens a page that has a chart; resolves with when its parts were painted, in milliseconds. */
async function openedPaintTimes(
  page: Page,
  name: string,
  path: string,
): Promise<readonly (readonly [string, number])[]> {
  if (!marked.has(page)) await page.addInitScript(MARK_CHART);
  marked.add(page);
  await page.goto(path);
  const paints = await page.evaluate<Readonly<Record<'first' | 'largest' | 'chart', number>>>(PAINTS);
  return [
    [`${name}, first contentful paint`, paints.first],
    [`${name}, largest contentful paint`, paints.largest],
    [`${name}, chart`, paints.chart],
  ];
}

/** How long the home page and the usage of a workspace take to be painted, as pages that are opened first; milliseconds. */
export async function usagePaintTimes(page: Page, workspace: string): Promise<ReadonlyMap<string, number>> {
  const home = await openedPaintTimes(page, 'home', `/workspaces/${workspace}`);
  const usage = await openedPaintTimes(page, 'usage', `/workspaces/${workspace}/usage`);
  await page.getByRole('table', { name: 'Usage by model' }).locator('a').first().waitFor();
  const times = new Map([...home, ...usage]);
  for (const [name, action] of Object.entries(USAGE_ACTIONS)) times.set(name, await tablePaintMs(page, action));
  return times;
}
