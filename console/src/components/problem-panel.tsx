import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { buttonClass } from '../ui/button.tsx';
import { ErrorPanel, type Problem } from '../ui/error-panel.tsx';

interface ProblemPanelProps {
  readonly error: Error | null;
  /** Reads the thing again. It is not offered if there is no such thing. */
  readonly onRetry?: () => void;
  /** Where to go if there is no such thing: the list of those there are. */
  readonly back?: { readonly label: string; readonly href: string };
}

/** What an error is for people; null if there is none. */
export function problemFrom(error: Error | null): Problem | null {
  if (error === null) return null;
  return { message: error.message, requestId: error instanceof ApiError ? error.requestId : null };
}

/** What went wrong. */
export function ProblemPanel({ error, onRetry, back }: ProblemPanelProps): ReactNode {
  const problem = problemFrom(error);
  if (problem === null) return null;
  if (!(error instanceof ApiError && error.status === 404)) return <ErrorPanel {...problem} onRetry={onRetry} />;
  const wayBack = back && (
    <a href={back.href} className={buttonClass()}>
      {back.label}
    </a>
  );
  return <ErrorPanel {...problem} action={wayBack} />;
}
