import type { Operation } from './operation.ts';

export const WORKSPACE_OPERATIONS = {
  createWorkspace: {
    route: 'POST /workspaces',
    access: 'operator:write',
    tag: 'Workspaces',
    summary: 'Create a workspace',
    refuses: ['CONFLICT'],
  },
  listWorkspaces: {
    route: 'GET /workspaces',
    access: 'operator:read',
    tag: 'Workspaces',
    summary: 'List the workspaces',
  },
  showWorkspace: {
    route: 'GET /workspaces/{workspace}',
    access: 'workspace:read',
    tag: 'Workspaces',
    summary: 'Show a workspace',
  },
  changeWorkspace: {
    route: 'PATCH /workspaces/{workspace}',
    access: 'workspace:write',
    tag: 'Workspaces',
    summary: 'Rename a workspace, or change the limit of new members',
    isVersioned: true,
    refuses: ['CONFLICT'],
  },
  suspendWorkspace: {
    route: 'POST /workspaces/{workspace}/suspend',
    access: 'workspace:suspend',
    tag: 'Workspaces',
    summary: 'Refuse the requests of all keys of a workspace, for a reason that callers are shown',
    refuses: ['CONFLICT'],
  },
  resumeWorkspace: {
    route: 'POST /workspaces/{workspace}/resume',
    access: 'workspace:suspend',
    tag: 'Workspaces',
    summary: 'Serve a suspended workspace again',
    refuses: ['CONFLICT'],
  },
  closeWorkspace: {
    route: 'POST /workspaces/{workspace}/close',
    access: 'workspace:close',
    tag: 'Workspaces',
    summary: 'Close a workspace for good: its keys stop, and what is left of its credit is refunded',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  showOverview: {
    route: 'GET /workspaces/{workspace}/overview',
    access: 'workspace:read',
    tag: 'Workspaces',
    summary: 'Show what asks for attention in a workspace',
  },
  listenToWorkspace: {
    route: 'GET /workspaces/{workspace}/events',
    access: 'workspace:read',
    tag: 'Workspaces',
    summary: 'Listen to what changes in a workspace',
  },
  listAuditEvents: {
    route: 'GET /workspaces/{workspace}/audit',
    access: 'audit:read',
    tag: 'Audit',
    summary: 'List the changes to a workspace: what was changed by whom, when and from where',
  },
  showAuditEvent: {
    route: 'GET /workspaces/{workspace}/audit/{event}',
    access: 'audit:read',
    tag: 'Audit',
    summary: 'Show a change to a workspace',
  },
  exportAuditEvents: {
    route: 'GET /workspaces/{workspace}/audit/export',
    access: 'audit:read',
    tag: 'Audit',
    summary: 'Download the changes to a workspace',
  },
} as const satisfies Readonly<Record<string, Operation>>;
