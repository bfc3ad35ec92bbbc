import { isRefusal } from '../../../domain/refusals.ts';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  replaceRecoveryCodes,
} from '../../identity/authenticators.ts';
import { setOwnPassword } from '../../identity/passwords.ts';
import { renewedIn } from '../../identity/sessions.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import type { AdminApp } from '../route-access.ts';
import { keepSession } from './session-cookie.ts';
import { answerRenewed } from './renewed-session.ts';
import { serve } from '../serve.ts';

/** Adds the routes of a user's password and authenticator. Each change gives the session a new secret. */
export function addOwnFactorRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, keyring, configuredUrl, limits } = deps;
  serve(app, 'setMyPassword', async ({ user, body, c }) => {
    const { password } = body;
    return answerRenewed(c, deps, await setOwnPassword(deps, c.var.visitor, user, password));
  });
  serve(app, 'addAuthenticator', async ({ user }) => {
    const secret = await beginAuthenticator(sql, keyring, user);
    return isRefusal(secret) ? secret : secret;
  });
  serve(app, 'confirmAuthenticator', async ({ user, body, c }) => {
    const { visitor } = c.var;
    const refused = limits.take({ code: user.actor.userId });
    if (refused !== null) return refused;
    const { code } = body;
    const result = await renewedIn(sql, user, visitor, (tx) => confirmAuthenticator(tx, keyring, user, code), {
      hasSecondFactor: true,
    });
    if (isRefusal(result)) return result;
    limits.giveBack({ code: user.actor.userId });
    keepSession(c, result.session, configuredUrl);
    return { recovery_codes: [...result.value] };
  });
  serve(app, 'removeAuthenticator', async ({ user, c }) => {
    const { visitor } = c.var;
    const result = await renewedIn(sql, user, visitor, (tx) => removeAuthenticator(tx, user));
    if (isRefusal(result)) return result;
    keepSession(c, result.session, configuredUrl);
    return { done: true as const };
  });
  serve(app, 'replaceRecoveryCodes', async ({ user }) => {
    const codes = await replaceRecoveryCodes(sql, user);
    return isRefusal(codes) ? codes : { recovery_codes: [...codes] };
  });
}
