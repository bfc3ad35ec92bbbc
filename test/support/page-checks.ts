import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

// What holds on every page of the console.

/** Resolves once a page stands with its heading and nothing of it is still loading. `heading`: any, if it is null. */
export async function pageLoaded(page: Page, heading: string | null): Promise<void> {
  const title = page.locator('main h1');
  await (heading === null ? title : title.filter({ hasText: heading })).waitFor();
  await page.locator('main .animate-pulse, main [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Makes the window this wide, and resolves once the page has followed: tables turn into cards and back. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Expects that axe finds no fault on the page as it is now, by the rules of WCAG 2.2 AA and its best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated by the debugger, which the page's content security policy doesn't bind.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  // A report of what passed, too, would take longer than the look itself.
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
  if (told.length > 0) expect.fail(`${page.url()} is not accessible to all:\n${told.join('\n\n')}`);
}

/**
 * Expects that the page as a whole is not wider than the window, that nothing on it scrolls for some pixels, and that no head of a
 * table covers a row. A chart takes a moment to follow a changed window.
 */
export async function expectNoNeedlessScroll(page: Page): Promise<void> {
  await vi.waitFor(() => expectFit(page), 10_000);
}

async function expectFit(page: Page): Promise<void> {
  const widest = await page.evaluate<{
    readonly width: number;
    readonly window: number;
    readonly elements: string[];
    readonly scrolling: string[];
    readonly covered: string[];
  }>(`({
    width: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
    elements: [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .slice(0, 5)
      .map((element) => element.outerHTML.slice(0, 120)),
    scrolling: [...document.querySelectorAll('body *')]
      .filter((element) => {
        const beyond = element.scrollHeight - element.clientHeight;
        return beyond > 0 && beyond <= 4 && /auto|scroll/.test(getComputedStyle(element).overflowY);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
    covered: [...document.querySelectorAll('table')]
      .map((table) => [table, table.querySelector('th'), table.querySelector('tbody tr')])
      .filter(([, head, row]) => head && row && scrollY === 0 && getComputedStyle(head).position !== 'absolute' &&
        head.closest('.sr-only') === null && head.getBoundingClientRect().bottom > row.getBoundingClientRect().top + 1)
      .map(([table]) => table.getAttribute('aria-label')),
  })`);
  if (widest.covered.length > 0)
    expect.fail(`${page.url()} has heads over the first rows of: ${widest.covered.join(', ')}`);
  if (widest.scrolling.length > 0) {
    expect.fail(`${page.url()} has what scrolls for a few pixels: ${widest.scrolling.join(' ')}`);
  }
  if (widest.width > widest.window) {
    expect.fail(`${page.url()} is ${widest.width} wide in ${widest.window}; beyond it: ${widest.elements.join(' ')}`);
  }
}
