import type { UpstreamFault } from '../upstream.ts';

/** A fault below HTTP, which needs no look at the upstream's answer. */
export type TransportFault = Extract<UpstreamFault, { kind: 'unreachable' | 'timeout' | 'broken' | 'malformed' }>;

/** An error of the network in one line. Those of several addresses come as one AggregateError without a message. */
export function describeError(error: Error & { code?: unknown }): string {
  const code = typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}
