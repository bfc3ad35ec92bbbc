import type { KeyKind } from '../../domain/key.ts';
import type { KeySort, KeyState } from '../../domain/key-lists.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Page } from '../../lib/page.ts';
import { readSortedPage, type SortedPageRequest, type SortedPageSql, type SortOrder } from '../../lib/sorted-page.ts';
import type { Sql, SqlValue } from '../../lib/sql.ts';
import { isUuid } from '../../lib/uuid7.ts';
import { type Key, type KeyRow, SELECT_KEYS, toKey } from './keys.ts';

// The list of a workspace's keys, of which there may be very many. It is filtered and sorted by reading a narrow row of each
// key, and only the page's keys are read as a whole.

/** Which keys a list shows; each field that is left out lets all through, except that console keys are asked for. */
export interface KeyFilter {
  readonly kind?: KeyKind;
  readonly projectId?: string;
  readonly state?: KeyState;
  /** The user who created them. */
  readonly createdBy?: string;
  /** A part of the name, of the key's public id, or of its owner's name or address; the key's end; or an id. */
  readonly search?: string;
}

const STATES: Readonly<Record<KeyState, string>> = {
  active:
    'keys.revoked_at is null and keys.disabled_at is null and (keys.expires_at is null or keys.expires_at > now())',
  disabled: 'keys.revoked_at is null and keys.disabled_at is not null',
  expired: 'keys.revoked_at is null and keys.expires_at <= now()',
  revoked: 'keys.revoked_at is not null',
};

const KINDS: Readonly<Record<KeyKind, string>> = {
  api: "keys.kind = 'api'",
  console: "keys.kind = 'console'",
};

/** What keys can be sorted by. Spend and last use are those of receipts that were counted. */
export const KEY_ORDERS = {
  created: { value: null, type: 'text', direction: 'asc' },
  name: { value: 'lower(keys.name) collate "C"', type: 'text', direction: 'asc' },
  /** Keys that never expire come as the latest. */
  expiry: { value: "coalesce(keys.expires_at, 'infinity')", type: 'timestamptz', direction: 'asc' },
  /** What the present month was charged. */
  spend: { value: 'coalesce(month.charge_nano_usd - month.corrected_nano_usd, 0)', type: 'bigint', direction: 'desc' },
  /** Keys that were never used come as the earliest. */
  last_use: { value: "coalesce(uses.last_used_at, '-infinity')", type: 'timestamptz', direction: 'desc' },
} as const satisfies Record<KeySort, SortOrder>;

const JOINS: Readonly<Partial<Record<KeySort, string>>> = {
  spend: `left join usage_key_months month on month.workspace_id = keys.workspace_id and month.key_id = keys.id
    and month.starts_at = date_trunc('month', now(), 'UTC')`,
  last_use: 'left join usage_keys uses on uses.workspace_id = keys.workspace_id and uses.key_id = keys.id',
};

/**
 * Where the first keys of an order stand, if that is the greatest first: rows of used keys alone, of which there are fewer, and
 * which are narrow. `keys` is such a row here. Any other key comes after all of these.
 */
const LEADERS: Readonly<Partial<Record<KeySort, string>>> = {
  spend: `from usage_key_months month cross join lateral (select month.key_id as id) keys
    where month.workspace_id = $4 and month.starts_at = date_trunc('month', now(), 'UTC')
      and month.charge_nano_usd - month.corrected_nano_usd > 0`,
  last_use: `from usage_keys uses cross join lateral (select uses.key_id as id) keys where uses.workspace_id = $4`,
};
/** So many more are read, because console keys are among them. */
const SPARE_LEADERS = 20;

// Each set is hashed once, where an array would be gone through for every key.
const SEARCHES = `(
  strpos(lower(keys.name), lower($5)) > 0 or keys.last_four = right($5, 4) or strpos(keys.public_id, $5) > 0
  or keys.id = $6::uuid or keys.created_by in (
    select user_id from members join users on users.id = user_id
    where members.workspace_id = $4 and (strpos(lower(users.email), lower($5)) > 0 or strpos(lower(users.name), lower($5)) > 0)
  ) or keys.created_by is null and keys.id in (
    select key_id from invitations
    where workspace_id = $4 and key_id is not null and accepted_at is null and revoked_at is null
      and strpos(lower(email), lower($5)) > 0
  )
)`;

