import { hash } from 'node:crypto';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { type OperatorScope, WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type SqlRunner, UNHURRIED } from '../../lib/sql.ts';

/** A creation that the caller may repeat. */
export interface CreationRequest {
  /** What is created, such as `key`. */
  readonly kind: string;
  /** The id that it gets if this is the first request. */
  readonly id: string;
  /** The caller's name for this creation within the workspace; null: each request creates. */
  readonly once: string | null;
  /** All that was asked for, by which another request under the same name is recognised. */
  readonly request: object;
}

/** A name for creations that belong to no workspace. */
const INSTANCE = '00000000-0000-0000-0000-000000000000';

/**
 * Reserves a creation, in the transaction that makes it. Returns null if the caller shall create it, and the id of what
 * was created before if the request repeats one of the last 24 hours. Refused if the name stands for another request.
 */
export async function reserveCreation(
  tx: SqlRunner,
  scope: WorkspaceScope | OperatorScope,
  { kind, id, once, request }: CreationRequest,
): Promise<string | null | Refusal> {
  if (once === null) return null;
  const scopeId = scope instanceof WorkspaceScope ? scope.workspaceId : INSTANCE;
  const digest = hash('sha256', JSON.stringify([kind, request]), 'buffer');
  // Waits for another transaction that creates under this name.
  const [reserved] = await tx.query(
    `insert into creations (scope_id, once, kind, request_sha256, target_id) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning 1 as reserved`,
    [scopeId, once, kind, digest, id],
  );
  if (reserved !== undefined) return null;
  const [former] = await tx.query<{ digest: Buffer; target_id: string }>(
    'select request_sha256 as digest, target_id from creations where scope_id = $1 and once = $2',
    [scopeId, once],
  );
  assert(former !== undefined, 'a name is there once it can not be reserved');
  if (former.digest.equals(digest)) return former.target_id;
  return refuse('IDEMPOTENCY_MISMATCH', `"${once}" has named another request in the last 24 hours.`, { param: 'once' });
}

/** Forgets the names of creations older than 24 hours. */
export async function pruneCreations(sql: SqlRunner): Promise<void> {
  await sql.query("delete from creations where created_at < now() - interval '24 hours'", [], UNHURRIED);
}
