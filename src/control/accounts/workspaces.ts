import { changedFields, recordAudit } from '../audit/audit.ts';
import { reserveCreation } from '../audit/once.ts';
import { isOperator } from '../../domain/actor.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Page } from '../../lib/page.ts';
import { readSortedPage, type SortedPageRequest, type SortOrder } from '../../lib/sorted-page.ts';
import { SqlFault, type SqlRunner, type SqlValue } from '../../lib/sql.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { auditedSettings } from '../resources/setting-values.ts';
import { WORKSPACE_SETTINGS, type WorkspaceSettings } from '../resources/workspace-settings.ts';
import { versionConflict } from '../audit/versions.ts';
import { joinLeased } from './standing.ts';
import { newId } from '../../lib/uuid7.ts';

/** What may be done with a workspace's keys: everything, nothing until it is resumed, or nothing any more. */
export type WorkspaceState = 'active' | 'suspended' | 'closing' | 'closed';

/** A workspace and how its credit stands. Amounts in nano-USD. */
export interface Workspace extends WorkspaceSettings {
  readonly id: string;
  readonly state: WorkspaceState;
  /** Why it is suspended; null if it isn't. */
  readonly suspensionReason: string | null;
  /** An owner resumes what an owner has suspended; null: it is not suspended. */
  readonly suspendedBy: 'owner' | 'operator' | null;
  /** The shard of the cell in which it lives now; null: in this one. */
  readonly movedTo: string | null;
  readonly movedToUrl: string | null;
  readonly createdAt: Date;
  readonly version: number;
  /** All credit posted, less what corrections took. */
  readonly credit: NanoUsd;
  /** Debits beyond the credit; the next credit repays them first. */
  readonly owed: NanoUsd;
  /** Credit less charges and debt: below zero only while something is owed. */
  readonly balance: NanoUsd;
  /** What of the balance expires next; zero if nothing does. */
  readonly expiring: NanoUsd;
  /** When that expires; null if nothing does. */
  readonly expiresAt: Date | null;
  /** The part of the balance that requests hold, as processes have last said. */
  readonly held: NanoUsd;
  /** The part of the balance that processes have leased: what requests hold, and what was drawn ahead of them. */
  readonly leased: NanoUsd;
}

/** Which workspaces a list shows; each field that is left out lets all through, except that closed ones are asked for. */
export interface WorkspaceFilter {
  readonly state?: WorkspaceState;
  /** A part of the name. */
  readonly search?: string;
}

const WORKSPACES = `
  (
    select workspaces.id, workspaces.name, workspaces.created_at as "createdAt", workspaces.version,
      workspaces.suspension_reason as "suspensionReason",
      case
        when workspaces.suspended_at is null then null
        when workspaces.suspended_at = workspaces.owner_suspended_at then 'owner'
        else 'operator'
      end as "suspendedBy",
      workspaces.member_monthly_limit_nano_usd as "memberMonthlyLimit", workspaces.billing_name as "billingName",
      workspaces.billing_address as "billingAddress", workspaces.billing_tax_id as "billingTaxId",
      workspaces.moved_to as "movedTo", (select url from cells where shard = workspaces.moved_to) as "movedToUrl",
      case
        when workspaces.archived_at is not null then 'closed'
        when workspaces.closing_at is not null then 'closing'
        when workspaces.suspended_at is not null then 'suspended'
        else 'active'
      end as state,
      purse.limit_nano_usd as credit,
      purse.owed_nano_usd as owed, leased.held, leased.uncharged as leased,
      purse.limit_nano_usd - purse.spent_nano_usd - leased.charged - purse.owed_nano_usd as balance
    from workspaces
    join purses purse
      on purse.workspace_id = workspaces.id and purse.kind = 'credit' and purse.subject_id = workspaces.id
    ${joinLeased('purse')}
  ) workspace`;

function noWorkspace(): Refusal {
  return refuse('NOT_FOUND', 'There is no such workspace.');
}

function nameTaken(name: string): Refusal {
  return refuse('CONFLICT', `A workspace named "${name}" exists already.`, { param: 'name' });
}

async function readWorkspace(sql: SqlRunner, id: string): Promise<Workspace | Refusal> {
  const [row] = await sql.query<StandingWorkspace>(`select * from ${WORKSPACES} where workspace.id = $1`, [id]);
  if (row === undefined) return noWorkspace();
  const [workspace] = await withExpiries(sql, [row]);
  return workspace ?? noWorkspace();
}

