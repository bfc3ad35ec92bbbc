import { X } from 'lucide-react';
import type { ReactNode } from 'react';

interface ChipProps {
  readonly children: ReactNode;
  /** A filter that is set: its cross takes it away. */
  readonly onRemove?: (() => void) | undefined;
  /** What the cross does, as its name: "Remove the filter model gpt-5". */
  readonly removeLabel?: string | undefined;
  /** A filter that is switched on and off by a press on it. */
  readonly pressed?: boolean | undefined;
  readonly onPress?: (() => void) | undefined;
}

const CHIP =
  'inline-flex h-8 target max-w-full items-center gap-1.5 rounded-control border px-2.5 text-control whitespace-nowrap';

/** One filter of a FilterBar. */
export function Chip({ children, onRemove, removeLabel, pressed = false, onPress }: ChipProps): ReactNode {
  if (onPress !== undefined) {
    return (
      <button
        type="button"
        aria-pressed={pressed}
        onClick={onPress}
        className={`${CHIP} border-edge text-text-2 transition-colors hover:bg-sunken aria-pressed:border-text aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-text`}
      >
        {children}
      </button>
    );
  }
  return (
    <span className={`${CHIP} border-line bg-sunken ${onRemove ? 'pr-1' : ''}`}>
      <span className="truncate">{children}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel ?? 'Remove this filter'}
          onClick={onRemove}
          className="flex size-6 shrink-0 items-center justify-center rounded-control text-text-3 hover:bg-line hover:text-text max-sm:size-10"
        >
          <X size={14} strokeWidth={1.5} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
