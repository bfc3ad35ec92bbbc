import { z } from '@hono/zod-openapi';
import { isRefusal } from '../../../domain/refusals.ts';
import type { Permission } from '../../../domain/roles.ts';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../../identity/access-tokens.ts';
import { answerRefusal, createdOrRepeated, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { accessTokenJson } from './identity-representations.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, personalRoute } from '../route-access.ts';

const tags = ['Account'];
const params = z.object({ id });

const makeToken = personalRoute({
  operationId: 'createAccessToken',
  refuses: ['NOT_FOUND'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/me/access-tokens',
  tags,
  summary: "Make an access token with a part of the user's role in a workspace",
  request: {
    body: json(contract.accessTokenCreation, {
      workspace_id: '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11',
      name: 'Nightly export',
      scopes: ['usage:read', 'exports:read'],
      expires_at: '2027-01-31',
    }),
  },
  responses: createdOrRepeated(contract.createdAccessToken, 'The token, which is shown once.'),
});

const tokens = personalRoute({
  operationId: 'listAccessTokens',
  method: 'get',
  path: '/me/access-tokens',
  tags,
  summary: "List the user's access tokens",
  request: { query: pageQuery },
  responses: ok(pageOf(contract.accessToken), 'The tokens, revoked ones included, oldest first.'),
});

const revokeToken = personalRoute({
  operationId: 'revokeAccessToken',
  method: 'post',
  path: '/me/access-tokens/{id}/revoke',
  tags,
  summary: "Revoke one of the user's access tokens",
  request: { params },
  responses: ok(contract.accessToken, 'The revoked token.'),
});

/** Adds the routes of a user's access tokens. */
export function addOwnTokenRoutes(app: AdminApp, { sql }: IdentityDependencies): void {
  app.openapi(makeToken, async (c) => {
    const { workspace_id: workspaceId, name, scopes, expires_at: expiresAt, once = null } = c.req.valid('json');
    const token = await createAccessToken(sql, c.var.user, {
      workspaceId,
      name,
      // The contract lets only permissions pass.
      scopes: [...new Set(scopes)] as Permission[],
      expiresAt: new Date(expiresAt),
      once,
    });
    if (isRefusal(token)) return answerRefusal(c, token);
    return c.json({ ...accessTokenJson(token), token: token.secret }, token.secret === null ? 200 : 201);
  });
  app.openapi(tokens, async (c) => {
    const page = await listAccessTokens(sql, c.var.user, requestedPage(c.req.valid('query')));
    return c.json(pageJson(page, accessTokenJson), 200);
  });
  app.openapi(revokeToken, async (c) => {
    const token = await revokeAccessToken(sql, c.var.user, c.req.valid('param').id);
    return isRefusal(token) ? answerRefusal(c, token) : c.json(accessTokenJson(token), 200);
  });
}
