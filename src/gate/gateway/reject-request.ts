import type { AttemptRecord } from '../../domain/receipt.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import type { Caller } from './caller.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { AdmittedRequest } from './request.ts';
import { type RequestTrace, UNTRACED } from './request-trace.ts';

/** Reports a refusal, and answers with it. */
export function rejectRequest(
  { observer }: Pick<GatewayDeps, 'observer'>,
  caller: Caller,
  { principal, endpoint, model, refusal }: Omit<RefusedRequest, 'requestId'>,
  trace: Pick<RequestTrace, 'refused'> = UNTRACED,
): void {
  const refused = { requestId: caller.requestId, principal, endpoint, model, refusal };
  trace.refused(refused);
  observer.refused(refused);
  caller.refuse(refusal);
}

/** Reports the refusal of a request for which no route could be tried: no attempt on its receipt gives the reason. */
export function reportUntried(
  { gate, caller, trace, admission: { principal, parsed, model } }: AdmittedRequest,
  attempts: readonly AttemptRecord[],
  refusal: Refusal,
): void {
  if (attempts.length > 0) return;
  const { name: endpoint } = parsed.request.dialect;
  const refused = { requestId: caller.requestId, principal, endpoint, model: model.id, refusal };
  trace.refused(refused);
  gate.observer.refused(refused);
}
