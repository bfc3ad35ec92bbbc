import { formatUsd, type NanoUsd } from '../../domain/money.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import { reachOf, ROLES } from '../../domain/roles.ts';
import { actingUser, isOperator } from '../../domain/actor.ts';
import { isForOwnOnly, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';

// Bounds of the keys that members make who manage their own keys alone, such as developers: a project says how much each such
// key may spend in a month, and how many a member has. They hold when such a member creates, changes, enables or rotates a
// key, and for the key of the console, which is made for them.

/** What a project allows such keys; null: no bound. */
export interface MemberKeyBounds {
  /** Nano-USD a month. */
  readonly memberKeySpendLimit: NanoUsd | null;
  readonly memberKeysMax: number | null;
}

const UNBOUND: MemberKeyBounds = { memberKeySpendLimit: null, memberKeysMax: null };

/**
 * The bounds of keys that the scope's actor makes in a project, or in that of a key. They and the number of the actor's keys
 * stand until the transaction ends. Projects are locked before their keys.
 */
export async function lockBoundsOf(
  tx: SqlRunner,
  { act, workspaceId }: WorkspaceScope,
  { projectId, keyId }: { readonly projectId?: string; readonly keyId?: string },
): Promise<MemberKeyBounds> {
  if (!isForOwnOnly(act, 'keys:write', workspaceId)) return UNBOUND;
  const [bounds] = await tx.query<MemberKeyBounds>(
    `select member_key_spend_limit_nano_usd as "memberKeySpendLimit", member_keys_max as "memberKeysMax"
     from projects
     where workspace_id = $1 and id = coalesce($2, (select project_id from keys where workspace_id = $1 and id = $3))
     for no key update`,
    [workspaceId, projectId ?? null, keyId ?? null],
  );
  return bounds ?? UNBOUND;
}

/**
 * Keeps the actor a member until the transaction ends: the end of their membership, which ends keys of theirs, waits for the key that
 * they make. Refused if it has come; operators need none. Members are locked before projects.
 */
export async function lockMaker(tx: SqlRunner, { act, workspaceId }: WorkspaceScope): Promise<Refusal | null> {
  const userId = actingUser(act.actor);
  if (userId === null || isOperator(act.actor)) return null;
  const [member] = await tx.query('select from members where workspace_id = $1 and user_id = $2 for share', [
    workspaceId,
    userId,
  ]);
  return member === undefined ? refuse('NOT_FOUND', 'There is no such workspace.') : null;
}

/** The refusal of a key with this limit; null if the bounds allow it. */
export function refusalOfLimit({ memberKeySpendLimit: most }: MemberKeyBounds, limit: NanoUsd | null): Refusal | null {
  if (most === null || (limit !== null && limit <= most)) return null;
  const message = `Keys of members with your role may spend at most ${formatUsd(most)} USD a month in this project: give the key a limit up to that, or ask an owner or an admin.`;
  return refuse('FORBIDDEN', message, { param: 'spend_limit_usd' });
}

/** The refusal of a raise to this limit; null if the bounds allow it. */
export function refusalOfRaise({ memberKeySpendLimit: most }: MemberKeyBounds, limit: NanoUsd | null): Refusal | null {
  if (most === null || limit === null || limit <= most) return null;
  const message = `Keys of members with your role may spend at most ${formatUsd(most)} USD a month in this project: raise the limit up to that, or ask an owner or an admin.`;
  return refuse('FORBIDDEN', message, { param: 'raised_limit_usd' });
}

/** The refusal of one more key of this user's. One that was revoked counts until the month ends: it may have spent its limit. */
export async function refusalOfCount(
  tx: SqlRunner,
  { memberKeysMax: most }: MemberKeyBounds,
  {
    workspaceId,
    projectId,
    userId,
  }: { readonly workspaceId: string; readonly projectId: string; readonly userId: string | null },
): Promise<Refusal | null> {
  if (most === null) return null;
  const [{ count } = { count: 0n }] = await tx.query<{ count: bigint }>(
    `select count(*) as count from keys
     where workspace_id = $1 and project_id = $2 and created_by = $3 and kind <> 'console'
       and (revoked_at is null or revoked_at >= date_trunc('month', now(), 'UTC'))`,
    [workspaceId, projectId, userId],
  );
  if (count < BigInt(most)) return null;
  const message = `Members with your role may have ${most === 1 ? 'one key' : `${most} keys`} in this project, counting those that were revoked this month: ask an owner or an admin.`;
  return refuse('CONFLICT', message);
}

/** Lowers the limits of the project's present keys of such members to a bound that was set. Nano-USD a month. */
export async function limitMemberKeys(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  { projectId, most }: { readonly projectId: string; readonly most: NanoUsd },
): Promise<void> {
  const roles = ROLES.filter((role) => reachOf(role, 'keys:write') === 'own');
  await tx.query('select limit_member_keys($1, $2, $3, $4)', [workspaceId, projectId, most, roles]);
}
