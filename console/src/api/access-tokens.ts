import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccessTokenCreation } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';

// The signed-in user's access tokens.

export const accessTokensQuery = infiniteQueryOptions({
  queryKey: ['me', 'access-tokens'],
  queryFn: ({ signal, pageParam }) => callApi('listAccessTokens', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const createAccessToken = (body: AccessTokenCreation) => callApi('createAccessToken', { body });

export const revokeAccessToken = (id: string) => callApi('revokeAccessToken', { id });
