import { endOwnSessions, endSession, listSessions } from '../../identity/sessions.ts';
import { confirmSession, proveSecondFactor } from '../../identity/sign-in.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { recordJson } from '../record-json.ts';
import { session } from './identity-contract.ts';
import { pageJson, requestedPage } from '../pages.ts';
import type { AdminApp } from '../route-access.ts';
import { forgetSession } from './session-cookie.ts';
import { answerRenewed } from './renewed-session.ts';
import { serve } from '../serve.ts';

/** Adds the routes of a user's sessions. */
export function addOwnSessionRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, configuredUrl } = deps;
  serve(app, 'signOut', async ({ user, c }) => {
    await endSession(sql, user, user.actor.sessionId);
    forgetSession(c, configuredUrl);
    return { done: true as const };
  });
  serve(app, 'confirmSession', async ({ user, body, c }) => {
    const { password, code = null } = body;
    return answerRenewed(c, deps, await confirmSession(deps, c.var.visitor, user, { password, code }));
  });
  serve(app, 'proveSecondFactor', async ({ user, body, c }) =>
    answerRenewed(c, deps, await proveSecondFactor(deps, c.var.visitor, user, body.code)),
  );
  serve(app, 'listSessions', async ({ user, query }) => {
    const { sessionId } = user.actor;
    const page = await listSessions(sql, user, requestedPage(query));
    return pageJson(page, (each) => recordJson(session, { ...each, isThis: each.id === sessionId }));
  });
  serve(app, 'endSession', async ({ user, params }) => {
    const refused = await endSession(sql, user, params.id);
    return refused === null ? { done: true as const } : refused;
  });
  serve(app, 'endOtherSessions', async ({ user }) => ({ ended: await endOwnSessions(sql, user, { keepsThis: true }) }));
}