type StandingWorkspace = Omit<Workspace, 'expiring' | 'expiresAt'>;

/** Adds what expires next of their credit. */
async function withExpiries(sql: SqlRunner, workspaces: readonly StandingWorkspace[]): Promise<readonly Workspace[]> {
  const rows = await sql.query<{ id: string; expiring: NanoUsd; expiresAt: Date }>(
    `select workspace_id as id, amount_nano_usd as expiring, expires_at as "expiresAt" from next_expiries($1)`,
    [workspaces.map(({ id }) => id)],
  );
  const expiries = new Map(rows.map((row) => [row.id, row]));
  return workspaces.map((workspace) => {
    const { expiring = 0n, expiresAt = null } = expiries.get(workspace.id) ?? {};
    return { ...workspace, expiring, expiresAt };
  });
}

/** Creates a workspace with a credit purse of nothing, in the transaction given. Refused if the name is taken. */
export async function createWorkspace(
  tx: SqlRunner,
  scope: OperatorScope,
  { name, once = null }: { readonly name: string; readonly once?: string | null },
): Promise<Workspace | Refusal> {
  const id = newId();
  const former = await reserveCreation(tx, scope, { kind: 'workspace', id, once, request: { name } });
  if (isRefusal(former)) return former;
  if (former !== null) return await readWorkspace(tx, former);
  const [row] = await tx.query(
    `with workspace as (
       insert into workspaces (id, name) values ($1, $2)
       on conflict (name) where archived_at is null do nothing
       returning id
     ), purse as (
       insert into purses (workspace_id, kind, subject_id, period, window_start, limit_nano_usd)
       select id, 'credit', id, 'never', to_timestamp(0), 0 from workspace
     )
     insert into changes (kind, subject_id) select 'workspace', id::text from workspace returning id`,
    [id, name],
  );
  if (row === undefined) return nameTaken(name);
  await recordAudit(tx, scope, {
    action: 'workspace.create',
    target: { kind: 'workspace', id, name },
    after: { name },
  });
  const created = await readWorkspace(tx, id);
  assert(!isRefusal(created), 'a workspace that was just made is there');
  return created;
}

/** What workspaces can be sorted by. */
export const WORKSPACE_ORDERS = {
  created: { value: null, type: 'text', direction: 'asc' },
  name: { value: 'lower(workspace.name) collate "C"', type: 'text', direction: 'asc' },
  balance: { value: 'workspace.balance', type: 'bigint', direction: 'desc' },
} as const satisfies Record<string, SortOrder>;

/** A page of all workspaces, oldest first unless another order is asked for. */
export async function listWorkspaces(
  sql: SqlRunner,
  _scope: OperatorScope,
  { state, search }: WorkspaceFilter,
  page: SortedPageRequest<keyof typeof WORKSPACE_ORDERS> = {},
): Promise<Page<Workspace>> {
  const order = WORKSPACE_ORDERS[page.sort ?? 'created'];
  return await readSortedPage(order, 'workspace.id', page, async ({ place, where, orderBy, values }) => {
    const rows = await sql.query<StandingWorkspace & { readonly place: string | null }>(
      `select *, (${place})::text as place from ${WORKSPACES}
       where workspace.id not in (select workspace_id from arrivals where state <> 'open')
         and case when $4::text is null then workspace.state <> 'closed' else workspace.state = $4 end
         and ($5::text is null or strpos(lower(workspace.name), lower($5)) > 0) and ${where}
       order by ${orderBy} limit $3`,
      [...values, state ?? null, search ?? null],
    );
    const places = rows.map((row) => row.place);
    const workspaces = await withExpiries(
      sql,
      rows.map(({ place: _place, ...workspace }) => workspace),
    );
    return workspaces.map((workspace, index) => [workspace, places[index] ?? null] as const);
  });
}

/** The scope's workspace. */
export async function showWorkspace(sql: SqlRunner, { workspaceId }: WorkspaceScope): Promise<Workspace | Refusal> {
  return await readWorkspace(sql, workspaceId);
}

