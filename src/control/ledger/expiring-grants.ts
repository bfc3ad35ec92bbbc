import type { NanoUsd } from '../../domain/money.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Page } from '../../lib/page.ts';
import { readSortedPage, type SortedPageRequest, type SortOrder } from '../../lib/sorted-page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { doEach } from './do-each.ts';

// Grants of credit that expire. Requests are charged to the grant that expires first; what is left of each follows from the total
// of charges, so no request touches a grant: live_grants.sql and share_posting.sql.

/** A grant with something left that will expire. Amounts in nano-USD. */
export interface ExpiringGrant {
  /** The posting that gave it. */
  readonly id: string;
  /** The part of the posting that did not repay a debt. */
  readonly amount: NanoUsd;
  readonly left: NanoUsd;
  readonly grantedAt: Date;
  readonly expiresAt: Date;
  readonly reason: string;
  /** The recurring grant that it is of. */
  readonly recurringId: string | null;
}

export const EXPIRING_GRANT_ORDERS = {
  expires: { value: 'live.expires_at', type: 'timestamptz', direction: 'asc' },
} as const satisfies Record<string, SortOrder>;

/** A page of the workspace's grants that expire and are not used up, the earliest expiry first. */
export async function listExpiringGrants(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  page: SortedPageRequest<'expires'> = {},
): Promise<Page<ExpiringGrant>> {
  return await readSortedPage(EXPIRING_GRANT_ORDERS.expires, 'live.posting_id', page, async (paged) => {
    const { place, where, orderBy, values } = paged;
    const rows = await sql.query<ExpiringGrant & { readonly place: string | null }>(
      `select live.posting_id as id, live.amount_nano_usd as amount, live.rest_nano_usd as "left",
         posting.posted_at as "grantedAt", live.expires_at as "expiresAt", posting.reason,
         live.recurring_id as "recurringId", (${place})::text as place
       from live_grants($4) live
       join ledger_postings posting on posting.workspace_id = $4 and posting.id = live.posting_id
       where ${where} order by ${orderBy} limit $3`,
      [...values, workspaceId],
    );
    return rows.map(({ place: at, ...grant }) => [grant, at] as const);
  });
}

const ACTOR = 'expiry';
const GRANTS_MAX = 500;

/**
 * Posts what has expired, a transaction for each grant. Money that processes lease waits for the next time. Returns the number of
 * grants that are at their end.
 * @throws DatabaseUnavailable, SqlFault
 */
export async function postExpiries(sql: Sql): Promise<number> {
  const due = await sql.query<{ workspaceId: string; id: string }>(
    `select workspace_id as "workspaceId", posting_id as id from expiring_grants
     where ended_at is null and expires_at <= now() and not exists (
       select from workspaces w where w.id = workspace_id and (w.paused_at is not null or w.moved_to is not null)
     ) order by looked_at nulls first, expires_at, posting_id limit $1`,
    [GRANTS_MAX],
  );
  let ended = 0;
  await doEach(due, async ({ workspaceId, id }) => {
    const [row] = await sql.query<{ ended: boolean }>('select expire_grant($1, $2, $3) as ended', [
      workspaceId,
      id,
      ACTOR,
    ]);
    if (row?.ended === true) ended += 1;
  });
  return ended;
}
