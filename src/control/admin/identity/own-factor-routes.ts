import { isRefusal } from '../../../domain/refusals.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from '../../identity/authenticators.ts';
import { setOwnPassword } from '../../identity/passwords.ts';
import { renewedIn } from '../../identity/sessions.ts';
import { answerRefusal, created, json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { type AdminApp, personalRoute } from '../route-access.ts';
import { keepSession } from './session-cookie.ts';
import { answerRenewed } from './renewed-session.ts';

const tags = ['Account'];

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

/** Adds the routes of a user's password and authenticator. Each change gives the session a new secret. */
export function addOwnFactorRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, keyring, configuredUrl, limits } = deps;
  app.openapi(setPassword, async (c) => {
    const { password } = c.req.valid('json');
    return answerRenewed(c, deps, await setOwnPassword(deps, c.var.visitor, c.var.user, password));
  });
  app.openapi(addAuthenticator, async (c) => {
    const secret = await beginAuthenticator(sql, keyring, c.var.user);
    return isRefusal(secret) ? answerRefusal(c, secret) : c.json(secret, 201);
  });
  app.openapi(confirmCode, async (c) => {
    const { user, visitor } = c.var;
    const refused = limits.take({ code: user.actor.userId });
    if (refused !== null) return answerRefusal(c, refused);
    const { code } = c.req.valid('json');
    const result = await renewedIn(sql, user, visitor, (tx) => confirmAuthenticator(tx, keyring, user, code));
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
