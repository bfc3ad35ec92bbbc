import type { Role } from '../../../domain/roles.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { giveRole, roleOf } from '../group-roles.ts';
import { endMembership } from '../members.ts';
import type { WorkspaceAccess } from '../workspace-access.ts';
import type { DirectoryChange } from './directory-change.ts';

// What the people of a directory are in its workspace. The groups that it sends decide over roles once one of them has a role;
// until then groups are read where people sign in.

interface Rules {
  readonly workspaceId: string;
  readonly access: Pick<WorkspaceAccess, 'groupRoles' | 'defaultRole'>;
}

/** SQL: the names of the groups of a row of directory_users: a role is given to a group by its name, or its external id. */
const GROUPS = `array(
  select unnest(array_remove(array[directory_groups.display_name, directory_groups.external_id], null))
  from directory_group_members joined join directory_groups
    on directory_groups.workspace_id = joined.workspace_id and directory_groups.id = joined.group_id
  where joined.workspace_id = directory_users.workspace_id and joined.directory_user_id = directory_users.id
)`;

/** Whether one of the directory's groups has a role, so that its groups decide. */
export async function groupsDecide(tx: SqlRunner, { workspaceId, access }: Rules): Promise<boolean> {
  const [deciding] = await tx.query(
    `select from directory_groups where workspace_id = $1 and (display_name = any($2) or external_id = any($2)) limit 1`,
    [workspaceId, Object.keys(access.groupRoles)],
  );
  return deciding !== undefined;
}

/** The user's groups in the workspace's directory; null if the user isn't in it, or groups don't decide roles. */
export async function directoryGroupsOf(
  tx: SqlRunner,
  rules: Rules,
  userId: string,
): Promise<readonly string[] | null> {
  if (!(await groupsDecide(tx, rules))) return null;
  const [person] = await tx.query<{ groups: readonly string[] }>(
    `select ${GROUPS} as groups from directory_users where workspace_id = $1 and user_id = $2`,
    [rules.workspaceId, userId],
  );
  return person?.groups ?? null;
}

/**
 * Whether the workspace's directory says that this user has left. A change of that waits until the transaction ends, since it ends
 * what the transaction begins.
 */
export async function hasLeft(tx: SqlRunner, workspaceId: string, userId: string): Promise<boolean> {
  await tx.query('select from users where id = $1 for share', [userId]);
  const [left] = await tx.query('select from directory_leavers where workspace_id = $1 and user_id = $2', [
    workspaceId,
    userId,
  ]);
  return left !== undefined;
}

/**
 * Gives people of the directory the roles of their groups, and ends the membership of those who have none now, as somebody would by hand.
 * The last owner stays one. `didDecide`: whether groups decided before the change, which may have removed the last one with a role.
 */
export async function followGroups(
  { tx, scope, access }: DirectoryChange,
  ids: readonly string[],
  { didDecide = false }: { readonly didDecide?: boolean } = {},
): Promise<void> {
  if (ids.length === 0) return;
  const { workspaceId } = scope;
  const decide = didDecide || (await groupsDecide(tx, { workspaceId, access }));
  const people = await tx.query<{ userId: string; email: string; present: Role | null; groups: readonly string[] }>(
    `select directory_users.user_id as "userId", users.email, members.role as present, ${GROUPS} as groups
     from directory_users join users on users.id = directory_users.user_id
       left join members
         on members.workspace_id = directory_users.workspace_id and members.user_id = directory_users.user_id
     where directory_users.workspace_id = $1 and directory_users.id = any($2::uuid[]) and directory_users.active
     order by directory_users.user_id`,
    [workspaceId, ids],
  );
  for (const { present, groups, ...person } of people) {
    const role = decide ? roleOf(access, groups, present) : (present ?? roleOf(access, [], null));
    if (role !== null) {
      const refused = await giveRole(tx, scope, person, { present, role });
      if (refused !== null) throw new Error(`a directory could not give a role: ${refused.message}`);
    } else if (present !== null) {
      const refused = await endMembership(tx, scope, person.userId);
      if (refused !== null && refused.code !== 'CONFLICT') {
        throw new Error(`a directory could not end a membership: ${refused.message}`);
      }
    }
  }
}
