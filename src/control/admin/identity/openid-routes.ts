import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { failureOf, signInFailure } from '../../../domain/sign-in-failures.ts';
import { guessFrom } from '../../identity/attempts.ts';
import type { OpenIdAttempt, OpenIdProvider, OpenIdUser } from '../../identity/openid-provider.ts';
import { confirmByOpenId, linkOpenId, signInByOpenId } from '../../identity/openid-sign-in.ts';
import { endPresented, type OpenedSession } from '../../identity/sessions.ts';
import type { UserAct } from '../../identity/visitor.ts';
import { OPENID_CALLBACK } from '../guards.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import type { Identify } from '../identify.ts';
import { type AdminApp, type AdminEnv, staleSignIn } from '../route-access.ts';
import { attemptOf, keepAttempt, keepSession, sessionOf } from './session-cookie.ts';
import { serve } from '../serve.ts';

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
  serve(app, 'beginOpenIdSignIn', async ({ query, c }) => {
    if (openId === null) return noProvider();
    const { purpose = 'sign_in' } = query;
    if (purpose !== 'sign_in') {
      const act = await userOf(c, deps, identify);
      const refused = isRefusal(act) ? act : purpose === 'link' ? staleSignIn(act) : null;
      if (refused !== null) return refused;
    }
    const begun = await openId.begin(publicUrl() + OPENID_CALLBACK, purpose);
    if (isRefusal(begun)) return begun;
    keepAttempt(c, begun.attempt, configuredUrl);
    return c.redirect(begun.url, 303);
  });
  serve(app, 'finishOpenIdSignIn', async ({ c }) => {
    if (openId === null) return noProvider();
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
