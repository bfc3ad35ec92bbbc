import { Check } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react';
import { buttonClass, type ButtonKind } from './button.tsx';
import { placeBeside } from './place-beside.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect?: (() => void) | undefined;
  /** The item is a link; `onSelect` gets a plain click on it first. */
  readonly href?: string | undefined;
  /** A small line below the label. */
  readonly detail?: string | undefined;
  readonly danger?: boolean | undefined;
  readonly unavailable?: string | null | undefined;
  readonly checked?: boolean | undefined;
  /** A hairline above. */
  readonly separated?: boolean | undefined;
}

interface MenuProps {
  /** The name of the button, and its content unless there is other. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly children?: ReactNode;
  readonly kind?: ButtonKind | undefined;
  readonly align?: 'start' | 'end' | undefined;
  readonly className?: string | undefined;
}

const ITEM =
  'flex w-full target items-center gap-2 rounded-control px-2 py-1.5 text-left text-control no-underline outline-none focus:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:text-text-3';

function Item({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }): ReactNode {
  const words = item.unavailable ?? item.detail;
  const content = (
    <>
      {item.icon}
      <span className="min-w-0 flex-1">
        <span className={`block truncate ${item.danger ? 'text-danger-text' : ''}`}>{item.label}</span>
        {words && <span className="block text-meta text-text-3">{words}</span>}
      </span>
      {item.checked && <Check size={16} strokeWidth={1.5} aria-hidden="true" className="shrink-0" />}
    </>
  );
  const select = (event: MouseEvent): void => {
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey;
    if (item.unavailable || (item.onSelect && !elsewhere)) event.preventDefault();
    if (item.unavailable) return;
    onDone();
    if (!elsewhere) item.onSelect?.();
  };
  const attributes = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    tabIndex: -1,
    className: ITEM,
    'aria-checked': item.checked,
    'aria-disabled': item.unavailable ? (true as const) : undefined,
    onClick: select,
    onPointerEnter: (event: PointerEvent<HTMLElement>) => event.currentTarget.focus({ preventScroll: true }),
  };
  if (item.href === undefined) {
    return (
      <button type="button" {...attributes}>
        {content}
      </button>
    );
  }
  return (
    <a href={item.href} {...attributes}>
      {content}
    </a>
  );
}

/** Which item a key leads to. */
function targetOf(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1) return undefined;
  const following = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return following.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

export function Menu({ label, items, children, kind = 'secondary', align = 'start', className }: MenuProps): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const entries = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];

  const toggled = (isOpen: boolean): void => {
    setOpen(isOpen);
    if (!isOpen || list.current === null || button.current === null) return;
    (entries().find((entry) => entry.ariaChecked === 'true') ?? entries()[0])?.focus({ preventScroll: true });
  };
  // The list has a size once it is shown, and its place before it is painted.
  const place = (): void => {
    requestAnimationFrame(() => {
      if (button.current !== null && list.current !== null) placeBeside(button.current, list.current, align);
    });
  };
  const close = (): void => {
    list.current?.hidePopover();
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      event.stopPropagation();
      return close();
    }
    const all = entries();
    const target = targetOf(event.key, all, all.indexOf(document.activeElement as HTMLElement));
    if (target === undefined || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={children === undefined ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
        className={className ?? buttonClass(kind)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          list.current?.showPopover();
        }}
      >
        {children ?? label}
      </button>
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onBeforeToggle={place}
        onToggle={(event) => toggled(event.newState === 'open')}
        onKeyDown={onKeyDown}
        className="opens fixed inset-auto max-h-[60dvh] min-w-48 max-w-[min(320px,calc(100vw-16px))] overflow-y-auto rounded-panel bg-surface p-1 text-text shadow-float"
      >
        {items.map((item) => (
          <div key={item.label} role="none" className={item.separated ? 'mt-1 border-t border-line pt-1' : undefined}>
            <Item item={item} onDone={close} />
          </div>
        ))}
      </div>
    </>
  );
}
