import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { acceptAsNewUser, findInvitation } from '../../identity/accept-invitation.ts';
import { PASSWORD_RULES } from '../../identity/password-rules.ts';
import { mailReset, refusalOfMail, resetPassword } from '../../identity/passwords.ts';
import { endPresented, type OpenedSession } from '../../identity/sessions.ts';
import { hasProviders } from '../../identity/workspace-providers.ts';
import { isSetUpNeeded, setUp } from '../../identity/set-up.ts';
import { signIn } from '../../identity/sign-in.ts';
import { mailSignUp, refusalOfSignUp, signUp } from '../../identity/sign-up.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import type { Identify } from '../identify.ts';
import type { AdminApp } from '../route-access.ts';
import { relyingPartyOf } from './relying-party.ts';
import { keepSession, sessionOf } from './session-cookie.ts';
import { showMe, userOf } from './signed-in-user.ts';
import { serve, unlessRefused } from '../serve.ts';

/** Adds the routes by which people sign in. */
export function addSignInRoutes(app: AdminApp, deps: IdentityDependencies, identify: Identify): void {
  const { sql, configuredUrl } = deps;
  /** Ends the browser's previous session: an attacker may have planted it. */
  const answer = async (c: Context, result: OpenedSession | null | Refusal) => {
    if (isRefusal(result)) return result;
    if (result === null) return { signed_in: false };
    const former = sessionOf(c, configuredUrl);
    if (former !== null) await endPresented(sql, former);
    keepSession(c, result, configuredUrl);
    return { signed_in: true };
  };
  serve(app, 'getSignInOptions', async ({ c }) => ({
    openid: deps.openId === null ? null : { name: deps.openId.name },
    own_providers: await hasProviders(sql),
    sign_up: deps.allowsSignUp,
    passkeys: relyingPartyOf(c, configuredUrl) !== null,
    mail: deps.sendMail !== null,
    set_up_needed: await isSetUpNeeded(sql),
    password_rules: PASSWORD_RULES,
  }));
  serve(app, 'showSession', async ({ c }) => {
    const user = await userOf(c, deps, identify);
    if (isRefusal(user)) return user.code === 'UNAUTHENTICATED' ? { me: null } : user;
    return unlessRefused(showMe(sql, user), (me) => ({ me }));
  });
  serve(app, 'setUp', async ({ body, c }) => answer(c, await setUp(deps, c.var.visitor, body)));
  serve(app, 'signIn', async ({ body, c }) => {
    const { code = null, ...given } = body;
    return answer(c, await signIn(deps, c.var.visitor, { ...given, code }));
  });
  serve(app, 'resetPassword', async ({ body, c }) => answer(c, await resetPassword(deps, c.var.visitor, body)));
  serve(app, 'signUp', async ({ body, c }) => {
    const { workspace = null, ...given } = body;
    return answer(c, await signUp(deps, c.var.visitor, { ...given, workspace }));
  });
  serve(app, 'acceptInvitationAsNewUser', async ({ body, c }) => {
    const { token, name, password } = body;
    return answer(c, await acceptAsNewUser(deps, c.var.visitor, token, { name, password }));
  });
  serve(app, 'showInvitation', async ({ body, c }) => {
    const offer = await findInvitation(deps, c.var.visitor, body.token);
    if (isRefusal(offer)) return offer;
    const { workspace, email, role, hasAccount, expiresAt } = offer;
    return { workspace, email, role, has_account: hasAccount, expires_at: expiresAt.toISOString() };
  });
  addMailRoutes(app, deps);
}

/** Their answers, and when they come, are the same for every address. */
function addMailRoutes(app: AdminApp, deps: IdentityDependencies): void {
  serve(app, 'requestPasswordReset', ({ body, c }) => {
    const { email } = body;
    const refused = refusalOfMail(deps, c.var.visitor, email);
    if (refused !== null) return refused;
    deps.later(() => mailReset(deps, email));
    return { accepted: true as const };
  });
  serve(app, 'requestSignUp', ({ body, c }) => {
    const { email } = body;
    const refused = refusalOfSignUp(deps, c.var.visitor, email);
    if (refused !== null) return refused;
    deps.later(() => mailSignUp(deps, email));
    return { accepted: true as const };
  });
}
