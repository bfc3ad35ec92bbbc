import type { NanoUsd } from './money.ts';
import type { RateStanding } from './token-bucket.ts';

/** Every error code a caller can meet, with its HTTP status and the OpenAI error family that clients branch on. */
export const REFUSALS = {
  INVALID_REQUEST: { status: 400, type: 'invalid_request_error' },
  INVALID_API_KEY: { status: 401, type: 'invalid_request_error' },
  UNAUTHENTICATED: { status: 401, type: 'invalid_request_error' },
  INSUFFICIENT_BALANCE: { status: 402, type: 'insufficient_quota' },
  PROJECT_BUDGET_EXCEEDED: { status: 402, type: 'insufficient_quota' },
  MEMBER_SPEND_LIMIT_EXCEEDED: { status: 402, type: 'insufficient_quota' },
  KEY_SPEND_LIMIT_EXCEEDED: { status: 402, type: 'insufficient_quota' },
  END_USER_LIMIT_EXCEEDED: { status: 402, type: 'insufficient_quota' },
  SESSION_LIMIT_EXCEEDED: { status: 402, type: 'insufficient_quota' },
  MAX_COST_EXCEEDED: { status: 402, type: 'insufficient_quota' },
  MODEL_NOT_ALLOWED: { status: 403, type: 'invalid_request_error' },
  ADDRESS_NOT_ALLOWED: { status: 403, type: 'invalid_request_error' },
  WORKSPACE_SUSPENDED: { status: 403, type: 'invalid_request_error' },
  FORBIDDEN: { status: 403, type: 'invalid_request_error' },
  MODEL_NOT_FOUND: { status: 404, type: 'invalid_request_error' },
  NOT_FOUND: { status: 404, type: 'invalid_request_error' },
  METHOD_NOT_ALLOWED: { status: 405, type: 'invalid_request_error' },
  REQUEST_TIMEOUT: { status: 408, type: 'invalid_request_error' },
  CONFLICT: { status: 409, type: 'invalid_request_error' },
  WORKSPACE_MOVED: { status: 410, type: 'invalid_request_error' },
  PRECONDITION_FAILED: { status: 412, type: 'invalid_request_error' },
  REQUEST_TOO_LARGE: { status: 413, type: 'invalid_request_error' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, type: 'invalid_request_error' },
  IDEMPOTENCY_MISMATCH: { status: 422, type: 'invalid_request_error' },
  WEBSOCKET_NOT_SUPPORTED: { status: 426, type: 'invalid_request_error' },
  RATE_LIMITED: { status: 429, type: 'rate_limit_error' },
  HEADERS_TOO_LARGE: { status: 431, type: 'invalid_request_error' },
  OUTPUT_NOT_CONFORMING: { status: 502, type: 'server_error' },
  INTERNAL_ERROR: { status: 500, type: 'server_error' },
  MODEL_UNAVAILABLE: { status: 503, type: 'server_error' },
  SERVICE_UNAVAILABLE: { status: 503, type: 'server_error' },
  UPSTREAM_TIMEOUT: { status: 504, type: 'server_error' },
  HTTP_VERSION_NOT_SUPPORTED: { status: 505, type: 'invalid_request_error' },
} as const satisfies Record<string, { status: number; type: string }>;

export type RefusalCode = keyof typeof REFUSALS;

export const MONEY_REFUSAL_CODES = [
  'INSUFFICIENT_BALANCE',
  'PROJECT_BUDGET_EXCEEDED',
  'MEMBER_SPEND_LIMIT_EXCEEDED',
  'KEY_SPEND_LIMIT_EXCEEDED',
  'END_USER_LIMIT_EXCEEDED',
  'SESSION_LIMIT_EXCEEDED',
] as const satisfies readonly RefusalCode[];

export type MoneyRefusalCode = (typeof MONEY_REFUSAL_CODES)[number];

/** The purses that a request may pass, from the widest to the narrowest. */
export const MONEY_LEVELS = ['workspace', 'project', 'member', 'key', 'end_user', 'session'] as const;

export type MoneyLevel = (typeof MONEY_LEVELS)[number];

/** One purse that could not carry a request; amounts in nano-USD, `resetsAtMs` null if the window never ends. */
export interface FailingLevel {
  readonly level: MoneyLevel;
  readonly code: MoneyRefusalCode;
  readonly limit: NanoUsd;
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  readonly resetsAtMs: number | null;
}

/**
 * Why a request can't be paid for: every failing level in order, none if it exceeds its maximum cost; and the remedy.
 */
export interface MoneyShortage {
  readonly levels: readonly FailingLevel[];
  readonly needed: NanoUsd;
  /** Only other requests' holds are in the way: the same request may fit in a moment. */
  readonly transient: boolean;
  /** The largest `max_tokens` that fits now; null if none does, or if it doesn't apply. */
  readonly maxTokensThatFit: number | null;
  readonly fix: string;
}

/** The rate limit that a request exceeds: `most` a minute, or at the same time. */
export interface ExceededLimit {
  readonly limit: 'requests' | 'tokens' | 'concurrency';
  readonly most: number;
}

/** A schema failure of an answer: its place, as a JSON pointer, and the keyword. */
export interface OutputFailure {
  readonly pointer: string;
  readonly keyword: string;
}

/** Why no answer was returned: the number of non-conforming ones, and the failures of the last. */
export interface OutputFailures {
  readonly answers: number;
  readonly failures: readonly OutputFailure[];
}

/** A request that is not served, as a value. The message is safe for the caller to read: it names no secret. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly code: RefusalCode;
  readonly message: string;
  /** The field of the request that is at fault; null if none is. */
  readonly param: string | null;
  /** On INVALID_REQUEST: the code of the provider's rejection, or OpenAI's equivalent. */
  readonly providerCode?: string;
  /** When the same request is worth sending again, in milliseconds from now. */
  readonly retryAfterMs?: number;
  /** The header `x-should-retry` for SDKs, if the status alone would mislead them. */
  readonly shouldRetry?: boolean;
  /** On METHOD_NOT_ALLOWED: the methods that are. */
  readonly allow?: string;
  /** The connection can't be used further, because the request was not read to its end. */
  readonly closeConnection?: boolean;
  /** On INVALID_REQUEST: details by which a client recognises it. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly shortage?: MoneyShortage;
  /** On OUTPUT_NOT_CONFORMING. */
  readonly output?: OutputFailures;
  /** On RATE_LIMITED, if a limit of the project is exceeded: the state of its limits, and the exceeded one. */
  readonly rate?: RateStanding;
  readonly exceeded?: ExceededLimit;
}

/** Makes a refusal; `param` and the rest as given. */
export function refuse(
  code: RefusalCode,
  message: string,
  more: Partial<Omit<Refusal, 'kind' | 'code' | 'message'>> = {},
): Refusal {
  return { kind: 'refusal', code, message, param: null, ...more };
}

/** Whether a stage's result is a refusal. A record about a refusal may have the same `kind`, but has no `code`. */
export function isRefusal(value: unknown): value is Refusal {
  if (typeof value !== 'object' || value === null) return false;
  // Loaded before it is known to be there: each stage of each request asks this of objects of many shapes.
  return (value as Partial<Refusal>).kind === 'refusal' && 'code' in value;
}
