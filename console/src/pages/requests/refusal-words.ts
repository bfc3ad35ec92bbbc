import type { RefusalCode } from '../../../../src/domain/refusals.ts';

interface RefusalWords {
  /** In a list. */
  readonly short: string;
  /** A sentence. */
  readonly long: string;
  /** What to do, where no button does it. */
  readonly remedy: string;
}

/** What the codes of refusals mean, and what helps. */
export const REFUSAL_WORDS: Readonly<Record<RefusalCode, RefusalWords>> = {
  INVALID_REQUEST: {
    short: 'invalid request',
    long: 'The request was not valid.',
    remedy: 'Change the field that is named below.',
  },
  INVALID_API_KEY: { short: 'invalid key', long: 'The key was not valid.', remedy: 'Send a key that works.' },
  UNAUTHENTICATED: { short: 'not signed in', long: 'Nobody was signed in.', remedy: 'Sign in.' },
  INSUFFICIENT_BALANCE: {
    short: 'not enough credit',
    long: "The workspace's credit did not cover the request.",
    remedy: 'Add credit.',
  },
  PROJECT_BUDGET_EXCEEDED: {
    short: 'project budget used up',
    long: "The project's budget did not cover the request.",
    remedy: 'Raise the budget.',
  },
  MEMBER_SPEND_LIMIT_EXCEEDED: {
    short: 'member limit used up',
    long: 'The limit of the member who made the key did not cover the request.',
    remedy: "Raise the member's limit.",
  },
  KEY_SPEND_LIMIT_EXCEEDED: {
    short: 'key limit used up',
    long: "The key's limit did not cover the request.",
    remedy: "Raise the key's limit.",
  },
  END_USER_LIMIT_EXCEEDED: {
    short: 'end user limit used up',
    long: "The project's limit for each end user did not cover the request.",
    remedy: "Raise the end users' limit.",
  },
  SESSION_LIMIT_EXCEEDED: {
    short: 'session limit used up',
    long: "The project's limit for each session did not cover the request.",
    remedy: "Raise the sessions' limit.",
  },
  MAX_COST_EXCEEDED: {
    short: 'above its own maximum',
    long: 'The request could have cost more than its header x-faregate-max-cost allowed.',
    remedy: 'Allow more in that header.',
  },
  MODEL_NOT_ALLOWED: {
    short: 'model not allowed',
    long: 'The project or the key may not call this model.',
    remedy: 'Call another model, or change which models are allowed.',
  },
  ADDRESS_NOT_ALLOWED: {
    short: 'address not allowed',
    long: 'The key is not accepted from the address of the caller.',
    remedy: 'Call from a network that the key and the workspace allow, or add the address to them.',
  },
  WORKSPACE_SUSPENDED: {
    short: 'workspace suspended',
    long: 'The workspace was suspended.',
    remedy: 'Ask an owner of the workspace, or the operator of this instance.',
  },
  FORBIDDEN: { short: 'forbidden', long: 'The caller lacked the right.', remedy: 'Ask somebody who has it.' },
  MODEL_NOT_FOUND: {
    short: 'unknown model',
    long: 'No model with this id was on sale.',
    remedy: 'Look up the id under Models.',
  },
  NOT_FOUND: { short: 'not found', long: 'The address does not exist.', remedy: 'Check the path that was called.' },
  METHOD_NOT_ALLOWED: {
    short: 'wrong method',
    long: 'The address does not have this method.',
    remedy: 'Check the method.',
  },
  REQUEST_TIMEOUT: {
    short: 'sent too slowly',
    long: 'The request was not sent completely in time.',
    remedy: 'Send it faster, or in smaller parts.',
  },
  CONFLICT: { short: 'conflict', long: 'The request contradicted how things stood.', remedy: 'Read the state again.' },
  WORKSPACE_MOVED: {
    short: 'workspace moved',
    long: 'The workspace lived in another cell.',
    remedy: 'Change it in that cell.',
  },
  PRECONDITION_FAILED: {
    short: 'changed since',
    long: 'The thing had been changed since it was read.',
    remedy: 'Read it again.',
  },
  REQUEST_TOO_LARGE: {
    short: 'too large',
    long: 'The body was larger than the limit.',
    remedy: 'Send less.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    short: 'not JSON',
    long: 'The body was not declared as JSON.',
    remedy: 'Send it with content-type: application/json.',
  },
  IDEMPOTENCY_MISMATCH: {
    short: 'Idempotency-Key reused',
    long: 'The Idempotency-Key had been used for another body.',
    remedy: 'Use a new one for a new request.',
  },
  WEBSOCKET_NOT_SUPPORTED: {
    short: 'WebSocket',
    long: 'The request asked for a WebSocket.',
    remedy: 'Send a POST request.',
  },
  RATE_LIMITED: {
    short: 'rate limit',
    long: 'A limit of the project was reached.',
    remedy: 'Wait as long as retry-after-ms says.',
  },
  HEADERS_TOO_LARGE: {
    short: 'headers too large',
    long: 'The headers were larger than the limit.',
    remedy: 'Send fewer or shorter ones.',
  },
  OUTPUT_NOT_CONFORMING: {
    short: 'no conforming answer',
    long: 'No answer of the model matched the schema.',
    remedy: 'Relax the schema, or call another model.',
  },
  INTERNAL_ERROR: {
    short: 'internal error',
    long: 'This program had a fault.',
    remedy: 'Report it with the request id.',
  },
  MODEL_UNAVAILABLE: {
    short: 'model unavailable',
    long: 'No route to the model could be tried.',
    remedy: 'Send it again later, or call another model.',
  },
  SERVICE_UNAVAILABLE: {
    short: 'gateway unavailable',
    long: 'The gateway could not serve requests.',
    remedy: 'Send it again later.',
  },
  UPSTREAM_TIMEOUT: {
    short: 'provider too slow',
    long: 'Every provider took too long.',
    remedy: 'Send it again, or ask for a shorter answer.',
  },
  HTTP_VERSION_NOT_SUPPORTED: {
    short: 'wrong HTTP version',
    long: 'The request was neither HTTP/1.1 nor HTTP/1.0.',
    remedy: 'Send it in HTTP/1.1.',
  },
};
