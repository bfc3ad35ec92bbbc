import { refuse } from '../../../domain/refusals.ts';
import { acceptAsUser } from '../../identity/accept-invitation.ts';
import { leaveWorkspace, listMemberships } from '../../identity/members.ts';
import { renameUser, showUser } from '../../identity/users.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { userJson } from './identity-representations.ts';
import type { AdminApp } from '../route-access.ts';
import { answerRenewed } from './renewed-session.ts';
import { serve } from '../serve.ts';

/** Adds the routes of users about themselves and their workspaces. */
export function addAccountRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  serve(app, 'getMe', async ({ user }) => {
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
      workspaces: workspaces.map((each) => ({ ...each, withheld: withheld(each.id) })),
    };
  });
  serve(app, 'renameMe', userJson, ({ user, body }) => renameUser(sql, user, user.actor.userId, body.name));
  serve(app, 'acceptInvitation', async ({ user, body, c }) => {
    const { token } = body;
    return answerRenewed(c, deps, await acceptAsUser(deps, c.var.visitor, user, token));
  });
  serve(app, 'leaveWorkspace', async ({ user, params }) => {
    const refused = await leaveWorkspace(sql, user, params.id);
    return refused === null ? { done: true as const } : refused;
  });
}
