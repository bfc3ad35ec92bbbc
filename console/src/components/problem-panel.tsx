import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { ErrorPanel, type Problem } from '../ui/error-panel.tsx';

const NONE: readonly string[] = [];

interface ProblemPanelProps {
  readonly error: Error | null;
  /** The fields that say themselves what is wrong with them. */
  readonly except?: readonly string[];
  readonly onRetry?: () => void;
}

/** What an error is for people; null if there is none. */
export function problemFrom(error: Error | null): Problem | null {
  if (error === null) return null;
  return { message: error.message, requestId: error instanceof ApiError ? error.requestId : null };
}

/** What went wrong, unless a field says it. */
export function ProblemPanel({ error, except = NONE, onRetry }: ProblemPanelProps): ReactNode {
  const problem = problemFrom(error);
  if (problem === null) return null;
  if (error instanceof ApiError && error.param !== null && except.includes(error.param)) return null;
  return <ErrorPanel {...problem} onRetry={onRetry} />;
}
