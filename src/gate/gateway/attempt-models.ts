import type { AttemptRecord } from '../../domain/receipt.ts';
import type { Refusal, RefusalCode } from '../../domain/refusals.ts';
import { attemptConforming } from './by-schema/attempt-conforming.ts';
import { attemptRoutes, type RoutesResult } from './attempts/attempt-routes.ts';
import { type AttemptListener, longestMs } from './attempts/route-attempts.ts';
import { leftOutHeaders, modelHeaders, NO_HEADERS, shortenedHeaders } from './answers/reply-headers.ts';
import type { ReplyHeaders } from './caller.ts';
import type { AdmittedRequest } from './request.ts';

/** Called before each attempt with the headers of its answer. */
export type HeadersListener = (headers: ReplyHeaders) => void;

/** The refusals after which another model is tried: the request was right, and no route has answered. */
const UNANSWERED: readonly RefusalCode[] = ['MODEL_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/** Tries the routes of the requested model, then those of the models that may answer in its place. */
export function attemptModels(request: AdmittedRequest, onAttempt?: HeadersListener): Promise<RoutesResult> {
  const first = attemptModel(request, onAttempt);
  const { fallbacks, refused } = request.admission;
  if (refused !== null) return unlessUnsayable(first, refused);
  return fallbacks.length === 0 ? first : attemptOthers(request, first, onAttempt);
}

/** A model that answers in the place of a refused one, and has no words for the request, leaves it at that refusal. */
async function unlessUnsayable(first: Promise<RoutesResult>, refusal: Refusal): Promise<RoutesResult> {
  const result = await first;
  const { beginning } = result;
  if (beginning.kind !== 'refused' || !beginning.isUnsayable) return result;
  return { ...result, beginning: { ...beginning, refusal } };
}

/**
 * The result of the first model that answers, or that refuses the request itself; if there is none, that of the requested one.
 * All models share the request's time.
 */
async function attemptOthers(
  request: AdmittedRequest,
  first: Promise<RoutesResult>,
  onAttempt?: HeadersListener,
): Promise<RoutesResult> {
  const untilMs = request.startedMs + longestMs(request);
  const result = await first;
  if (!isUnanswered(result)) return result;
  const attempts: AttemptRecord[] = [...result.attempts];
  for (const admission of request.admission.fallbacks) {
    if (request.gate.clock.monotonicMs() >= untilMs) break;
    const next = { ...request, admission, untilMs };
    const other = await attemptModel(next, onAttempt);
    attempts.push(...other.attempts);
    if (!isUnanswered(other) && !isUnsayable(other)) return { ...other, attempts, request: next };
  }
  return { beginning: result.beginning, attempts };
}

function isUnanswered({ beginning }: RoutesResult): boolean {
  return beginning.kind === 'refused' && UNANSWERED.includes(beginning.refusal.code);
}

/** Whether the model has no words for the request; as one that can't be sent it from the first, it is passed over. */
function isUnsayable({ beginning }: RoutesResult): boolean {
  return beginning.kind === 'refused' && beginning.isUnsayable;
}

function attemptModel(request: AdmittedRequest, onAttempt?: HeadersListener): Promise<RoutesResult> {
  const { schema, admission } = request;
  const listener: AttemptListener | undefined =
    onAttempt && ((sent) => onAttempt(attemptHeaders(request, sent.leftOut)));
  return schema === null
    ? attemptRoutes(request, listener)
    : attemptConforming(request, admission.parsed.request, schema, listener);
}

/** The headers of an answer that depend on its model and route. */
export function attemptHeaders({ admission }: AdmittedRequest, leftOut: readonly string[]): ReplyHeaders {
  const { quote, requested } = admission;
  if (!quote.shortened && requested === null && leftOut.length === 0) return NO_HEADERS;
  return [...shortenedHeaders(admission), ...modelHeaders(admission), ...leftOutHeaders(leftOut)];
}
