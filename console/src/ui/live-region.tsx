import { type ReactNode, useSyncExternalStore } from 'react';
import { currentAnnouncements, subscribeToAnnouncements } from './announcements.ts';

/**
 * Speaks what is announced. The page has one, and so has each modal dialog: behind a modal dialog everything is inert,
 * the page's live region too.
 */
export function LiveRegion(): ReactNode {
  const { spoken } = useSyncExternalStore(subscribeToAnnouncements, currentAnnouncements);
  // A region that is mounted late begins empty, and a space more makes the same words a change.
  return (
    <output aria-live="polite" className="sr-only">
      {spoken.text}
      {spoken.count % 2 === 0 ? '' : '\u00A0'}
    </output>
  );
}
