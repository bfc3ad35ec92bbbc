import type { SqlRunner, SqlValue } from '../lib/sql.ts';
import type { Posting } from './posting.ts';

/** A part of the history. */
export interface PostingPage {
  readonly postings: readonly Posting[];
  /** Whether older ones follow. */
  readonly hasMore: boolean;
}

const SELECT_POSTINGS = `
  select posting.id, posting.kind, posting.actor, posting.reason, posting.once,
    posting.receipt_request_id as "receiptRequestId", posting.balance_nano_usd as balance,
    posting.posted_at as "postedAt",
    (select coalesce(sum(amount_nano_usd), 0)::bigint from ledger_entries
     where posting_id = posting.id and account in ('credit', 'owed')) as amount
  from ledger_postings posting
  where posting.workspace_id = $1`;

/** The workspace's posting with this id or under this name; null where there is none. */
export async function readPosting(
  sql: SqlRunner,
  workspaceId: string,
  by: { readonly id: string } | { readonly once: string },
): Promise<Posting | null> {
  const [condition, value]: [string, SqlValue] = 'id' in by ? ['id', by.id] : ['once', by.once];
  const [posting] = await sql.query<Posting>(`${SELECT_POSTINGS} and posting.${condition} = $2`, [workspaceId, value]);
  return posting ?? null;
}

/** The workspace's postings, newest first: at most `limit`, from the one that follows the posting `after`. */
export async function listPostings(
  sql: SqlRunner,
  workspaceId: string,
  { after = null, limit = 100 }: { readonly after?: string | null; readonly limit?: number } = {},
): Promise<PostingPage> {
  const rows = await sql.query<Posting>(
    `${SELECT_POSTINGS}
       and ($2::uuid is null
         or posting.number < (select number from ledger_postings where workspace_id = $1 and id = $2))
     order by posting.number desc limit $3`,
    [workspaceId, after, limit + 1],
  );
  return { postings: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The corrections of one receipt, oldest first. */
export async function listCorrections(
  sql: SqlRunner,
  workspaceId: string,
  requestId: string,
): Promise<readonly Posting[]> {
  return await sql.query<Posting>(`${SELECT_POSTINGS} and posting.receipt_request_id = $2 order by posting.number`, [
    workspaceId,
    requestId,
  ]);
}
