import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type OpenedSession } from '../../identity/sessions.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { keepSession } from './session-cookie.ts';

/** The answer with the cookie of a session that was opened or renewed, or the refusal. */
export function answerRenewed(c: Context, { configuredUrl }: IdentityDependencies, session: OpenedSession | Refusal) {
  if (isRefusal(session)) return session;
  keepSession(c, session, configuredUrl);
  return { signed_in: true };
}
