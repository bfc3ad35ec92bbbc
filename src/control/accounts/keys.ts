import { type AuditedFields, recordAudit } from '../audit/audit.ts';
import { actingUser } from '../../domain/actor.ts';
import { reserveCreation } from '../audit/once.ts';
import { type KeyKind, maskKey } from '../../domain/key.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { KEY_SETTINGS, type KeySettings } from '../resources/key-settings.ts';
import { raiseAt } from '../resources/raise.ts';
import { type Raise, RAISE_SETTINGS } from '../resources/raise-settings.ts';
import {
  auditedSettings,
  columnNames,
  columnsOf,
  initialSettings,
  settingsFromRow,
} from '../resources/setting-values.ts';
import { makeKeySecret } from './key-secret.ts';
import { readShard } from './shard.ts';
import { lockBoundsOf, lockMaker, refusalOfCount, refusalOfLimit } from './member-keys.ts';
import { joinStanding, type Standing } from './standing.ts';
import { newId } from '../../lib/uuid7.ts';

/** A key as it may be shown. */
export interface Key extends KeySettings, Raise, Standing {
  readonly id: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly kind: KeyKind;
  readonly projectName: string;
  /** Enough of it to recognise it. */
  readonly masked: string;
  readonly disabledAt: Date | null;
  readonly revokedAt: Date | null;
  /** Until when the secret that it had before it was rotated opens it too; null if none does. */
  readonly formerSecretUntil: Date | null;
  /** When its last request was admitted, of those that were counted: within ten seconds of its end. Null: there is none. */
  readonly lastUsedAt: Date | null;
  /** The user who created it; null: the operator. */
  readonly createdBy: string | null;
  /** Their present name. */
  readonly createdByName: string | null;
  /** The address of the person whose open invitation makes the key theirs; null: there is none. */
  readonly invitedEmail: string | null;
  readonly createdAt: Date;
  readonly version: number;
}

/** A new key, with the secret, which is not stored. */
export interface CreatedKey extends Key {
  readonly key: string;
}

/** A row of `SELECT_KEYS`; it has the columns of the settings besides. */
export interface KeyRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly project_id: string;
  readonly kind: KeyKind;
  readonly project_name: string;
  readonly public_id: string;
  readonly last_four: string;
  readonly disabled_at: Date | null;
  readonly revoked_at: Date | null;
  readonly former_until: Date | null;
  readonly last_used_at: Date | null;
  readonly created_by: string | null;
  readonly created_by_name: string | null;
  readonly invited_email: string | null;
  readonly created_at: Date;
  readonly version: number;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  readonly leased: NanoUsd;
  readonly resets_at: Date;
}

const SETTING_COLUMNS = columnNames(KEY_SETTINGS).join(', ');

// Listed, so that statements of a release that runs return the same when the next one adds a column.
const SHOWN_COLUMNS = `keys.id, keys.workspace_id, keys.project_id, keys.kind, keys.public_id, keys.last_four, keys.disabled_at,
  keys.revoked_at, keys.created_by, keys.created_at, keys.version, ${columnNames({ ...KEY_SETTINGS, ...RAISE_SETTINGS })
    .map((column) => `keys.${column}`)
    .join(', ')}`;

/** SQL for keys and what is known of them. */
export const SELECT_KEYS = `
  select ${SHOWN_COLUMNS}, standing.used, standing.held, standing.leased, standing.resets_at,
    former.expires_at as former_until, uses.last_used_at, project.name as project_name, creator.name as created_by_name,
    invitation.email as invited_email
  from keys
  join projects project on project.workspace_id = keys.workspace_id and project.id = keys.project_id
  left join users creator on creator.id = keys.created_by
  left join lateral (
    select email from invitations
    where workspace_id = keys.workspace_id and key_id = keys.id and accepted_at is null and revoked_at is null limit 1
  ) invitation on keys.created_by is null
  left join usage_keys uses on uses.workspace_id = keys.workspace_id and uses.key_id = keys.id
  left join former_secrets former
    on former.workspace_id = keys.workspace_id and former.key_id = keys.id and former.expires_at > now()
  ${joinStanding('key', 'keys', "'month'")}`;

/** The key of a row. */
export function toKey(row: KeyRow): Key {
  return {
    ...settingsFromRow(KEY_SETTINGS, row),
    ...raiseAt(settingsFromRow(RAISE_SETTINGS, row), Date.now()),
    id: row.id,
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    kind: row.kind,
    projectName: row.project_name,
    masked: maskKey(row.public_id, row.last_four),
    disabledAt: row.disabled_at,
    revokedAt: row.revoked_at,
    formerSecretUntil: row.former_until,
    lastUsedAt: row.last_used_at,
    createdBy: row.created_by,
    createdByName: row.created_by_name,
    invitedEmail: row.invited_email,
    createdAt: row.created_at,
    version: row.version,
    used: row.used,
    held: row.held,
    leased: row.leased,
    resetsAt: row.resets_at,
  };
}

