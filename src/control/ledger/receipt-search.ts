import { LISTED_FIELDS } from '../../domain/stored-fields.ts';
import type { NanoUsd } from '../../domain/money.ts';
import type { Dialect, Outcome } from '../../domain/receipt.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type Page, PAGE_ITEMS_MAX, type PageRequest } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { leastUuid7At, uuid7Ms } from '../../lib/uuid7.ts';
import { type EndUserOfProject, type EndUserPurses, findEndUserPurses } from './end-user-purses.ts';
import { columnsOf, readFields, type StoredValues } from './receipt-rows.ts';

// The list of a workspace's receipts, newest first. All receipts have no index but their id, because one more would cost
// every settlement; those of agents' sessions have one of these. So a search reads receipts in order, all of them or a
// session's, for a moment only, and returns how far it came.

/** Which receipts are wanted; each field that is left out lets all through. */
export interface ReceiptChoice {
  readonly keyId?: string;
  readonly projectId?: string;
  readonly model?: string;
  readonly outcome?: Outcome;
  readonly dialect?: Dialect;
  readonly chargeMin?: NanoUsd;
  readonly session?: string;
}

/** Which receipts are listed. */
export interface ReceiptFilter extends ReceiptChoice {
  /** When the request arrived: from here on, and before here. */
  readonly from?: Date;
  readonly to?: Date;
  /** Only those of this end user, back to the first window whose purse is kept. */
  readonly endUser?: EndUserOfProject;
}

/** A receipt as lists show it. */
export interface ReceiptSummary extends StoredValues<typeof LISTED_FIELDS> {
  readonly projectName: string;
  readonly keyName: string;
  readonly netCharge: NanoUsd;
}

/** A page of a search. It may have few items, or none, and still not be the last. */
export interface ReceiptPage extends Page<ReceiptSummary> {
  /** Every receipt that matches and is newer than this is found; null: the search is at its end. */
  readonly searchedUntil: Date | null;
  /** From when on the receipts of the end user are found; null if none is chosen. */
  readonly endUserSince: Date | null;
}

/** What one call may take: it ends with the first step that reaches a limit. */
interface SearchLimits {
  readonly rows: number;
  readonly ms: number;
}

const LIMITS: SearchLimits = { rows: 100_000, ms: 100 };
const PAGE_ITEMS = 100;
const ROWS_FIRST = 1_000;
const ROWS_PER_STEP = 10_000;
const ID_AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** A request's id is older than its admission, which decides about its window, by less than this. */
const ID_AGE_MS_MAX = 3_600_000;
const STATEMENT_LIMITS = { statementMsMax: 5_000 };

const NOTHING: ReceiptPage = { items: [], next: null, searchedUntil: null, endUserSince: null };

interface StepRow {
  readonly scanned: number;
  readonly last: string | null;
  readonly ids: readonly string[];
}

/** The columns that receipts are chosen by. */
export const CHOICE_COLUMNS = 'request_id, project_id, key_id, model, outcome, dialect, charge_nano_usd';

/** SQL for a choice among rows with these columns; its six values are the parameters from the given one on. */
export function choiceSql(first: number): string {
  const [key, project, model, outcome, dialect, charge] = Array.from({ length: 6 }, (_, n) => `$${first + n}`);
  return `(${key}::uuid is null or key_id = ${key}) and (${project}::uuid is null or project_id = ${project})
    and (${model}::text is null or model = ${model}) and (${outcome}::text is null or outcome = ${outcome})
    and (${dialect}::text is null or dialect = ${dialect})
    and (${charge}::bigint is null or charge_nano_usd >= ${charge})`;
}

/** The values of `choiceSql`. */
export function choiceValues({ keyId, projectId, model, outcome, dialect, chargeMin }: ReceiptChoice) {
  return [keyId, projectId, model, outcome, dialect, chargeMin].map((value) => value ?? null);
}

/** SQL for a condition that leaves the receipts of the session alone; nothing without one. Its value is this parameter. */
export function sessionSql({ session }: ReceiptChoice, parameter: number): string {
  return session === undefined ? '' : `and session = $${parameter}`;
}

/** The value of `sessionSql`, if it has one. */
export function sessionValues({ session }: ReceiptChoice): readonly string[] {
  return session === undefined ? [] : [session];
}

/** SQL for a condition that leaves the receipts of one user's keys alone; nothing for null. Its value is this parameter. */
function madeBySql(userId: string | null, parameter: number): string {
  return userId === null
    ? ''
    : `and key_id = any (array(select id from keys where workspace_id = $1 and created_by = $${parameter}))`;
}

/** A search: its filter, with the purses of its end user, and whose keys alone it sees. */
interface Search {
  readonly filter: ReceiptFilter;
  readonly endUser: EndUserPurses | null;
  readonly madeBy: string | null;
}

/** The values of a step's conditions, the first of which is its parameter 6. */
function stepValues({ filter, endUser, madeBy }: Search) {
  return [
    ...choiceValues(filter),
    endUser?.ids ?? null,
    ...sessionValues(filter),
    ...(madeBy === null ? [] : [madeBy]),
  ];
}

