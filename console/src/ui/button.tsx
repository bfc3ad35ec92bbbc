import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'style'> {
  readonly kind?: ButtonKind | undefined;
  /** The action is under way: the button keeps its width and takes no second click. */
  readonly busy?: boolean | undefined;
  /** Why the action cannot be taken. The button stays where it is and in reach of the keyboard, and says so. */
  readonly unavailable?: string | null | undefined;
  readonly icon?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

// At the end of a row or of a line of a card its word ends where the others do, and its ground where that of the row does.
// Dialogs that are written into the cell are apart.
const QUIET_AT_ROW_END =
  '[:is(td:last-child,li_dd)_&:not(:is(td,dd)_dialog_*)]:px-2 [:is(td:last-child,li_dd)_&:not(:is(td,dd)_dialog_*):last-of-type]:-mr-2';

const LOOKS: Readonly<Record<ButtonKind, string>> = {
  primary: 'border-transparent bg-text text-bg hover:bg-text-2 active:bg-text',
  secondary: 'border-edge bg-surface text-text hover:bg-sunken',
  danger: 'border-transparent bg-danger text-on-danger hover:brightness-95 active:brightness-90',
  quiet: `border-transparent bg-transparent text-text-2 hover:bg-sunken hover:text-text ${QUIET_AT_ROW_END}`,
};
const OUT_OF_REACH = 'border-line bg-sunken text-text-3 cursor-not-allowed';
const QUIET_OUT_OF_REACH = `border-transparent text-text-3 cursor-not-allowed ${QUIET_AT_ROW_END}`;

/** The classes of a button, for links that look like one. */
export function buttonClass(kind: ButtonKind = 'secondary', unavailable = false): string {
  const outOfReach = kind === 'quiet' ? QUIET_OUT_OF_REACH : OUT_OF_REACH;
  const look = unavailable ? outOfReach : LOOKS[kind];
  return `relative inline-flex h-8 target shrink-0 items-center justify-center gap-2 rounded-control border px-3 text-control font-medium whitespace-nowrap no-underline transition-colors select-none ${look}`;
}

export function Button({
  kind = 'secondary',
  busy = false,
  unavailable,
  icon,
  type = 'button',
  className = '',
  onClick,
  children,
  'aria-describedby': describedBy,
  ...rest
}: ButtonProps): ReactNode {
  const reason = unavailable ?? null;
  const idle = busy || reason !== null;
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    // A button of type submit would send its form.
    if (idle) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Tooltip text={reason}>
      {(reasonId) => (
        <button
          {...rest}
          type={type}
          className={`${buttonClass(kind, reason !== null)} ${className}`}
          aria-disabled={idle || undefined}
          aria-busy={busy || undefined}
          aria-describedby={[describedBy, reasonId].filter(Boolean).join(' ') || undefined}
          onClick={click}
        >
          {busy && <Spinner className="absolute" />}
          <span className={`inline-flex items-center gap-2 ${busy ? 'opacity-0' : ''}`}>
            {icon}
            {children}
          </span>
        </button>
      )}
    </Tooltip>
  );
}
