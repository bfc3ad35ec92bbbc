import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

export interface LoadMoreProps {
  /** An infinite query. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** The way to the next page of a list, below it. */
export function LoadMore({ list }: LoadMoreProps): ReactNode {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}
