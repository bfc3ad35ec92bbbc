import type { AttemptRecord } from '../../../domain/receipt.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import type { AttemptStart } from './attempt.ts';
import { unansweredRefusal } from './fault-refusal.ts';
import type { AdmittedRequest } from '../request.ts';
import {
  type AttemptListener,
  isFinalFault,
  isUnsayable,
  type RouteAffinity,
  RouteAttempts,
  tellingFault,
} from './route-attempts.ts';

/**
 * The result of trying the routes: an answer, a stream in progress, a caller that left, or the reason for none of
 * these.
 */
export interface RoutesResult {
  readonly beginning:
    | Exclude<AttemptStart, { kind: 'fault' }>
    | {
        readonly kind: 'refused';
        readonly refusal: Refusal;
        /** Whether no provider of the model has words for the request. */
        readonly isUnsayable: boolean;
      };
  /** The attempts in order, without skipped routes. */
  readonly attempts: readonly AttemptRecord[];
  /** By what the route was chosen that has answered; absent or null: by nothing, or none has. */
  readonly affinity?: RouteAffinity | null;
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
  let fault: UpstreamFault | null = null;
  for (const route of routes.routes()) {
    const candidate = routes.candidate(route);
    const tried = candidate instanceof Promise ? await candidate : candidate;
    if (tried === null) continue;
    const begun = await routes.try(tried);
    if (begun === null) continue;
    if (begun.kind !== 'fault') return { beginning: begun, attempts, affinity: routes.affinity() };
    fault = tellingFault(fault, begun.fault);
    if (isFinalFault(begun.fault)) break;
  }
  const retryAfterMs = routes.soonestMs();
  const refusal = unansweredRefusal(request.admission, { attempts, fault, retryAfterMs });
  return { beginning: { kind: 'refused', refusal, isUnsayable: isUnsayable(fault) }, attempts };
}
