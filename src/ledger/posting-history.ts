import type { SqlRunner } from '../lib/sql.ts';
import type { Posting } from './posting.ts';

/** A part of the history. */
export interface PostingPage {
  readonly postings: readonly Posting[];
  /** Whether older ones follow. */
  readonly hasMore: boolean;
}

/** A posting's columns in the view `postings`, as the fields of one. */
const COLUMNS = [
  ['id', 'id'],
  ['kind', 'kind'],
  ['actor', 'actor'],
  ['reason', 'reason'],
  ['once', 'once'],
  ['receipt_request_id', 'receiptRequestId'],
  ['balance_nano_usd', 'balance'],
  ['posted_at', 'postedAt'],
  ['amount_nano_usd', 'amount'],
] as const satisfies readonly (readonly [column: string, field: keyof Posting])[];

/** SQL for the fields of a posting out of a row of the view `postings`. */
export function postingFields(row: string): string {
  return COLUMNS.map(([column, field]) => `${row}.${column} as "${field}"`).join(', ');
}

const SELECT_POSTINGS = `select ${postingFields('posting')} from postings posting where posting.workspace_id = $1`;

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
