import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { Posting } from './posting.ts';

/** A posting's columns in the view `postings`, by the fields of `Posting`. */
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

/** SQL that selects the fields of a `Posting` from a row of the view `postings`, and its expiry. */
export function postingFields(row: string, expiresAt: string): string {
  return [...COLUMNS.map(([column, field]) => `${row}.${column} as "${field}"`), `${expiresAt} as "expiresAt"`].join(
    ', ',
  );
}

const EXPIRES_AT = `(select expires_at from expiring_grants expiring
  where expiring.workspace_id = posting.workspace_id and expiring.posting_id = posting.id)`;

const POSTING_FIELDS = postingFields('posting', EXPIRES_AT);

const SELECT_POSTINGS = `select ${POSTING_FIELDS} from postings posting where posting.workspace_id = $1`;

/** A page of the workspace's postings, newest first. */
export async function listPostings(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  page: PageRequest = {},
): Promise<Page<Posting>> {
  return await readPage(page, (after, count) =>
    sql.query<Posting>(
      `${SELECT_POSTINGS}
         and ($2::uuid is null
           or posting.number < (select number from ledger_postings where workspace_id = $1 and id = $2))
       order by posting.number desc limit $3`,
      [workspaceId, after, count],
    ),
  );
}

/** The corrections of a receipt that has been read from the database, oldest first. */
export async function correctionsOf(
  sql: SqlRunner,
  receipt: { readonly workspace_id: string; readonly request_id: string },
): Promise<readonly Posting[]> {
  return await sql.query<Posting>(`${SELECT_POSTINGS} and posting.receipt_request_id = $2 order by posting.number`, [
    receipt.workspace_id,
    receipt.request_id,
  ]);
}

/** A posting that corrects a receipt, and the receipt's id. */
export interface ListedCorrection extends Posting {
  readonly workspaceId: string;
  readonly workspaceName: string;
}

/** A page of the corrections of all workspaces, newest first. */
export async function listCorrections(
  sql: SqlRunner,
  _scope: OperatorScope,
  page: PageRequest = {},
): Promise<Page<ListedCorrection>> {
  return await readPage(page, (after, count) =>
    sql.query<ListedCorrection>(
      `select ${POSTING_FIELDS}, posting.workspace_id as "workspaceId", workspaces.name as "workspaceName"
       from postings posting join workspaces on workspaces.id = posting.workspace_id
       where posting.receipt_request_id is not null and ($1::uuid is null or posting.id < $1)
       order by posting.id desc limit $2`,
      [after, count],
    ),
  );
}
