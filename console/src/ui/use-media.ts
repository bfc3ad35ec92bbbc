import { useCallback, useSyncExternalStore } from 'react';

/** Below this width rows are cards, sheets are pages, and targets are 40 px high. */
export const NARROW = '(width < 640px)';

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
