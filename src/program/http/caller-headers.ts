const CLIENT_ID_MAX = 128;
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

type Header = string | string[] | undefined;

/** An id that the caller has chosen, from a header of the request; null if it is missing or invalid. */
export function clientIdOf(header: Header): string | null {
  return typeof header === 'string' && header.length <= CLIENT_ID_MAX && PRINTABLE.test(header) ? header : null;
}

/**
 * An agent's session, from the headers `session-id`, `session_id`, `x-claude-code-session-id` and `x-session-id`: the
 * first valid one.
 */
export function sessionOf(dashed: Header, underscored: Header, claudeCode: Header, prefixed: Header): string | null {
  return clientIdOf(dashed) ?? clientIdOf(underscored) ?? clientIdOf(claudeCode) ?? clientIdOf(prefixed);
}
