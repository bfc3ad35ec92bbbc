import { changedFields, recordAudit } from '../audit/audit.ts';
import { versionConflict } from '../audit/versions.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { makeKeySecret } from './key-secret.ts';
import { readShard } from './shard.ts';
import { auditedKey, type CreatedKey, expiryInThePast, type Key, keyTarget, showKey } from './keys.ts';
import { KEY_SETTINGS, type KeySettings } from '../resources/key-settings.ts';
import { changedRaise, writtenRaise } from '../resources/raise.ts';
import { type Raise, RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { auditedSettings, columnsOf } from '../resources/setting-values.ts';
import { lockBoundsOf, refusalOfLimit, refusalOfRaise } from './member-keys.ts';

/** Locks a key that the scope can change. Refused if there is none, if it is another member's, or has another version. */
async function keyToChange(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { keyId, version }: { readonly keyId: string; readonly version: number | null },
): Promise<Key | Refusal> {
  await tx.query('select 1 from keys where workspace_id = $1 and id = $2 for no key update', [
    scope.workspaceId,
    keyId,
  ]);
  const key = await showKey(tx, scope, keyId);
  if (isRefusal(key)) return key;
  if (scope.ownOnlyOf !== null && scope.ownOnlyOf !== key.createdBy) {
    return refuse('FORBIDDEN', 'Your role here includes only the keys that you created yourself.');
  }
  return versionConflict(key.version, version) ?? key;
}

/** The refusal to change what a key of the console hasn't got, or keeps. */
function ofConsole(what: string): Refusal {
  return refuse('CONFLICT', `This key is a member's in the playground: ${what}.`);
}

const auditedRaised = (key: Parameters<typeof auditedKey>[0] & Raise) => ({
  ...auditedKey(key),
  ...auditedSettings(RAISE_SETTINGS, key),
});

/** What a change of a key may change. */
export type KeyChange = Partial<KeySettings & Raise> & { readonly disabled?: boolean };

/**
 * Changes the given settings and leaves the rest, in the transaction given. A new limit, or a raise of it, holds in the month that runs now.
 * Refused if the key is revoked, is somebody else's and the scope reaches own ones only, has another version, or if the project
 * allows the actor no key with such a limit.
 */
export async function updateKey(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { keyId, version, change }: { readonly keyId: string; readonly version: number | null; readonly change: KeyChange },
): Promise<Key | Refusal> {
  const bounds = await lockBoundsOf(tx, scope, { keyId });
  const former = await keyToChange(tx, scope, { keyId, version });
  if (isRefusal(former)) return former;
  if (former.revokedAt !== null) return refuse('CONFLICT', 'The key is revoked, which is for good: create another.');
  const { disabled, ...settings } = change;
  const given = definedFields(settings);
  if (given.expiresAt instanceof Date && given.expiresAt.getTime() <= Date.now()) return expiryInThePast();
  const disabledAt = disabled === undefined ? former.disabledAt : disabled ? (former.disabledAt ?? new Date()) : null;
  const next = { ...former, ...given, disabledAt };
  const isChanged = next.spendLimit !== former.spendLimit;
  const limit = { limit: next.spendLimit, isChanged, period: 'month', nowMs: Date.now() } as const;
  const raise = changedRaise(former, given, limit);
  if (isRefusal(raise)) return raise;
  const written = writtenRaise(former, raise);
  if (given.spendLimit !== undefined || (former.disabledAt !== null && disabledAt === null)) {
    const refused = refusalOfLimit(bounds, next.spendLimit);
    if (refused !== null) return refused;
  }
  if (given.raisedLimit !== undefined) {
    const refused = refusalOfRaise(bounds, given.raisedLimit);
    if (refused !== null) return refused;
  }
  // The statement that locks purses comes last, so that it holds them for no longer than itself.
  const fields = changedFields(auditedRaised(former), auditedRaised({ ...next, ...raise }));
  await recordAudit(tx, scope, { action: 'key.update', target: keyTarget(former), ...fields });
  await tx.query('select 1 from update_key($1, $2, $3::jsonb)', [
    scope.workspaceId,
    keyId,
    JSON.stringify({
      ...columnsOf(KEY_SETTINGS, given),
      ...columnsOf(RAISE_SETTINGS, written),
      disabled_at: disabled === undefined ? undefined : disabledAt,
    }),
  ]);
  return await showKey(tx, scope, keyId);
}

/**
 * Gives a key another secret, in the transaction given. The former one opens it too until `formerUntil`, and both spend
 * under the one limit; a still older one ends. Refused as `updateKey` is.
 */
export async function rotateKey(
  tx: SqlRunner,
  scope: WorkspaceScope,
  {
    keyId,
    version,
    overlapMs,
  }: { readonly keyId: string; readonly version: number | null; readonly overlapMs: number },
): Promise<CreatedKey | Refusal> {
  const bounds = await lockBoundsOf(tx, scope, { keyId });
  const former = await keyToChange(tx, scope, { keyId, version });
  if (isRefusal(former)) return former;
  if (former.revokedAt !== null) return refuse('CONFLICT', 'The key is revoked, which is for good: create another.');
  if (former.kind === 'console') return ofConsole('it has no secret to rotate');
  const refused = refusalOfLimit(bounds, former.spendLimit);
  if (refused !== null) return refused;
  const { publicId, key, lastFour, sha256 } = makeKeySecret(await readShard(tx));
  await tx.query('delete from former_secrets where workspace_id = $1 and key_id = $2', [scope.workspaceId, keyId]);
  if (overlapMs > 0) {
    await tx.query(
      `insert into former_secrets (workspace_id, key_id, public_id, last_four, secret_sha256, expires_at)
       select workspace_id, id, public_id, last_four, secret_sha256, now() + make_interval(secs => $3::double precision / 1000)
       from keys where workspace_id = $1 and id = $2`,
      [scope.workspaceId, keyId, overlapMs],
    );
  }
  await tx.query(
    `with key as (
       update keys set public_id = $3, last_four = $4, secret_sha256 = $5 where workspace_id = $1 and id = $2 returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key`,
    [scope.workspaceId, keyId, publicId, lastFour, sha256],
  );
  const rotated = await showKey(tx, scope, keyId);
  if (isRefusal(rotated)) return rotated;
  await recordAudit(tx, scope, {
    action: 'key.rotate',
    target: keyTarget(former),
    before: { masked_key: former.masked },
    after: { masked_key: rotated.masked, former_secret_until: rotated.formerSecretUntil?.toISOString() ?? null },
  });
  return { ...rotated, key };
}

/**
 * Ends the secret that a key had before it was rotated, in all processes within a second, in the transaction given. A key
 * without one stays as it is. Refused as `revokeKey` is.
 */
export async function endFormerSecret(tx: SqlRunner, scope: WorkspaceScope, keyId: string): Promise<Key | Refusal> {
  const former = await keyToChange(tx, scope, { keyId, version: null });
  if (isRefusal(former) || former.formerSecretUntil === null) return former;
  await tx.query('delete from former_secrets where workspace_id = $1 and key_id = $2', [scope.workspaceId, keyId]);
  await tx.query(`insert into changes (kind, subject_id) values ('key', $1)`, [keyId]);
  await recordAudit(tx, scope, {
    action: 'key.end_former_secret',
    target: keyTarget(former),
    before: { former_secret_until: former.formerSecretUntil.toISOString() },
    after: { former_secret_until: null },
  });
  return await showKey(tx, scope, keyId);
}

/**
 * Revokes a key permanently, in all processes within a second, in the transaction given. A revoked key stays as it is.
 * Refused if there is none, if it is a console key, or if it is somebody else's and the scope reaches own ones only.
 */
export async function revokeKey(tx: SqlRunner, scope: WorkspaceScope, keyId: string): Promise<Key | Refusal> {
  const former = await keyToChange(tx, scope, { keyId, version: null });
  if (isRefusal(former) || former.revokedAt !== null) return former;
  if (former.kind === 'console') return ofConsole('disable it instead, or remove the member');
  await tx.query(
    `with key as (
       update keys set revoked_at = now() where workspace_id = $1 and id = $2 returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key`,
    [scope.workspaceId, keyId],
  );
  const revoked = await showKey(tx, scope, keyId);
  if (isRefusal(revoked)) return revoked;
  const fields = changedFields(auditedKey(former), auditedKey(revoked));
  await recordAudit(tx, scope, { action: 'key.revoke', target: keyTarget(former), ...fields });
  return revoked;
}
