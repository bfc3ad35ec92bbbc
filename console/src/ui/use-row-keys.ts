import { type RefObject, useEffect } from 'react';
import { lettersAreOn } from './letter-keys.ts';

const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';

/** Whether a key belongs to what has the focus, or to an open dialog or menu, rather than to the page; or is turned off. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return true;
  if (event.key.length === 1 && !lettersAreOn()) return true;
  if (event.target instanceof Element && event.target.closest(`${TYPING}, [role="menu"]`) !== null) return true;
  return document.querySelector('dialog:modal') !== null;
}

/** j and k move the focus to the link of the next and the previous row. */
export function useRowKeys(list: RefObject<HTMLElement | null>, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return undefined;
    const move = (event: KeyboardEvent): void => {
      if ((event.key !== 'j' && event.key !== 'k') || isTyping(event)) return;
      const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
      const focused = links.findIndex((link) => link === document.activeElement);
      const at = focused === -1 ? links.findIndex((link) => link.closest('[data-selected]') !== null) : focused;
      const next = event.key === 'j' ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0);
      links[next]?.focus();
      links[next]?.scrollIntoView({ block: 'nearest' });
      event.preventDefault();
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, [list, enabled]);
}
