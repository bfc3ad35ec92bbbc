import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isRefusal, refuse, type Refusal } from '../domain/refusals.ts';
import type { Permission } from '../domain/roles.ts';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../identity/access-tokens.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from '../identity/authenticators.ts';
import { acceptAsUser } from '../identity/invitations.ts';
import { leaveWorkspace, listMemberships } from '../identity/members.ts';
import { setOwnPassword } from '../identity/passwords.ts';
import { endOwnSessions, endSession, listSessions, type OpenedSession, renewedIn } from '../identity/sessions.ts';
import { confirmSession } from '../identity/sign-in.ts';
import { renameUser, showUser } from '../identity/users.ts';
import { answerRefusal, created, createdOrRepeated, json, ok } from './answers.ts';
import { id } from './contract-fields.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { accessTokenJson, userJson } from './identity-representations.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from './pages.ts';
import { type AdminApp, personalRoute } from './route-access.ts';
import { forgetSession, keepSession } from './session-cookie.ts';

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

const setPassword = personalRoute({
  operationId: 'setMyPassword',
  refuses: ['NOT_FOUND'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/me/password',
  tags,
  summary: 'Set a password; all other sessions end',
  request: { body: json(contract.newPasswordOnly, { password: 'an old friend of the lamp' }) },
  responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
});

const addAuthenticator = personalRoute({
  operationId: 'addAuthenticator',
  refuses: ['CONFLICT'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/me/authenticator',
  tags,
  summary: 'Begin to add an authenticator app',
  responses: created(contract.authenticator, 'It counts once a code of it is confirmed.'),
});

const confirmCode = personalRoute({
  operationId: 'confirmAuthenticator',
  refuses: ['NOT_FOUND'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/me/authenticator/confirm',
  tags,
  summary: 'Confirm the authenticator app by a code of it',
  request: { body: json(contract.codeOnly, { code: '123456' }) },
  responses: ok(contract.recoveryCodes, 'The recovery codes, which are shown once. The session has a new cookie.'),
});

const dropAuthenticator = personalRoute({
  operationId: 'removeAuthenticator',
  refuses: ['NOT_FOUND'],
  needsRecentSignIn: true,
  method: 'delete',
  path: '/me/authenticator',
  tags,
  summary: 'Remove the authenticator app and the recovery codes',
  responses: ok(contract.done, 'It is done. The session has a new cookie.'),
});

const newRecoveryCodes = personalRoute({
  operationId: 'replaceRecoveryCodes',
  refuses: ['NOT_FOUND'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/me/recovery-codes',
  tags,
  summary: 'Replace the recovery codes',
  responses: created(contract.recoveryCodes, 'The new codes, which are shown once.'),
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

const makeToken = personalRoute({
  operationId: 'createAccessToken',
  refuses: ['NOT_FOUND'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/me/access-tokens',
  tags,
  summary: "Make an access token with a part of the user's role in a workspace",
  request: {
    body: json(contract.accessTokenCreation, {
      workspace_id: '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11',
      name: 'Nightly export',
      scopes: ['usage:read', 'exports:read'],
      expires_at: '2027-01-31',
    }),
  },
  responses: createdOrRepeated(contract.createdAccessToken, 'The token, which is shown once.'),
});

const tokens = personalRoute({
  operationId: 'listAccessTokens',
  method: 'get',
  path: '/me/access-tokens',
  tags,
  summary: "List the user's access tokens",
  request: { query: pageQuery },
  responses: ok(pageOf(contract.accessToken), 'The tokens, revoked ones included, oldest first.'),
});

const revokeToken = personalRoute({
  operationId: 'revokeAccessToken',
  method: 'post',
  path: '/me/access-tokens/{id}/revoke',
  tags,
  summary: "Revoke one of the user's access tokens",
  request: { params },
  responses: ok(contract.accessToken, 'The revoked token.'),
});

/** Adds the routes of signed-in users about themselves. */
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
  addSessionRoutes(app, deps);
  addFactorRoutes(app, deps);
  addTokenRoutes(app, deps);
}

function answerRenewed(c: Context, { configuredUrl }: IdentityDependencies, session: OpenedSession | Refusal) {
  if (isRefusal(session)) return answerRefusal(c, session);
  keepSession(c, session, configuredUrl);
  return c.json({ signed_in: true }, 200);
}

function addSessionRoutes(app: AdminApp, deps: IdentityDependencies): void {
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

/** Passwords and authenticators: each change gives the session a new secret. */
function addFactorRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, configuredUrl, limits } = deps;
  app.openapi(setPassword, async (c) => {
    const { password } = c.req.valid('json');
    return answerRenewed(c, deps, await setOwnPassword(deps, c.var.visitor, c.var.user, password));
  });
  app.openapi(addAuthenticator, async (c) => {
    const secret = await beginAuthenticator(sql, c.var.user);
    return isRefusal(secret) ? answerRefusal(c, secret) : c.json(secret, 201);
  });
  app.openapi(confirmCode, async (c) => {
    const { user, visitor } = c.var;
    const refused = limits.take({ code: user.actor.userId });
    if (refused !== null) return answerRefusal(c, refused);
    const { code } = c.req.valid('json');
    const result = await renewedIn(sql, user, visitor, (tx) => confirmAuthenticator(tx, user, code));
    if (isRefusal(result)) return answerRefusal(c, result);
    limits.giveBack({ code: user.actor.userId });
    keepSession(c, result.session, configuredUrl);
    return c.json({ recovery_codes: [...result.value] }, 200);
  });
  app.openapi(dropAuthenticator, async (c) => {
    const { user, visitor } = c.var;
    const result = await renewedIn(sql, user, visitor, (tx) => removeAuthenticator(tx, user));
    if (isRefusal(result)) return answerRefusal(c, result);
    keepSession(c, result.session, configuredUrl);
    return c.json({ done: true as const }, 200);
  });
  app.openapi(newRecoveryCodes, async (c) => {
    const codes = await replaceRecoveryCodes(sql, c.var.user);
    return isRefusal(codes) ? answerRefusal(c, codes) : c.json({ recovery_codes: [...codes] }, 201);
  });
}

function addTokenRoutes(app: AdminApp, { sql }: IdentityDependencies): void {
  app.openapi(makeToken, async (c) => {
    const { workspace_id: workspaceId, name, scopes, expires_at: expiresAt, once = null } = c.req.valid('json');
    const token = await createAccessToken(sql, c.var.user, {
      workspaceId,
      name,
      // The contract lets only permissions pass.
      scopes: [...new Set(scopes)] as Permission[],
      expiresAt: new Date(expiresAt),
      once,
    });
    if (isRefusal(token)) return answerRefusal(c, token);
    return c.json({ ...accessTokenJson(token), token: token.secret }, token.secret === null ? 200 : 201);
  });
  app.openapi(tokens, async (c) => {
    const page = await listAccessTokens(sql, c.var.user, requestedPage(c.req.valid('query')));
    return c.json(pageJson(page, accessTokenJson), 200);
  });
  app.openapi(revokeToken, async (c) => {
    const token = await revokeAccessToken(sql, c.var.user, c.req.valid('param').id);
    return isRefusal(token) ? answerRefusal(c, token) : c.json(accessTokenJson(token), 200);
  });
}
