import { changedFields, recordAudit } from '../audit/audit.ts';
import { versionConflict } from '../audit/versions.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Redaction, SinkKind, SinkRecord } from '../../domain/sinks.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** A sink of the config file. */
export interface DeclaredSink {
  readonly name: string;
  readonly kind: SinkKind;
}

/** What a workspace has delivered to a sink. */
export interface SinkSetting {
  /** Kinds of records; none: nothing is delivered. */
  readonly records: readonly SinkRecord[];
  /** Of 100 requests, how many have their prompts and answers delivered. */
  readonly samplePercent: number;
  readonly redact: readonly Redaction[];
}

/** A sink as one workspace uses it. */
export interface WorkspaceSink extends DeclaredSink, SinkSetting {
  /** Zero: nothing was ever set. */
  readonly version: number;
  readonly changedAt: Date | null;
  /** Records that were dropped instead of delivered. */
  readonly lostRecords: bigint;
  readonly lastLostAt: Date | null;
}

const NOTHING_SET: Omit<WorkspaceSink, keyof DeclaredSink> = {
  records: [],
  samplePercent: 100,
  redact: [],
  version: 0,
  changedAt: null,
  lostRecords: 0n,
  lastLostAt: null,
};

const COLUMNS = `records, sample_percent as "samplePercent", redact, version, changed_at as "changedAt",
  lost_records as "lostRecords", last_lost_at as "lastLostAt"`;

type SettingRow = Omit<WorkspaceSink, keyof DeclaredSink>;

/** All declared sinks, as the workspace uses them. */
export async function listWorkspaceSinks(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  declared: readonly DeclaredSink[],
): Promise<readonly WorkspaceSink[]> {
  const rows = await sql.query<SettingRow & { readonly sink: string }>(
    `select sink, ${COLUMNS} from workspace_sinks where workspace_id = $1`,
    [workspaceId],
  );
  const known = new Map(rows.map(({ sink, ...setting }) => [sink, setting]));
  return declared.map((sink) => ({ ...sink, ...(known.get(sink.name) ?? NOTHING_SET) }));
}

// Receipts and audit events are delivered from the moment on at which they are asked for.
const SET = `
  insert into workspace_sinks as present (workspace_id, sink, records, sample_percent, redact, receipts_from, audit_position)
  values ($1, $2, $3, $4, $5, pg_current_snapshot(),
    coalesce((select length from audit_chains where scope_id = $1), 0))
  on conflict (workspace_id, sink) do update set
    records = excluded.records, sample_percent = excluded.sample_percent, redact = excluded.redact,
    version = present.version + 1, changed_at = now(),
    receipts_from = case
      when 'receipts' = any(present.records) then present.receipts_from else excluded.receipts_from end,
    audit_position = case
      when 'audit' = any(present.records) then present.audit_position else excluded.audit_position end`;

/**
 * Changes what a workspace has delivered to a sink, in the transaction given. It holds in all processes within a second;
 * prompts and answers that wait by then are not delivered if it has ended. `version`: the one that the change is based on;
 * null: whichever it is.
 */
export async function changeWorkspaceSink(
  tx: SqlRunner,
  scope: WorkspaceScope,
  sink: DeclaredSink | undefined,
  { change, version }: { readonly change: Partial<SinkSetting>; readonly version: number | null },
): Promise<WorkspaceSink | Refusal> {
  if (sink === undefined) return refuse('NOT_FOUND', 'The config file of this instance declares no such sink.');
  const { workspaceId } = scope;
  await tx.query('select from workspaces where id = $1 for no key update', [workspaceId]);
  const former = await showWorkspaceSink(tx, scope, sink);
  const conflict = versionConflict(former.version, version);
  if (conflict !== null) return conflict;
  const setting = { ...former, ...change };
  await tx.query(SET, [workspaceId, sink.name, setting.records, setting.samplePercent, setting.redact]);
  await tx.query("insert into changes (kind, subject_id) values ('workspace', $1::uuid::text)", [workspaceId]);
  await recordAudit(tx, scope, {
    action: 'sink.update',
    target: { kind: 'sink', id: sink.name, name: sink.name },
    ...changedFields(auditedOf(former), auditedOf(setting)),
  });
  return await showWorkspaceSink(tx, scope, sink);
}

async function showWorkspaceSink(tx: SqlRunner, scope: WorkspaceScope, sink: DeclaredSink): Promise<WorkspaceSink> {
  const [found] = await listWorkspaceSinks(tx, scope, [sink]);
  assert(found !== undefined, 'a declared sink is listed');
  return found;
}

function auditedOf({ records, samplePercent, redact }: SinkSetting) {
  return { records: [...records], sample_percent: samplePercent, redact: [...redact] };
}

/** What a workspace has delivered, and where. */
export interface UsedSink extends SinkSetting {
  readonly workspaceId: string;
  readonly sink: string;
}

/** Which sinks are used, and for what, by all workspaces. */
export async function readUsedSinks(sql: SqlRunner): Promise<readonly UsedSink[]> {
  return await sql.query<UsedSink>(
    `select workspace_id as "workspaceId", sink, records, sample_percent as "samplePercent", redact
     from workspace_sinks join workspaces on id = workspace_id
     where records <> '{}' and archived_at is null`,
  );
}

/** Records of a workspace that were dropped instead of delivered to a sink. */
export interface LostRecords {
  readonly workspaceId: string;
  readonly sink: string;
  readonly records: number;
}

/** Adds to what workspaces have lost. */
export async function addLostRecords(sql: SqlRunner, lost: readonly LostRecords[]): Promise<void> {
  await sql.query(
    `update workspace_sinks set lost_records = lost_records + lost.records, last_lost_at = now()
     from (
       select * from unnest($1::uuid[], $2::text[], $3::bigint[]) as given (workspace_id, sink, records)
       order by workspace_id, sink
     ) lost
     where workspace_sinks.workspace_id = lost.workspace_id and workspace_sinks.sink = lost.sink`,
    [lost.map(({ workspaceId }) => workspaceId), lost.map(({ sink }) => sink), lost.map(({ records }) => records)],
  );
}
