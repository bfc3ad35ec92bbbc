import { z } from '@hono/zod-openapi';
import { isRefusal, refuse } from '../../../domain/refusals.ts';
import { acceptAsUser } from '../../identity/accept-invitation.ts';
import { leaveWorkspace, listMemberships } from '../../identity/members.ts';
import { renameUser, showUser } from '../../identity/users.ts';
import { answerRefusal, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { userJson } from './identity-representations.ts';
import { type AdminApp, personalRoute } from '../route-access.ts';
import { answerRenewed } from './renewed-session.ts';

const tags = ['Account'];
const done = ok(contract.done, 'It is done.');
const params = z.object({ id });

const show = personalRoute({
  operationId: 'getMe',
  refuses: ['NOT_FOUND'],
  method: 'get',
  path: '/me',
  tags,
  summary: 'Show the signed-in user and their workspaces',
  responses: ok(contract.me, 'The user.'),
});

const rename = personalRoute({
  operationId: 'renameMe',
  refuses: ['NOT_FOUND'],
  method: 'patch',
  path: '/me',
  tags,
  summary: "Change the user's name",
  request: { body: json(contract.userRename, { name: 'Ada Lovelace' }) },
  responses: ok(contract.user, 'The changed user.'),
});

const accept = personalRoute({
  operationId: 'acceptInvitation',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/me/invitations',
  tags,
  summary: "Accept an invitation to the user's address",
  request: { body: json(contract.linkOnly, { token: contract.LINK_EXAMPLE }) },
  responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
});

const leave = personalRoute({
  operationId: 'leaveWorkspace',
  refuses: ['CONFLICT'],
  needsRecentSignIn: true,
  method: 'delete',
  path: '/me/workspaces/{id}',
  tags,
  summary: 'Leave a workspace',
  request: { params },
  responses: done,
});

/** Adds the routes of users about themselves and their workspaces. */
export function addAccountRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  app.openapi(show, async (c) => {
    const { actor } = c.var.user;
    const [user, workspaces] = [await showUser(sql, actor.userId), await listMemberships(sql, c.var.user)];
    if (user === null) return answerRefusal(c, refuse('NOT_FOUND', 'There is no such user.'));
    const session = { id: actor.sessionId, authenticated_at: new Date(actor.authenticatedAtMs).toISOString() };
    return c.json({ user: userJson(user), session, workspaces: [...workspaces] }, 200);
  });
  app.openapi(rename, async (c) => {
    const user = await renameUser(sql, c.var.user, c.var.user.actor.userId, c.req.valid('json').name);
    return isRefusal(user) ? answerRefusal(c, user) : c.json(userJson(user), 200);
  });
  app.openapi(accept, async (c) => {
    const { token } = c.req.valid('json');
    return answerRenewed(c, deps, await acceptAsUser(deps, c.var.visitor, c.var.user, token));
  });
  app.openapi(leave, async (c) => {
    const refused = await leaveWorkspace(sql, c.var.user, c.req.valid('param').id);
    return refused === null ? c.json({ done: true as const }, 200) : answerRefusal(c, refused);
  });
}
