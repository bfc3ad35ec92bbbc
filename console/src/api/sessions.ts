import { infiniteQueryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

// The signed-in user's own sessions.

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: ({ signal, pageParam }) => callApi('listSessions', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const endSession = (id: string) => callApi('endSession', { id });

/** Ends all sessions but this one. */
export const endOtherSessions = () => callApi('endOtherSessions');
