import { recordAudit } from '../../audit/audit.ts';
import { makeChange } from '../../audit/change.ts';
import { actorName } from '../../../domain/actor.ts';
import { refuse, type Refusal } from '../../../domain/refusals.ts';
import type { WorkspaceScope } from '../../../domain/workspace-scope.ts';
import type { Sql, SqlRunner } from '../../../lib/sql.ts';
import { DIRECTORY_TOKEN_PREFIX, isToken, makeToken, secretHash } from '../secrets.ts';

// A workspace is connected to the directory of its company while it has a token for it: one, by which the directory says who its
// people and groups are.

/** The connection as owners see it. */
export interface DirectoryConnection {
  /** Null: there is none. */
  readonly token: DirectoryToken | null;
  readonly activePeople: bigint;
  readonly people: bigint;
  readonly groups: bigint;
}

export interface DirectoryToken {
  readonly lastFour: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Within a minute. */
  readonly lastUsedAt: Date | null;
}

const COLUMNS = `last_four as "lastFour", created_by as "createdBy", created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** Shows whether a directory is connected, and what it has sent. */
export async function showDirectory(sql: SqlRunner, { workspaceId }: WorkspaceScope): Promise<DirectoryConnection> {
  const [token = null] = await sql.query<DirectoryToken>(`select ${COLUMNS} from directories where workspace_id = $1`, [
    workspaceId,
  ]);
  const [counts] = await sql.query<Omit<DirectoryConnection, 'token'>>(
    `select count(*) filter (where active) as "activePeople", count(*) as people,
       (select count(*) from directory_groups where workspace_id = $1) as groups
     from directory_users where workspace_id = $1`,
    [workspaceId],
  );
  if (counts === undefined) throw new Error('a count has one row');
  return { token, ...counts };
}

/** Makes the token of the workspace's directory, which is shown once. The previous token ends immediately. */
export async function makeDirectoryToken(
  sql: Sql,
  scope: WorkspaceScope,
): Promise<(DirectoryConnection & { readonly secret: string }) | Refusal> {
  const { secret, sha256, lastFour } = makeToken(DIRECTORY_TOKEN_PREFIX);
  const { workspaceId, act } = scope;
  return await makeChange(sql, async (tx) => {
    const [workspace] = await tx.query<{ name: string }>(
      'select name from workspaces where id = $1 and closing_at is null for no key update',
      [workspaceId],
    );
    if (workspace === undefined) return refuse('CONFLICT', 'The workspace has been closed, which is for good.');
    await tx.query(
      `insert into directories (workspace_id, secret_sha256, last_four, created_by) values ($1, $2, $3, $4)
       on conflict (workspace_id) do update
         set secret_sha256 = excluded.secret_sha256, last_four = excluded.last_four, created_by = excluded.created_by,
           created_at = now(), last_used_at = null`,
      [workspaceId, sha256, lastFour, actorName(act.actor)],
    );
    await recordAudit(tx, scope, {
      action: 'directory_token.create',
      target: { kind: 'directory', id: workspaceId, name: workspace.name },
    });
    return { ...(await showDirectory(tx, scope)), secret };
  });
}

/** Ends the token of the workspace's directory. People and groups stay as the directory has left them. */
export async function endDirectoryToken(sql: Sql, scope: WorkspaceScope): Promise<DirectoryConnection | Refusal> {
  const { workspaceId } = scope;
  return await makeChange(sql, async (tx) => {
    const [ended] = await tx.query('delete from directories where workspace_id = $1 returning workspace_id', [
      workspaceId,
    ]);
    if (ended === undefined) return refuse('NOT_FOUND', 'No directory is connected.');
    await recordAudit(tx, scope, {
      action: 'directory_token.end',
      target: { kind: 'directory', id: workspaceId },
    });
    return await showDirectory(tx, scope);
  });
}

/** A directory that has shown its token. */
export interface KnownDirectory {
  readonly workspaceId: string;
  readonly sha256: Buffer;
}

/** The directory whose token this is; null if there is none, or its workspace is closed. */
export async function findDirectory(sql: SqlRunner, secret: string): Promise<KnownDirectory | null> {
  if (!isToken(secret, DIRECTORY_TOKEN_PREFIX)) return null;
  const sha256 = secretHash(secret);
  const [found] = await sql.query<{ workspaceId: string; isFresh: boolean }>(
    `select directories.workspace_id as "workspaceId", coalesce(last_used_at > now() - interval '1 minute', false) as "isFresh"
     from directories join workspaces on workspaces.id = directories.workspace_id
     where secret_sha256 = $1 and archived_at is null and closing_at is null and moved_to is null`,
    [sha256],
  );
  if (found === undefined) return null;
  const { workspaceId, isFresh } = found;
  if (!isFresh) await sql.query('update directories set last_used_at = now() where workspace_id = $1', [workspaceId]);
  return { workspaceId, sha256 };
}

/** Locks a directory against other changes that it sends, and against the end of its token; false if that has come. */
export async function lockDirectory(tx: SqlRunner, { workspaceId, sha256 }: KnownDirectory): Promise<boolean> {
  const [locked] = await tx.query(
    'select from directories where workspace_id = $1 and secret_sha256 = $2 for no key update',
    [workspaceId, sha256],
  );
  return locked !== undefined;
}
