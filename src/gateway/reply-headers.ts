import type { ReplyHeaders } from './caller.ts';
import { rateHeaders } from './rate-headers.ts';
import type { AdmittedRequest } from './request.ts';

/** An answer's headers besides the request id: the state of the rate limits, and the cap of a shortened answer. */
export function replyHeaders({ admission, permit }: AdmittedRequest): ReplyHeaders {
  const headers = rateHeaders(permit.standing);
  if (admission.quote.shortened) headers.push('x-faregate-shortened', String(admission.quote.cap));
  return headers;
}