/** What an audit event says of a key. */
export function auditedKey(key: Pick<Key, keyof KeySettings | 'disabledAt' | 'revokedAt'>): AuditedFields {
  return {
    ...auditedSettings(KEY_SETTINGS, key),
    disabled_at: key.disabledAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function noKey(): Refusal {
  return refuse('NOT_FOUND', 'There is no such key.');
}

/** The refusal of an expiry that has passed. */
export function expiryInThePast(): Refusal {
  return refuse('INVALID_REQUEST', '"expires_at" must be in the future.', { param: 'expires_at' });
}

/**
 * Creates a key under the caller's name for this creation, in the transaction given: a repeat within 24 hours returns the key
 * that was created, without its secret. Refused as `createKey` is, and if the name stands for another request.
 */
export async function createKeyOnce(
  tx: SqlRunner,
  scope: WorkspaceScope,
  projectId: string,
  { once, ...settings }: NewKey & { readonly once: string | null },
): Promise<(Key & { readonly key: string | null }) | Refusal> {
  const id = newId();
  const request = { projectId, ...settings, spendLimit: settings.spendLimit?.toString() ?? null };
  const former = await reserveCreation(tx, scope, { kind: 'key', id, once, request });
  if (isRefusal(former)) return former;
  if (former === null) return await createKey(tx, scope, projectId, { ...settings, id });
  const key = await showKey(tx, scope, former);
  return isRefusal(key) ? key : { ...key, key: null };
}

/** The settings of a new key; what is left out has no limit of its own. */
export type NewKey = Partial<KeySettings> & { readonly name: string };

/**
 * Creates a key in a project, in the transaction given. Without a limit it has the largest that the project allows the actor.
 * With `isNobodys` it is not the actor's but waits for the one who is to have it.
 * Refused if its expiry has passed, the project doesn't exist, or it allows the actor no such key.
 */
export async function createKey(
  tx: SqlRunner,
  scope: WorkspaceScope,
  projectId: string,
  { id = newId(), isNobodys = false, ...given }: NewKey & { readonly id?: string; readonly isNobodys?: boolean },
): Promise<CreatedKey | Refusal> {
  const gone = await lockMaker(tx, scope);
  if (gone !== null) return gone;
  const bounds = await lockBoundsOf(tx, scope, { projectId });
  const userId = isNobodys ? null : actingUser(scope.act.actor);
  const settings = { ...initialSettings(KEY_SETTINGS), spendLimit: bounds.memberKeySpendLimit, ...given };
  const refused =
    refusalOfLimit(bounds, settings.spendLimit) ??
    (await refusalOfCount(tx, bounds, { workspaceId: scope.workspaceId, projectId, userId }));
  if (refused !== null) return refused;
  const { publicId, key, lastFour, sha256 } = makeKeySecret(await readShard(tx));
  const [row] = await tx.query(
    `with key as (
       insert into keys (workspace_id, id, project_id, public_id, last_four, secret_sha256, created_by, ${SETTING_COLUMNS})
       select $1, $3, $2, $4, $5, $6, $7, ${SETTING_COLUMNS} from jsonb_populate_record(null::keys, $8::jsonb)
       where (expires_at is null or expires_at > now())
         and exists (select 1 from projects where workspace_id = $1 and id = $2 and archived_at is null)
       returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key returning id`,
    [
      scope.workspaceId,
      projectId,
      id,
      publicId,
      lastFour,
      sha256,
      userId,
      JSON.stringify(columnsOf(KEY_SETTINGS, settings)),
    ],
  );
  if (row === undefined) return await whyNotCreated(tx, scope, projectId);
  const created = await showKey(tx, scope, id);
  assert(!isRefusal(created), 'a key that was just made is there');
  await recordAudit(tx, scope, { action: 'key.create', target: keyTarget(created), after: auditedKey(created) });
  return { ...created, key };
}

async function whyNotCreated(tx: SqlRunner, { workspaceId }: WorkspaceScope, projectId: string): Promise<Refusal> {
  const [project] = await tx.query(
    'select 1 from projects where workspace_id = $1 and id = $2 and archived_at is null',
    [workspaceId, projectId],
  );
  return project === undefined ? refuse('NOT_FOUND', 'There is no such project.') : expiryInThePast();
}

/** How an audit event names a key. */
export function keyTarget({ id, name }: Key) {
  return { kind: 'key', id, name };
}

/** One key of the workspace. */
export async function showKey(sql: SqlRunner, { workspaceId }: WorkspaceScope, keyId: string): Promise<Key | Refusal> {
  const [row] = await sql.query<KeyRow>(`${SELECT_KEYS} where keys.workspace_id = $1 and keys.id = $2`, [
    workspaceId,
    keyId,
  ]);
  return row === undefined ? noKey() : toKey(row);
}
