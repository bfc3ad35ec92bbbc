import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { failureOf, SIGN_IN_FAILURE_NAMES, signInFailure } from '../../../domain/sign-in-failures.ts';
import { guessFrom } from '../../identity/attempts.ts';
import type { OpenIdAttempt, OpenIdProvider, OpenIdUser } from '../../identity/openid-provider.ts';
import { confirmByOpenId, linkOpenId, signInByOpenId } from '../../identity/openid-sign-in.ts';
import { endPresented, type OpenedSession } from '../../identity/sessions.ts';
import type { UserAct } from '../../identity/visitor.ts';
import { answerRefusal, redirect } from '../answers.ts';
import { OPENID_CALLBACK } from '../guards.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import type { Identify } from '../identify.ts';
import { type AdminApp, type AdminEnv, publicRoute, staleSignIn } from '../route-access.ts';
import { attemptOf, keepAttempt, keepSession, sessionOf } from './session-cookie.ts';

// The browser itself comes to these routes, so that their answers are redirects: to the provider, and back to the console.

const tags = ['Sign-in'];

const begin = publicRoute({
  operationId: 'beginOpenIdSignIn',
  waitsForOpenId: true,
  refuses: ['NOT_FOUND', 'UNAUTHENTICATED', 'FORBIDDEN'],
  method: 'get',
  path: '/openid/begin',
  tags,
  summary: 'Send the browser to the OpenID provider, to sign in there',
  request: {
    query: z.strictObject({
      purpose: z.enum(['sign_in', 'confirm', 'link']).optional().openapi({
        description:
          'To sign in (the default), to prove again who the signed-in user is, or to add the account there to theirs.',
      }),
    }),
  },
  responses: redirect('The provider.'),
});

const finish = publicRoute({
  operationId: 'finishOpenIdSignIn',
  waitsForOpenId: true,
  refuses: ['NOT_FOUND', 'UNAUTHENTICATED', 'FORBIDDEN', 'CONFLICT'],
  method: 'get',
  path: '/openid/callback',
  tags,
  summary: 'Take the browser back from the OpenID provider',
  responses: redirect(
    `The console; "sign_in_error" in its query names what went wrong: ${SIGN_IN_FAILURE_NAMES.join(', ')}.`,
  ),
});

const attemptShape = z.strictObject({
  purpose: z.enum(['sign_in', 'confirm', 'link']),
  state: z.string().max(200),
  nonce: z.string().max(200),
  verifier: z.string().max(200),
});

type AdminContext = Context<AdminEnv>;

/** Adds the routes of sign-in at an OpenID provider. */
export function addOpenIdRoutes(app: AdminApp, deps: IdentityDependencies, identify: Identify): void {
  const { openId, configuredUrl, publicUrl } = deps;
  app.openapi(begin, async (c) => {
    if (openId === null) return answerRefusal(c, noProvider());
    const { purpose = 'sign_in' } = c.req.valid('query');
    if (purpose !== 'sign_in') {
      const act = await userOf(c, deps, identify);
      const refused = isRefusal(act) ? act : purpose === 'link' ? staleSignIn(act) : null;
      if (refused !== null) return answerRefusal(c, refused);
    }
    const begun = await openId.begin(publicUrl() + OPENID_CALLBACK, purpose);
    if (isRefusal(begun)) return answerRefusal(c, begun);
    keepAttempt(c, begun.attempt, configuredUrl);
    return c.redirect(begun.url, 303);
  });
  app.openapi(finish, async (c) => {
    if (openId === null) return answerRefusal(c, noProvider());
    const kept = attemptShape.safeParse(attemptOf(c, configuredUrl));
    keepAttempt(c, null, configuredUrl);
    const refused = kept.success
      ? await finishAttempt(c, { deps, identify, openId }, kept.data)
      : signInFailure('UNAUTHENTICATED', 'lost');
    if (refused === null) return c.redirect(`${publicUrl()}/`, 303);
    return c.redirect(`${publicUrl()}/?sign_in_error=${failureOf(refused)}`, 303);
  });
}

function noProvider(): Refusal {
  return refuse('NOT_FOUND', 'This instance has no OpenID provider.');
}

async function userOf(c: AdminContext, { configuredUrl }: IdentityDependencies, identify: Identify) {
  const { address, requestId } = c.var.visitor;
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  const cookie = sessionOf(c, configuredUrl) === null ? undefined : c.req.header('cookie');
  const act = await identify({ authorization: undefined, cookie, host, address, requestId });
  if (isRefusal(act)) return act;
  const { actor } = act;
  if (actor.kind !== 'session') return refuse('FORBIDDEN', 'This is for signed-in users.');
  return { ...act, actor } satisfies UserAct;
}

interface Attempting {
  readonly deps: IdentityDependencies;
  readonly identify: Identify;
  readonly openId: OpenIdProvider;
}

async function finishAttempt(
  c: AdminContext,
  { deps, identify, openId }: Attempting,
  attempt: OpenIdAttempt,
): Promise<Refusal | null> {
  const limited = deps.limits.take(guessFrom(c.var.visitor));
  if (limited !== null) return limited;
  const callback = new URL(deps.publicUrl() + OPENID_CALLBACK);
  callback.search = new URL(c.req.url).search;
  const person = await openId.finish(callback, attempt);
  if (isRefusal(person)) return person;
  if (attempt.purpose === 'sign_in') return await keep(c, deps, await signInByOpenId(deps, c.var.visitor, person));
  const user = await userOf(c, deps, identify);
  if (isRefusal(user)) return signInFailure('UNAUTHENTICATED', 'session_ended');
  return await finishForUser(c, deps, { user, person, purpose: attempt.purpose });
}

interface Finished {
  readonly user: UserAct;
  readonly person: OpenIdUser;
  readonly purpose: 'confirm' | 'link';
}

async function finishForUser(
  c: AdminContext,
  deps: IdentityDependencies,
  { user, person, purpose }: Finished,
): Promise<Refusal | null> {
  if (purpose === 'link') return staleSignIn(user) ?? (await linkOpenId(deps.sql, user, person));
  const session = await confirmByOpenId(deps, c.var.visitor, user, person);
  if (isRefusal(session)) return session;
  keepSession(c, session, deps.configuredUrl);
  return null;
}

async function keep(
  c: AdminContext,
  { sql, configuredUrl }: IdentityDependencies,
  session: OpenedSession | Refusal,
): Promise<Refusal | null> {
  if (isRefusal(session)) return session;
  const former = sessionOf(c, configuredUrl);
  if (former !== null) await endPresented(sql, former);
  keepSession(c, session, configuredUrl);
  return null;
}
