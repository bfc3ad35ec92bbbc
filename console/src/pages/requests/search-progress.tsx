import { type ReactNode, useEffect, useState } from 'react';
import { type ReceiptPage, REQUESTS_A_PAGE } from '../../api/requests.ts';
import { formatNumberOf } from '../../format/count.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** Where a search over receipts is: each call of the server looks at a part of them. */
export interface Progress {
  readonly state: 'loading' | 'searching' | 'stopped' | 'page-full' | 'complete' | 'failed';
  /** Everything up to here was looked at. */
  readonly searchedUntil: string | null;
  readonly goOn: () => void;
  readonly stop: () => void;
}

interface SearchedList {
  readonly data: { readonly pages: readonly ReceiptPage[] } | undefined;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isPlaceholderData: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** How many more rows a press on the button asks for. */
const WANTED = REQUESTS_A_PAGE;

/** Continues a search automatically until it has found a page of receipts, and from then on by a press. */
export function useSearchOn(list: SearchedList): Progress {
  const { data, error, hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = list;
  const found = data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;
  const [wanted, setWanted] = useState(WANTED);
  const [isStopped, setIsStopped] = useState(false);
  const pages = data?.pages.length ?? 0;
  // A new search begins with one page.
  const [before, setBefore] = useState(pages);
  if (pages !== before) {
    setBefore(pages);
    if (pages < before) {
      setWanted(WANTED);
      setIsStopped(false);
    }
  }
  const isOver = !hasNextPage;
  const isFull = found >= wanted;
  const isGoing = data !== undefined && !isPlaceholderData && !isOver && !isFull && !isStopped && error === null;
  useEffect(() => {
    if (isGoing && !isFetching) void fetchNextPage();
  }, [isGoing, isFetching, fetchNextPage]);
  const state =
    error !== null
      ? 'failed'
      : data === undefined || isPlaceholderData
        ? 'loading'
        : isOver
          ? 'complete'
          : isGoing
            ? 'searching'
            : isStopped && !isFull
              ? 'stopped'
              : 'page-full';
  return {
    state,
    searchedUntil: data?.pages.at(-1)?.searched_until ?? null,
    goOn: () => {
      setIsStopped(false);
      setWanted(found + WANTED);
    },
    stop: () => setIsStopped(true),
  };
}

interface SearchProgressProps {
  readonly progress: Progress;
  readonly found: number;
}

/** How far a search has looked, and the way on. */
export function SearchProgress({ progress, found }: SearchProgressProps): ReactNode {
  const { state, searchedUntil, goOn, stop } = progress;
  if (state === 'loading' || state === 'failed') return null;
  const count = formatNumberOf(found, 'request');
  if (state === 'complete') {
    return found === 0 ? null : <p className="mt-3 text-meta text-text-3">{`${count}, all of this time.`}</p>;
  }
  const isSearching = state === 'searching';
  return (
    <div className="mt-3 flex min-h-10 flex-wrap items-center gap-3 text-control text-text-2">
      <output className="flex items-center gap-2">
        {isSearching && <Spinner />}
        <span>
          {isSearching ? `Searching. ${count} so far` : `${count} so far`}
          {searchedUntil !== null && (
            <>
              ; everything since <Timestamp at={searchedUntil} /> was looked at
            </>
          )}
          .
        </span>
      </output>
      {isSearching ? (
        <Button onClick={stop}>Stop</Button>
      ) : (
        <Button onClick={goOn}>{state === 'stopped' ? 'Search on' : 'Load more'}</Button>
      )}
    </div>
  );
}
