import type { RateStanding } from '../../../domain/token-bucket.ts';

// The state of the rate limits, in OpenAI's headers, with durations in OpenAI's format: "120ms", "1.5s", "6m0s".

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;

/** A duration in the format of OpenAI's rate limit headers. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < SECOND_MS) return `${ms}ms`;
  const seconds = Math.floor(ms / SECOND_MS);
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const rest = `${Number(`${seconds % MINUTE_S}.${String(ms % SECOND_MS).padStart(3, '0')}`)}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** The headers of the project's limits, names and values in turn; none for a project without limits. */
export function rateHeaders({ requests, tokens }: RateStanding): string[] {
  const headers: string[] = [];
  if (requests !== null) {
    headers.push('x-ratelimit-limit-requests', String(requests.limit));
    headers.push('x-ratelimit-remaining-requests', String(requests.remaining));
    headers.push('x-ratelimit-reset-requests', formatDuration(requests.resetMs));
  }
  if (tokens !== null) {
    headers.push('x-ratelimit-limit-tokens', String(tokens.limit));
    headers.push('x-ratelimit-remaining-tokens', String(tokens.remaining));
    headers.push('x-ratelimit-reset-tokens', formatDuration(tokens.resetMs));
  }
  return headers;
}
