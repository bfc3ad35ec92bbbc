// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { doing, drawn } from './drawn.tsx';
import { RowLink } from '../../console/src/ui/row-link.tsx';

const PLAIN = { bubbles: true, cancelable: true };

test.each([
  ['a plain click', {}, true],
  ['a click with Ctrl', { ctrlKey: true }, false],
  ['a click with ⌘', { metaKey: true }, false],
  ['a click with Shift', { shiftKey: true }, false],
  ['a click with Alt', { altKey: true }, false],
  ['a click of the middle button', { button: 1 }, false],
])('%s on a row’s link is the router’s, or left to the browser', async (_, how, isRouters) => {
  const navigate = vi.fn<(href: string) => void>();
  const place = await drawn(
    <RowLink href="/there" onNavigate={navigate}>
      there
    </RowLink>,
  );
  const event = new MouseEvent('click', { ...PLAIN, ...how });
  await doing(() => place.querySelector('a')?.dispatchEvent(event));
  expect([navigate.mock.calls, event.defaultPrevented]).toEqual(isRouters ? [[['/there']], true] : [[], false]);
});
