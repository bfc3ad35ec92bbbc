import { randomUUID } from 'node:crypto';
import type { Sql } from '../../src/lib/sql.ts';
import { openKey, openProject } from './accounts.ts';

/** Makes a key with an invitation, as several people get one who are invited together; answers whether it is live. */
export async function makeInvitedKey(
  sql: Sql,
  { workspaceId, invitationId }: { readonly workspaceId: string; readonly invitationId: string },
): Promise<() => Promise<boolean>> {
  const workspace = { id: workspaceId } as Parameters<typeof openProject>[1];
  const project = await openProject(sql, workspace, { name: `project ${randomUUID()}` });
  const { id } = await openKey(sql, project);
  await sql.query('update invitations set key_id = $2 where workspace_id = $1 and id = $3', [
    workspaceId,
    id,
    invitationId,
  ]);
  return async () =>
    (await sql.query('select from keys where workspace_id = $1 and id = $2 and revoked_at is null', [workspaceId, id]))
      .length === 1;
}
