import { STORED_FIELDS } from '../../domain/stored-fields.ts';
import type { Principal } from '../../domain/principal.ts';
import { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { MONEY_LEVELS, type MoneyLevel } from '../../domain/refusals.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { isUuid, leastUuid7At } from '../../lib/uuid7.ts';
import { correctionsOf } from './posting-history.ts';
import type { Posting } from './posting.ts';
import { readFields, type StoredValues } from './receipt-rows.ts';

/** A receipt as stored in the database. */
export interface StoredReceipt extends StoredValues<typeof STORED_FIELDS> {
  /** The number of the price version within its model; null if it is unknown. */
  readonly priceVersion: number | null;
  readonly settledAt: Date;
  /** The current names of its workspace, project and key. */
  readonly names: { readonly workspace: string; readonly project: string; readonly key: string };
  /** Its epoch was fenced, or its lease or claim was lost: it was charged what its purses still had. */
  readonly late: boolean;
  /** The request that had taken over its Idempotency-Key, so that it is charged nothing. Null if there is none. */
  readonly supersededBy: string | null;
  /** Whose purses it was charged to, from the widest to the narrowest. */
  readonly levels: readonly MoneyLevel[];
  /** Its corrections, oldest first. The receipt itself never changes. */
  readonly corrections: readonly Posting[];
}

/** A row: the columns of all fields, and those below. */
interface ReceiptRow {
  readonly workspace_id: string;
  readonly request_id: string;
  readonly price_version: number | null;
  readonly settled_at: Date;
  readonly workspace_name: string;
  readonly project_name: string;
  readonly key_name: string;
  readonly late: boolean;
  readonly superseded_by: string | null;
  readonly member_purse_id: bigint | null;
  readonly end_user_purse_id: bigint | null;
  readonly session_purse_id: bigint | null;
}

const COLUMNS = `receipt.*, price_versions.version as price_version, workspaces.name as workspace_name,
  projects.name as project_name, keys.name as key_name`;
const NAMED = `join projects on projects.workspace_id = receipt.workspace_id and projects.id = receipt.project_id
  join keys on keys.workspace_id = receipt.workspace_id and keys.id = receipt.key_id
  left join price_versions on price_versions.id = receipt.price_version_id`;
const DAY_MS = 86_400_000;

function chargesLevel(row: ReceiptRow, level: MoneyLevel): boolean {
  if (level === 'member') return row.member_purse_id !== null;
  if (level === 'end_user') return row.end_user_purse_id !== null;
  return level !== 'session' || row.session_purse_id !== null;
}

function toReceipt(row: ReceiptRow, corrections: readonly Posting[]): StoredReceipt {
  return {
    ...readFields(STORED_FIELDS, row),
    priceVersion: row.price_version,
    settledAt: row.settled_at,
    names: { workspace: row.workspace_name, project: row.project_name, key: row.key_name },
    late: row.late,
    supersededBy: row.superseded_by,
    levels: MONEY_LEVELS.filter((level) => chargesLevel(row, level)),
    corrections,
  };
}

/**
 * The receipt of a request by its primary key, of those that the scope covers, or of the calling key's workspace; null if there is none.
 */
export async function findWorkspaceReceipt(
  sql: SqlRunner,
  caller: WorkspaceScope | Principal,
  requestId: string,
): Promise<StoredReceipt | null> {
  if (!isUuid(requestId)) return null;
  const madeBy = caller instanceof WorkspaceScope ? caller.ownOnlyOf : null;
  const [row] = await sql.query<ReceiptRow>(
    `select ${COLUMNS} from receipts receipt join workspaces on workspaces.id = receipt.workspace_id ${NAMED}
     where receipt.workspace_id = $1 and receipt.request_id = $2 and ($3::uuid is null or keys.created_by = $3)`,
    [caller.workspaceId, requestId, madeBy],
  );
  return row === undefined ? null : toReceipt(row, await correctionsOf(sql, row));
}

/**
 * The receipt of a request by its id alone; null if there is none. Probes each workspace, because the primary key
 * begins with it.
 */
export async function findReceipt(sql: SqlRunner, requestId: string): Promise<StoredReceipt | null> {
  if (!isUuid(requestId)) return null;
  const [row] = await sql.query<ReceiptRow>(
    `select ${COLUMNS} from workspaces
     cross join lateral (
       select * from receipts where receipts.workspace_id = workspaces.id and receipts.request_id = $1
     ) receipt
     ${NAMED}
     limit 1`,
    [requestId],
  );
  return row === undefined ? null : toReceipt(row, await correctionsOf(sql, row));
}

/**
 * The receipt of the last request of any workspace; null if there is none. The last day is searched first: an older one
 * takes a probe of each partition for each workspace.
 */
export async function findLastReceipt(sql: SqlRunner, nowMs: number): Promise<StoredReceipt | null> {
  for (const sinceMs of [nowMs - DAY_MS, 0]) {
    const [last] = await sql.query<{ request_id: string }>(
      `select receipt.request_id from workspaces
       cross join lateral (
         select request_id from receipts where receipts.workspace_id = workspaces.id and request_id >= $1
         order by request_id desc limit 1
       ) receipt
       order by receipt.request_id desc limit 1`,
      [leastUuid7At(sinceMs)],
    );
    if (last !== undefined) return await findReceipt(sql, last.request_id);
  }
  return null;
}
