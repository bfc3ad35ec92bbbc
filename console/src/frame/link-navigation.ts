import type { RouterHistory } from '@tanstack/react-router';

// Links are plain links everywhere. This one listener lets the router follow those that lead to pages of the console, so that
// the parts of the kit know no router.

/** What the server answers itself, below the same origin. */
const OF_THE_SERVER = /^\/(admin|v1|docs|metrics|assets)(\/|$)/;

function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.href === '' || link.hasAttribute('download')) return null;
  if (link.target !== '' && link.target !== '_self') return null;
  const isOwn = link.origin === location.origin && !OF_THE_SERVER.test(link.pathname);
  const isOnPage = link.hash !== '' && link.pathname + link.search === location.pathname + location.search;
  return isOwn && !isOnPage ? link : null;
}

/** Begins to listen; returns how to end it. */
export function followLinks(history: RouterHistory): () => void {
  const follow = (event: MouseEvent): void => {
    const link = linkOf(event);
    if (link === null) return;
    event.preventDefault();
    history.push(link.pathname + link.search + link.hash);
  };
  document.addEventListener('click', follow);
  return () => document.removeEventListener('click', follow);
}
