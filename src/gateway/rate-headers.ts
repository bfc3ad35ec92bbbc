import type { Allowance, RateStanding } from '../domain/permit.ts';

// How the rate limits stand, in the headers that OpenAI has named. Their durations are written as its own are: "120ms",
// "1.5s", "6m0s".

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;

/** A duration as OpenAI's rate limit headers write it. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < SECOND_MS) return `${ms}ms`;
  const seconds = Math.floor(ms / SECOND_MS);
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const rest = `${Number(`${seconds % MINUTE_S}.${String(ms % SECOND_MS).padStart(3, '0')}`)}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** The headers for the limits that the project has; a project without limits has none. */
export function rateHeaders({ requests, tokens }: RateStanding): Record<string, string> {
  return { ...headersOf('requests', requests), ...headersOf('tokens', tokens) };
}

function headersOf(kind: 'requests' | 'tokens', allowance: Allowance | null): Record<string, string> {
  if (allowance === null) return {};
  return {
    [`x-ratelimit-limit-${kind}`]: String(allowance.limit),
    [`x-ratelimit-remaining-${kind}`]: String(allowance.remaining),
    [`x-ratelimit-reset-${kind}`]: formatDuration(allowance.resetMs),
  };
}
