import { useQuery } from '@tanstack/react-query';
import type { MeJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { isReading, type Permission, reachOf, type Role, rolesWith } from '../../../src/domain/roles.ts';
import { meQuery } from '../api/account.ts';
import { workspaceQuery } from '../api/workspaces.ts';

// What the signed-in user may do, shown before they try.

/** The members of each role. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'owners',
  admin: 'admins',
  developer: 'developers',
  billing: 'billing members',
  viewer: 'viewers',
  member: 'those with the role member',
};

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** The signed-in user's role in a workspace; null if they are not a member. */
export function roleIn(me: MeJson, workspace: string): Role | null {
  return me.workspaces.find(({ id }) => id === workspace)?.role ?? null;
}

/**
 * Why the user can't do something, in words; null if they can. The action completes "can …": "close a workspace".
 * `isOwn` says whether they made the thing themselves.
 */
export function whyNot(
  me: MeJson,
  workspace: string,
  { permission, action, isOwn = true }: { permission: Permission; action: string; isOwn?: boolean },
): string | null {
  if (me.user.is_operator) return null;
  const role = roleIn(me, workspace);
  const reach = role === null ? 'none' : reachOf(role, permission);
  if (reach === 'all' || (reach === 'own' && isOwn)) return null;
  const allowed = rolesWith(permission).filter((each) => isOwn || reachOf(each, permission) === 'all');
  const who =
    allowed.length === 0 ? 'operators of this instance' : LIST.format(allowed.map((each) => ROLE_WORDS[each]));
  return `Only ${who} can ${action}.`;
}

/** Whether the user sees of a workspace what is their own alone, and so neither its credit nor its settings. */
export function seesOwnAlone(me: MeJson, workspace: string | null): boolean {
  const role = workspace === null || me.user.is_operator ? null : roleIn(me, workspace);
  return role !== null && reachOf(role, 'workspace:read') === 'own';
}

/**
 * The user's membership of a workspace whose pages are not shown to them: it lives in another cell, or their role doesn't count in
 * this session. Operators look at what a workspace left behind that has moved.
 */
export function withheldFrom(me: MeJson, workspace: string | null): MeJson['workspaces'][number] | undefined {
  const own = me.workspaces.find(({ id }) => id === workspace);
  const isWithheld = own !== undefined && (own.withheld !== null || (own.moved_to !== null && !me.user.is_operator));
  return isWithheld ? own : undefined;
}

/** The signed-in user, on pages that only signed-in users see. */
export function useMe(): MeJson {
  const { data } = useQuery(meQuery);
  if (data === undefined) throw new Error('a page for signed-in users is shown before it is known who they are');
  return data;
}

/** Why nothing of a workspace is changed here: it lives in another cell. Null while that is not known. */
export function useMovedAway(workspace: string): string | null {
  const isRead = !seesOwnAlone(useMe(), workspace);
  // The frame reads it again.
  const query = useQuery({ ...workspaceQuery(workspace), enabled: isRead, refetchOnMount: false, retryOnMount: false });
  const movedTo = query.data?.moved_to ?? null;
  return movedTo === null ? null : `This workspace lives in cell ${movedTo}, and is changed there.`;
}

/** The same as `whyNot` for the signed-in user: give it to the action as `unavailable`. */
export function useUnavailable(workspace: string, permission: Permission, action: string, isOwn = true): string | null {
  const movedAway = useMovedAway(workspace);
  const forbidden = whyNot(useMe(), workspace, { permission, action, isOwn });
  return forbidden ?? (isReading(permission) ? null : movedAway);
}
