import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface PagerProps {
  /** What is shown: "50 requests", "Requests before 14 Nov, 09:12 UTC". */
  readonly shown?: ReactNode;
  /** Null where there is no newer page. */
  readonly onNewer: (() => void) | null;
  readonly onOlder: (() => void) | null;
  readonly busy?: boolean | undefined;
  readonly newerLabel?: string | undefined;
  readonly olderLabel?: string | undefined;
}

/** Moves through pages that are found by a key: to the newer or the older ones, never to a number. */
export function Pager(props: PagerProps): ReactNode {
  const { shown, onNewer, onOlder, busy = false, newerLabel = 'Newer', olderLabel = 'Older' } = props;
  if (onNewer === null && onOlder === null && !shown) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-2 pt-3">
      <span className="text-meta text-text-3">{shown}</span>
      <span className="flex gap-2">
        <Button
          icon={<ChevronLeft size={16} strokeWidth={1.5} />}
          unavailable={onNewer === null ? 'These are the newest.' : null}
          onClick={() => onNewer?.()}
        >
          {newerLabel}
        </Button>
        <Button
          busy={busy}
          unavailable={onOlder === null ? 'There are no older ones.' : null}
          onClick={() => onOlder?.()}
        >
          {olderLabel}
          <ChevronRight size={16} strokeWidth={1.5} aria-hidden="true" />
        </Button>
      </span>
    </nav>
  );
}
