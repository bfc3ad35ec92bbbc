import type { QueryClient } from '@tanstack/react-query';
import type { UserChange } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';
import { filteredQuery } from './paged.ts';

/** The users of the instance, for operators. */
export const usersQuery = (search: string) =>
  filteredQuery(['operator', 'users', search], ({ signal, cursor }) =>
    callApi('GET /users', { signal, query: { search, cursor, limit: 50 } }),
  );

/** Reads the list of users again. */
export const reloadUsers = (queries: QueryClient) => queries.invalidateQueries({ queryKey: ['operator', 'users'] });

export const changeUser = (user: string, body: UserChange) => callApi('PATCH /users/{user}', { user, body });

export const eraseUser = (user: string, leavesOwnerless: boolean) =>
  callApi('POST /users/{user}/erase', { user, body: { leave_without_owner: leavesOwnerless } });

export const signUserOut = (user: string) => callApi('POST /users/{user}/sign-out', { user });
