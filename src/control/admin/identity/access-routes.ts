import { changeAccess, showAccess, type WorkspaceAccess } from '../../identity/workspace-access.ts';
import {
  addDomain,
  approveDomain,
  listDomains,
  proveDomain,
  removeDomain,
  type WorkspaceDomain,
} from '../../identity/workspace-domains.ts';
import { ACCESS_SETTINGS } from '../../resources/access-settings.ts';
import { settingsFromBody, settingsJson } from '../../resources/setting-values.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { callbackOf } from '../guards.ts';
import { recordJson } from '../record-json.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import * as contract from './access-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';

/** Adds the routes of how a workspace's people sign in, and from where it may be used. */
export function addAccessRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, keyring, providerNetwork: network } = deps;
  const accessJson = (access: WorkspaceAccess, workspaceId: string): contract.AccessJson => ({
    workspace_id: workspaceId,
    ...settingsJson(ACCESS_SETTINGS, access),
    has_client_secret: access.hasClientSecret,
    callback_url: deps.publicUrl() + callbackOf(workspaceId),
    version: access.version,
  });
  serve(app, 'showAccess', async ({ scope }) => accessJson(await showAccess(sql, scope), scope.workspaceId));
  serve(app, 'changeAccess', async ({ scope, body, version }) => {
    const { client_secret: clientSecret, ...given } = body;
    const change = {
      ...settingsFromBody(ACCESS_SETTINGS, given),
      ...(clientSecret === undefined ? {} : { clientSecret }),
    };
    const changed = await changeAccess({ sql, keyring, network }, scope, { version, change });
    return isRefusal(changed) ? changed : accessJson(changed, scope.workspaceId);
  });
  serve(app, 'listDomains', async ({ scope }) => ({ data: (await listDomains(sql, scope)).map(domainJson) }));
  serve(app, 'addDomain', domainJson, ({ scope, body }) => addDomain(sql, scope, body.domain));
  serve(app, 'proveDomain', domainJson, ({ scope, params }) => proveDomain(deps, scope, params.domain));
  serve(app, 'approveDomain', domainJson, ({ scope, params }) => approveDomain(sql, scope, params.domain));
  serve(app, 'removeDomain', async ({ scope, params }) => {
    const refused = await removeDomain(sql, scope, params.domain);
    return refused === null ? { done: true as const } : refused;
  });
}

function domainJson(domain: WorkspaceDomain): contract.DomainJson {
  return recordJson(contract.domain, domain);
}
