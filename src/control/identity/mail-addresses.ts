import type { Role } from '../../domain/roles.ts';
import type { SqlRunner } from '../../lib/sql.ts';

const ADDRESSES_MAX = 50;

/** The addresses of the workspace's members with these roles, those of longest standing first; 50 at most. */
export async function memberAddresses(
  sql: SqlRunner,
  workspaceId: string,
  roles: readonly Role[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ email: string }>(
    `select users.email from members join users on users.id = members.user_id
     where members.workspace_id = $1 and members.role = any ($2) and users.disabled_at is null
     order by members.created_at, users.id limit ${ADDRESSES_MAX}`,
    [workspaceId, roles],
  );
  return rows.map(({ email }) => email);
}

/** The addresses of the users who are operators; 50 at most. */
export async function operatorAddresses(sql: SqlRunner): Promise<readonly string[]> {
  const rows = await sql.query<{ email: string }>(
    `select email from users where is_operator and disabled_at is null order by created_at, id limit ${ADDRESSES_MAX}`,
  );
  return rows.map(({ email }) => email);
}
