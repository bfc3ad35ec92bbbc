import type { NanoUsd } from '../../domain/money.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { INVITER_MAY } from './makers.ts';

/** An invitation that a person has just taken up. */
export interface TakenInvitation {
  readonly id: string;
  /** Nano-USD; null: it names no limit. */
  readonly limit: NanoUsd | null;
}

/**
 * Marks the open invitation for which a condition in SQL holds, `$1` being the user, as accepted by them, and makes its key theirs, unless
 * it was revoked. Null: none is open. A limit is to be set afterwards, so that it counts what the key was charged.
 */
export async function takeInvitation(
  tx: SqlRunner,
  which: string,
  userId: string,
  values: readonly (string | Buffer | null)[],
): Promise<TakenInvitation | null> {
  const [taken] = await tx.query<TakenInvitation & { readonly workspaceId: string; readonly keyId: string | null }>(
    `update invitations set accepted_at = now(), accepted_by = $1
     where accepted_at is null and revoked_at is null and expires_at > now() and ${INVITER_MAY} and ${which}
     returning id, workspace_id as "workspaceId", key_id as "keyId", monthly_limit_nano_usd as limit`,
    [userId, ...values],
  );
  if (taken === undefined) return null;
  if (taken.keyId !== null) {
    await tx.query(
      `with key as (
         update keys set created_by = $3
         where workspace_id = $1 and id = $2 and created_by is null and revoked_at is null returning id
       )
       insert into changes (kind, subject_id) select 'key', id::text from key`,
      [taken.workspaceId, taken.keyId, userId],
    );
  }
  return { id: taken.id, limit: taken.limit };
}
