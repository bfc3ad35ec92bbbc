import { infiniteQueryOptions } from '@tanstack/react-query';
import type { SessionJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

// The signed-in user's own sessions.

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: ({ signal, pageParam }) =>
    callApi<Page<SessionJson>>('GET', '/me/sessions', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const endSession = (id: string) => callApi<{ done: true }>('DELETE', pathOf`/me/sessions/${id}`);

/** Ends all sessions but this one. */
export const endOtherSessions = () => callApi<{ ended: number }>('DELETE', '/me/sessions');
