import type { MouseEvent, ReactNode } from 'react';

const INTERACTIVE = 'a, button, input, select, textarea, label, [role="menu"], dialog';

/** Follows a row's link when the row is clicked, unless the click was for something in it or ended a selection. */
export function followRow(event: MouseEvent, href: string | undefined, navigate: (href: string) => void): void {
  if (href === undefined || event.defaultPrevented || !(event.target instanceof Element)) return;
  if (event.target.closest(INTERACTIVE) !== null) return;
  if (window.getSelection()?.isCollapsed === false) return;
  if (event.metaKey || event.ctrlKey || event.button === 1) window.open(href, '_blank', 'noopener');
  else if (event.button === 0) navigate(href);
}

interface RowLinkProps {
  readonly href: string | undefined;
  readonly onNavigate: ((href: string) => void) | undefined;
  /** The link reaches over all of the positioned element around it. */
  readonly covers?: boolean | undefined;
  readonly children: ReactNode;
}

/** The link of a row. A router gets its plain clicks; others are the browser's. */
export function RowLink({ href, onNavigate, covers = false, children }: RowLinkProps): ReactNode {
  if (href === undefined) return children;
  const click = (event: MouseEvent): void => {
    if (onNavigate === undefined || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onNavigate(href);
  };
  return (
    <a
      href={href}
      data-row-link
      onClick={click}
      className={`font-medium text-text no-underline group-hover:underline focus-visible:rounded-mark ${covers ? 'after:absolute after:inset-0' : ''}`}
    >
      {children}
    </a>
  );
}
