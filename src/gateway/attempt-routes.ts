import type { AttemptRecord } from '../domain/receipt.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { Beginning } from './attempt.ts';
import { unansweredRefusal } from './fault-refusal.ts';
import type { AdmittedRequest } from './request.ts';
import { endsIt, Tries } from './tries.ts';

/** What came of the routes: an answer, a stream that has begun, a caller that has left, or why there is none of them. */
export interface RoutesTried {
  readonly beginning: Exclude<Beginning, { kind: 'fault' }> | { readonly kind: 'refused'; readonly refusal: Refusal };
  /** What was tried, in order. Routes that were passed over are not in it. */
  readonly attempts: readonly AttemptRecord[];
}

/**
 * Tries the model's routes until one answers. Those that rest, or whose provider has all the attempts it may, are passed
 * over; where that leaves none the caller is refused at once. Once its caller has left nothing more is tried, and a stream
 * that hasn't begun is given up, unless a repeat of it is to get the answer.
 */
export async function attemptRoutes(request: AdmittedRequest): Promise<RoutesTried> {
  const tries = new Tries(request);
  const { attempts } = tries;
  let last: Beginning | null = null;
  for (const tried of tries.routes()) {
    last = (await tries.try(tried)) ?? last;
    if (last !== null && (last.kind !== 'fault' || endsIt(last.fault))) break;
  }
  if (last !== null && last.kind !== 'fault') return { beginning: last, attempts };
  const fault = last?.fault ?? null;
  const retryAfterMs = tries.soonestMs();
  const refusal = unansweredRefusal(request.admission.model.id, { attempts, fault, retryAfterMs });
  return { beginning: { kind: 'refused', refusal }, attempts };
}
