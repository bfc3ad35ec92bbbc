import { z } from '@hono/zod-openapi';
import { endOwnSessions, endSession, listSessions } from '../../identity/sessions.ts';
import { confirmSession } from '../../identity/sign-in.ts';
import { answerRefusal, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, personalRoute } from '../route-access.ts';
import { forgetSession } from './session-cookie.ts';
import { answerRenewed } from './renewed-session.ts';

const tags = ['Account'];
const done = ok(contract.done, 'It is done.');
const params = z.object({ id });

const signOut = personalRoute({
  operationId: 'signOut',
  method: 'delete',
  path: '/session',
  tags,
  summary: 'Sign out',
  responses: done,
});

const confirm = personalRoute({
  operationId: 'confirmSession',
  method: 'post',
  path: '/session/confirm',
  tags,
  summary: 'Prove again who the user is, for what needs a recent sign-in',
  request: { body: json(contract.confirmation, { password: 'an old friend of the lamp' }) },
  responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
});

const sessions = personalRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/me/sessions',
  tags,
  summary: "List the user's sessions",
  request: { query: pageQuery },
  responses: ok(pageOf(contract.session), 'The sessions that are open, oldest first.'),
});

const endOne = personalRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/me/sessions/{id}',
  tags,
  summary: "End one of the user's sessions",
  request: { params },
  responses: done,
});

const endAll = personalRoute({
  operationId: 'endOtherSessions',
  method: 'delete',
  path: '/me/sessions',
  tags,
  summary: 'End all sessions but this one',
  responses: ok(contract.ended, 'How many ended.'),
});

/** Adds the routes of a user's sessions. */
export function addOwnSessionRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, configuredUrl } = deps;
  app.openapi(signOut, async (c) => {
    await endSession(sql, c.var.user, c.var.user.actor.sessionId);
    forgetSession(c, configuredUrl);
    return c.json({ done: true as const }, 200);
  });
  app.openapi(confirm, async (c) => {
    const { password, code = null } = c.req.valid('json');
    return answerRenewed(c, deps, await confirmSession(deps, c.var.visitor, c.var.user, { password, code }));
  });
  app.openapi(sessions, async (c) => {
    const { sessionId } = c.var.user.actor;
    const page = await listSessions(sql, c.var.user, requestedPage(c.req.valid('query')));
    const body = pageJson(page, (session) => ({
      id: session.id,
      is_this: session.id === sessionId,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    }));
    return c.json(body, 200);
  });
  app.openapi(endOne, async (c) => {
    const refused = await endSession(sql, c.var.user, c.req.valid('param').id);
    return refused === null ? c.json({ done: true as const }, 200) : answerRefusal(c, refused);
  });
  app.openapi(endAll, async (c) => c.json({ ended: await endOwnSessions(sql, c.var.user, { keepsThis: true }) }, 200));
}
