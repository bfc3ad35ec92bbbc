const CLIENT_REQUEST_ID_MAX = 128;
const PRINTABLE = /^[\x20-\x7e]+$/;

// Headers are names and values in turn.

export const JSON_HEADERS = ['content-type', 'application/json'] as const;

export const STREAM_HEADERS = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
] as const;

/** The caller's own id for its request, from its header x-request-id; null if it is missing or invalid. */
export function clientRequestIdOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header.length <= CLIENT_REQUEST_ID_MAX && PRINTABLE.test(header) ? header : null;
}
