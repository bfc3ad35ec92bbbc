import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { joinStanding, type Standing } from './standing.ts';

/** How the limits of these members stand, by their user ids; those without a limit are left out. */
export async function readMemberStandings(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await sql.query<Standing & { readonly userId: string }>(
    `select member_limits.user_id as "userId", standing.used, standing.held, standing.leased, standing.resets_at as "resetsAt"
     from member_limits ${joinStanding('member', 'member_limits', "'month'")}
     where member_limits.workspace_id = $1 and member_limits.user_id = any ($2) and monthly_limit_nano_usd is not null`,
    [workspaceId, userIds],
  );
  return new Map(rows.map(({ userId, ...standing }) => [userId, standing]));
}
