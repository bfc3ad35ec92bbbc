import { recordAudit } from '../audit/audit.ts';
import { actingUser } from '../../domain/actor.ts';
import type { Principal } from '../../domain/principal.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { makeKeySecret } from './key-secret.ts';
import { readShard } from './shard.ts';
import { lockBoundsOf, lockMaker } from './member-keys.ts';
import { findPrincipals } from '../../gate/principals/principals.ts';
import { newId } from '../../lib/uuid7.ts';

// The keys of the console: each member has one in each project from which they have used the playground, so that those requests
// have receipts, a limit and a month of their own. Nobody knows the secret of one.

const NAME = 'Playground';

/**
 * The principal of the actor's console key in this project, in the transaction given. The key is made on first use. Refused if
 * it is disabled or expired, or its project or workspace takes no requests any more.
 */
export async function consolePrincipal(
  tx: SqlRunner,
  scope: WorkspaceScope,
  projectId: string,
): Promise<Principal | Refusal> {
  const known = await findDigest(tx, scope, projectId);
  if (known === null) {
    const gone = await lockMaker(tx, scope);
    if (gone !== null) return gone;
    await openConsoleKey(tx, scope, projectId);
  }
  const digest = known ?? (await findDigest(tx, scope, projectId));
  const [principal = null] = digest === null ? [] : await findPrincipals(tx, [digest]);
  if (principal !== null && (principal.expiresAtMs ?? Infinity) > Date.now()) return principal;
  return refuse(
    'FORBIDDEN',
    'Your playground key in this project is disabled or expired, or the project or the workspace has been closed.',
  );
}

async function findDigest(tx: SqlRunner, scope: WorkspaceScope, projectId: string): Promise<Buffer | null> {
  const [row] = await tx.query<{ readonly digest: Buffer }>(
    `select secret_sha256 as digest from keys
     where workspace_id = $1 and project_id = $2 and created_by is not distinct from $3
       and kind = 'console' and revoked_at is null`,
    [scope.workspaceId, projectId, actingUser(scope.act.actor)],
  );
  return row?.digest ?? null;
}

/** Makes the actor's key, unless a concurrent request has made it or the project is archived. */
async function openConsoleKey(tx: SqlRunner, scope: WorkspaceScope, projectId: string): Promise<void> {
  const id = newId();
  const { publicId, lastFour, sha256 } = makeKeySecret(await readShard(tx));
  const { memberKeySpendLimit: limit } = await lockBoundsOf(tx, scope, { projectId });
  const [row] = await tx.query(
    `with key as (
       insert into keys (workspace_id, id, project_id, kind, name, public_id, last_four, secret_sha256,
         spend_limit_nano_usd, created_by)
       select workspace_id, $3, id, 'console', $4, $5, $6, $7, $8, $9 from projects
       where workspace_id = $1 and id = $2 and archived_at is null
       -- Archiving the project, which revokes its console keys, waits for this one.
       for share
       on conflict (workspace_id, project_id, created_by) where kind = 'console' and revoked_at is null do nothing
       returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key returning id`,
    [scope.workspaceId, projectId, id, NAME, publicId, lastFour, sha256, limit, actingUser(scope.act.actor)],
  );
  if (row === undefined) return;
  await recordAudit(tx, scope, {
    action: 'key.create',
    target: { kind: 'key', id, name: NAME },
    after: { kind: 'console', spend_limit_nano_usd: limit?.toString() ?? null },
  });
}

/** Revokes the console keys of a project, in the transaction given. */
export async function revokeConsoleKeys(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  { projectId }: { readonly projectId: string },
): Promise<void> {
  await tx.query(
    `with key as (
       update keys set revoked_at = now()
       where workspace_id = $1 and project_id = $2 and kind = 'console' and revoked_at is null returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key`,
    [workspaceId, projectId],
  );
}
