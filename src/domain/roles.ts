// The rights of each role in a workspace: the one table that the admin API, its document, its tests and the console share.

/** The roles of a workspace's members, the strongest first. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** The reach of a permission: everything in the workspace, only what the member made or used, or nothing. */
type Reach = 'all' | 'own' | 'none';

const EVERYONE = 'aaaaaa';
/** Everyone, of whom those with the role "member" see what is their own. */
const EACH_OWN = 'aaaaao';
const ADMINS = 'aa----';
const OWNERS = 'a-----';
const OPERATOR_ONLY = '------';

// One column for each role, in their order. a: all, o: own, -: none.
const TABLE = {
  'workspace:read': EACH_OWN,
  'workspace:write': ADMINS,
  'workspace:close': OWNERS,
  'members:read': EACH_OWN,
  'members:write': ADMINS,
  'owners:write': OWNERS,
  'access:read': ADMINS,
  'access:write': OWNERS,
  'directory:write': OWNERS,
  'projects:read': EACH_OWN,
  'projects:write': ADMINS,
  'keys:read': 'aaa-ao',
  'keys:write': 'aao--o',
  'models:read': EVERYONE,
  'usage:read': EACH_OWN,
  'receipts:read': EACH_OWN,
  'exports:read': 'aa-a--',
  'credit:read': 'aa-aa-',
  'payments:write': 'a--a--',
  'alerts:read': 'aa-a--',
  'alerts:write': 'aa-a--',
  'audit:read': ADMINS,
  'sinks:write': OWNERS,
  'playground:use': 'aaa--a',
  'postings:write': OPERATOR_ONLY,
  'receipts:correct': OPERATOR_ONLY,
  'prices:write': OPERATOR_ONLY,
  'workspace:suspend': OWNERS,
  'domains:approve': OPERATOR_ONLY,
  'workspace:move': OPERATOR_ONLY,
} as const satisfies Record<string, string>;

export type Permission = keyof typeof TABLE;

/** All permissions, in the order of the table. */
export const PERMISSIONS = Object.keys(TABLE) as readonly Permission[];

/** The reach of this permission for members of this role. */
export function reachOf(role: Role, permission: Permission): Reach {
  const letter = TABLE[permission][ROLES.indexOf(role)];
  return letter === 'a' ? 'all' : letter === 'o' ? 'own' : 'none';
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
