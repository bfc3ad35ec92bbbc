const GAP = 6;
const MARGIN = 8;

/** Puts an open popover below its anchor, or above where there is no room below, and inside of the window. */
export function placeBeside(anchor: Element, popover: HTMLElement, align: 'start' | 'center' | 'end'): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const below = at.bottom + GAP + height + MARGIN <= window.innerHeight;
  const top = below ? at.bottom + GAP : Math.max(MARGIN, at.top - GAP - height);
  const wanted = { start: at.left, center: at.left + (at.width - width) / 2, end: at.right - width }[align];
  const left = Math.max(MARGIN, Math.min(wanted, document.documentElement.clientWidth - width - MARGIN));
  popover.style.top = `${top}px`;
  popover.style.left = `${left}px`;
}
