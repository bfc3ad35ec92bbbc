import { randomUUIDv7 } from 'node:crypto';
import { maskKey } from '../domain/key.ts';
import type { NanoUsd } from '../domain/money.ts';
import type { ModelPolicy } from '../domain/policy.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import { type Page, type PageRequest, readPage } from '../lib/page.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { makeKeySecret } from './key-secret.ts';

/** A key without its secret. */
export interface Key {
  readonly id: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly name: string;
  /** Its first characters, enough to recognise it. */
  readonly masked: string;
  /** Nano-USD a month; null: no limit of its own. */
  readonly spendLimit: NanoUsd | null;
  readonly models: ModelPolicy;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
}

/** Settings of a new key. */
export interface KeySettings {
  readonly name: string;
  readonly spendLimit?: NanoUsd | null;
  readonly models?: ModelPolicy;
  readonly expiresAt?: Date | null;
}

/** A new key, with the secret, which is not stored. */
export interface CreatedKey extends Key {
  readonly key: string;
}

interface KeyRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly project_id: string;
  readonly name: string;
  readonly public_id: string;
  readonly last_four: string;
  readonly spend_limit_nano_usd: NanoUsd | null;
  readonly models: ModelPolicy;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly created_at: Date;
}

const COLUMNS = `id, workspace_id, project_id, name, public_id, last_four, spend_limit_nano_usd, models, expires_at,
  revoked_at, created_at`;

function toKey(row: KeyRow): Key {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    name: row.name,
    masked: maskKey(row.public_id, row.last_four),
    spendLimit: row.spend_limit_nano_usd,
    models: row.models,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  };
}

/** Creates a key in a project. Refused if its expiry has passed or the project doesn't exist. One statement. */
export async function createKey(
  sql: SqlRunner,
  projectId: string,
  { name, spendLimit = null, models = null, expiresAt = null }: KeySettings,
): Promise<CreatedKey | Refusal> {
  const { publicId, key, lastFour, sha256 } = makeKeySecret();
  const [row] = await sql.query<KeyRow>(
    `with key as (
       insert into keys (workspace_id, id, project_id, name, public_id, last_four, secret_sha256,
         spend_limit_nano_usd, models, expires_at)
       select workspace_id, $2, id, $3, $4, $5, $6, $7, $8, $9::timestamptz from projects
       where id = $1 and archived_at is null and ($9::timestamptz is null or $9::timestamptz > now())
       returning ${COLUMNS}
     ), change as (
       insert into changes (kind, subject_id) select 'key', id::text from key
     )
     select * from key`,
    [projectId, randomUUIDv7(), name, publicId, lastFour, sha256, spendLimit, models, expiresAt],
  );
  if (row !== undefined) return { ...toKey(row), key };
  const [project] = await sql.query('select 1 from projects where id = $1 and archived_at is null', [projectId]);
  if (project === undefined) return refuse('NOT_FOUND', 'There is no such project.');
  return refuse('INVALID_REQUEST', '"expires_at" must be in the future.', {
    param: 'expires_at',
  });
}

/** A page of the project's keys, revoked ones included, oldest first. */
export async function listKeys(sql: SqlRunner, projectId: string, page: PageRequest = {}): Promise<Page<Key>> {
  return await readPage(page, async (after, count) => {
    const rows = await sql.query<KeyRow>(
      `select ${COLUMNS} from keys
       where workspace_id = (select workspace_id from projects where id = $1) and project_id = $1
         and ($2::uuid is null or id > $2)
       order by id limit $3`,
      [projectId, after, count],
    );
    return rows.map(toKey);
  });
}

/** Revokes a key permanently, in all processes within a second. A revoked key stays unchanged. Null: no such key. */
export async function revokeKey(sql: SqlRunner, keyId: string): Promise<Key | null> {
  const [row] = await sql.query<KeyRow>(
    `with key as (
       update keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning ${COLUMNS}
     ), change as (
       insert into changes (kind, subject_id) select 'key', id::text from key
     )
     select * from key`,
    [keyId],
  );
  return row === undefined ? null : toKey(row);
}
