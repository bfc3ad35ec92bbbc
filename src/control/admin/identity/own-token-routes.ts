import { isRefusal } from '../../../domain/refusals.ts';
import type { Permission } from '../../../domain/roles.ts';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../../identity/access-tokens.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { accessTokenJson } from './identity-representations.ts';
import { pagesOf, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { serve, repeatedIf } from '../serve.ts';

/** Adds the routes of a user's access tokens. */
export function addOwnTokenRoutes(app: AdminApp, { sql }: IdentityDependencies): void {
  serve(app, 'createAccessToken', async ({ user, body }) => {
    const { workspace_id: workspaceId, name, scopes, expires_at: expiresAt, once = null } = body;
    const token = await createAccessToken(sql, user, {
      workspaceId,
      name,
      // The contract lets only permissions pass.
      scopes: [...new Set(scopes)] as Permission[],
      expiresAt: new Date(expiresAt),
      once,
    });
    if (isRefusal(token)) return token;
    return repeatedIf(token.secret === null, { ...accessTokenJson(token), token: token.secret });
  });
  serve(app, 'listAccessTokens', pagesOf(accessTokenJson), ({ user, query }) =>
    listAccessTokens(sql, user, requestedPage(query)),
  );
  serve(app, 'revokeAccessToken', accessTokenJson, ({ user, params }) => revokeAccessToken(sql, user, params.id));
}
