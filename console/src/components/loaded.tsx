import type { ReactNode } from 'react';
import { Skeleton } from '../ui/skeleton.tsx';
import { ProblemPanel } from './problem-panel.tsx';

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => Promise<unknown>;
  };
  /** The room that is kept for it. */
  readonly room?: string;
  /** Where to go if there is no such thing. */
  readonly back?: { readonly label: string; readonly href: string };
  readonly children?: (data: Data) => ReactNode;
}

/** What a query has read, below what went wrong; room for it until then. */
export function Loaded<Data>({ query, room = 'w-80', back, children }: LoadedProps<Data>): ReactNode {
  const { data, error, refetch } = query;
  return (
    <>
      <ProblemPanel error={error} onRetry={() => void refetch()} {...(back === undefined ? {} : { back })} />
      {data === undefined ? error === null && <Skeleton className={room} /> : children?.(data)}
    </>
  );
}