const stepOf = ({ filter, madeBy }: Search): string => `
  with scanned as materialized (
    select ${CHOICE_COLUMNS}, end_user_purse_id from receipts
    where workspace_id = $1 and request_id < $2 and request_id >= $3 ${sessionSql(filter, 13)} order by request_id desc limit $4
  )
  select (select count(*)::int from scanned) as scanned,
    (select request_id from scanned order by request_id limit 1) as last,
    array(
      select request_id::text from scanned
      where ${choiceSql(6)} and ($12::bigint[] is null or end_user_purse_id = any ($12))
        ${madeBySql(madeBy, 13 + sessionValues(filter).length)}
      order by request_id desc limit $5
    ) as ids`;

/** A row: the columns of all listed fields, and these. */
type SummaryRow = Pick<ReceiptSummary, 'projectName' | 'keyName' | 'netCharge'>;

const SUMMARIES = `
  select ${columnsOf(LISTED_FIELDS)
    .map((column) => `receipts.${column}`)
    .join(', ')},
    projects.name as "projectName", keys.name as "keyName", receipts.charge_nano_usd - (
      select coalesce(sum(posting.amount_nano_usd), 0)::bigint from postings posting
      where posting.workspace_id = $1 and posting.receipt_request_id = receipts.request_id
    ) as "netCharge"
  from receipts
  join projects on projects.workspace_id = $1 and projects.id = receipts.project_id
  join keys on keys.workspace_id = $1 and keys.id = receipts.key_id
  where receipts.workspace_id = $1 and receipts.request_id = any($2::uuid[])
  order by receipts.request_id desc`;

/**
 * Searches the receipts that the scope covers, newest first: for 100 ms or 100,000 receipts, whichever ends first. If the page isn't
 * full by then, its `next` is the receipt up to which it has looked, and the next call goes on from there.
 */
export async function listReceipts(
  sql: SqlRunner,
  scope: WorkspaceScope,
  filter: ReceiptFilter,
  page: PageRequest = {},
  limits: SearchLimits = LIMITS,
): Promise<ReceiptPage> {
  const { limit = PAGE_ITEMS } = page;
  assert(limit >= 1 && limit <= PAGE_ITEMS_MAX, 'a page has a size that lists allow');
  const endUser = filter.endUser === undefined ? null : await findEndUserPurses(sql, scope.workspaceId, filter.endUser);
  if (filter.endUser !== undefined && endUser === null) return NOTHING;
  const search = { filter, endUser, madeBy: scope.ownOnlyOf };
  const { ids, next } = await findIds(sql, scope, search, { ...page, limit }, limits);
  const items = ids.length === 0 ? [] : await readSummaries(sql, scope, ids);
  const searchedUntil = next === null ? null : new Date(uuid7Ms(next));
  return { items, next, searchedUntil, endUserSince: endUser?.since ?? null };
}

/** The ids of a page, and where the next one begins. */
async function findIds(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  search: Search,
  { after, limit }: PageRequest & { readonly limit: number },
  limits: SearchLimits,
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
  if (search.endUser?.ids.length === 0) return { ids: [], next: null };
  const { from, to } = search.filter;
  const text = stepOf(search);
  const chosen = stepValues(search);
  const end = to === undefined ? ID_AFTER_ALL : leastUuid7At(to.getTime());
  const start = leastUuid7At(Math.max(from?.getTime() ?? 0, (search.endUser?.since.getTime() ?? 0) - ID_AGE_MS_MAX, 0));
  const ids: string[] = [];
  const untilMs = performance.now() + limits.ms;
  let last = after === null || after === undefined || after > end ? end : after;
  for (let scanned = 0; scanned < limits.rows && (scanned === 0 || performance.now() < untilMs);) {
    const rows = Math.min(scanned === 0 ? ROWS_FIRST : ROWS_PER_STEP, limits.rows - scanned);
    const values = [workspaceId, last, start, rows, limit + 1 - ids.length, ...chosen];
    const [step] = await sql.query<StepRow>(text, values, STATEMENT_LIMITS);
    assert(step !== undefined, 'a step of a search has one row');
    ids.push(...step.ids);
    if (ids.length > limit) return { ids: ids.slice(0, limit), next: ids[limit - 1] ?? null };
    if (step.scanned < rows || step.last === null) return { ids, next: null };
    scanned += step.scanned;
    last = step.last;
  }
  // The last one that was looked at may be another member's.
  return { ids, next: ownOnlyOf === null ? last : withoutTail(last) };
}

/**
 * An id that stands for another one in a search without naming it: the last 48 bits of an id are random and say nothing of its order, which
 * its time and counter do.
 */
function withoutTail(id: string): string {
  return `${id.slice(0, -12)}000000000000`;
}

async function readSummaries(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  ids: readonly string[],
): Promise<readonly ReceiptSummary[]> {
  const rows = await sql.query<SummaryRow>(SUMMARIES, [workspaceId, ids], STATEMENT_LIMITS);
  return rows.map((row) => {
    const { projectName, keyName, netCharge } = row;
    return { ...readFields(LISTED_FIELDS, row), projectName, keyName, netCharge };
  });
}
