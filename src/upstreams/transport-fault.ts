import { errors } from 'undici';
import type { UpstreamFault } from './upstream.ts';

// What went wrong below HTTP, told apart by when and how it failed.

/** A fault that needs no look at what the upstream answered. */
export type TransportFault = Extract<UpstreamFault, { kind: 'unreachable' | 'timeout' | 'broken' | 'malformed' }>;

/** How far the exchange had come when the error arose. `status` is 0 while none had arrived. */
export interface ExchangeProgress {
  readonly connected: boolean;
  readonly status: number;
  /** Whether the connection had brought other answers before. */
  readonly isConnectionKept: boolean;
}

/** Network errors of several addresses come as one AggregateError without a message of its own. */
function describe(error: Error & { code?: unknown }): string {
  const code = typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : `${code}: ${error.message}`;
}

/** Sorts an error of the HTTP client into a fault. */
export function transportFault(error: Error, progress: ExchangeProgress): TransportFault {
  const message = describe(error);
  if (error instanceof errors.ConnectTimeoutError) return { kind: 'timeout', phase: 'connect', message };
  if (!progress.connected) return { kind: 'unreachable', message };
  if (error instanceof errors.HeadersTimeoutError) return { kind: 'timeout', phase: 'first_byte', message };
  if (error instanceof errors.BodyTimeoutError) return { kind: 'timeout', phase: 'idle', message };
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return { kind: 'malformed', status: progress.status, message };
  }
  const isUnanswered = progress.isConnectionKept && progress.status === 0;
  return { kind: 'broken', message, ...(isUnanswered ? { isUnanswered } : {}) };
}
