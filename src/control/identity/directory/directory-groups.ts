import { recordAudit } from '../../audit/audit.ts';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { newId } from '../../../lib/uuid7.ts';
import { changeByDirectory, type DirectoryChange, type DirectoryRequest } from './directory-change.ts';
import { followGroups, groupsDecide } from './directory-members.ts';
import type { ListPart } from './directory-users.ts';

const GROUPS_MAX = 2_000;

/** What a directory says of a group. Members are ids of its people. */
export interface GroupFields {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly string[];
}

/** A group of a directory. */
export interface DirectoryGroup extends GroupFields {
  readonly id: string;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

const SELECT_GROUPS = `
  select id, display_name as "displayName", external_id as "externalId", created_at as "createdAt", changed_at as "changedAt",
    array(
      select directory_user_id from directory_group_members joined
      where joined.workspace_id = directory_groups.workspace_id and joined.group_id = directory_groups.id
      order by directory_user_id
    ) as members
  from directory_groups where workspace_id = $1`;

/** The groups that a list shows; what is left out lets all through. */
export interface GroupFilter {
  readonly id?: string;
  readonly displayName?: string;
  readonly externalId?: string;
  /** The id of one of its members. */
  readonly member?: string;
}

/** Some of the groups that the filter lets through, and how many there are. */
export async function listGroups(
  sql: SqlRunner,
  workspaceId: string,
  { filter, part }: { readonly filter: GroupFilter; readonly part: ListPart },
): Promise<{ readonly total: number; readonly groups: readonly DirectoryGroup[] }> {
  const { id, displayName, externalId, member } = filter;
  const given = [id, displayName, externalId, member].map((value) => value ?? null);
  const passes = `($2::text is null or id::text = lower($2)) and ($3::text is null or lower(display_name) = lower($3))
    and ($4::text is null or external_id = $4) and ($5::text is null or exists (
      select from directory_group_members joined
      where joined.workspace_id = $1 and joined.group_id = directory_groups.id and joined.directory_user_id::text = lower($5)
    ))`;
  const [{ total } = { total: 0n }] = await sql.query<{ total: bigint }>(
    `select count(*) as total from directory_groups where workspace_id = $1 and ${passes}`,
    [workspaceId, ...given],
  );
  const groups = await sql.query<DirectoryGroup>(`${SELECT_GROUPS} and ${passes} order by id offset $6 limit $7`, [
    workspaceId,
    ...given,
    part.offset,
    part.count,
  ]);
  return { total: Number(total), groups };
}

/** One group. */
export async function showGroup(sql: SqlRunner, workspaceId: string, id: string): Promise<DirectoryGroup | Refusal> {
  const [group] = await sql.query<DirectoryGroup>(`${SELECT_GROUPS} and id::text = lower($2)`, [workspaceId, id]);
  return group ?? refuse('NOT_FOUND', 'There is no such group.');
}

/** Adds a group; its people get the roles that it gives. */
export async function addGroup(request: DirectoryRequest, fields: GroupFields): Promise<DirectoryGroup | Refusal> {
  return await changeByDirectory(request, async (change) => {
    const { tx, scope } = change;
    const { workspaceId } = scope;
    const [{ count } = { count: 0n }] = await tx.query<{ count: bigint }>(
      'select count(*) as count from directory_groups where workspace_id = $1',
      [workspaceId],
    );
    if (count >= BigInt(GROUPS_MAX)) return refuse('CONFLICT', `A directory has ${GROUPS_MAX} groups at most.`);
    const id = newId();
    const taken = await refusalOfName(tx, workspaceId, { id, displayName: fields.displayName });
    if (taken !== null) return taken;
    await tx.query(
      'insert into directory_groups (workspace_id, id, display_name, external_id) values ($1, $2, $3, $4)',
      [workspaceId, id, fields.displayName, fields.externalId],
    );
    const refused = await joinGroup(change, id, fields.members);
    if (refused !== null) return refused;
    await recordAudit(tx, scope, {
      action: 'directory_group.add',
      target: { kind: 'directory_group', id, name: fields.displayName },
      after: { external_id: fields.externalId, members: fields.members.length },
    });
    await followGroups(change, fields.members);
    return await showGroup(tx, workspaceId, id);
  });
}

async function refusalOfName(
  tx: SqlRunner,
  workspaceId: string,
  { id, displayName }: { readonly id: string; readonly displayName: string },
): Promise<Refusal | null> {
  const [taken] = await tx.query(
    'select from directory_groups where workspace_id = $1 and lower(display_name) = lower($2) and id <> $3',
    [workspaceId, displayName, id],
  );
  return taken === undefined
    ? null
    : refuse('CONFLICT', `There is a group "${displayName}".`, { param: 'displayName' });
}

/** Refused if one of them is none of the directory's people. */
async function joinGroup(
  { tx, scope }: DirectoryChange,
  groupId: string,
  members: readonly string[],
): Promise<Refusal | null> {
  if (members.length === 0) return null;
  const joined = await tx.query<{ id: string }>(
    `insert into directory_group_members (workspace_id, group_id, directory_user_id)
     select workspace_id, $2, id from directory_users where workspace_id = $1 and id::text = any($3)
     returning directory_user_id as id`,
    [scope.workspaceId, groupId, members],
  );
  const known = new Set(joined.map(({ id }) => id));
  const unknown = members.find((id) => !known.has(id));
  if (unknown === undefined) return null;
  return refuse('INVALID_REQUEST', `There is no user "${unknown.slice(0, 100)}".`, { param: 'members' });
}

/** Changes a group as the function says; the roles of the people concerned follow. */
export async function changeGroup(
  request: DirectoryRequest,
  id: string,
  changeOf: (before: DirectoryGroup) => Partial<GroupFields> | Refusal,
): Promise<DirectoryGroup | Refusal> {
  return await changeByDirectory(request, async (change) => {
    const { tx, scope } = change;
    const before = await showGroup(tx, scope.workspaceId, id);
    if (isRefusal(before)) return before;
    const given = changeOf(before);
    if (isRefusal(given)) return given;
    const after: GroupFields = { ...before, ...given };
    const [was, is] = [new Set(before.members), new Set(after.members)];
    const [gone, come] = [[...was.difference(is)], [...is.difference(was)]];
    const isRenamed = after.displayName !== before.displayName || after.externalId !== before.externalId;
    if (!isRenamed && gone.length === 0 && come.length === 0) return before;
    const didDecide = await groupsDecide(tx, { workspaceId: scope.workspaceId, access: change.access });
    const refused =
      (await refusalOfName(tx, scope.workspaceId, { id: before.id, displayName: after.displayName })) ??
      (await joinGroup(change, before.id, come));
    if (refused !== null) return refused;
    await tx.query(
      'delete from directory_group_members where workspace_id = $1 and group_id = $2 and directory_user_id = any($3::uuid[])',
      [scope.workspaceId, before.id, gone],
    );
    await tx.query(
      'update directory_groups set display_name = $3, external_id = $4, changed_at = now() where workspace_id = $1 and id = $2',
      [scope.workspaceId, before.id, after.displayName, after.externalId],
    );
    await recordAudit(tx, scope, {
      action: 'directory_group.update',
      target: { kind: 'directory_group', id: before.id, name: after.displayName },
      before: { name: before.displayName, external_id: before.externalId, members: was.size },
      after: { name: after.displayName, external_id: after.externalId, members: is.size },
    });
    await followGroups(change, isRenamed ? [...was.union(is)] : [...gone, ...come], { didDecide });
    return await showGroup(tx, scope.workspaceId, before.id);
  });
}

/** Removes a group; the roles that it gave end. */
export async function removeGroup(request: DirectoryRequest, id: string): Promise<Refusal | null> {
  const removed = await changeByDirectory(request, async (change) => {
    const { tx, scope } = change;
    const before = await showGroup(tx, scope.workspaceId, id);
    if (isRefusal(before)) return before;
    const didDecide = await groupsDecide(tx, { workspaceId: scope.workspaceId, access: change.access });
    await tx.query('delete from directory_groups where workspace_id = $1 and id = $2', [scope.workspaceId, before.id]);
    await recordAudit(tx, scope, {
      action: 'directory_group.remove',
      target: { kind: 'directory_group', id: before.id, name: before.displayName },
      before: { external_id: before.externalId, members: before.members.length },
    });
    await followGroups(change, before.members, { didDecide });
    return before;
  });
  return isRefusal(removed) ? removed : null;
}
