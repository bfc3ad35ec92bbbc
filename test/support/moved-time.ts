import type { SqlRunner } from '../../src/lib/sql.ts';

/** Has this much time pass for the grants of a workspace, such as `3 days`: all times of theirs move back by it. */
export async function letGrantsAge(sql: SqlRunner, workspaceId: string, time: string): Promise<void> {
  await sql.query(
    `update expiring_grants set expires_at = expires_at - $2::interval, looked_at = looked_at - $2::interval
     where workspace_id = $1`,
    [workspaceId, time],
  );
  await sql.query('update recurring_grants set next_at = next_at - $2::interval where workspace_id = $1', [
    workspaceId,
    time,
  ]);
}
