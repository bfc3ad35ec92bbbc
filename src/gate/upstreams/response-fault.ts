import { describeError, readUpstreamError, type UpstreamError } from '../openai/error-body.ts';
import type { ResponseHeaders } from './http/response-head.ts';
import { knownRejection } from './known-rejections.ts';
import type { UpstreamFault } from './upstream.ts';
import { readRetryAfterMs } from './retry-after.ts';

// The meaning of an upstream's refusal: whether the caller or the operator can fix it, or neither. An error's message
// may quote the caller's request, so an upstream's words are logged only if the operator's own settings are at fault;
// those of a rejected request are only for the caller.

const WORDLESS = {
  code: null,
  message: "The model's provider rejected the request without saying why.",
  param: null,
};

/** The caller's request is at fault: bad fields, too large, not processable, or not allowed by law. */
const REQUEST_STATUSES: readonly number[] = [400, 413, 422, 451];
/** 402 is an account without money at the provider, which is the operator's, as its key is. */
const CREDENTIAL_STATUSES: readonly number[] = [401, 402, 403];
/** 529 is Anthropic's status of an overload, and 425 requests a later retry. */
const OVERLOAD_STATUSES: readonly number[] = [408, 409, 425, 429, 529];

/** Errors that a 400 carries although the key is at fault, as Gemini's endpoint sends them. */
const KEY_FAULT = /api[ _-]?key (not valid|not found|expired|invalid)|invalid[ _-]api[ _-]?key|incorrect api key/i;

/** Problems of the operator's account, which callers don't see. */
const ACCOUNT_CODE = /^(?:billing_|insufficient_quota$|invalid_api_key$|account_)/;

function isAboutAccount({ code, message }: UpstreamError): boolean {
  return KEY_FAULT.test(message) || ACCOUNT_CODE.test(code ?? '');
}

/** Errors that a 400 carries although the upstream's id of the model, which the operator wrote, is at fault. */
function isAboutModel(error: UpstreamError): boolean {
  return error.param === 'model' || error.code === 'model_not_found' || error.type === 'model_not_found';
}

/** Only an error that names a field of the request, other than the model, makes a 404 the caller's. */
function isAboutRequest(error: UpstreamError): boolean {
  return error.param !== null && !isAboutModel(error);
}

function labelOf(status: number, error: UpstreamError | null): string {
  const parts = [`status ${status}`];
  if (error?.type) parts.push(`type ${error.type}`);
  if (error?.code) parts.push(`code ${error.code}`);
  return parts.join(', ');
}

function faultOf(status: number, error: UpstreamError | null, retryAfterMs: number | null): UpstreamFault {
  const label = labelOf(status, error);
  const words = error === null ? label : `${label}: ${error.message}`;
  if (CREDENTIAL_STATUSES.includes(status)) return { kind: 'rejected_credentials', status, message: words };
  // A server error with a time to retry is an overload, or maintenance, which is equivalent for callers.
  if (OVERLOAD_STATUSES.includes(status) || (status >= 500 && retryAfterMs !== null)) {
    return { kind: 'overloaded', status, retryAfterMs, message: label };
  }
  if (status >= 300 && status < 400) {
    return {
      kind: 'malformed',
      status,
      message: `${label}: redirects are not followed; set base_url to where it leads`,
    };
  }
  const concernsCaller = REQUEST_STATUSES.includes(status)
    ? error === null || !isAboutModel(error)
    : status === 404 && error !== null && isAboutRequest(error);
  if (!concernsCaller) {
    const isSetting = status === 404 || (error !== null && isAboutModel(error));
    return { kind: 'failed', status, message: isSetting ? words : label };
  }
  if (error !== null && isAboutAccount(error)) return { kind: 'rejected_credentials', status, message: words };
  const { code, message: callerMessage, param } = error === null ? WORDLESS : knownRejection(error);
  return { kind: 'rejected_request', status, callerMessage, code, param, message: label };
}

/** Converts a response other than 2xx to a fault. */
export function faultOfResponse(status: number, headers: ResponseHeaders, body: Buffer, nowMs: number): UpstreamFault {
  const retryAfterMs = readRetryAfterMs(headers, nowMs);
  const error = readUpstreamError(body);
  // An HTML page comes from a proxy, and says nothing to the caller, who sent nothing to that proxy.
  const isPage = body.subarray(0, 64).toString('latin1').trimStart().startsWith('<');
  return faultOf(status, isPage && REQUEST_STATUSES.includes(status) ? null : error, retryAfterMs);
}

/** Values of `type` or `code` that imply a status, for errors without one. The first match counts. */
const STATUS_WORDS: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|too_?many|resource_?exhausted|quota/i, 429],
  [/overloaded/i, 529],
  [/authentication|api_?key|unauthenticated|unauthorized/i, 401],
  [/permission|forbidden/i, 403],
  [/insufficient_?(credit|balance|fund)|billing|payment/i, 402],
  [/not_?found/i, 404],
  [/invalid|bad_?request|context_?length|badrequest|validation/i, 400],
  [/timeout/i, 504],
  [/unavailable/i, 503],
];

function statusOf(error: UpstreamError | null): number {
  const code = Number(error?.code);
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code;
  const words = `${error?.type ?? ''} ${error?.code ?? ''}`;
  return STATUS_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}

/** Converts an error object inside a 200 to the fault of the matching status. */
export function faultOfErrorPayload(payload: unknown): UpstreamFault {
  const error = describeError(payload);
  return faultOf(statusOf(error), error, null);
}
