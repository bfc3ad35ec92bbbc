import { recordAudit } from '../../audit/audit.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import { endAccessTokensIn } from '../access-tokens.ts';
import { isDomainOf } from '../domain-accounts.ts';
import { endInvitations } from '../ended-invitations.ts';
import { endMembership } from '../members.ts';
import { endSessionsOf } from '../sessions.ts';
import type { DirectoryChange } from './directory-change.ts';

/** An account that the directory manages; its row is locked. */
export interface LockedAccount {
  readonly userId: string;
  readonly email: string;
  readonly isOperator: boolean;
}

/** The rights that ended with a membership. */
export interface Ended {
  readonly sessions: number;
  readonly access_tokens: number;
  readonly keys: number;
}

/**
 * Ends what somebody has in the workspace, since they have left the company: the membership and invitations to it, access tokens, the
 * keys that they have made, and sessions: all of them if the workspace has proven the domain of their address, else those that its
 * provider has begun. They don't come in by themselves until the directory names them again. Refused if nobody else owns the workspace.
 */
export async function endRightsOf(change: DirectoryChange, account: LockedAccount): Promise<Ended | Refusal> {
  const { tx, scope, access } = change;
  const { userId } = account;
  // Somebody may be accepting one: this waits for them, and then finds a member.
  await endInvitationsOf(change, account);
  const tokens = await endAccessTokensIn(tx, scope.workspaceId, userId);
  const refused = await endMembership(tx, scope, userId);
  if (refused !== null && refused.code !== 'NOT_FOUND') return refused;
  const keys = access.endsLeaversKeys ? await revokeKeysOf(change, userId) : 0;
  const sessions = await endTheirSessions(change, account);
  await tx.query(
    'insert into directory_leavers (workspace_id, user_id) values ($1, $2) on conflict (workspace_id, user_id) do nothing',
    [scope.workspaceId, userId],
  );
  return { sessions, access_tokens: tokens, keys };
}

async function endInvitationsOf({ tx, scope }: DirectoryChange, { email }: LockedAccount): Promise<void> {
  const ended = await endInvitations(tx, 'workspace_id = $1 and email = $2', [scope.workspaceId, email]);
  for (const { id, role } of ended) {
    const target = { kind: 'invitation', id, name: email };
    await recordAudit(tx, scope, { action: 'invitation.revoke', target, before: { role } });
  }
}

/** In the order of ids, as others lock several keys. */
async function revokeKeysOf({ tx, scope }: DirectoryChange, userId: string): Promise<number> {
  await tx.query(
    `select from keys where workspace_id = $1 and created_by = $2 and revoked_at is null order by id for no key update`,
    [scope.workspaceId, userId],
  );
  const revoked = await tx.query<{ id: string; name: string; at: Date }>(
    `with key as (
       update keys set revoked_at = now() where workspace_id = $1 and created_by = $2 and revoked_at is null
       returning id, name, revoked_at as at
     ), announced as (
       insert into changes (kind, subject_id) select 'key', id::text from key
     )
     select id, name, at from key order by id`,
    [scope.workspaceId, userId],
  );
  for (const { id, name, at } of revoked) {
    await recordAudit(tx, scope, {
      action: 'key.revoke',
      target: { kind: 'key', id, name },
      before: { revoked_at: null },
      after: { revoked_at: at.toISOString() },
    });
  }
  return revoked.length;
}

/** Operators have theirs for the instance, over which the workspace has no say. */
async function endTheirSessions({ tx, scope }: DirectoryChange, account: LockedAccount): Promise<number> {
  const { userId, email, isOperator } = account;
  if (!isOperator && (await isDomainOf(tx, scope.workspaceId, email))) return await endSessionsOf(tx, userId, null);
  const ended = await tx.query('delete from sessions where user_id = $1 and provider_workspace_id = $2 returning id', [
    userId,
    scope.workspaceId,
  ]);
  return ended.length;
}
