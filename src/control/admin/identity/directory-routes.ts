import {
  type DirectoryConnection,
  endDirectoryToken,
  makeDirectoryToken,
  showDirectory,
} from '../../identity/directory/directory-tokens.ts';
import { DIRECTORY_TOKEN_PREFIX } from '../../identity/secrets.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { AdminApp } from '../route-access.ts';
import { SCIM_ROOT } from '../scim/scim-app.ts';
import { serve } from '../serve.ts';
import type { DirectoryJson } from './directory-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';

/** Adds the routes by which a workspace is connected to the directory of its company. */
export function addDirectoryRoutes(app: AdminApp, { sql, publicUrl }: IdentityDependencies): void {
  const directoryJson = ({ token, activePeople, people, groups }: DirectoryConnection): DirectoryJson => ({
    base_url: publicUrl() + SCIM_ROOT,
    token:
      token === null
        ? null
        : {
            masked_token: `${DIRECTORY_TOKEN_PREFIX}…${token.lastFour}`,
            created_by: token.createdBy,
            created_at: token.createdAt.toISOString(),
            last_used_at: token.lastUsedAt?.toISOString() ?? null,
          },
    active_users: Number(activePeople),
    users: Number(people),
    groups: Number(groups),
  });
  serve(app, 'showDirectory', async ({ scope }) => directoryJson(await showDirectory(sql, scope)));
  serve(app, 'makeDirectoryToken', async ({ scope }) => {
    const made = await makeDirectoryToken(sql, scope);
    return isRefusal(made) ? made : { ...directoryJson(made), secret: made.secret };
  });
  serve(app, 'endDirectoryToken', directoryJson, ({ scope }) => endDirectoryToken(sql, scope));
}
