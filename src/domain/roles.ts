// The rights of each role in a workspace: the one table that the admin API, its document, its tests and the console share.

/** The roles of a workspace's members, the strongest first. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

/** The reach of a permission: everything in the workspace, only what the member made, or nothing. */
type Reach = 'all' | 'own' | 'none';

const EVERYONE: readonly Reach[] = ['all', 'all', 'all', 'all', 'all'];
const ADMINS: readonly Reach[] = ['all', 'all', 'none', 'none', 'none'];
const OWNERS: readonly Reach[] = ['all', 'none', 'none', 'none', 'none'];
const OPERATOR_ONLY: readonly Reach[] = ['none', 'none', 'none', 'none', 'none'];

// One column for each role, in their order.
const TABLE = {
  'workspace:read': EVERYONE,
  'workspace:write': ADMINS,
  'workspace:close': OWNERS,
  'members:read': EVERYONE,
  'members:write': ADMINS,
  'owners:write': OWNERS,
  'access:read': ADMINS,
  'access:write': OWNERS,
  'directory:write': OWNERS,
  'projects:read': EVERYONE,
  'projects:write': ADMINS,
  'keys:read': ['all', 'all', 'all', 'none', 'all'],
  'keys:write': ['all', 'all', 'own', 'none', 'none'],
  'models:read': EVERYONE,
  'usage:read': EVERYONE,
  'receipts:read': EVERYONE,
  'exports:read': ['all', 'all', 'none', 'all', 'none'],
  'credit:read': ['all', 'all', 'none', 'all', 'all'],
  'payments:write': ['all', 'none', 'none', 'all', 'none'],
  'alerts:read': ['all', 'all', 'none', 'all', 'none'],
  'alerts:write': ['all', 'all', 'none', 'all', 'none'],
  'audit:read': ADMINS,
  'sinks:write': OWNERS,
  'playground:use': ['all', 'all', 'all', 'none', 'none'],
  'postings:write': OPERATOR_ONLY,
  'receipts:correct': OPERATOR_ONLY,
  'prices:write': OPERATOR_ONLY,
  'workspace:suspend': OPERATOR_ONLY,
  'domains:approve': OPERATOR_ONLY,
} as const satisfies Record<string, readonly Reach[]>;

export type Permission = keyof typeof TABLE;

/** All permissions, in the order of the table. */
export const PERMISSIONS = Object.keys(TABLE) as readonly Permission[];

/** The reach of this permission for members of this role. */
export function reachOf(role: Role, permission: Permission): Reach {
  return TABLE[permission][ROLES.indexOf(role)] ?? 'none';
}

/** The roles with this permission, at least for their members' own things. */
export function rolesWith(permission: Permission): readonly Role[] {
  return ROLES.filter((role) => reachOf(role, permission) !== 'none');
}

/** Whether the permission changes nothing, so that a read-only token may have it. */
export function isReading(permission: Permission): boolean {
  return permission.endsWith(':read');
}

/** The possible scopes of an access token: the permissions that some role has. */
export const SCOPES: readonly Permission[] = PERMISSIONS.filter((permission) => rolesWith(permission).length > 0);
