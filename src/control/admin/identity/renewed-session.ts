import type { Context } from 'hono';
import { isRefusal, type Refusal } from '../../../domain/refusals.ts';
import { type OpenedSession } from '../../identity/sessions.ts';
import { answerRefusal } from '../answers.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import { keepSession } from './session-cookie.ts';

/** Answers with the cookie of a session that was opened or renewed, or with the refusal. */
export function answerRenewed(c: Context, { configuredUrl }: IdentityDependencies, session: OpenedSession | Refusal) {
  if (isRefusal(session)) return answerRefusal(c, session);
  keepSession(c, session, configuredUrl);
  return c.json({ signed_in: true }, 200);
}
