import type { UpstreamFault } from '../upstream.ts';

/** A fault below HTTP, independent of the upstream's answer. */
export type TransportFault = Extract<UpstreamFault, { kind: 'unreachable' | 'timeout' | 'broken' | 'malformed' }>;

/** A network error in one line. Errors of several addresses are one AggregateError without a message. */
export function describeError(error: Error & { code?: unknown }): string {
  const code = typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
