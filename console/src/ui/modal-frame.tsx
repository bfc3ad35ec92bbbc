import { X } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { FooterQuestion } from './footer-question.tsx';
import { IconButton } from './icon-button.tsx';
import { LiveRegion } from './live-region.tsx';

export interface ModalProps {
  readonly open: boolean;
  /** Called when it should close: by its button, Escape, or a press outside it. */
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the end; the action comes last. */
  readonly footer?: ReactNode;
  /** Something was typed that closing would lose, so that closing asks first. */
  readonly dirty?: boolean | undefined;
  /** It closes by its own buttons alone: no X, no Escape, no press outside it. */
  readonly locked?: boolean | undefined;
  /** Escape or a press outside it, while it is locked. */
  readonly onLeaveTried?: (() => void) | undefined;
}

interface FrameProps extends Omit<ModalProps, 'open'> {
  readonly className: string;
}

/** Not a radio button that is not chosen: the focus would look like a choice. */
const FIRST_CONTROL =
  '[data-autofocus], .modal-body :is(input:not([type="hidden"], [type="radio"]:not(:checked)), select, textarea)';

/** Opens with its mount, closes with its unmount, and gives focus back to where it was. */
function useDialogElement(): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return undefined;
    const before = document.activeElement;
    dialog.showModal();
    const first = dialog.querySelector<HTMLElement>(FIRST_CONTROL) ?? dialog.querySelector<HTMLElement>('h2');
    first?.focus({ preventScroll: true });
    return () => {
      const hadFocus = dialog.contains(document.activeElement);
      dialog.close();
      if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return element;
}

/** What Dialog and Sheet have in common. */
export function ModalFrame({ className, dirty = false, locked = false, ...props }: FrameProps): ReactNode {
  const id = useId();
  const element = useDialogElement();
  const [asking, setAsking] = useState(false);
  const leave = (): void => {
    if (locked) props.onLeaveTried?.();
    else if (dirty) setAsking(true);
    else props.onClose();
  };
  // What had the focus may be gone, such as a button of a question: without it, keys would go past the dialog.
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.querySelector('h2')?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // A browser lets a page refuse the first Escape only; without the key's default there is no second.
    event.preventDefault();
    event.stopPropagation();
    if (asking) setAsking(false);
    else leave();
  };
  return (
    <dialog
      ref={element}
      aria-labelledby={`${id}-title`}
      aria-describedby={props.description ? `${id}-words` : undefined}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        leave();
      }}
      onClose={(event) => {
        if (event.target !== element.current) return;
        // The browser has closed it against the page's will: after a second Escape, it no longer asks.
        element.current.showModal();
        leave();
      }}
      onPointerDown={(event) => {
        // Once the press is over: it would take the focus from the question that it leads to.
        if (event.target === element.current) requestAnimationFrame(leave);
      }}
      // It may stand in the cell of a table, whose alignment and wrapping are not its own.
      className={`fixed border-0 bg-surface p-0 text-left text-body whitespace-normal text-text shadow-float [--ground:var(--surface)] [--sticky-top:0px] ${className}`}
    >
      <div className="flex max-h-[inherit] min-h-full flex-col">
        <header className="flex items-start gap-4 px-6 pt-5 pb-3 max-sm:px-4">
          <div className="min-w-0 flex-1">
            <h2 id={`${id}-title`} tabIndex={-1} className="text-section font-semibold wrap-anywhere outline-none">
              {props.title}
            </h2>
            {props.description && (
              <div id={`${id}-words`} className="mt-1 text-control text-text-2">
                {props.description}
              </div>
            )}
          </div>
          {!locked && (
            <IconButton
              label="Close"
              icon={<X size={16} strokeWidth={1.5} />}
              onClick={leave}
              className="-mt-1 -mr-2"
            />
          )}
        </header>
        <div className="modal-body min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-5 max-sm:px-4">{props.children}</div>
        {(asking || props.footer) && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-3 max-sm:px-4">
            {asking ? (
              <FooterQuestion
                label="Discard what you typed?"
                stay="Keep editing"
                leave="Discard"
                onStay={() => setAsking(false)}
                onLeave={props.onClose}
              >
                Discard what you typed?
              </FooterQuestion>
            ) : (
              props.footer
            )}
          </footer>
        )}
      </div>
      <LiveRegion />
    </dialog>
  );
}
