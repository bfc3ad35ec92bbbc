// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { completeElements } from './browser-parts.ts';
import { doing, drawn } from './drawn.tsx';
import { Menu } from '../../console/src/ui/menu.tsx';

test('an item of a menu acts once, one that is out of reach never, and a link is left to the browser with Ctrl', async () => {
  completeElements();
  const [acted, never] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const place = await drawn(
    <Menu
      label="Things to do"
      items={[
        { label: 'Do it', onSelect: acted },
        { label: 'Not now', onSelect: never, unavailable: 'It has ended.' },
        { label: 'Go there', href: '/there', unavailable: 'It has ended.' },
        { label: 'Sign in there', href: '/other', onSelect: acted },
      ]}
    />,
  );
  const [first, second, third, fourth] = place.querySelectorAll('[role="menuitem"]');
  const click = async (item: Element | undefined, how = {}) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how });
    await doing(() => item?.dispatchEvent(event));
    return event.defaultPrevented;
  };
  await click(first);
  expect(acted).toHaveBeenCalledTimes(1);
  await click(second);
  expect(never).not.toHaveBeenCalled();
  expect(await click(third)).toBe(true);
  expect(await click(fourth, { ctrlKey: true })).toBe(false);
  expect(acted).toHaveBeenCalledTimes(1);
  expect(await click(fourth)).toBe(true);
  expect(acted).toHaveBeenCalledTimes(2);
});
