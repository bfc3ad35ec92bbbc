import { acceptAsUser } from '../../identity/accept-invitation.ts';
import { leaveWorkspace } from '../../identity/members.ts';
import { renameUser } from '../../identity/users.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { userJson } from './identity-representations.ts';
import type { AdminApp } from '../route-access.ts';
import { answerRenewed } from './renewed-session.ts';
import { showMe } from './signed-in-user.ts';
import { serve } from '../serve.ts';

/** Adds the routes of users about themselves and their workspaces. */
export function addAccountRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  serve(app, 'getMe', ({ user }) => showMe(sql, user));
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
