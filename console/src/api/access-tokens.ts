import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AccessTokenCreation } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';

// The signed-in user's access tokens.

export const accessTokensQuery = infiniteQueryOptions({
  queryKey: ['me', 'access-tokens'],
  queryFn: ({ signal, pageParam }) => callApi('GET /me/access-tokens', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const createAccessToken = (body: AccessTokenCreation) => callApi('POST /me/access-tokens', { body });

export const revokeAccessToken = (id: string) => callApi('POST /me/access-tokens/{id}/revoke', { id });
