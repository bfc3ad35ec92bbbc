import { type Refusal, REFUSALS } from '../domain/refusals.ts';
import { rateHeaders } from '../gateway/rate-headers.ts';
import { renderRefusal } from '../gateway/render-refusal.ts';

/** A refusal as an HTTP response. */
export interface RefusalResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Retrying does not create credit: no Retry-After on a 402 unless it is transient. */
function retryHeaders(refusal: Refusal): readonly string[] {
  const headers: string[] = [];
  if (refusal.retryAfterMs !== undefined) {
    headers.push('retry-after', String(Math.ceil(refusal.retryAfterMs / 1_000)));
    headers.push('retry-after-ms', String(refusal.retryAfterMs));
  }
  if (refusal.shouldRetry !== undefined) headers.push('x-should-retry', String(refusal.shouldRetry));
  return headers;
}

/** The status, headers and body of a refusal. */
export function refusalResponse(refusal: Refusal): RefusalResponse {
  const body = renderRefusal(refusal);
  return {
    status: REFUSALS[refusal.code].status,
    headers: [
      'content-type',
      'application/json',
      'content-length',
      String(body.length),
      ...retryHeaders(refusal),
      ...(refusal.rate === undefined ? [] : rateHeaders(refusal.rate)),
      ...(refusal.code === 'INVALID_API_KEY' ? ['www-authenticate', 'Bearer'] : []),
      ...(refusal.allow === undefined ? [] : ['allow', refusal.allow]),
    ],
    body,
  };
}
