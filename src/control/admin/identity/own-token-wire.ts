import { createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

/** Requests and answers of the operations on a user's access tokens. */
export const ownTokenWire = {
  createAccessToken: {
    body: json(contract.accessTokenCreation, {
      workspace_id: '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11',
      name: 'Nightly export',
      scopes: ['usage:read', 'exports:read'],
      expires_at: '2027-01-31',
    }),
    responses: createdOrRepeated(contract.createdAccessToken, 'The token, which is shown once.'),
  },
  listAccessTokens: {
    query: pageQuery,
    responses: ok(pageOf(contract.accessToken), 'The tokens, revoked ones included, oldest first.'),
  },
  revokeAccessToken: { responses: ok(contract.accessToken, 'The revoked token.') },
};
