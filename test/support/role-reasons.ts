import { type Permission, reachOf, type Role, ROLES } from '../../src/domain/roles.ts';

/** Something that members may do with this permission. */
export interface Right {
  readonly permission: Permission;
  /** How the reason goes on after "can". */
  readonly can: string;
  /** What a member may do only with their own things is about somebody else's here. */
  readonly isOthers?: boolean;
}

const WORDS: Readonly<Record<Role, string>> = {
  owner: 'owners',
  admin: 'admins',
  developer: 'developers',
  billing: 'billing members',
  viewer: 'viewers',
  member: 'those with the role member',
};

/** What pages tell members of this role who lack the right, by the table of roles; null for those who have it. */
export function reasonFor(role: Role, { permission, can, isOthers = false }: Right): string | null {
  const has = (each: Role): boolean =>
    reachOf(each, permission) === 'all' || (!isOthers && reachOf(each, permission) === 'own');
  if (has(role)) return null;
  return `Only ${new Intl.ListFormat('en').format(ROLES.filter(has).map((each) => WORDS[each]))} can ${can}.`;
}
