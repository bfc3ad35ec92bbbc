import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { placeBeside } from './place-beside.ts';

interface TooltipProps {
  /** Null or undefined: the children stand as they are. */
  readonly text: string | null | undefined;
  /** Draws what the tooltip is about, and describes it by the id. */
  readonly children: (describedBy: string | undefined) => ReactNode;
  readonly className?: string | undefined;
}

/** How long a pointer may take from the control to the tooltip, which stays while the pointer is on it. */
const LEAVE_MS = 120;

/** Words about a control, on hover and on focus. Escape hides them. */
export function Tooltip({ text, children, className = '' }: TooltipProps): ReactNode {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const leaving = useRef(0);
  const [open, setOpen] = useState(false);
  const shown = open && text !== null && text !== undefined;

  useEffect(() => {
    const popover = bubble.current;
    if (!shown || popover === null || anchor.current === null) return undefined;
    popover.showPopover();
    placeBeside(anchor.current.firstElementChild ?? anchor.current, popover, 'center');
    const hide = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', hide);
    return () => {
      document.removeEventListener('keydown', hide);
      if (popover.isConnected) popover.hidePopover();
    };
  }, [shown]);
  useEffect(() => () => clearTimeout(leaving.current), []);

  if (text === null || text === undefined) return children(undefined);
  const enter = (): void => {
    clearTimeout(leaving.current);
    setOpen(true);
  };
  const leave = (): void => {
    clearTimeout(leaving.current);
    leaving.current = window.setTimeout(() => setOpen(false), LEAVE_MS);
  };
  return (
    <span
      ref={anchor}
      className={`inline-flex ${className}`}
      onPointerEnter={enter}
      onPointerLeave={leave}
      onFocus={enter}
      onBlur={() => setOpen(false)}
    >
      {children(id)}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="manual"
        className="fixed inset-auto max-w-72 rounded-control bg-text px-2 py-1 text-left text-meta font-normal whitespace-pre-line text-bg"
      >
        {text}
      </span>
    </span>
  );
}
