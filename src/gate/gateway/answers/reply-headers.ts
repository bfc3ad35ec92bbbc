import type { ReplyHeaders } from '../caller.ts';
import { rateHeaders } from './rate-headers.ts';
import type { AdmittedRequest } from '../request.ts';

const NO_HEADERS: ReplyHeaders = Object.freeze([]);

/** An answer's headers besides the request id: the state of the rate limits, and the cap of a shortened answer. */
export function replyHeaders({ admission, permit }: AdmittedRequest): ReplyHeaders {
  const headers = rateHeaders(permit.standing);
  if (admission.quote.shortened) headers.push('x-faregate-shortened', String(admission.quote.cap));
  return headers;
}

/** The most names in a header and on a receipt. */
const LEFT_OUT_MAX = 32;

/** The names of the left-out parts; if there are many, the first ones and the number of the others. */
export function leftOutNames(names: readonly string[]): readonly string[] {
  if (names.length <= LEFT_OUT_MAX) return names;
  return [...names.slice(0, LEFT_OUT_MAX), `and ${names.length - LEFT_OUT_MAX} more`];
}

/** The header that names the parts of the caller's request that its provider was not sent. */
export function leftOutHeaders(names: readonly string[]): ReplyHeaders {
  return names.length === 0 ? NO_HEADERS : ['x-faregate-left-out', leftOutNames(names).join(', ')];
}
