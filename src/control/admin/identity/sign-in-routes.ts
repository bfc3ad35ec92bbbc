import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { acceptAsNewUser, findInvitation } from '../../identity/accept-invitation.ts';
import { PASSWORD_RULES } from '../../identity/password-rules.ts';
import { mailReset, refusalOfMail, resetPassword } from '../../identity/passwords.ts';
import { endPresented, type OpenedSession } from '../../identity/sessions.ts';
import { isSetUpNeeded, setUp } from '../../identity/set-up.ts';
import { signIn } from '../../identity/sign-in.ts';
import { mailSignUp, refusalOfSignUp, signUp } from '../../identity/sign-up.ts';
import { answerRefusal, json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { type AdminApp, publicRoute } from '../route-access.ts';
import { keepSession, sessionOf } from './session-cookie.ts';

const tags = ['Sign-in'];
const signedIn = ok(contract.signedIn, 'The answer sets the session cookie.');

const options = publicRoute({
  operationId: 'getSignInOptions',
  method: 'get',
  path: '/sign-in-options',
  tags,
  summary: 'Show how people sign in here',
  responses: ok(contract.signInOptions, 'The ways in.'),
});

const setUpInstance = publicRoute({
  operationId: 'setUp',
  refuses: ['CONFLICT'],
  method: 'post',
  path: '/set-up',
  tags,
  summary: 'Make the first owner, who is the operator too, by the set-up link',
  request: {
    body: json(contract.setUp, {
      token: contract.LINK_EXAMPLE,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password: 'an old friend of the lamp',
    }),
  },
  responses: signedIn,
});

const beginSession = publicRoute({
  operationId: 'signIn',
  refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
  method: 'post',
  path: '/session',
  tags,
  summary: 'Sign in by password, and by code if the account has an authenticator',
  request: { body: json(contract.signIn, { email: 'ada@example.com', password: 'an old friend of the lamp' }) },
  responses: signedIn,
});

const requestReset = publicRoute({
  operationId: 'requestPasswordReset',
  method: 'post',
  path: '/password-resets',
  tags,
  summary: 'Mail a link for a new password, if the address has an account',
  request: { body: json(contract.mailRequest, { email: 'ada@example.com' }) },
  responses: ok(contract.accepted, 'The same whether the address has an account or not.'),
});

const reset = publicRoute({
  operationId: 'resetPassword',
  refuses: ['FORBIDDEN'],
  method: 'post',
  path: '/password-resets/complete',
  tags,
  summary: 'Set a password by a link; all sessions of the user end',
  request: {
    body: json(contract.passwordReset, { token: contract.LINK_EXAMPLE, password: 'an old friend of the lamp' }),
  },
  responses: signedIn,
});

const requestSignUp = publicRoute({
  operationId: 'requestSignUp',
  refuses: ['FORBIDDEN'],
  method: 'post',
  path: '/sign-ups',
  tags,
  summary: 'Mail a link to create an account',
  request: { body: json(contract.mailRequest, { email: 'ada@example.com' }) },
  responses: ok(contract.accepted, 'The same whether the address has an account or not.'),
});

const completeSignUp = publicRoute({
  operationId: 'signUp',
  refuses: ['FORBIDDEN', 'CONFLICT'],
  method: 'post',
  path: '/sign-ups/complete',
  tags,
  summary: 'Create the account that a mailed link is for',
  request: {
    body: json(contract.signUp, {
      token: contract.LINK_EXAMPLE,
      name: 'Ada Lovelace',
      password: 'an old friend of the lamp',
      workspace: 'Acme',
    }),
  },
  responses: signedIn,
});

const showInvitation = publicRoute({
  operationId: 'showInvitation',
  method: 'post',
  path: '/invitations/show',
  tags,
  summary: 'Show the invitation of a link',
  request: { body: json(contract.linkOnly, { token: contract.LINK_EXAMPLE }) },
  responses: ok(contract.invitationOffer, 'The invitation.'),
});

const acceptInvitation = publicRoute({
  operationId: 'acceptInvitationAsNewUser',
  refuses: ['FORBIDDEN', 'CONFLICT'],
  method: 'post',
  path: '/invitations/join',
  tags,
  summary: 'Accept an invitation with a new account',
  request: {
    body: json(contract.acceptance.required(), {
      token: contract.LINK_EXAMPLE,
      name: 'Ada Lovelace',
      password: 'an old friend of the lamp',
    }),
  },
  responses: signedIn,
});

/** Adds the routes by which people sign in. */
export function addSignInRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, configuredUrl } = deps;
  /** Ends the session that the browser had before, so that nobody who planted it has a part in this one. */
  const answer = async (c: Context, result: OpenedSession | null | Refusal) => {
    if (isRefusal(result)) return answerRefusal(c, result);
    if (result === null) return c.json({ signed_in: false }, 200);
    const former = sessionOf(c, configuredUrl);
    if (former !== null) await endPresented(sql, former);
    keepSession(c, result, configuredUrl);
    return c.json({ signed_in: true }, 200);
  };
  app.openapi(options, async (c) =>
    c.json(
      {
        openid: deps.openId === null ? null : { name: deps.openId.name },
        sign_up: deps.allowsSignUp,
        mail: deps.sendMail !== null,
        set_up_needed: await isSetUpNeeded(sql),
        password_rules: PASSWORD_RULES,
      },
      200,
    ),
  );
  app.openapi(setUpInstance, async (c) => answer(c, await setUp(deps, c.var.visitor, c.req.valid('json'))));
  app.openapi(beginSession, async (c) => {
    const { code = null, ...given } = c.req.valid('json');
    return answer(c, await signIn(deps, c.var.visitor, { ...given, code }));
  });
  app.openapi(reset, async (c) => answer(c, await resetPassword(deps, c.var.visitor, c.req.valid('json'))));
  app.openapi(completeSignUp, async (c) => {
    const { workspace = null, ...given } = c.req.valid('json');
    return answer(c, await signUp(deps, c.var.visitor, { ...given, workspace }));
  });
  app.openapi(acceptInvitation, async (c) => {
    const { token, name, password } = c.req.valid('json');
    return answer(c, await acceptAsNewUser(deps, c.var.visitor, token, { name, password }));
  });
  app.openapi(showInvitation, async (c) => {
    const offer = await findInvitation(deps, c.var.visitor, c.req.valid('json').token);
    if (isRefusal(offer)) return answerRefusal(c, offer);
    const { workspace, email, role, hasAccount, expiresAt } = offer;
    return c.json({ workspace, email, role, has_account: hasAccount, expires_at: expiresAt.toISOString() }, 200);
  });
  addMailRoutes(app, deps);
}

/** Their answers, and when they come, are the same for every address. */
function addMailRoutes(app: AdminApp, deps: IdentityDependencies): void {
  app.openapi(requestReset, (c) => {
    const { email } = c.req.valid('json');
    const refused = refusalOfMail(deps, c.var.visitor, email);
    if (refused !== null) return answerRefusal(c, refused);
    deps.later(() => mailReset(deps, email));
    return c.json({ accepted: true as const }, 200);
  });
  app.openapi(requestSignUp, (c) => {
    const { email } = c.req.valid('json');
    const refused = refusalOfSignUp(deps, c.var.visitor, email);
    if (refused !== null) return answerRefusal(c, refused);
    deps.later(() => mailSignUp(deps, email));
    return c.json({ accepted: true as const }, 200);
  });
}
