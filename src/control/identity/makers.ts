import { recordAudit } from '../audit/audit.ts';
import type { Act, Actor } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { rolesWith } from '../../domain/roles.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import { endInvitations } from './ended-invitations.ts';

// What one person makes for another (a link for a password, an invitation) rests on the maker's right. It is checked when the
// thing is used, and what rests on a right that ends, ends with it: it does not come back with the right.

/** The person or program that made something. Neither: the instance's own token, or the person for themselves. */
export interface Maker {
  readonly userId: string | null;
  /** Of an operator token, or of the user's access token. */
  readonly tokenId: string | null;
}

/** The instance itself, or its own token. */
export const BY_INSTANCE: Maker = { userId: null, tokenId: null };

/** The maker whom an actor is. */
export function makerOf(actor: Actor): Maker {
  if (actor.kind === 'operator') return { userId: null, tokenId: actor.tokenId };
  if (actor.kind === 'access_token') return { userId: actor.userId, tokenId: actor.tokenId };
  return actor.kind === 'session' ? { userId: actor.userId, tokenId: null } : BY_INSTANCE;
}

interface MakerColumns {
  readonly user: string;
  readonly token: string;
  readonly workspace: string;
  /** SQL: the roles in that workspace that have the right, as text[]. */
  readonly roles: string;
}

/** SQL: whether the maker in these columns still has the right by which they made the row. */
function makerMay({ user, token, workspace, roles }: MakerColumns): string {
  return `(${token} is null
      or exists (select from operator_tokens made_by where made_by.id = ${token} and made_by.revoked_at is null)
      or exists (
        select from access_tokens made_by
        where made_by.workspace_id = ${workspace} and made_by.id = ${token} and made_by.revoked_at is null
          and made_by.expires_at > now()
      ))
    and (${user} is null or exists (
      select from users makers
      where makers.id = ${user} and makers.disabled_at is null and (makers.is_operator or exists (
        select from members rights join workspaces places on places.id = rights.workspace_id
        where places.archived_at is null and rights.user_id = makers.id and rights.workspace_id = ${workspace} and rights.role = any (${roles})
      ))
    ))`;
}

const roleArray = (roles: readonly string[]): string => `array[${roles.map((role) => `'${role}'`).join(', ')}]::text[]`;

const OWNER_MAKERS = roleArray(rolesWith('owners:write'));

/** SQL: whether the maker of a row of one_time_links still may make it. */
export const LINK_MAKER_MAY = makerMay({
  user: 'one_time_links.made_by_user',
  token: 'one_time_links.made_by_token',
  workspace: 'one_time_links.by_right_in',
  roles: OWNER_MAKERS,
});

/** SQL: whether the inviter of a row of invitations still may invite to its role. */
export const INVITER_MAY = makerMay({
  user: 'invitations.invited_by',
  token: 'invitations.invited_by_token',
  workspace: 'invitations.workspace_id',
  roles: `case invitations.role when 'owner' then ${OWNER_MAKERS} else ${roleArray(rolesWith('members:write'))} end`,
});

const END_LINKS = `update one_time_links set claimed_at = now() where claimed_at is null`;

/** Ends what a user has made for others by a right that they have just lost by this act. */
export async function endUnbacked(tx: SqlRunner, by: Act, userId: string): Promise<void> {
  await tx.query(`${END_LINKS} and made_by_user = $1 and not (${LINK_MAKER_MAY})`, [userId]);
  await endUnbackedInvitations(tx, by, `invited_by = $1 and not (${INVITER_MAY})`, [userId]);
}

/** Ends the links for a password that a user has made for others: an intruder may have, who had the account for a while. */
export async function endLinksMadeBy(tx: SqlRunner, userId: string): Promise<void> {
  await tx.query(`${END_LINKS} and made_by_user = $1`, [userId]);
}

/** Ends everything made with the instance's own token, which is replaced because it may have leaked. */
export async function endMadeByOwnToken(tx: SqlRunner, by: Act): Promise<void> {
  await tx.query(`${END_LINKS} and not mailed and made_by_user is null and made_by_token is null`);
  await endUnbackedInvitations(tx, by, 'invited_by is null and invited_by_token is null', []);
}

/** The event names the request that caused it; its actor may have no right in the invitation's workspace. */
async function endUnbackedInvitations(
  tx: SqlRunner,
  { address, requestId }: Act,
  which: string,
  values: readonly string[],
): Promise<void> {
  for (const { id, workspaceId, email, role } of await endInvitations(tx, which, values)) {
    const act: Act = { actor: { kind: 'job', name: 'ended rights' }, address, requestId };
    const scope = authorise(act, 'members:write', workspaceId);
    assert(!isRefusal(scope), 'a job may do everything');
    const target = { kind: 'invitation', id, name: email };
    await recordAudit(tx, scope, { action: 'invitation.revoke', target, before: { role } });
  }
}
