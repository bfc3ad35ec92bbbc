import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { failureOf, signInFailure } from '../../../domain/sign-in-failures.ts';
import { guessFrom } from '../../identity/attempts.ts';
import type { OpenIdProvider, OpenIdPurpose, OpenIdUser } from '../../identity/openid-provider.ts';
import { confirmByOpenId, linkOpenId, signInByOpenId } from '../../identity/openid-sign-in.ts';
import { endPresented, type OpenedSession } from '../../identity/sessions.ts';
import type { UserAct } from '../../identity/visitor.ts';
import { noProvider } from '../../identity/workspace-access.ts';
import { findProviderOf } from '../../identity/workspace-providers.ts';
import { signInAtWorkspace } from '../../identity/workspace-sign-in.ts';
import { callbackOf } from '../guards.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import type { Identify } from '../identify.ts';
import { type AdminApp, type AdminEnv, staleSignIn } from '../route-access.ts';
import { attemptOf, keepAttempt, keepSession, sessionOf } from './session-cookie.ts';
import { userOf } from './signed-in-user.ts';
import { serve } from '../serve.ts';

const attemptShape = z.strictObject({
  purpose: z.enum(['sign_in', 'confirm', 'link']),
  state: z.string().max(200),
  nonce: z.string().max(200),
  verifier: z.string().max(200),
  /** The workspace whose provider it was begun at; null: the instance's provider. */
  workspaceId: z.uuid().nullable(),
});

type KeptAttempt = z.output<typeof attemptShape>;
type AdminContext = Context<AdminEnv>;

/** Adds the routes of sign-in at OpenID providers. */
export function addOpenIdRoutes(app: AdminApp, deps: IdentityDependencies, identify: Identify): void {
  const { configuredUrl, publicUrl, limits, sql } = deps;
  const routing = { deps, identify };
  serve(app, 'findOwnProvider', async ({ body, c }) => {
    const refused = limits.take(guessFrom(c.var.visitor));
    if (refused !== null) return refused;
    const provider = await findProviderOf(sql, body.email);
    return { workspace_id: provider?.workspaceId ?? null };
  });
  serve(app, 'beginOpenIdSignIn', async ({ query, c }) => {
    const { purpose = 'sign_in', workspace = null } = query;
    const workspaceId = purpose === 'sign_in' ? workspace : await providerToAsk(c, routing, purpose);
    if (isRefusal(workspaceId)) return workspaceId;
    const provider = await providerOf(deps, workspaceId);
    if (provider === null) return noProvider();
    const begun = await provider.begin(publicUrl() + callbackOf(workspaceId), purpose);
    if (isRefusal(begun)) return begun;
    keepAttempt(c, { ...begun.attempt, workspaceId }, configuredUrl);
    return c.redirect(begun.url, 303);
  });
  const finish = async (c: AdminContext, workspaceId: string | null) => {
    const provider = await providerOf(deps, workspaceId);
    if (provider === null) return noProvider();
    const kept = attemptShape.safeParse(attemptOf(c, configuredUrl));
    keepAttempt(c, null, configuredUrl);
    const refused =
      kept.success && kept.data.workspaceId === workspaceId && (workspaceId === null || kept.data.purpose !== 'link')
        ? await finishAttempt(c, { ...routing, provider }, kept.data)
        : signInFailure('UNAUTHENTICATED', 'lost');
    if (refused === null) return c.redirect(`${publicUrl()}/`, 303);
    return c.redirect(`${publicUrl()}/?sign_in_error=${failureOf(refused)}`, 303);
  };
  serve(app, 'finishOpenIdSignIn', ({ c }) => finish(c, null));
  serve(app, 'finishSignInAtWorkspace', ({ c, params }) => finish(c, params.id));
}

/** The instance's provider, or that of a workspace; null if there is none. */
async function providerOf(
  { openId, providers }: IdentityDependencies,
  workspaceId: string | null,
): Promise<OpenIdProvider | null> {
  return workspaceId === null ? openId : await providers.find(workspaceId);
}

interface Routing {
  readonly deps: IdentityDependencies;
  readonly identify: Identify;
}

/** Where a signed-in user proves again who they are: where they have signed in. Accounts are added from the instance's provider. */
async function providerToAsk(
  c: AdminContext,
  { deps, identify }: Routing,
  purpose: Exclude<OpenIdPurpose, 'sign_in'>,
): Promise<string | null | Refusal> {
  const act = await userOf(c, deps, identify);
  if (isRefusal(act)) return act;
  if (purpose === 'confirm') return act.actor.providerId;
  return staleSignIn(act);
}

async function finishAttempt(
  c: AdminContext,
  { deps, identify, provider }: Routing & { readonly provider: OpenIdProvider },
  attempt: KeptAttempt,
): Promise<Refusal | null> {
  const limited = deps.limits.take(guessFrom(c.var.visitor));
  if (limited !== null) return limited;
  const { purpose, workspaceId } = attempt;
  const callback = new URL(deps.publicUrl() + callbackOf(workspaceId));
  callback.search = new URL(c.req.url).search;
  const person = await provider.finish(callback, attempt);
  if (isRefusal(person)) return person;
  if (purpose === 'sign_in')
    return await keep(c, deps, await openedSession(c, { deps, identify }, { person, workspaceId }));
  const user = await userOf(c, deps, identify);
  if (isRefusal(user)) return signInFailure('UNAUTHENTICATED', 'session_ended');
  return await finishForUser(c, deps, { user, person, purpose });
}

async function openedSession(
  c: AdminContext,
  { deps, identify }: Routing,
  { person, workspaceId }: { readonly person: OpenIdUser; readonly workspaceId: string | null },
): Promise<OpenedSession | Refusal> {
  const { visitor } = c.var;
  if (workspaceId === null) return await signInByOpenId(deps, visitor, person);
  const user = await userOf(c, deps, identify);
  return await signInAtWorkspace(deps, visitor, { workspaceId, person, present: isRefusal(user) ? null : user });
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
