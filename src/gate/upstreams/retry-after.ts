import type { ResponseHeaders } from './http/response-head.ts';

/** The longest pause that an upstream can request: after a longer request, its route is probed after this time. */
export const PAUSE_MS_MAX = 300_000;

function single(headers: ResponseHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : (value?.[0]?.trim() ?? null);
}

function bounded(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), PAUSE_MS_MAX);
}

/**
 * The pause that the upstream requests, in milliseconds from `nowMs`; null if there is none in one of the common
 * forms: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date.
 */
export function readRetryAfterMs(headers: ResponseHeaders, nowMs: number): number | null {
  const ms = single(headers, 'retry-after-ms');
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms)) return bounded(Number(ms));
  const after = single(headers, 'retry-after');
  if (after === null) return null;
  if (/^\d+(\.\d+)?$/.test(after)) return bounded(Number(after) * 1_000);
  // A date has letters; other texts that Date.parse accepts are no HTTP dates.
  const at = /^[A-Za-z]{3,9},/.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(at) ? null : bounded(at - nowMs);
}
