import { z } from '@hono/zod-openapi';
import { isRefusal, refuse } from '../../../domain/refusals.ts';
import { linkUrl } from '../../identity/links.ts';
import {
  createOperatorToken,
  listOperatorTokens,
  recordRotation,
  revokeOperatorToken,
} from '../../identity/operator-tokens.ts';
import { makerOf } from '../../identity/makers.ts';
import { makeResetLink } from '../../identity/passwords.ts';
import { makeSetUpLink } from '../../identity/set-up.ts';
import { changeUser, listUsers, signUserOut } from '../../identity/users.ts';
import { answerRefusal, created, createdOrRepeated, json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { listedUserJson, operatorTokenJson, userJson } from './identity-representations.ts';
import { pageJson, pageOf, pageQuery, requestedPage } from '../pages.ts';
import { type AdminApp, operatorRoute } from '../route-access.ts';

const ofUsers = ['Users'];
const ofTokens = ['Operator tokens'];

const list = operatorRoute({
  operationId: 'listUsers',
  method: 'get',
  path: '/users',
  tags: ofUsers,
  summary: 'List the users of the instance',
  request: {
    query: pageQuery.extend({
      search: z.string().max(200).optional().openapi({ description: 'A part of the address or the name.' }),
    }),
  },
  responses: ok(pageOf(contract.listedUser), 'The users, oldest first.'),
});

const change = operatorRoute({
  operationId: 'changeUser',
  needsRecentSignIn: true,
  method: 'patch',
  path: '/users/{user}',
  tags: ofUsers,
  summary: 'Disable a user, or make one an operator',
  request: { params: z.object({ user: id }), body: json(contract.userChange, { disabled: true }) },
  responses: ok(contract.user, 'The changed user.'),
});

const signOut = operatorRoute({
  operationId: 'signUserOut',
  needsRecentSignIn: true,
  method: 'post',
  path: '/users/{user}/sign-out',
  tags: ofUsers,
  summary: 'End all sessions of a user',
  request: { params: z.object({ user: id }) },
  responses: ok(contract.ended, 'How many sessions have ended.'),
});

const resetLink = operatorRoute({
  operationId: 'createUserResetLink',
  needsRecentSignIn: true,
  method: 'post',
  path: '/users/{user}/reset-link',
  tags: ofUsers,
  summary: 'Make a link by which a user sets a new password',
  request: { params: z.object({ user: id }) },
  responses: created(contract.link, 'The link, to pass on to the user.'),
});

const setUpLink = operatorRoute({
  operationId: 'createSetUpLink',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/set-up-links',
  tags: ofUsers,
  summary: 'Make a link by which the first owner sets the instance up',
  responses: created(contract.link, 'The link; it works until somebody has used one.'),
});

const makeToken = operatorRoute({
  operationId: 'createOperatorToken',
  refuses: ['CONFLICT'],
  needsRecentSignIn: true,
  method: 'post',
  path: '/operator-tokens',
  tags: ofTokens,
  summary: 'Make an operator token: for everything, for reading, or for reading and backups',
  request: { body: json(contract.operatorTokenCreation, { name: 'terraform', read_only: true }) },
  responses: createdOrRepeated(contract.createdOperatorToken, 'The token, which is shown once.'),
});

const tokens = operatorRoute({
  operationId: 'listOperatorTokens',
  method: 'get',
  path: '/operator-tokens',
  tags: ofTokens,
  summary: "List the operator tokens beside the instance's own",
  request: { query: pageQuery },
  responses: ok(pageOf(contract.operatorToken), 'The tokens, revoked ones included, oldest first.'),
});

const revokeToken = operatorRoute({
  operationId: 'revokeOperatorToken',
  method: 'post',
  path: '/operator-tokens/{token}/revoke',
  tags: ofTokens,
  summary: 'Revoke an operator token',
  request: { params: z.object({ token: z.string().openapi({ description: 'Its id or name.' }) }) },
  responses: ok(contract.operatorToken, 'The revoked token.'),
});

const rotate = operatorRoute({
  operationId: 'rotateOwnToken',
  needsRecentSignIn: true,
  method: 'post',
  path: '/operator-tokens/rotate',
  tags: ofTokens,
  summary: "Replace the instance's own operator token",
  responses: created(contract.rotatedToken, 'The new token, which is in the data directory already.'),
});

/** Adds the routes of the operator about users and operator tokens. */
export function addUserRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql } = deps;
  app.openapi(list, async (c) => {
    const { search = null, ...page } = c.req.valid('query');
    return c.json(pageJson(await listUsers(sql, c.var.operator, search, requestedPage(page)), listedUserJson), 200);
  });
  app.openapi(change, async (c) => {
    const { disabled, operator } = c.req.valid('json');
    const user = await changeUser(sql, c.var.operator, c.req.valid('param').user, {
      ...(disabled === undefined ? {} : { isDisabled: disabled }),
      ...(operator === undefined ? {} : { isOperator: operator }),
    });
    return isRefusal(user) ? answerRefusal(c, user) : c.json(userJson(user), 200);
  });
  app.openapi(signOut, async (c) => {
    const ended = await signUserOut(sql, c.var.operator, c.req.valid('param').user);
    return isRefusal(ended) ? answerRefusal(c, ended) : c.json({ ended }, 200);
  });
  app.openapi(resetLink, async (c) => {
    const link = await makeResetLink(deps, c.var.operator, c.req.valid('param').user);
    return isRefusal(link) ? answerRefusal(c, link) : c.json({ link }, 201);
  });
  app.openapi(setUpLink, async (c) => {
    const secret = await makeSetUpLink(sql, makerOf(c.var.operator.act.actor));
    if (secret === null) return answerRefusal(c, refuse('CONFLICT', 'The instance has been set up.'));
    return c.json({ link: linkUrl(deps.publicUrl(), 'set_up', secret) }, 201);
  });
  addOperatorTokenRoutes(app, deps);
}

function addOperatorTokenRoutes(app: AdminApp, { sql, rotateOwnToken }: IdentityDependencies): void {
  app.openapi(rotate, async (c) => {
    const token = await rotateOwnToken();
    if (isRefusal(token)) return answerRefusal(c, token);
    await recordRotation(sql, c.var.operator);
    return c.json({ token }, 201);
  });
  app.openapi(makeToken, async (c) => {
    const { name, read_only: isReadOnly = false, backup = false, once = null } = c.req.valid('json');
    const access = isReadOnly ? (backup ? 'read_and_backup' : 'read') : 'all';
    const token = await createOperatorToken(sql, c.var.operator, { name, access, once });
    if (isRefusal(token)) return answerRefusal(c, token);
    return c.json({ ...operatorTokenJson(token), token: token.secret }, token.secret === null ? 200 : 201);
  });
  app.openapi(tokens, async (c) => {
    const page = await listOperatorTokens(sql, c.var.operator, requestedPage(c.req.valid('query')));
    return c.json(pageJson(page, operatorTokenJson), 200);
  });
  app.openapi(revokeToken, async (c) => {
    const token = await revokeOperatorToken(sql, c.var.operator, c.req.valid('param').token);
    return isRefusal(token) ? answerRefusal(c, token) : c.json(operatorTokenJson(token), 200);
  });
}
