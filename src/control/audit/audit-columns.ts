import type { AuditEvent } from './audit.ts';

/** The columns of exported events. The fields before and after the change are JSON. */
export const AUDIT_COLUMNS: readonly {
  readonly name: string;
  readonly read: (event: AuditEvent) => string | number | Date | null;
}[] = [
  { name: 'at', read: ({ at }) => at },
  { name: 'actor_kind', read: ({ actorKind }) => actorKind },
  { name: 'actor', read: ({ actorName }) => actorName },
  { name: 'user_id', read: ({ userId }) => userId },
  { name: 'action', read: ({ action }) => action },
  { name: 'target_kind', read: ({ targetKind }) => targetKind },
  { name: 'target_id', read: ({ targetId }) => targetId },
  { name: 'target_name', read: ({ targetName }) => targetName },
  { name: 'before', read: ({ before }) => (before === null ? null : JSON.stringify(before)) },
  { name: 'after', read: ({ after }) => (after === null ? null : JSON.stringify(after)) },
  { name: 'address', read: ({ address }) => address },
  { name: 'request_id', read: ({ requestId }) => requestId },
  { name: 'id', read: ({ id }) => id },
  { name: 'position', read: ({ position }) => Number(position) },
  { name: 'chain_sha256', read: ({ chainSha256 }) => chainSha256 },
  { name: 'event_sha256', read: ({ eventSha256 }) => eventSha256 },
];
