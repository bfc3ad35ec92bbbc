import type { WorkspaceScope } from '../domain/workspace-scope.ts';
import type { SqlRunner } from '../lib/sql.ts';

/**
 * When each of these keys of a workspace was last used, as far as its receipts are counted: within ten seconds. Keys that
 * were never used are left out.
 */
export async function lastUses(
  sql: SqlRunner,
  scope: WorkspaceScope,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await sql.query<{ id: string; usedAt: Date }>(
    `select wanted.id, used.last_used_at as "usedAt"
     from unnest($2::uuid[]) as wanted (id) cross join lateral (
       select last_used_at
       from generate_series(date_trunc('month', now(), 'UTC') + interval '2 days', (
           select starts_at from usage_key_months where workspace_id = $1 order by starts_at limit 1
         ), interval '-1 month') as month
       join usage_key_months months on months.workspace_id = $1 and months.key_id = wanted.id
         and months.starts_at = date_trunc('month', month, 'UTC')
       where last_used_at is not null order by month desc limit 1
     ) used`,
    [scope.workspaceId, keyIds],
  );
  return new Map(rows.map(({ id, usedAt }) => [id, usedAt]));
}