type PlacedRow = KeyRow & { readonly place: string | null };

/** A page is made of all keys: enough memory, in kB, that the rows of 100,000 are not written to disk. */
const LIMITS = { settings: { work_mem: 32_768, jit: 0 } };

/** A page of the keys that the scope covers, oldest first unless another order is asked for. */
export async function listKeys(
  sql: Sql,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  given: KeyFilter,
  page: SortedPageRequest<KeySort> = {},
): Promise<Page<Key>> {
  const { sort = 'created' } = page;
  const filter = ownOnlyOf === null ? given : { ...given, madeBy: ownOnlyOf };
  return await readSortedPage(KEY_ORDERS[sort], 'keys.id', page, async (pageSql) => {
    const values = [...pageSql.values, workspaceId];
    // Only creation has an index, of workspaces and of projects. If few keys pass another filter, reading by it would be slow.
    const isSifted = sort === 'created' && Object.keys(filter).some((name) => name !== 'projectId');
    const leaders = pageSql.direction === 'desc' && isWhole(filter) ? LEADERS[sort] : undefined;
    const text = statementOf(pageSql, { join: JOINS[sort] ?? '', conditions: conditionsOf(filter, values), isSifted });
    const rows = await sql.transaction(async (tx) => {
      const first = leaders === undefined ? [] : await tx.query<PlacedRow>(leadersOf(pageSql, leaders), values);
      return first.length === pageSql.values[2] ? first : await tx.query<PlacedRow>(text, values);
    }, LIMITS);
    return rows.map((row) => [toKey(row), row.place] as const);
  });
}

/** A filter, and the user whose keys alone the scope covers. */
type FilterInScope = KeyFilter & { readonly madeBy?: string };

/** Whether a list shows all keys of programs. */
function isWhole({ kind = 'api', ...filter }: FilterInScope): boolean {
  return kind === 'api' && Object.keys(filter).length === 0;
}

/** The statement of a page of leaders; if they do not fill it, it is not the page. */
function leadersOf({ place, where, orderBy, direction }: SortedPageSql, leaders: string): string {
  return `
    with page as materialized (
      select keys.id, (${place}) as place ${leaders} and ${where} order by ${orderBy} limit $3 + ${SPARE_LEADERS}
    )
    select shown.*, page.place::text as place from page cross join lateral (
      ${SELECT_KEYS} where keys.workspace_id = $4 and keys.id = page.id and ${KINDS.api} limit 1
    ) shown
    order by page.place ${direction}, page.id ${direction} limit $3`;
}

/** Conditions on `keys`; their parameters are appended. */
function conditionsOf(
  { kind = 'api', projectId, state, createdBy, search, madeBy }: FilterInScope,
  values: SqlValue[],
): readonly string[] {
  const conditions: string[] = [KINDS[kind]];
  if (search !== undefined) {
    values.push(search, isUuid(search) ? search : null);
    conditions.push(SEARCHES);
  }
  if (projectId !== undefined) conditions.push(`keys.project_id = $${values.push(projectId)}`);
  if (createdBy !== undefined) conditions.push(`keys.created_by = $${values.push(createdBy)}`);
  if (madeBy !== undefined) conditions.push(`keys.created_by = $${values.push(madeBy)}`);
  if (state !== undefined) conditions.push(STATES[state]);
  return conditions;
}

function statementOf(
  { place, where, orderBy, direction }: SortedPageSql,
  {
    join,
    conditions,
    isSifted,
  }: { readonly join: string; readonly conditions: readonly string[]; readonly isSifted: boolean },
): string {
  const sifted = `
    sifted as materialized (
      select workspace_id, id from keys where keys.workspace_id = $4 and ${conditions.join(' and ')}
    ),`;
  return `
    with ${isSifted ? sifted : ''} page as materialized (
      select keys.id, (${place}) as place from ${isSifted ? 'sifted as keys' : 'keys'} ${join}
      where keys.workspace_id = $4 and ${[where, ...(isSifted ? [] : conditions)].join(' and ')}
      order by ${orderBy} limit $3
    )
    select shown.*, page.place::text as place from page cross join lateral (
      ${SELECT_KEYS} where keys.workspace_id = $4 and keys.id = page.id limit 1
    ) shown
    order by page.place ${direction}, page.id ${direction}`;
}
