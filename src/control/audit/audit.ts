import { type Act, actingUser, actorName } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { type Page, PAGE_ITEMS_MAX, type PageRequest, readPage } from '../../lib/page.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { newId } from '../../lib/uuid7.ts';

/** The id of the hash chain of what belongs to no workspace. */
export const INSTANCE_CHAIN = '00000000-0000-0000-0000-000000000000';

/** What the fields of something were or are. Never a secret, and amounts as digits of nano-USD. */
export type AuditedFields = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface AuditedChange {
  /** Of its event; left out: a fresh one. */
  readonly id?: string;
  /** A resource and a verb, such as `project.update`. */
  readonly action: AuditAction;
  readonly target: { readonly kind: string; readonly id: string; readonly name?: string | null };
  /** Left out where there was nothing before. */
  readonly before?: AuditedFields;
  /** Left out where nothing is left. */
  readonly after?: AuditedFields;
}

/** A change as it was recorded. */
export interface AuditEvent {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly at: Date;
  readonly actorKind: Act['actor']['kind'];
  readonly userId: string | null;
  readonly actorName: string;
  readonly action: string;
  readonly targetKind: string;
  readonly targetId: string;
  readonly targetName: string | null;
  readonly before: AuditedFields | null;
  readonly after: AuditedFields | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Its place in the hash chain of its workspace, from 1. */
  readonly position: bigint;
  /** The digest of the event as it was recorded, which it no longer has if somebody was erased from it; hexadecimal digits. */
  readonly eventSha256: string;
  /** The hash of the chain up to and with this event, in hexadecimal digits. */
  readonly chainSha256: string;
}

/** Which events a list shows; each field that is left out lets all through. */
export interface AuditFilter {
  readonly action?: string;
  readonly targetId?: string;
  readonly userId?: string;
  readonly since?: Date;
  readonly until?: Date;
}

const COLUMNS = `id, workspace_id as "workspaceId", at, actor_kind as "actorKind", user_id as "userId",
  actor_name as "actorName", action, target_kind as "targetKind", target_id as "targetId", target_name as "targetName",
  before, after, address, request_id as "requestId", position, encode(event_sha256, 'hex') as "eventSha256",
  encode(chain_sha256, 'hex') as "chainSha256"`;

/**
 * Records a change, in the transaction that makes it, whose commit appends it to the hash chain of its workspace. It belongs
 * to the scope's workspace; with an operator's scope, or the act of a user about their own account, to no workspace.
 */
export async function recordAudit(
  tx: SqlRunner,
  by: WorkspaceScope | OperatorScope | Act,
  { id = newId(), action, target, before, after }: AuditedChange,
): Promise<void> {
  const act = by instanceof WorkspaceScope || by instanceof OperatorScope ? by.act : by;
  const workspaceId = by instanceof WorkspaceScope ? by.workspaceId : null;
  const { actor, address, requestId } = act;
  await tx.query(
    `insert into audit_events (id, workspace_id, actor_kind, user_id, actor_name, action, target_kind, target_id,
       target_name, before, after, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12, $13)`,
    [
      id,
      workspaceId,
      actor.kind,
      actingUser(actor),
      actorName(actor),
      action,
      target.kind,
      target.id,
      target.name ?? null,
      before === undefined ? null : JSON.stringify(before),
      after === undefined ? null : JSON.stringify(after),
      address,
      requestId,
    ],
  );
}

/** One of the workspace's events. */
export async function showAuditEvent(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  id: string,
): Promise<AuditEvent | Refusal> {
  const [event] = await sql.query<AuditEvent>(
    `select ${COLUMNS} from audit_events join audit_links on event_id = id where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return event ?? refuse('NOT_FOUND', 'There is no such change.');
}

/** A page of the workspace's events, newest first. */
export async function listAuditEvents(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  filter: AuditFilter,
  page: PageRequest = {},
): Promise<Page<AuditEvent>> {
  return await readPage(page, async (after, count) =>
    sql.query<AuditEvent>(
      `select ${COLUMNS} from audit_events join audit_links on event_id = id
       where workspace_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or action = $3)
         and ($4::text is null or target_id = $4) and ($5::uuid is null or user_id = $5)
         and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
       order by id desc limit $8`,
      [
        workspaceId,
        after,
        filter.action ?? null,
        filter.targetId ?? null,
        filter.userId ?? null,
        filter.since ?? null,
        filter.until ?? null,
        count,
      ],
    ),
  );
}

/** The workspace's events after this place in its hash chain, in the order of the chain. */
export async function readAuditEventsAfter(
  sql: SqlRunner,
  workspaceId: string,
  position: bigint,
  count: number,
): Promise<readonly AuditEvent[]> {
  return await sql.query<AuditEvent>(
    `select ${COLUMNS} from audit_links join audit_events on id = event_id
     where scope_id = $1 and workspace_id = $1 and position > $2 order by position limit $3`,
    [workspaceId, position, count],
  );
}

/** All events of the workspace that the filter lets through, newest first, a page at a time. */
export async function* exportAuditEvents(
  { sql, pacer }: { readonly sql: SqlRunner; readonly pacer: Pick<Pacer, 'slice'> },
  scope: WorkspaceScope,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEvent[], void, undefined> {
  let after: string | null = null;
  do {
    const page: Page<AuditEvent> = await pacer.slice(() =>
      listAuditEvents(sql, scope, filter, { after, limit: PAGE_ITEMS_MAX }),
    );
    yield page.items;
    after = page.next;
  } while (after !== null);
}

/** Of the fields that a change may touch, those that differ, as they were and as they are. */
export function changedFields(
  before: AuditedFields,
  after: AuditedFields,
): { readonly before: AuditedFields; readonly after: AuditedFields } {
  const changed = Object.keys(after).filter((field) => String(before[field]) !== String(after[field]));
  const pick = (fields: AuditedFields): AuditedFields =>
    Object.fromEntries(changed.map((field) => [field, fields[field] ?? null]));
  return { before: pick(before), after: pick(after) };
}
