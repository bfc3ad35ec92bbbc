import { recordAudit } from '../audit/audit.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type Role, ROLES } from '../../domain/roles.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { addMember, setRole } from './members.ts';
import type { WorkspaceAccess } from './workspace-access.ts';

/** The role that a user in these groups gets; null: none. `present` is the user's current role. */
export function roleOf(
  { groupRoles, defaultRole }: Pick<WorkspaceAccess, 'groupRoles' | 'defaultRole'>,
  groups: readonly string[],
  present: Role | null,
): Role | null {
  const others = defaultRole === 'none' ? null : defaultRole;
  const given = Object.values(groupRoles);
  if (given.length === 0) return present ?? others;
  // Whom no group makes an owner, a person has made one.
  if (present === 'owner' && !given.includes('owner')) return present;
  const own = new Set(groups.filter((group) => Object.hasOwn(groupRoles, group)).map((group) => groupRoles[group]));
  return ROLES.find((role) => own.has(role)) ?? others;
}

/** Changes the user's role to this one, or makes them a member. The last owner keeps the role. */
export async function giveRole(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { userId, email }: { readonly userId: string; readonly email: string },
  { present, role }: { readonly present: Role | null; readonly role: Role },
): Promise<Refusal | null> {
  if (role === present) return null;
  if (present === null) {
    await addMember(tx, { workspaceId: scope.workspaceId, userId, role });
    await recordAudit(tx, scope, {
      action: 'member.add',
      target: { kind: 'member', id: userId, name: email },
      after: { role },
    });
    return null;
  }
  const changed = await setRole(tx, scope, { userId, role, version: null });
  return isRefusal(changed) && changed.code !== 'CONFLICT' ? changed : null;
}