async function workspaceToChange(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  version: number | null,
): Promise<Workspace | Refusal> {
  await tx.query('select 1 from workspaces where id = $1 for no key update', [workspaceId]);
  const workspace = await readWorkspace(tx, workspaceId);
  if (isRefusal(workspace)) return workspace;
  if (workspace.state === 'closing' || workspace.state === 'closed') {
    return refuse('CONFLICT', 'The workspace has been closed, which is for good.');
  }
  return versionConflict(workspace.version, version) ?? workspace;
}

/** The statement sets columns of the workspace's row, and its keys are looked up again everywhere. */
async function change(tx: SqlRunner, workspaceId: string, columns: string, values: readonly SqlValue[] = []) {
  await tx.query(
    `with workspace as (
       update workspaces set ${columns} where id = $1 returning id
     )
     insert into changes (kind, subject_id) select 'workspace', id::text from workspace`,
    [workspaceId, ...values],
  );
}

/**
 * Changes the given settings of the workspace and leaves the others, in the transaction given. Refused if it is closed or has another
 * version, or the name is taken.
 */
export async function changeWorkspace(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { version, change: given }: { readonly version: number | null; readonly change: Partial<WorkspaceSettings> },
): Promise<Workspace | Refusal> {
  const former = await workspaceToChange(tx, scope, version);
  if (isRefusal(former)) return former;
  const wanted: WorkspaceSettings = { ...former, ...definedFields(given) };
  const { name, memberMonthlyLimit, billingName, billingAddress, billingTaxId } = wanted;
  try {
    const columns = `name = $2, member_monthly_limit_nano_usd = $3, billing_name = $4, billing_address = $5,
      billing_tax_id = $6`;
    const values = [name, memberMonthlyLimit, billingName, billingAddress, billingTaxId];
    await change(tx, scope.workspaceId, columns, values);
  } catch (fault) {
    if (fault instanceof SqlFault && fault.constraint === 'workspaces_name') return nameTaken(name);
    throw fault;
  }
  await recordAudit(tx, scope, {
    action: name === former.name ? 'workspace.update' : 'workspace.rename',
    target: targetOf(former),
    ...changedFields(auditedSettings(WORKSPACE_SETTINGS, former), auditedSettings(WORKSPACE_SETTINGS, wanted)),
  });
  return await readWorkspace(tx, scope.workspaceId);
}

function targetOf({ id, name }: Workspace) {
  return { kind: 'workspace', id, name };
}

/**
 * Suspends the workspace for a reason that its callers are shown, or resumes it (null), in the transaction given. It holds
 * in all processes within a second; requests that run end as they would. Refused to owners if the operator has suspended it.
 */
export async function suspendWorkspace(
  tx: SqlRunner,
  scope: WorkspaceScope,
  reason: string | null,
): Promise<Workspace | Refusal> {
  const former = await workspaceToChange(tx, scope, null);
  if (isRefusal(former)) return former;
  const { actor } = scope.act;
  const isByOwner = actor.kind !== 'job' && !isOperator(actor);
  if (isByOwner && former.suspendedBy === 'operator') {
    const message = 'The operator of this instance has suspended the workspace, and alone changes that.';
    return refuse('FORBIDDEN', message);
  }
  const columns = `suspended_at = case when $2::text is not null then coalesce(suspended_at, now()) end, suspension_reason = $2,
    owner_suspended_at = case when $2::text is not null and $3 then coalesce(suspended_at, now()) end`;
  await change(tx, scope.workspaceId, columns, [reason, isByOwner]);
  await recordAudit(tx, scope, {
    action: reason === null ? 'workspace.resume' : 'workspace.suspend',
    target: targetOf(former),
    before: { suspension_reason: former.suspensionReason },
    after: { suspension_reason: reason },
  });
  return await readWorkspace(tx, scope.workspaceId);
}

/**
 * Closes the workspace for good, in the transaction given: its keys are refused within a second. Its credit is refunded, and
 * the workspace archived, once the requests that run have ended: see closing.ts.
 */
export async function closeWorkspace(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { version }: { readonly version: number | null },
): Promise<Workspace | Refusal> {
  const former = await workspaceToChange(tx, scope, version);
  if (isRefusal(former)) return former;
  await change(tx, scope.workspaceId, 'closing_at = now()');
  await recordAudit(tx, scope, { action: 'workspace.close', target: targetOf(former) });
  return await readWorkspace(tx, scope.workspaceId);
}
