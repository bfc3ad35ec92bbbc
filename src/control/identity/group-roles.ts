import { recordAudit } from '../audit/audit.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type Role, ROLES } from '../../domain/roles.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { addMember, setRole } from './members.ts';
import { takeInvitation } from './taken-invitation.ts';
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

/** Changes the user's role to this one, or makes them a member, who gets what an open invitation of their address brings along. The last owner keeps the role. */
export async function giveRole(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { userId, email }: { readonly userId: string; readonly email: string },
  { present, role }: { readonly present: Role | null; readonly role: Role },
): Promise<Refusal | null> {
  if (role === present) return null;
  if (present === null) {
    const { workspaceId } = scope;
    // The workspace vouches for the address, so what was prepared for it is theirs without the link.
    const invitation = await takeInvitation(tx, 'workspace_id = $2 and email = $3', userId, [workspaceId, email]);
    await addMember(tx, { workspaceId, userId, role, monthlyLimit: invitation?.limit ?? null });
    if (invitation !== null) {
      await recordAudit(tx, scope, {
        action: 'invitation.accept',
        target: { kind: 'invitation', id: invitation.id, name: email },
        after: { role },
      });
    }
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
