import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query';
import type { UserChange } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';

/** The users of the instance, for operators. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'users', search],
    queryFn: ({ signal, pageParam }) =>
      callApi('GET /users', { signal, query: { search, cursor: pageParam, limit: 50 } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

/** Reads the list of users again. */
export const reloadUsers = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['operator', 'users'] });

export const changeUser = (user: string, body: UserChange) => callApi('PATCH /users/{user}', { user, body });

export const signUserOut = (user: string) => callApi('POST /users/{user}/sign-out', { user });
