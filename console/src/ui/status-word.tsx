import type { ReactNode } from 'react';

/** Open and well; low or slow; closed, refused or failed; under way; off or over. */
export type Status = 'open' | 'low' | 'closed' | 'waiting' | 'off';

const SHAPES: Readonly<Record<Status, ReactNode>> = {
  open: <circle cx="4" cy="4" r="3.5" fill="currentColor" />,
  low: <path d="M4 .5 8 7.5H0z" fill="currentColor" />,
  closed: <rect x=".5" y=".5" width="7" height="7" fill="currentColor" />,
  waiting: (
    <>
      <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="1.25" />
      <path d="M4 1a3 3 0 1 0 0 6z" fill="currentColor" />
    </>
  ),
  off: <circle cx="4" cy="4" r="3" fill="none" stroke="currentColor" strokeWidth="1.25" />,
};
const COLORS: Readonly<Record<Status, string>> = {
  open: 'text-accent',
  low: 'text-warn',
  closed: 'text-danger',
  waiting: 'text-text-3',
  off: 'text-text-3',
};

interface StatusWordProps {
  readonly status: Status;
  readonly children: ReactNode;
}

/** A word with a shape before it. The shape differs by form as well as by colour; the word says it all. */
export function StatusWord({ status, children }: StatusWordProps): ReactNode {
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <svg viewBox="0 0 8 8" className={`size-2 shrink-0 ${COLORS[status]}`} aria-hidden="true">
        {SHAPES[status]}
      </svg>
      {children}
    </span>
  );
}
