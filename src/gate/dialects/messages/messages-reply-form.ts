import { type Refusal, type RefusalCode, REFUSALS } from '../../../domain/refusals.ts';
import type { ReplyForm } from '../dialect.ts';
import { refusalDetails } from '../refusal-details.ts';

// Refusals as Anthropic's API writes errors, with the gate's stable code inside.

const SECOND_MS = 1_000;

/** Anthropic's clients sleep for as long as the header says, and its coding agent gives up if that is more than a minute. */
const RETRY_MS_MAX = 60_000;

const TYPES: Partial<Record<RefusalCode, string>> = {
  INVALID_API_KEY: 'authentication_error',
  UNAUTHENTICATED: 'authentication_error',
  REQUEST_TOO_LARGE: 'request_too_large',
  MODEL_UNAVAILABLE: 'overloaded_error',
  SERVICE_UNAVAILABLE: 'overloaded_error',
  UPSTREAM_TIMEOUT: 'timeout_error',
  REQUEST_TIMEOUT: 'timeout_error',
};

const TYPES_OF_STATUS: Readonly<Record<number, string>> = {
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export const PING_EVENT = 'event: ping\ndata: {"type": "ping"}\n\n';

/** OpenAI's code for a conversation that is too long; clients of this API recognise the beginning of its message. */
const TOO_LONG = 'context_length_exceeded';

function typeOf(code: RefusalCode): string {
  const { status } = REFUSALS[code];
  return TYPES[code] ?? TYPES_OF_STATUS[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

function messageOf({ providerCode, message }: Refusal): string {
  return providerCode === TOO_LONG && !/^prompt is too long/i.test(message)
    ? `prompt is too long: ${message}`
    : message;
}

/** Marks refusals that the same request would get again: clients don't conclude that from a 401 or a 409. */
function isFinal({ code, retryAfterMs }: Refusal): boolean {
  const { status } = REFUSALS[code];
  return status < 500 && status !== 429 && retryAfterMs === undefined;
}

/** An error body; also the payload of an error event. */
export function messagesError(refusal: Refusal, requestId: string): Buffer {
  const { code, param } = refusal;
  const about = param === null ? {} : { param };
  const error = { type: typeOf(code), message: messageOf(refusal), code, ...about, ...refusalDetails(refusal) };
  return Buffer.from(JSON.stringify({ type: 'error', error, request_id: requestId }));
}

export const MESSAGES_REPLY_FORM: ReplyForm = {
  idHeaders: (requestId) => ['x-request-id', requestId, 'request-id', requestId],
  refusalBody: messagesError,
  retryHeaders(refusal) {
    const headers: string[] = [];
    if (refusal.retryAfterMs !== undefined) {
      const afterMs = Math.min(Math.max(refusal.retryAfterMs, 1), RETRY_MS_MAX);
      headers.push('retry-after', String(Math.ceil(afterMs / SECOND_MS)), 'retry-after-ms', String(afterMs));
    }
    const shouldRetry = refusal.shouldRetry ?? (isFinal(refusal) ? false : undefined);
    if (shouldRetry !== undefined) headers.push('x-should-retry', String(shouldRetry));
    return headers;
  },
};
