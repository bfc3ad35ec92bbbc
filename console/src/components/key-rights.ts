import { useQuery } from '@tanstack/react-query';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { reachOf } from '../../../src/domain/roles.ts';
import { keyQuery } from '../api/keys.ts';
import { projectQuery } from '../api/projects.ts';
import { formatMoneyExactly } from '../format/money.ts';
import { ROLE_WORDS, roleIn, useMe, whyNot } from '../session/access.ts';

// What somebody may do with a key of which a page knows the id alone. Only for those whose rights depend on who made it, and on
// what its project allows them, is it read.

/** The key, if the user may change only their own. */
function useOwnAlone(
  workspace: string,
  key: string | null,
): { readonly isOwnAlone: boolean; readonly found?: KeyJson } {
  const me = useMe();
  const role = roleIn(me, workspace);
  const isOwnAlone = !me.user.is_operator && role !== null && reachOf(role, 'keys:write') === 'own';
  const { data } = useQuery({ ...keyQuery(workspace, key ?? ''), enabled: isOwnAlone && key !== null });
  return data === undefined ? { isOwnAlone } : { isOwnAlone, found: data };
}

/** Why the user can't change a key; null if they can, or there is none. */
export function useKeyUnavailable(workspace: string, key: string | null): string | null {
  const me = useMe();
  const { found } = useOwnAlone(workspace, key);
  if (key === null) return null;
  const isOwn = found?.created_by === me.user.id;
  return whyNot(me, workspace, {
    permission: 'keys:write',
    action: isOwn ? 'change keys' : 'change keys of others',
    isOwn,
  });
}

/** Why the user can't raise a key's limit to an amount, or at all if it is null; null if they can. */
export function useLimitUnavailable(workspace: string, key: string | null, to: bigint | null): string | null {
  const me = useMe();
  const { isOwnAlone, found } = useOwnAlone(workspace, key);
  const project = useQuery({
    ...projectQuery(workspace, found?.project_id ?? ''),
    enabled: found !== undefined,
  }).data;
  const unavailable = useKeyUnavailable(workspace, key);
  const most = project?.member_key_spend_limit_nano_usd ?? null;
  const role = roleIn(me, workspace);
  if (unavailable !== null || !isOwnAlone || role === null || found === undefined || most === null) return unavailable;
  const least = to ?? BigInt(found.spend_limit_nano_usd ?? 0n) + 1n;
  if (least <= BigInt(most)) return null;
  return `Keys of ${ROLE_WORDS[role]} may spend at most ${formatMoneyExactly(most)} a month in this project. Ask an owner or an admin.`;
}
