import { publicIdOf } from '../../domain/key.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { type OperatorScope, ownOnlyBy, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { isUuid } from '../../lib/uuid7.ts';

// Resolves references to ids. People refer by name, programs by id.

interface FoundRow {
  readonly id: string;
}

function unknown(what: string, reference: string): Refusal {
  return refuse('NOT_FOUND', `There is no ${what} "${reference}".`);
}

/** The id of the workspace that has this id or name; if closed ones count, of those with this name the open one, or the newest. */
export async function findWorkspaceId(
  sql: SqlRunner,
  reference: string,
  { includesClosed = false }: { readonly includesClosed?: boolean } = {},
): Promise<string | Refusal> {
  const [row] = await sql.query<FoundRow>(
    `select id from workspaces where (archived_at is null or $3) and (name = $1 or id = $2)
     order by id = $2 desc nulls last, archived_at desc nulls first limit 1`,
    [reference, isUuid(reference) ? reference : null, includesClosed],
  );
  return row?.id ?? unknown('workspace', reference);
}

export interface WorkspacePlace {
  readonly name: string;
  /** The shard of the cell in which it lives now; null: in this one. */
  readonly movedTo: string | null;
}

/** The name of the workspace, open or closed, and where it lives; an empty name if there is none. */
export async function findWorkspacePlace(
  sql: SqlRunner,
  _operator: OperatorScope,
  id: string,
): Promise<WorkspacePlace> {
  const [row] = await sql.query<WorkspacePlace>('select name, moved_to as "movedTo" from workspaces where id = $1', [
    id,
  ]);
  return row ?? { name: '', movedTo: null };
}

/** The id of the workspace's project with this id or name. */
export async function findProjectId(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  reference: string,
): Promise<string | Refusal> {
  const [row] = await sql.query<FoundRow>(
    `select id from projects where workspace_id = $1 and archived_at is null and (name = $2 or id = $3)
     order by id = $3 desc`,
    [workspaceId, reference, isUuid(reference) ? reference : null],
  );
  return row?.id ?? unknown('project', reference);
}

/** The id of the workspace's project with this id, archived or not. Another project may have an archived one's name by now. */
export async function findProjectToRestore(
  sql: SqlRunner,
  { workspaceId }: WorkspaceScope,
  reference: string,
): Promise<string | Refusal> {
  const [row] = await sql.query<FoundRow>('select id from projects where workspace_id = $1 and id = $2', [
    workspaceId,
    isUuid(reference) ? reference : null,
  ]);
  return row?.id ?? unknown('project', reference);
}

/**
 * The id of the workspace's key with this id or public id; the public id is also read out of the whole or masked key. To members who see
 * their own keys alone, there are no others.
 */
export async function findKeyId(sql: SqlRunner, scope: WorkspaceScope, reference: string): Promise<string | Refusal> {
  const [row] = await sql.query<FoundRow>(
    `select id from keys
     where workspace_id = $1 and (public_id = $2 or id = $3) and ($4::uuid is null or created_by = $4)`,
    [
      scope.workspaceId,
      publicIdOf(reference) ?? reference,
      isUuid(reference) ? reference : null,
      ownOnlyBy(scope, 'keys:read'),
    ],
  );
  return row?.id ?? refuse('NOT_FOUND', 'There is no such key.');
}

/** Something of a workspace, found by the operator. */
export interface Located {
  readonly workspaceId: string;
  readonly id: string;
}

/** The project with this id, this `workspace/project` pair of names, or this name if no other has it, in any workspace. */
export async function locateProject(sql: SqlRunner, reference: string): Promise<Located | Refusal> {
  if (isUuid(reference)) {
    const [row] = await sql.query<Located>(
      'select workspace_id as "workspaceId", id from projects where id = $1 and archived_at is null',
      [reference],
    );
    if (row !== undefined) return row;
  }
  const [first, second] = reference.split('/', 2);
  const [workspace, project] = second === undefined ? [null, reference] : [first ?? '', second];
  const rows = await sql.query<Located>(
    `select projects.workspace_id as "workspaceId", projects.id
     from projects join workspaces on workspaces.id = projects.workspace_id
     where projects.archived_at is null and workspaces.archived_at is null and projects.name = $2
       and ($1::text is null or workspaces.name = $1)
     limit 2`,
    [workspace, project],
  );
  if (rows.length > 1) {
    return refuse(
      'INVALID_REQUEST',
      `Several workspaces have a project "${reference}": refer to it as workspace/project.`,
    );
  }
  return rows[0] ?? unknown('project', reference);
}

/** The key with this id or public id, in any workspace. */
export async function locateKey(sql: SqlRunner, reference: string): Promise<Located | Refusal> {
  const [row] = await sql.query<Located>(
    'select workspace_id as "workspaceId", id from keys where public_id = $1 or id = $2',
    [publicIdOf(reference) ?? reference, isUuid(reference) ? reference : null],
  );
  return row ?? refuse('NOT_FOUND', 'There is no such key.');
}
