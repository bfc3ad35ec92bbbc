import { type Refusal, refuse } from '../domain/refusals.ts';
import { unreachable } from '../lib/assert.ts';
import type { UpstreamFault } from '../upstreams/upstream.ts';

const RETRY_MS = 1_000;

/** What a caller is told when no route has answered. Nothing was charged; operators' details stay in the log. */
export function faultRefusal(modelId: string, fault: UpstreamFault): Refusal {
  switch (fault.kind) {
    case 'rejected_request':
      return refuse('INVALID_REQUEST', fault.callerMessage, { param: fault.param });
    case 'timeout':
      return refuse('UPSTREAM_TIMEOUT', `"${modelId}" did not answer in time. Nothing was charged.`);
    case 'overloaded':
      return refuse('MODEL_UNAVAILABLE', `"${modelId}" is busy at this moment. Nothing was charged.`, {
        retryAfterMs: fault.retryAfterMs ?? RETRY_MS,
      });
    case 'unreachable':
    case 'broken':
    case 'malformed':
    case 'rejected_credentials':
    case 'failed':
      return refuse('MODEL_UNAVAILABLE', `"${modelId}" can't be reached at this moment. Nothing was charged.`, {
        retryAfterMs: RETRY_MS,
      });
    default:
      return unreachable(fault);
  }
}
