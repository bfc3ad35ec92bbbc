import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query';
import type { Page } from './client.ts';

/** Where a page of a list begins, as a query of the API has it. */
interface Wanted {
  readonly signal: AbortSignal;
  readonly cursor: string | null;
}

type Listed = Pick<Page<unknown>, 'next_cursor'>;
type Options<List extends Listed, Key extends QueryKey> = UseInfiniteQueryOptions<
  List,
  Error,
  InfiniteData<List, string | null>,
  Key,
  string | null
>;

/** A list that is read page by page. */
export const pagedQuery = <List extends Listed, Key extends QueryKey>(
  queryKey: Key,
  read: (wanted: Wanted) => Promise<List>,
  more: Pick<Options<List, Key>, 'refetchInterval' | 'staleTime'> = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ signal, pageParam }) => read({ signal, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    ...more,
  });

/** The same for a list that is filtered: its rows stay until those of the next filter are read. */
export const filteredQuery: typeof pagedQuery = (...given) => ({
  ...pagedQuery(...given),
  placeholderData: keepPreviousData,
});
