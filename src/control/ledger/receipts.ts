import { receiptColumn, type ReceiptField } from '../../domain/receipt-field.ts';
import { type AttemptRecord, EXTRA_FIELDS, RECEIPT_FIELDS, type ReceiptValues } from '../../domain/receipt.ts';
import type { Principal } from '../../domain/principal.ts';
import { TOKEN_CLASSES, type Certainty, type TokenClass, type TokenCounts, type Usage } from '../../domain/usage.ts';
import { NO_USES, type Uses } from '../../domain/uses.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { isUuid, leastUuid7At } from '../../lib/uuid7.ts';
import { correctionsOf } from './posting-history.ts';
import type { Posting } from './posting.ts';

/** Extras as they are read: null, or nothing, where there is none. */
type StoredExtras = { readonly [Name in keyof typeof EXTRA_FIELDS]: StoredExtra[(typeof EXTRA_FIELDS)[Name]['kind']] };

interface StoredExtra {
  readonly word: string | null;
  readonly words: readonly string[];
  readonly sign: boolean;
  readonly uses: Uses;
}

/** A receipt as stored in the database. */
export interface StoredReceipt extends ReceiptValues<typeof RECEIPT_FIELDS>, StoredExtras {
  /** The number of the price version within its model; null if it is unknown. */
  readonly priceVersion: number | null;
  readonly settledAt: Date;
  /** The current names of its workspace, project and key. */
  readonly names: { readonly workspace: string; readonly project: string; readonly key: string };
  /** Its epoch was fenced, or its lease or claim was lost: it was charged what its purses still had. */
  readonly late: boolean;
  /** The request that had taken over its Idempotency-Key, so that it is charged nothing. Null if there is none. */
  readonly supersededBy: string | null;
  /** Its corrections, oldest first. The receipt itself never changes. */
  readonly corrections: readonly Posting[];
}

type TokenColumns = { readonly [Class in TokenClass as `${Class}_tokens`]: number };

/** An attempt in the receipt's column. */
interface AttemptJson {
  readonly provider: string;
  readonly upstream_model: string;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly fault: string | null;
  readonly strategy?: string;
  readonly charged?: Usage;
}

/** A row: the columns below, and one for each other field. */
interface ReceiptRow extends TokenColumns {
  readonly workspace_id: string;
  readonly request_id: string;
  readonly usage_certainty: Certainty;
  /** Route and duration of the last attempt; null if there was none, and on receipts from before there were these columns. */
  readonly provider: string | null;
  readonly upstream_model: string | null;
  readonly attempt_ms: number | null;
  /** Null if the columns of the last attempt say as much. */
  readonly attempts: readonly AttemptJson[] | null;
  readonly price_version: number | null;
  readonly settled_at: Date;
  readonly workspace_name: string;
  readonly project_name: string;
  readonly key_name: string;
  readonly late: boolean;
  readonly superseded_by: string | null;
}

const COLUMNS = `receipt.*, price_versions.version as price_version, workspaces.name as workspace_name,
  projects.name as project_name, keys.name as key_name`;
const NAMED = `join projects on projects.workspace_id = receipt.workspace_id and projects.id = receipt.project_id
  join keys on keys.workspace_id = receipt.workspace_id and keys.id = receipt.key_id
  left join price_versions on price_versions.id = receipt.price_version_id`;
const DAY_MS = 86_400_000;
const OK = 200;

function tokensOf(row: ReceiptRow): TokenCounts {
  const counts = TOKEN_CLASSES.map((tokenClass) => [tokenClass, row[`${tokenClass}_tokens`]] as const);
  return Object.fromEntries(counts) as Record<TokenClass, number>;
}

/** The attempts as they were. What is known by its columns alone is one that succeeded and was charged with the answer. */
function attemptsOf(row: ReceiptRow): readonly AttemptRecord[] {
  const { provider, upstream_model: upstreamModel, attempt_ms: durationMs } = row;
  if (row.attempts !== null) return row.attempts.map(attemptOf);
  if (provider === null || upstreamModel === null || durationMs === null) return [];
  return [{ provider, upstreamModel, status: OK, durationMs, fault: null }];
}

function attemptOf({ upstream_model: upstreamModel, duration_ms: durationMs, ...attempt }: AttemptJson): AttemptRecord {
  return { ...attempt, upstreamModel, durationMs };
}

const NOTHING: Partial<Record<ReceiptField['kind'], unknown>> = { words: [], sign: false, uses: NO_USES };

/** The value of a field in a row. */
function valueOf(row: ReceiptRow, field: ReceiptField): unknown {
  const { kind } = field;
  if (kind === 'usage') return { tokens: tokensOf(row), certainty: row.usage_certainty };
  if (kind === 'attempts') return attemptsOf(row);
  const value = (row as unknown as Readonly<Record<string, unknown>>)[receiptColumn(field)];
  assert(value !== undefined, `a row has the column of ${field.wire}`);
  return kind === 'time' ? (value as Date).getTime() : (value ?? NOTHING[kind] ?? null);
}

const FIELDS = Object.entries<ReceiptField>({ ...RECEIPT_FIELDS, ...EXTRA_FIELDS });

function toReceipt(row: ReceiptRow, corrections: readonly Posting[]): StoredReceipt {
  const values = Object.fromEntries(FIELDS.map(([name, field]) => [name, valueOf(row, field)]));
  return {
    ...(values as unknown as ReceiptValues<typeof RECEIPT_FIELDS> & StoredExtras),
    priceVersion: row.price_version,
    settledAt: row.settled_at,
    names: { workspace: row.workspace_name, project: row.project_name, key: row.key_name },
    late: row.late,
    supersededBy: row.superseded_by,
    corrections,
  };
}

/** The receipt of a request of the scope's, or the calling key's, workspace, by its primary key; null if there is none. */
export async function findWorkspaceReceipt(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope | Principal,
  requestId: string,
): Promise<StoredReceipt | null> {
  if (!isUuid(requestId)) return null;
  const [row] = await sql.query<ReceiptRow>(
    `select ${COLUMNS} from receipts receipt join workspaces on workspaces.id = receipt.workspace_id ${NAMED}
     where receipt.workspace_id = $1 and receipt.request_id = $2`,
    [workspaceId, requestId],
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
