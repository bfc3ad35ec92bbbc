import type { AttemptRecord } from '../../../domain/receipt.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import type { AttemptStart } from './attempt.ts';
import { unansweredRefusal } from './fault-refusal.ts';
import type { AdmittedRequest } from '../request.ts';
import { isFinalFault, RouteAttempts, type AttemptListener } from './route-attempts.ts';

/**
 * The result of trying the routes: an answer, a stream in progress, a caller that left, or the reason for none of
 * these.
 */
export interface RoutesResult {
  readonly beginning:
    | Exclude<AttemptStart, { kind: 'fault' }>
    | { readonly kind: 'refused'; readonly refusal: Refusal };
  /** The attempts in order, without skipped routes. */
  readonly attempts: readonly AttemptRecord[];
  /** The request at the model whose result this is; absent: the requested one. */
  readonly request?: AdmittedRequest;
}

/**
 * Tries the model's routes until one answers. Skips routes that rest or whose provider is at its limit of attempts; if
 * none is left, the request is refused immediately. Once the caller has left, nothing more is tried, and a stream that
 * hasn't begun is aborted, unless a repeat is to get the answer.
 */
export async function attemptRoutes(request: AdmittedRequest, onAttempt?: AttemptListener): Promise<RoutesResult> {
  const routes = new RouteAttempts(request, onAttempt);
  const { attempts } = routes;
  let last: AttemptStart | null = null;
  for (const next of routes.routes()) {
    const tried = next instanceof Promise ? await next : next;
    if (tried === null) continue;
    last = (await routes.try(tried)) ?? last;
    if (last !== null && (last.kind !== 'fault' || isFinalFault(last.fault))) break;
  }
  if (last !== null && last.kind !== 'fault') return { beginning: last, attempts };
  const fault = last?.fault ?? null;
  const retryAfterMs = routes.soonestMs();
  const refusal = unansweredRefusal(request.admission, { attempts, fault, retryAfterMs });
  return { beginning: { kind: 'refused', refusal }, attempts };
}
