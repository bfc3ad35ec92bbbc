import { AUDIT_COLUMNS } from '../audit/audit-columns.ts';
import { readAuditEventsAfter } from '../audit/audit.ts';
import { jsonFields } from '../ledger/json-lines.ts';
import { keepSink } from './sink-progress.ts';
import { HoldLost, type SinkRound } from './sink-round.ts';

const EVENTS_PER_PAGE = 200;

/** Delivers the audit events that were recorded by now, in the order of their workspaces' hash chains. @throws HoldLost */
export async function deliverAuditEvents(round: SinkRound): Promise<void> {
  const waiting = await round.sql.query<{ readonly workspaceId: string; readonly position: bigint }>(
    `select workspace_id as "workspaceId", audit_position as position
     from workspace_sinks join audit_chains on scope_id = workspace_id
     where sink = $1 and 'audit' = any(records) and length > audit_position`,
    [round.sink],
  );
  for (const { workspaceId, position } of waiting) {
    let next: bigint | null = position;
    while (next !== null) next = await deliverPage(round, workspaceId, next);
  }
}

/** Returns where the next page begins; null if there is none, or the sink fails. */
async function deliverPage(round: SinkRound, workspaceId: string, after: bigint): Promise<bigint | null> {
  const { sql, sink, holder, pacer, deliver } = round;
  if (!(await keepSink(sql, sink, holder))) throw new HoldLost();
  const events = await pacer.slice(() => readAuditEventsAfter(sql, workspaceId, after, EVENTS_PER_PAGE));
  const last = events.at(-1);
  if (last === undefined) return null;
  const fields = { record: 'audit', workspace_id: workspaceId };
  const isDelivered = await deliver(
    workspaceId,
    events.map((event) => ({ ...fields, ...jsonFields(AUDIT_COLUMNS, event) })),
  );
  if (!isDelivered) return null;
  await sql.query(
    `update workspace_sinks set audit_position = $3
     where sink = $1 and workspace_id = $2 and audit_position = $4`,
    [sink, workspaceId, last.position, after],
  );
  return events.length < EVENTS_PER_PAGE ? null : last.position;
}
