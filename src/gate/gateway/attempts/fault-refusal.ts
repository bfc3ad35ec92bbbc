import type { AttemptRecord } from '../../../domain/receipt.ts';
import { type Refusal, refuse } from '../../../domain/refusals.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import type { Admission } from '../admit.ts';
import { inCallersWords } from '../callers-words.ts';

const RETRY_MS = 1_000;

/** Some SDKs ignore a longer `retry-after` and retry immediately. */
const RETRY_MS_HONOURED = 60_000;

/** The reasons why no route has answered. */
interface RouteFailure {
  readonly attempts: readonly AttemptRecord[];
  /** The fault of the last attempt; null if no route could be tried. */
  readonly fault: UpstreamFault | null;
  /** The time until a resting route may be tried again, in milliseconds, above zero; null if none rests. */
  readonly retryAfterMs: number | null;
}

/** The refusal when no route has answered. Nothing was charged; operators' details stay in the log. */
export function unansweredRefusal(
  { model: { id: modelId }, parsed }: Pick<Admission, 'model' | 'parsed'>,
  { attempts, fault, retryAfterMs }: RouteFailure,
): Refusal {
  if (fault?.kind === 'rejected_request') {
    const { message, param } = inCallersWords(parsed, { message: fault.callerMessage, param: fault.param });
    const { code } = fault;
    return refuse('INVALID_REQUEST', message, { param, ...(code === null ? {} : { providerCode: code }) });
  }
  if (fault !== null && attempts.every((record) => record.fault === 'timeout')) {
    return refuse('UPSTREAM_TIMEOUT', `"${modelId}" did not answer in time. Nothing was charged.`);
  }
  const how = fault?.kind === 'overloaded' ? 'is busy' : "can't be reached";
  const waitMs = Math.ceil(retryAfterMs ?? RETRY_MS);
  return refuse('MODEL_UNAVAILABLE', `"${modelId}" ${how}. Nothing was charged. Try again later.`, {
    retryAfterMs: waitMs,
    ...(waitMs > RETRY_MS_HONOURED ? { shouldRetry: false } : {}),
  });
}

/** The refusal when a stream breaks off. */
export function brokenOffRefusal(modelId: string, fault: UpstreamFault | null): Refusal {
  if (fault?.kind === 'timeout' && fault.phase === 'deadline') {
    return refuse('UPSTREAM_TIMEOUT', `The answer of "${modelId}" took longer than a request may.`);
  }
  return refuse('MODEL_UNAVAILABLE', `"${modelId}" broke off its answer.`);
}
