import { infiniteQueryOptions } from '@tanstack/react-query';
import { callApi } from './client.ts';

// The signed-in user's own sessions.

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: ({ signal, pageParam }) => callApi('GET /me/sessions', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const endSession = (id: string) => callApi('DELETE /me/sessions/{id}', { id });

/** Ends all sessions but this one. */
export const endOtherSessions = () => callApi('DELETE /me/sessions');
