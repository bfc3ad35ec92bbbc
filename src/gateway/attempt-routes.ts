import type { AttemptRecord } from '../domain/receipt.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { AttemptStart } from './attempt.ts';
import { unansweredRefusal } from './fault-refusal.ts';
import type { AdmittedRequest } from './request.ts';
import { endsIt, Tries } from './tries.ts';

/** Result of the routes: an answer, a stream in progress, a caller that left, or the reason why there is none. */
export interface RoutesResult {
  readonly beginning:
    | Exclude<AttemptStart, { kind: 'fault' }>
    | { readonly kind: 'refused'; readonly refusal: Refusal };
  /** The attempts in order, without routes that were passed over. */
  readonly attempts: readonly AttemptRecord[];
}

/**
 * Tries the model's routes until one answers. Those that rest, or whose provider has all the attempts it may, are
 * passed over; if none is left the caller is refused immediately. Once its caller has left nothing more is tried, and a
 * stream that hasn't begun is given up, unless a repeat of it is to get the answer.
 */
export async function attemptRoutes(request: AdmittedRequest): Promise<RoutesResult> {
  const tries = new Tries(request);
  const { attempts } = tries;
  let last: AttemptStart | null = null;
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
