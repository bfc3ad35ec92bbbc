import type { Operation } from './operation.ts';

export const KEY_OPERATIONS = {
  createKey: {
    route: 'POST /workspaces/{workspace}/projects/{project}/keys',
    access: 'keys:write',
    tag: 'Keys',
    summary: 'Create a key; only this answer contains all of it',
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  listProjectKeys: {
    route: 'GET /workspaces/{workspace}/projects/{project}/keys',
    access: 'keys:read',
    tag: 'Keys',
    summary: 'List the keys of a project',
  },
  listKeys: {
    route: 'GET /workspaces/{workspace}/keys',
    access: 'keys:read',
    tag: 'Keys',
    summary: 'List the keys of a workspace',
  },
  showKey: {
    route: 'GET /workspaces/{workspace}/keys/{key}',
    access: 'keys:read',
    tag: 'Keys',
    summary: 'Show a key',
  },
  updateKey: {
    route: 'PATCH /workspaces/{workspace}/keys/{key}',
    access: 'keys:write',
    tag: 'Keys',
    summary: 'Change, disable or enable a key; null clears a limit',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  rotateKey: {
    route: 'POST /workspaces/{workspace}/keys/{key}/rotate',
    access: 'keys:write',
    tag: 'Keys',
    summary: 'Give a key another secret; the former one works for a while longer, under the same limit',
    isVersioned: true,
    needsRecentSignIn: true,
    refuses: ['CONFLICT'],
  },
  endFormerSecret: {
    route: 'POST /workspaces/{workspace}/keys/{key}/end-former-secret',
    access: 'keys:write',
    tag: 'Keys',
    summary: 'End the former secret of a rotated key before its time',
    needsRecentSignIn: true,
  },
  revokeKey: {
    route: 'POST /workspaces/{workspace}/keys/{key}/revoke',
    access: 'keys:write',
    tag: 'Keys',
    summary: 'Revoke a key for good',
    needsRecentSignIn: true,
  },
} as const satisfies Readonly<Record<string, Operation>>;
