import { expect, test, vi } from 'vitest';
import { expectAccessible, expectNoNeedlessScroll } from '../support/page-checks.ts';
import { sharedSite } from '../support/site.ts';
import { visit } from '../support/visit.ts';

// Browser tests see what they are there to see. Each fault is provoked once.

test.each([
  ['an error that is logged', `console.error('a bug')`, /^console: a bug/],
  ['an error that is thrown', `setTimeout(() => { throw new Error('a bug') })`, /^thrown: Error: a bug/],
  ['a promise that nobody catches', `void Promise.reject(new Error('a bug'))`, /^thrown: Error: a bug/],
  ['a style in the text of the page', `document.body.innerHTML = '<p style="color: red">Hi</p>'`, /^policy: style-src/],
  ['a script of another origin', `void import('http://127.0.0.1:9/a.js').catch(() => 0)`, /^policy: script-src/],
  ['a request that is refused', `void fetch('/nothing')`, /^console: .*status of 404/],
])('a browser test fails after %s', async (_fault, script, expected) => {
  const { page, faults } = await visit(sharedSite(), '/sign-up', { expectedFaults: [/./] });
  await page.evaluate(script);
  await vi.waitFor(() => expect(faults).toContainEqual(expect.stringMatching(expected)), { timeout: 10_000 });
});

test('a browser test fails after a request to another origin that no policy forbids', async () => {
  const { page, faults } = await visit(sharedSite(), '/sign-up', { expectedFaults: [/./] });
  await page.goto('http://localhost:9/').catch(() => null);
  expect(faults).toContainEqual('request to another origin: http://localhost:9/');
});

test('faults of accessibility and pages wider than the window are found', async () => {
  const { page } = await visit(sharedSite(), '/sign-up', { width: 360 });
  await expectNoNeedlessScroll(page);
  await page.evaluate(`(() => {
    const image = document.createElement('img');
    image.src = '/icon.svg';
    const wide = document.createElement('pre');
    wide.textContent = 'wide '.repeat(100);
    document.body.append(image, wide);
  })()`);
  await expect(expectAccessible(page)).rejects.toThrow('image-alt');
  await expect(expectNoNeedlessScroll(page)).rejects.toThrow('wide in 360');
});

test('pages are looked at in the time zone and the colours that a test asks for', async () => {
  const { page } = await visit(sharedSite(), '/sign-up', { timeZone: 'Asia/Kolkata', theme: 'dark' });
  expect(await page.evaluate('new Date(0).getHours()')).toBe(5);
  expect(await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)).toBe(true);
});
