// @vitest-environment happy-dom
import { createMemoryHistory } from '@tanstack/react-router';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { followLinks } from './link-navigation.ts';

const SITE = 'http://gateway.test';

beforeEach(() => {
  vi.stubGlobal('location', new URL('/here?tab=one', SITE));
});

/** Where a click on a link leads to in the console; null if it is left to the browser. */
function followed(link: string, how = {}): string | null {
  const history = createMemoryHistory({ initialEntries: ['/here?tab=one'] });
  onTestFinished(followLinks(history));
  document.body.innerHTML = link.replace('href="/', `href="${SITE}/`);
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how });
  document.querySelector('i')?.dispatchEvent(event);
  return event.defaultPrevented ? history.location.href : null;
}

test('a plain click on a link to a page of the console goes there with all of its address', () => {
  expect(followed('<a href="/there?a=1&b=2#part"><i>go</i></a>')).toBe('/there?a=1&b=2#part');
});

test.each([
  ['to another site', '<a href="https://elsewhere.example/there"><i>go</i></a>'],
  ['to the manual', '<a href="/docs/money"><i>go</i></a>'],
  ['to what the server answers', '<a href="/admin/v1/export"><i>go</i></a>'],
  ['that downloads', '<a href="/there" download><i>go</i></a>'],
  ['for another tab', '<a href="/there" target="_blank"><i>go</i></a>'],
  ['to a part of the page', '<a href="/here?tab=one#part"><i>go</i></a>'],
])('a link %s is left to the browser', (_, link) => {
  expect(followed(link)).toBeNull();
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'a click on a link with %o is left to the browser',
  (how) => {
    expect(followed('<a href="/there"><i>go</i></a>', how)).toBeNull();
  },
);
