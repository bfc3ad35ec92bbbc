import type { Role } from '../../domain/roles.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** An invitation that was open until now. */
export interface EndedInvitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
}

/** Ends the open invitations for which a condition in SQL holds, and the keys that were made with them. */
export async function endInvitations(
  tx: SqlRunner,
  which: string,
  values: readonly string[],
): Promise<readonly EndedInvitation[]> {
  const ended = await tx.query<EndedInvitation & { readonly keyId: string | null }>(
    `update invitations set revoked_at = now() where accepted_at is null and revoked_at is null and ${which}
     returning id, workspace_id as "workspaceId", email, role, key_id as "keyId"`,
    values,
  );
  for (const { workspaceId, keyId } of ended) if (keyId !== null) await endInvitationKey(tx, workspaceId, keyId);
  return ended;
}

/** Ends a key that was made with an invitation, unless a person has got it. */
export async function endInvitationKey(tx: SqlRunner, workspaceId: string, keyId: string): Promise<void> {
  await tx.query(
    `with key as (
       update keys set revoked_at = now()
       where workspace_id = $1 and id = $2 and created_by is null and revoked_at is null returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key`,
    [workspaceId, keyId],
  );
}
