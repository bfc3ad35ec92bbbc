import type { Context } from 'hono';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import type { SqlRunner } from '../../../lib/sql.ts';
import { listMemberships } from '../../identity/members.ts';
import { showUser } from '../../identity/users.ts';
import type { UserAct } from '../../identity/visitor.ts';
import type { Identify } from '../identify.ts';
import type { AdminEnv } from '../route-access.ts';
import type { MeJson } from './identity-contract.ts';
import { userJson } from './identity-representations.ts';
import { sessionOf } from './session-cookie.ts';

/** The user whose session a request of a public route brings along. */
export async function userOf(
  c: Context<AdminEnv>,
  { configuredUrl }: { readonly configuredUrl: string | null },
  identify: Identify,
): Promise<UserAct | Refusal> {
  const { address, requestId } = c.var.visitor;
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  const cookie = sessionOf(c, configuredUrl) === null ? undefined : c.req.header('cookie');
  const act = await identify({ authorization: undefined, cookie, host, address, requestId });
  if (isRefusal(act)) return act;
  const { actor } = act;
  if (actor.kind !== 'session') return refuse('FORBIDDEN', 'This is for signed-in users.');
  return { ...act, actor };
}

/** The user of a session, and their workspaces. */
export async function showMe(sql: SqlRunner, user: UserAct): Promise<MeJson | Refusal> {
  const { actor } = user;
  const [shown, workspaces] = [await showUser(sql, actor.userId), await listMemberships(sql, user)];
  if (shown === null) return refuse('NOT_FOUND', 'There is no such user.');
  const session = {
    id: actor.sessionId,
    authenticated_at: new Date(actor.authenticatedAtMs).toISOString(),
    provider_workspace_id: actor.providerId,
  };
  const withheld = (id: string) => actor.withheld.get(id) ?? null;
  return {
    user: userJson(shown),
    session,
    workspaces: workspaces.map(({ movedTo, movedToUrl, ...each }) => ({
      ...each,
      withheld: withheld(each.id),
      moved_to: movedTo,
      moved_to_url: movedToUrl,
    })),
  };
}
