import type { AccessTokenCreation } from '../../../src/control/admin/identity/identity-contract.ts';
import { callApi } from './client.ts';
import { pagedQuery } from './paged.ts';

// The signed-in user's access tokens.

export const accessTokensQuery = pagedQuery(['me', 'access-tokens'], ({ signal, cursor }) =>
  callApi('GET /me/access-tokens', { signal, query: { cursor } }),
);

export const createAccessToken = (body: AccessTokenCreation) => callApi('POST /me/access-tokens', { body });

export const revokeAccessToken = (id: string) => callApi('POST /me/access-tokens/{id}/revoke', { id });
