import { vi } from 'vitest';

// What a page expects of its browser, and the document of these tests lacks or does otherwise.

/** What a page has done outside of itself. */
export interface Outside {
  readonly copied: string[];
  readonly left: string[];
}

/** An event of a popover, as React reads it. */
function toggled(type: 'beforetoggle' | 'toggle', isOpen: boolean): Event {
  return Object.assign(new Event(type), {
    oldState: isOpen ? 'closed' : 'open',
    newState: isOpen ? 'open' : 'closed',
  });
}

function toggle(popover: HTMLElement, isOpen: boolean): void {
  popover.dispatchEvent(toggled('beforetoggle', isOpen));
  popover.dispatchEvent(toggled('toggle', isOpen));
}

const WIDTH = 800;

/** Popovers, dialogs, focus and sizes, once for the document. */
export function completeElements(): void {
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { get: () => WIDTH });
  HTMLInputElement.prototype.select = function select() {
    this.focus();
  };
  HTMLElement.prototype.showPopover = function showPopover() {
    toggle(this, true);
  };
  HTMLElement.prototype.hidePopover = function hidePopover() {
    toggle(this, false);
  };
  HTMLElement.prototype.scrollIntoView = () => undefined;
  const matches = Object.getOwnPropertyDescriptor(Element.prototype, 'matches')?.value as Element['matches'];
  Element.prototype.matches = function matchesSelector(this: Element, selector: string) {
    return selector === ':popover-open' ? false : matches.call(this, selector);
  } as Element['matches'];
  // A browser says later that a dialog is closed: to nobody, if the page has taken it away.
  HTMLDialogElement.prototype.close = function close() {
    this.removeAttribute('open');
  };
}

class NoEvents extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 1;
  close(): void {
    this.dispatchEvent(new Event('closed'));
  }
}

class NoChanges {
  observe(): void {
    // Nothing changes its size.
  }
  disconnect(): void {
    this.observe();
  }
}

/** The parts of a browser that a test looks at, or that would make two runs differ. */
export function stubBrowser(outside: Outside, address: () => URL): void {
  vi.stubGlobal('EventSource', NoEvents);
  vi.stubGlobal('ResizeObserver', NoChanges);
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('open', (href: string) => void outside.left.push(href));
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({
    writeText: (text: string) => Promise.resolve(void outside.copied.push(text)),
  } as Clipboard);
  const leave = (href: string): void => void outside.left.push(href);
  const parts = ['href', 'origin', 'pathname', 'search', 'hash', 'host', 'protocol'] as const;
  const location = Object.defineProperties(
    { assign: leave, replace: leave, reload: () => leave('itself, read again') },
    Object.fromEntries(parts.map((part) => [part, { get: () => address()[part] }])),
  );
  vi.stubGlobal('location', location);
}
