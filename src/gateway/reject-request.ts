import type { RefusedRequest } from '../domain/refused-request.ts';
import type { Caller } from './caller.ts';
import type { Gate } from './gate.ts';

/** Reports a refusal, and answers with it. */
export function rejectRequest(
  { observer }: Pick<Gate, 'observer'>,
  caller: Caller,
  { principal, endpoint, model, refusal }: Omit<RefusedRequest, 'requestId'>,
): void {
  observer.refused({ requestId: caller.requestId, principal, endpoint, model, refusal });
  caller.refuse(refusal);
}
