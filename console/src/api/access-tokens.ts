import { infiniteQueryOptions } from '@tanstack/react-query';
import type {
  AccessTokenCreation,
  AccessTokenJson,
  CreatedAccessTokenJson,
} from '../../../src/control/admin/identity/identity-contract.ts';
import { pathOf } from '../paths.ts';
import { callApi, type Page } from './client.ts';

// The signed-in user's access tokens.

export const accessTokensQuery = infiniteQueryOptions({
  queryKey: ['me', 'access-tokens'],
  queryFn: ({ signal, pageParam }) =>
    callApi<Page<AccessTokenJson>>('GET', '/me/access-tokens', { signal, query: { cursor: pageParam } }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

export const createAccessToken = (body: AccessTokenCreation) =>
  callApi<CreatedAccessTokenJson>('POST', '/me/access-tokens', { body });

export const revokeAccessToken = (id: string) =>
  callApi<AccessTokenJson>('POST', pathOf`/me/access-tokens/${id}/revoke`);
