import type { AttemptRecord, Dialect, Outcome, Receipt } from '../../domain/receipt.ts';
import type { Principal } from '../../domain/principal.ts';
import { TOKEN_CLASSES, type Certainty, type TokenClass, type TokenCounts, type Usage } from '../../domain/usage.ts';
import { NO_USES, type Uses } from '../../domain/uses.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { isUuid, leastUuid7At } from '../../lib/uuid7.ts';
import { correctionsOf } from './posting-history.ts';
import type { Posting } from './posting.ts';

/** A receipt as stored in the database. */
export interface StoredReceipt extends Omit<
  Receipt,
  'projectWindow' | 'keyWindow' | 'idempotencyKey' | 'isWhole' | 'extras'
> {
  /** The agent's session that the request was part of; null if its client named none. */
  readonly session: string | null;
  /** What of the caller's request its answer's provider was not sent. */
  readonly leftOut: readonly string[];
  /** What was used beside tokens, as far as anything of it has a fee. */
  readonly uses: Uses;
  /** It repeated a request that had failed a moment before. */
  readonly retry: boolean;
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

interface ReceiptRow extends TokenColumns {
  readonly request_id: string;
  readonly workspace_id: string;
  readonly project_id: string;
  readonly key_id: string;
  readonly credit_purse_id: bigint;
  readonly project_purse_id: bigint;
  readonly key_purse_id: bigint;
  readonly dialect: Dialect;
  readonly model: string;
  readonly price_version_id: bigint;
  readonly outcome: Outcome;
  readonly charge_nano_usd: bigint;
  readonly hold_nano_usd: bigint;
  readonly write_off_nano_usd: bigint;
  readonly fees_nano_usd: bigint;
  readonly usage_certainty: Certainty;
  readonly shortened_to_tokens: number | null;
  readonly streamed: boolean;
  readonly admitted_at: Date;
  readonly duration_ms: number;
  readonly first_event_ms: number | null;
  /** Route and duration of the last attempt; null if there was none, and on receipts from before there were these columns. */
  readonly provider: string | null;
  readonly upstream_model: string | null;
  readonly attempt_ms: number | null;
  /** Null if the columns of the last attempt say as much. */
  readonly attempts: readonly AttemptJson[] | null;
  readonly client_request_id: string | null;
  readonly price_version: number | null;
  readonly settled_at: Date;
  readonly workspace_name: string;
  readonly project_name: string;
  readonly key_name: string;
  readonly late: boolean;
  readonly superseded_by: string | null;
  readonly session: string | null;
  readonly left_out: readonly string[] | null;
  readonly retry: boolean | null;
  readonly uses: Uses | null;
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

function toReceipt(row: ReceiptRow, corrections: readonly Posting[]): StoredReceipt {
  return {
    requestId: row.request_id,
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    keyId: row.key_id,
    creditPurseId: row.credit_purse_id,
    projectPurseId: row.project_purse_id,
    keyPurseId: row.key_purse_id,
    dialect: row.dialect,
    model: row.model,
    priceVersionId: row.price_version_id,
    outcome: row.outcome,
    charge: row.charge_nano_usd,
    hold: row.hold_nano_usd,
    writeOff: row.write_off_nano_usd,
    fees: row.fees_nano_usd,
    usage: { tokens: tokensOf(row), certainty: row.usage_certainty },
    shortenedToTokens: row.shortened_to_tokens,
    streamed: row.streamed,
    admittedAtMs: row.admitted_at.getTime(),
    durationMs: row.duration_ms,
    firstEventMs: row.first_event_ms,
    attempts: attemptsOf(row),
    clientRequestId: row.client_request_id,
    priceVersion: row.price_version,
    settledAt: row.settled_at,
    names: { workspace: row.workspace_name, project: row.project_name, key: row.key_name },
    late: row.late,
    supersededBy: row.superseded_by,
    session: row.session,
    leftOut: row.left_out ?? [],
    retry: row.retry ?? false,
    uses: row.uses ?? NO_USES,
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
