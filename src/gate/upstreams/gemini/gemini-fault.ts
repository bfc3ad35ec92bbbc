import type { ResponseHeaders } from '../http/response-head.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { faultOfErrorPayload, faultOfResponse } from '../response-fault.ts';
import { PAUSE_MS_MAX } from '../retry-after.ts';
import type { UpstreamFault } from '../upstream.ts';

// The meaning of Google's errors (google.rpc.Status) beyond their status: the details show who is at fault, and how
// long to wait.

/** Reasons in an ErrorInfo that are about the operator's key or account, although some have status 400. */
const KEY_REASONS: readonly unknown[] = [
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'SERVICE_DISABLED',
  'BILLING_DISABLED',
  'CONSUMER_INVALID',
];

/** A duration in JSON: seconds with a fraction. */
const DURATION = /^(\d{1,9}(?:\.\d{1,9})?)s$/;

/** Converts a response other than 2xx to a fault. */
export function faultOfRefusal(status: number, headers: ResponseHeaders, body: Buffer, nowMs: number): UpstreamFault {
  return sharpen(faultOfResponse(status, headers, body, nowMs), parsedOrNull(body));
}

/** Converts an error that was sent instead of an answer to a fault. */
export function faultOfError(payload: Buffer): UpstreamFault {
  const parsed = parsedOrNull(payload);
  return sharpen(faultOfErrorPayload(parsed), parsed);
}

function parsedOrNull(body: Buffer): unknown {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return parsed;
  } catch {
    return null;
  }
}

function sharpen(fault: UpstreamFault, parsed: unknown): UpstreamFault {
  const error = errorOf(parsed);
  const details = Array.isArray(error['details']) ? error['details'].filter(isObject) : [];
  if (fault.kind === 'rejected_request') {
    // FAILED_PRECONDITION is a country without the service, or an account without billing.
    const isOperators =
      error['status'] === 'FAILED_PRECONDITION' || details.some((detail) => KEY_REASONS.includes(detail['reason']));
    if (!isOperators) return fault;
    const { status, message, callerMessage } = fault;
    return { kind: 'rejected_credentials', status, message: `${message}: ${callerMessage}` };
  }
  const isOverload = fault.kind === 'overloaded' || (fault.kind === 'failed' && fault.status === 503);
  if (!isOverload) return fault;
  const { status, message } = fault;
  const ownMs = fault.kind === 'overloaded' ? fault.retryAfterMs : null;
  return { kind: 'overloaded', status, message, retryAfterMs: retryDelayMs(details) ?? ownMs };
}

/** The error object of a body; some endpoints wrap the body in an array. */
function errorOf(parsed: unknown): JsonObject {
  const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const error = isObject(body) ? body['error'] : undefined;
  return isObject(error) ? error : {};
}

function retryDelayMs(details: readonly JsonObject[]): number | null {
  const delay = details.map((detail) => detail['retryDelay']).find((each) => typeof each === 'string');
  const seconds = DURATION.exec(delay ?? '')?.[1];
  return seconds === undefined ? null : Math.min(Math.ceil(Number(seconds) * 1_000), PAUSE_MS_MAX);
}
