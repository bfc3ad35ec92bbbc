import type { SqlRunner } from '../../lib/sql.ts';

/** For how many days after their windows the purses of end users and sessions are kept: the charges of their last requests have come by then. */
export const BRIEF_DAYS = 2;

const PURSES_PER_STATEMENT = 2_000;

/** A workspace's purses of these kinds are side by side in an index, and no more than its requests of a month have made. */
const PRUNE = `
  with over as (
    select ended.id from workspaces
    cross join lateral (
      select id from purses
      where workspace_id = workspaces.id and kind in ('end_user', 'session')
        and window_end < now() - interval '${BRIEF_DAYS} days'
        and not exists (select from leases where purse_id = purses.id)
      limit ${PURSES_PER_STATEMENT}
    ) ended
    limit ${PURSES_PER_STATEMENT}
  )
  delete from purses where id in (select id from over) returning id`;

/**
 * Deletes the purses of end users and sessions whose windows are over. Their receipts go on naming them; a charge that comes
 * later still opens the purse again.
 */
export async function pruneBriefPurses(sql: SqlRunner): Promise<void> {
  while ((await sql.query(PRUNE)).length === PURSES_PER_STATEMENT);
}
