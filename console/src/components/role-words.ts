import type { Role } from '../../../src/domain/roles.ts';

/** What the members of each role may do, in a line. */
export const ROLE_HELP: Readonly<Record<Role, string>> = {
  owner: 'Everything, payments and other owners included.',
  admin: 'Everything but payments, owners and closing the workspace.',
  developer: 'Their own keys and the playground. Sees all projects, keys and usage, but not credit.',
  billing: 'Credit, payments, alerts and exports. Sees usage, but no keys.',
  viewer: 'Sees keys, usage and credit. Changes nothing.',
  member: 'Their own keys and the playground. Sees their own usage and requests, and nothing of others.',
};

/** "an owner", "a developer". */
export function asRole(role: Role): string {
  return `${role === 'owner' || role === 'admin' ? 'an' : 'a'} ${role}`;
}

/** Why the only owner who can sign in stays one. */
export const LAST_OWNER = 'A workspace has one owner at least. Make another member an owner first.';
