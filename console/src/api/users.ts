import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { ListedUserJson, UserChange, UserJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

/** The users of the instance, for operators. */
export const usersQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'users', search],
    queryFn: ({ signal, pageParam }) =>
      callApi<Page<ListedUserJson>>('GET', '/users', { signal, query: { search, cursor: pageParam, limit: 50 } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const changeUser = (user: string, body: UserChange) =>
  callApi<UserJson>('PATCH', pathOf`/users/${user}`, { body });

export const signUserOut = (user: string) =>
  callApi<{ readonly ended: number }>('POST', pathOf`/users/${user}/sign-out`);
