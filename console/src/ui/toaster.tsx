import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { currentAnnouncements, dismissToast, subscribeToAnnouncements } from './announcements.ts';
import { IconButton } from './icon-button.tsx';
import { LiveRegion } from './live-region.tsx';

/** Where toasts appear, and the page's live region; the frame has it once. */
export function Toaster(): ReactNode {
  const { toasts } = useSyncExternalStore(subscribeToAnnouncements, currentAnnouncements);
  const stack = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const popover = stack.current;
    if (popover === null) return;
    // Shown again with each toast, so that it lies above what has opened since.
    if (popover.matches(':popover-open')) popover.hidePopover();
    if (toasts.length > 0) popover.showPopover();
  }, [toasts]);
  return (
    <>
      <LiveRegion />
      <div
        ref={stack}
        popover="manual"
        className="fixed inset-auto right-4 bottom-4 w-90 max-w-[calc(100vw-32px)] flex-col gap-2 bg-transparent open:flex"
      >
        {toasts.map(({ id, text, kind }) => (
          <div key={id} className="opens flex items-start gap-2 rounded-panel bg-surface py-2 pr-2 pl-3 shadow-float">
            {kind === 'done' ? (
              <CircleCheck
                size={16}
                strokeWidth={1.5}
                aria-hidden="true"
                className="mt-1.5 shrink-0 text-accent-text"
              />
            ) : (
              <CircleAlert
                size={16}
                strokeWidth={1.5}
                aria-hidden="true"
                className="mt-1.5 shrink-0 text-danger-text"
              />
            )}
            <p className="min-w-0 flex-1 py-1.5 text-control wrap-anywhere">{text}</p>
            <IconButton label="Dismiss" icon={<X size={16} strokeWidth={1.5} />} onClick={() => dismissToast(id)} />
          </div>
        ))}
      </div>
    </>
  );
}
