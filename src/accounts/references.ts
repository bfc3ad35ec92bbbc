import { publicIdOf } from '../domain/key.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { SqlRunner } from '../lib/sql.ts';
import { isUuid } from '../lib/uuid7.ts';

// Resolves references to ids. People refer by name, programs by id.

interface FoundRow {
  readonly id: string;
}

function unknown(what: string, reference: string): Refusal {
  return refuse('NOT_FOUND', `There is no ${what} "${reference}".`);
}

/** The id of the workspace that has this id or name. */
export async function findWorkspaceId(sql: SqlRunner, reference: string): Promise<string | Refusal> {
  const [row] = await sql.query<FoundRow>(
    'select id from workspaces where archived_at is null and (name = $1 or id = $2) order by id = $2 desc',
    [reference, isUuid(reference) ? reference : null],
  );
  return row?.id ?? unknown('workspace', reference);
}

/** The id of the project with this id, this `workspace/project` pair of names, or this name if no other has it. */
export async function findProjectId(sql: SqlRunner, reference: string): Promise<string | Refusal> {
  if (isUuid(reference)) {
    const [row] = await sql.query<FoundRow>('select id from projects where id = $1 and archived_at is null', [
      reference,
    ]);
    if (row !== undefined) return row.id;
  }
  const [first, second] = reference.split('/', 2);
  const [workspace, project] = second === undefined ? [null, reference] : [first ?? '', second];
  const rows = await sql.query<FoundRow>(
    `select projects.id from projects join workspaces on workspaces.id = projects.workspace_id
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
  return rows[0]?.id ?? unknown('project', reference);
}

/** The id of the key with this id or public id. The reference may also be the key itself or its masked form. */
export async function findKeyId(sql: SqlRunner, reference: string): Promise<string | Refusal> {
  const [row] = await sql.query<FoundRow>('select id from keys where public_id = $1 or id = $2', [
    publicIdOf(reference) ?? reference,
    isUuid(reference) ? reference : null,
  ]);
  return row?.id ?? refuse('NOT_FOUND', 'There is no such key.');
}
