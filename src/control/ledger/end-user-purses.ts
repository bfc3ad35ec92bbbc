import type { SqlRunner } from '../../lib/sql.ts';
import { BRIEF_DAYS } from './brief-purses.ts';

/** An end user of a project, by the subject of their purses, which is a digest of project and name. */
export interface EndUserOfProject {
  readonly projectId: string;
  readonly subject: string;
}

/** The purses by which the receipts of an end user are known. */
export interface EndUserPurses {
  readonly ids: readonly bigint[];
  /** The start of the first window whose purse is certainly kept: receipts before it name purses that are gone. */
  readonly since: Date;
}

/** The windows of a project's period that ended less than so many days ago, and the present one. */
const PURSES = `
  select since, array(
    select id from purses
    where workspace_id = $1 and kind = 'end_user' and subject_id = $3 and window_end > since
    order by id
  ) as ids
  from projects
  cross join lateral (select date_trunc(end_user_period, now() - interval '${BRIEF_DAYS} days', 'UTC') as since) kept
  where workspace_id = $1 and id = $2`;

/** The purses of an end user that are kept; null if the workspace has no such project. */
export async function findEndUserPurses(
  sql: SqlRunner,
  workspaceId: string,
  { projectId, subject }: EndUserOfProject,
): Promise<EndUserPurses | null> {
  const [found] = await sql.query<EndUserPurses>(PURSES, [workspaceId, projectId, subject]);
  return found ?? null;
}
