import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** Why there is nothing: "No request matches these filters." */
  readonly cause: string;
  readonly detail?: ReactNode;
  /** The one thing to do about it. */
  readonly action?: ReactNode;
}

export function EmptyState({ cause, detail, action }: EmptyStateProps): ReactNode {
  return (
    <div className="flex flex-col items-start gap-3 py-8">
      <div>
        <p className="text-body font-medium">{cause}</p>
        {detail && <p className="mt-1 max-w-prose text-control text-text-2">{detail}</p>}
      </div>
      {action}
    </div>
  );
}
