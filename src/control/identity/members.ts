import { versionConflict } from '../audit/versions.ts';
import { changedFields, recordAudit } from '../audit/audit.ts';
import type { NanoUsd } from '../../domain/money.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Role } from '../../domain/roles.ts';
import { authorise, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { type Page, type PageRequest, readPage } from '../../lib/page.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { MEMBER_SETTINGS, type MemberSettings } from '../resources/member-settings.ts';
import { changedRaise, NOT_RAISED, selectRaise } from '../resources/raise.ts';
import { type Raise, RAISE_SETTINGS } from '../resources/raise-settings.ts';
import { auditedSettings } from '../resources/setting-values.ts';
import { makeChange } from '../audit/change.ts';
import { endAccessTokensIn } from './access-tokens.ts';
import { endResetLinks } from './links.ts';
import { endUnbacked } from './makers.ts';
import type { UserAct } from './visitor.ts';

/** A user with a role in a workspace. */
export interface Member extends MemberSettings, Raise {
  /** The user's id. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Whether they are the only owner who can sign in, so that they stay one. */
  readonly isLastOwner: boolean;
  readonly hasAuthenticator: boolean;
  readonly hasPasskey: boolean;
  readonly disabledAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
  readonly version: number;
}

/** Another owner than this member, who can sign in. */
const OTHER_OWNER = `
  select from members others join users owners on owners.id = others.user_id
  where others.workspace_id = members.workspace_id and others.user_id <> members.user_id
    and others.role = 'owner' and owners.disabled_at is null`;

const RAISED = selectRaise('member_limits', 'raisedLimit', 'raisedUntil');

const SELECT_MEMBERS = `
  select members.user_id as id, users.email, users.name, members.role, users.disabled_at as "disabledAt",
    authenticators.confirmed_at is not null as "hasAuthenticator",
    exists (select from passkeys where passkeys.user_id = members.user_id) as "hasPasskey",
    members.role = 'owner' and not exists (${OTHER_OWNER}) as "isLastOwner",
    members.created_at as "createdAt", members.version, member_limits.monthly_limit_nano_usd as "monthlyLimit", ${RAISED},
    (select max(last_seen_at) from sessions where sessions.user_id = members.user_id) as "lastSeenAt"
  from members join users on users.id = members.user_id
    left join authenticators on authenticators.user_id = members.user_id
    left join member_limits on member_limits.workspace_id = members.workspace_id and member_limits.user_id = members.user_id
  where members.workspace_id = $1`;

/** A page of the members that the scope covers. */
export async function listMembers(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  page: PageRequest = {},
): Promise<Page<Member>> {
  return await readPage(page, (after, count) =>
    sql.query<Member>(
      `${SELECT_MEMBERS} and ($2::uuid is null or members.user_id > $2) and ($4::uuid is null or members.user_id = $4)
       order by members.user_id limit $3`,
      [workspaceId, after, count, ownOnlyOf],
    ),
  );
}

/** One member. */
export async function showMember(
  sql: SqlRunner,
  { workspaceId, ownOnlyOf }: WorkspaceScope,
  userId: string,
): Promise<Member | Refusal> {
  if (ownOnlyOf !== null && ownOnlyOf !== userId) return noMember();
  const [member] = await sql.query<Member>(`${SELECT_MEMBERS} and members.user_id = $2`, [workspaceId, userId]);
  return member ?? noMember();
}

function noMember(): Refusal {
  return refuse('NOT_FOUND', 'There is no such member.');
}

/** Whether the scope's actor may grant or withdraw this role: only owners grant or withdraw that of an owner. */
export function mayHandle({ act, workspaceId }: WorkspaceScope, role: Role): Refusal | null {
  if (role !== 'owner') return null;
  const scope = authorise(act, 'owners:write', workspaceId);
  return isRefusal(scope) ? scope : null;
}

interface NewMembership {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: Role;
  /** Nano-USD; null: none is named. */
  readonly monthlyLimit?: NanoUsd | null;
}

/**
 * Makes a user a member; one who is a member keeps their role. Who joins gets this limit, or the one that they had before, or the
 * one that the workspace has for it. Open links for their password end: by one, somebody else would get the rights here too.
 */
export async function addMember(
  tx: SqlRunner,
  { workspaceId, userId, role, monthlyLimit = null }: NewMembership,
): Promise<void> {
  const [joined] = await tx.query<{ limit: NanoUsd | null }>(
    `with joined as (
       insert into members (workspace_id, user_id, role) values ($1, $2, $3)
       on conflict (workspace_id, user_id) do nothing returning workspace_id, user_id
     )
     select coalesce($4, monthly_limit_nano_usd, member_monthly_limit_nano_usd) as limit
     from joined join workspaces on workspaces.id = workspace_id left join member_limits using (workspace_id, user_id)`,
    [workspaceId, userId, role, monthlyLimit],
  );
  if (joined !== undefined && joined.limit !== null)
    await limitMember(tx, { workspaceId, userId, limit: joined.limit });
  await endResetLinks(tx, userId);
}

/** Sets what all keys of a member may spend in a month, and a raise of it; null: no limit. Nano-USD. */
async function limitMember(
  tx: SqlRunner,
  {
    workspaceId,
    userId,
    limit,
    raise: { raisedLimit, raisedUntil } = NOT_RAISED,
  }: {
    readonly workspaceId: string;
    readonly userId: string;
    readonly limit: NanoUsd | null;
    readonly raise?: Raise;
  },
): Promise<void> {
  await tx.query('select set_member_limit($1, $2, $3, $4, $5)', [workspaceId, userId, limit, raisedLimit, raisedUntil]);
}

interface LockedMember extends MemberSettings, Raise {
  readonly email: string;
  readonly role: Role;
  readonly version: number;
}

/** What of a member is changed; the rest stays as it is. */
export interface MemberChange extends Partial<MemberSettings & Raise> {
  readonly role?: Role;
}

/**
 * Gives a member another role or limit. `version` is the one that the change is based on; null: any. The last owner stays one, also
 * if two are changed at the same time. Refused to those who may not make the member what they are.
 */
export async function changeMember(
  sql: Sql,
  scope: WorkspaceScope,
  userId: string,
  { version, change: { role, ...settings } }: { readonly version: number | null; readonly change: MemberChange },
): Promise<Member | Refusal> {
  return await makeChange(sql, async (tx) => {
    const changed = role === undefined ? null : await setRole(tx, scope, { userId, role, version });
    if (isRefusal(changed) || Object.keys(settings).length === 0)
      return changed ?? (await showMember(tx, scope, userId));
    return await changeSettings(tx, scope, { userId, version: changed?.version ?? version, settings });
  });
}

async function changeSettings(
  tx: SqlRunner,
  scope: WorkspaceScope,
  {
    userId,
    version,
    settings,
  }: { readonly userId: string; readonly version: number | null; readonly settings: Partial<MemberSettings & Raise> },
): Promise<Member | Refusal> {
  const { workspaceId } = scope;
  const before = await lockMember(tx, scope, userId);
  if (isRefusal(before)) return before;
  const refused = versionConflict(before.version, version) ?? mayHandle(scope, before.role);
  if (refused !== null) return refused;
  const { monthlyLimit: limit } = { ...before, ...settings };
  const isChanged = limit !== before.monthlyLimit;
  const raise = changedRaise(before, settings, { limit, isChanged, period: 'month', nowMs: Date.now() });
  if (isRefusal(raise)) return raise;
  await limitMember(tx, { workspaceId, userId, limit, raise });
  await tx.query('update members set version = version + 1 where workspace_id = $1 and user_id = $2', [
    workspaceId,
    userId,
  ]);
  await recordAudit(tx, scope, {
    action: 'member.update',
    target: { kind: 'member', id: userId, name: before.email },
    ...changedFields(
      auditedSettings({ ...MEMBER_SETTINGS, ...RAISE_SETTINGS }, before),
      auditedSettings({ ...MEMBER_SETTINGS, ...RAISE_SETTINGS }, { monthlyLimit: limit, ...raise }),
    ),
  });
  return await showMember(tx, scope, userId);
}

/** Gives a member another role, in the transaction given. */
export async function setRole(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { userId, role, version }: { readonly userId: string; readonly role: Role; readonly version: number | null },
): Promise<Member | Refusal> {
  const { workspaceId } = scope;
  const before = await lockMember(tx, scope, userId);
  if (isRefusal(before)) return before;
  const refused =
    versionConflict(before.version, version) ??
    mayHandle(scope, before.role) ??
    mayHandle(scope, role) ??
    (before.role === 'owner' && role !== 'owner' ? await refusalOfLastOwner(tx, scope, userId) : null);
  if (refused !== null) return refused;
  await tx.query('update members set role = $3, version = version + 1 where workspace_id = $1 and user_id = $2', [
    workspaceId,
    userId,
    role,
  ]);
  await endResetLinks(tx, userId);
  await endUnbacked(tx, scope.act, userId);
  await recordAudit(tx, scope, {
    action: 'member.update',
    target: { kind: 'member', id: userId, name: before.email },
    ...changedFields({ role: before.role }, { role }),
  });
  return await showMember(tx, scope, userId);
}

/** Removes a member: their access tokens, console keys, links and invitations for the workspace end. The last owner stays. */
export async function removeMember(sql: Sql, scope: WorkspaceScope, userId: string): Promise<Refusal | null> {
  return await makeChange(sql, (tx) => endMembership(tx, scope, userId));
}

/** The same, in the transaction given. */
export async function endMembership(tx: SqlRunner, scope: WorkspaceScope, userId: string): Promise<Refusal | null> {
  const before = await lockMember(tx, scope, userId);
  if (isRefusal(before)) return before;
  return mayHandle(scope, before.role) ?? (await remove(tx, scope, { ...before, userId }));
}

/** Takes the signed-in user out of a workspace. The last owner stays. */
export async function leaveWorkspace(sql: Sql, act: UserAct, workspaceId: string): Promise<Refusal | null> {
  const scope = authorise(act, 'workspace:read', workspaceId);
  if (isRefusal(scope)) return scope;
  const { userId } = act.actor;
  return await makeChange(sql, async (tx) => {
    const before = await lockMember(tx, scope, userId);
    return isRefusal(before) ? before : await remove(tx, scope, { ...before, userId });
  });
}

async function remove(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { userId, email, role }: Pick<LockedMember, 'email' | 'role'> & { readonly userId: string },
): Promise<Refusal | null> {
  const refused = role === 'owner' ? await refusalOfLastOwner(tx, scope, userId) : null;
  if (refused !== null) return refused;
  await dropMembership(tx, scope, { userId, role, name: email });
  return null;
}

/** Ends a membership of any role, with its access tokens, console keys, links and invitations for the workspace. */
export async function dropMembership(
  tx: SqlRunner,
  scope: WorkspaceScope,
  { userId, role, name }: { readonly userId: string; readonly role: Role; readonly name: string | null },
): Promise<void> {
  await tx.query('delete from members where workspace_id = $1 and user_id = $2', [scope.workspaceId, userId]);
  await tx.query(
    `with key as (
       update keys set revoked_at = now()
       where workspace_id = $1 and created_by = $2 and kind = 'console' and revoked_at is null returning id
     )
     insert into changes (kind, subject_id) select 'key', id::text from key`,
    [scope.workspaceId, userId],
  );
  // A member who comes back doesn't get them back.
  await endAccessTokensIn(tx, scope.workspaceId, userId);
  await endUnbacked(tx, scope.act, userId);
  await recordAudit(tx, scope, {
    action: 'member.remove',
    target: { kind: 'member', id: userId, name },
    before: { role },
  });
}

/** Locks the owners before the member, in one order: of two changes at the same time the second sees the first. */
async function lockMember(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  userId: string,
): Promise<LockedMember | Refusal> {
  await tx.query(
    `select from members where workspace_id = $1 and (role = 'owner' or user_id = $2) order by user_id for update`,
    [workspaceId, userId],
  );
  const [member] = await tx.query<LockedMember>(
    `select users.email, members.role, members.version, member_limits.monthly_limit_nano_usd as "monthlyLimit", ${RAISED}
     from members join users on users.id = members.user_id left join member_limits using (workspace_id, user_id)
     where members.workspace_id = $1 and members.user_id = $2`,
    [workspaceId, userId],
  );
  return member ?? noMember();
}

async function refusalOfLastOwner(
  tx: SqlRunner,
  { workspaceId }: WorkspaceScope,
  userId: string,
): Promise<Refusal | null> {
  const [last] = await tx.query(
    `select from members where workspace_id = $1 and user_id = $2 and not exists (${OTHER_OWNER})`,
    [workspaceId, userId],
  );
  if (last === undefined) return null;
  return refuse('CONFLICT', 'A workspace has one owner at least: make another member an owner first.');
}

/** The workspaces in which no other owner can sign in. */
export async function ownedAlone(
  tx: SqlRunner,
  userId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return await tx.query<{ id: string; name: string }>(
    `select workspaces.id, workspaces.name from members join workspaces on workspaces.id = members.workspace_id
     where members.user_id = $1 and members.role = 'owner' and workspaces.archived_at is null
       and not exists (${OTHER_OWNER})
     order by workspaces.name`,
    [userId],
  );
}

/** A workspace of a user's, and their role in it. */
export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly state: 'active' | 'suspended' | 'closing';
  /** The cell in which it lives, and the address of it; null: in this one. */
  readonly movedTo: string | null;
  readonly movedToUrl: string | null;
}

/** The workspaces that the signed-in user is a member of, the first 200 by name. Those that have moved come last. */
export async function listMemberships(sql: SqlRunner, { actor }: UserAct): Promise<readonly Membership[]> {
  return await sql.query<Membership>(
    `select workspaces.id, workspaces.name, members.role,
       case when closing_at is not null then 'closing' when suspended_at is not null then 'suspended'
         else 'active' end as state,
       moved_to as "movedTo", (select url from cells where shard = moved_to) as "movedToUrl"
     from members join workspaces on workspaces.id = members.workspace_id
     where members.user_id = $1 and workspaces.archived_at is null
     order by moved_to is not null, workspaces.name limit 200`,
    [actor.userId],
  );
}
