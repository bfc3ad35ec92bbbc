import type { ReplyHeaders } from './caller.ts';
import { rateHeaders } from './rate-headers.ts';
import type { AdmittedRequest } from './request.ts';

/** What an answer's headers say beyond the request id: how the rate limits stand, and the cap of a shortened answer. */
export function replyHeaders({ admission, permit }: AdmittedRequest): ReplyHeaders {
  const headers = rateHeaders(permit.standing);
  if (admission.quote.shortened) headers.push('x-faregate-shortened', String(admission.quote.cap));
  return headers;
}
