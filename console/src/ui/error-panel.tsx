import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

/** What went wrong, as the API says it. */
export interface Problem {
  readonly message: string;
  /** `x-request-id` of the response, by which the operator finds it in the log. */
  readonly requestId?: string | null | undefined;
  /** The error's code, for those who look it up or handle it. */
  readonly code?: string | undefined;
}

interface ErrorPanelProps extends Problem {
  readonly onRetry?: (() => void) | undefined;
  /** What helps, if trying again does not. */
  readonly action?: ReactNode;
}

export function ErrorPanel({ message, requestId, code, onRetry, action }: ErrorPanelProps): ReactNode {
  return (
    <div role="alert" className="flex flex-wrap items-start gap-x-4 gap-y-2 rounded-control bg-danger-soft px-3 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-control font-medium wrap-anywhere text-danger-text">{message}</p>
        {code && (
          <p className="mt-0.5 text-meta text-text-2">
            <code>{code}</code>
          </p>
        )}
        {requestId && (
          <p className="mt-0.5 flex items-center gap-1 text-meta text-text-2">
            <span className="min-w-0 truncate">
              Request <code>{requestId}</code>
            </span>
            <CopyButton text={requestId} label="Copy request id" />
          </p>
        )}
      </div>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {action}
    </div>
  );
}
