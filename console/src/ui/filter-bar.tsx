import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface FilterBarProps {
  /** What is filtered: "Filter requests". */
  readonly label: string;
  readonly children: ReactNode;
  /** Given while a filter is set. */
  readonly onClear?: (() => void) | null | undefined;
}

/** SearchInput, Chips and Selects in one line, which wraps; on a phone in two columns. */
export function FilterBar({ label, children, onClear }: FilterBarProps): ReactNode {
  return (
    <search
      aria-label={label}
      className="mb-4 flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2 max-sm:[&>*]:max-w-none max-sm:[&>:is(button,[data-whole-line])]:col-span-2 max-sm:[&>button]:justify-self-start max-sm:[&>span]:w-full"
    >
      {children}
      {onClear && (
        <Button kind="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
