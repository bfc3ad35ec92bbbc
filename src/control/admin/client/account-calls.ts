import type * as account from '../accounts/account-contract.ts';
import type { OverviewJson } from '../accounts/overview-contract.ts';
import { publicIdOf } from '../../../domain/key.ts';
import { type Call, locate, type Page, type PageQuery, path, queryOf } from './call.ts';

/** Which changes of a workspace an audit shows. */
export interface AuditQuery {
  readonly action?: string;
  readonly target?: string;
  readonly user?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Which keys are listed. */
type KeyQuery = PageQuery & {
  readonly search?: string;
  readonly state?: 'active' | 'disabled' | 'expired' | 'revoked';
  readonly sort?: 'created' | 'name' | 'expiry' | 'spend' | 'last_use';
};

type ProjectQuery = PageQuery & { readonly archived?: 'true' };

/** The part of a key that may be in a URL: never its secret, even if the argument is the whole key. */
function keyReference(key: string): string {
  return publicIdOf(key) ?? key;
}

/**
 * The calls about workspaces, projects and keys, by id or by name, as in the API's reference. Each @throws AdminRefused,
 * AdminUnreachable
 */
export function accountCalls(call: Call) {
  return { ...workspaceCalls(call), ...projectCalls(call), ...keyCalls(call) };
}

function workspaceCalls(call: Call) {
  return {
    createWorkspace: (body: account.WorkspaceCreation) => call<account.WorkspaceJson>('POST', '/workspaces', body),
    listWorkspaces: (page: PageQuery = {}) => call<Page<account.WorkspaceJson>>('GET', '/workspaces' + queryOf(page)),
    showWorkspace: (workspace: string) => call<account.WorkspaceJson>('GET', path`/workspaces/${workspace}`),
    showOverview: (workspace: string) => call<OverviewJson>('GET', path`/workspaces/${workspace}/overview`),
    renameWorkspace: (workspace: string, body: account.WorkspaceUpdate) =>
      call<account.WorkspaceJson>('PATCH', path`/workspaces/${workspace}`, body),
    suspendWorkspace: (workspace: string, body: account.Suspension) =>
      call<account.WorkspaceJson>('POST', path`/workspaces/${workspace}/suspend`, body),
    resumeWorkspace: (workspace: string) => call<account.WorkspaceJson>('POST', path`/workspaces/${workspace}/resume`),
    closeWorkspace: (workspace: string) => call<account.WorkspaceJson>('POST', path`/workspaces/${workspace}/close`),
    showAuditEvent: (workspace: string, event: string) =>
      call<account.AuditEventJson>('GET', path`/workspaces/${workspace}/audit/${event}`),
    listAuditEvents: (workspace: string, query: PageQuery & AuditQuery = {}) =>
      call<Page<account.AuditEventJson>>('GET', path`/workspaces/${workspace}/audit` + queryOf(query)),
  };
}

async function projectPath(call: Call, project: string): Promise<string> {
  const { workspace_id, id } = await locate(call, { project });
  return path`/workspaces/${workspace_id}/projects/${id}`;
}

async function keyPath(call: Call, key: string): Promise<string> {
  const { workspace_id, id } = await locate(call, { key: keyReference(key) });
  return path`/workspaces/${workspace_id}/keys/${id}`;
}

function projectCalls(call: Call) {
  return {
    createProject: (workspace: string, body: account.ProjectCreation) =>
      call<account.ChangedProjectJson>('POST', path`/workspaces/${workspace}/projects`, body),
    listProjects: (workspace: string, query: ProjectQuery = {}) =>
      call<Page<account.ProjectJson>>('GET', path`/workspaces/${workspace}/projects` + queryOf(query)),
    showProject: async (project: string) => await call<account.ProjectJson>('GET', await projectPath(call, project)),
    updateProject: async (project: string, body: account.ProjectUpdate) =>
      await call<account.ChangedProjectJson>('PATCH', await projectPath(call, project), body),
    archiveProject: async (project: string) =>
      await call<account.ProjectJson>('POST', `${await projectPath(call, project)}/archive`),
    restoreProject: (workspace: string, projectId: string) =>
      call<account.ProjectJson>('POST', path`/workspaces/${workspace}/projects/${projectId}/restore`),
  };
}

function keyCalls(call: Call) {
  return {
    /** Has the key's secret, unless it repeats a request under the same `once`. */
    createKey: async <Body extends account.KeyCreation>(project: string, body: Body) =>
      await call<'once' extends keyof Body ? account.NewKeyJson : account.CreatedKeyJson>(
        'POST',
        `${await projectPath(call, project)}/keys`,
        body,
      ),
    listKeys: async (project: string, query: KeyQuery = {}) =>
      await call<Page<account.KeyJson>>('GET', `${await projectPath(call, project)}/keys${queryOf(query)}`),
    listWorkspaceKeys: (workspace: string, query: KeyQuery = {}) =>
      call<Page<account.KeyJson>>('GET', path`/workspaces/${workspace}/keys` + queryOf(query)),
    showKey: async (key: string) => await call<account.KeyJson>('GET', await keyPath(call, key)),
    updateKey: async (key: string, body: account.KeyUpdate) =>
      await call<account.ChangedKeyJson>('PATCH', await keyPath(call, key), body),
    rotateKey: async (key: string, body: account.KeyRotation) =>
      await call<account.RotatedKeyJson>('POST', `${await keyPath(call, key)}/rotate`, body),
    endFormerSecret: async (key: string) =>
      await call<account.KeyJson>('POST', `${await keyPath(call, key)}/end-former-secret`),
    revokeKey: async (key: string) => await call<account.KeyJson>('POST', `${await keyPath(call, key)}/revoke`),
  };
}
