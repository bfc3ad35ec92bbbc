import type { ReplyHeaders } from '../caller.ts';
import type { Admission } from '../admit.ts';
import { rateHeaders } from './rate-headers.ts';
import type { AdmittedRequest } from '../request.ts';

export const NO_HEADERS: ReplyHeaders = Object.freeze([]);

/** The headers of every answer besides the request id: the state of the rate limits. */
export function replyHeaders({ permit }: Pick<AdmittedRequest, 'permit'>): string[] {
  return rateHeaders(permit.standing);
}

/** The header with the cap of a shortened answer. */
export function shortenedHeaders({ quote }: Pick<Admission, 'quote'>): ReplyHeaders {
  return quote.shortened ? ['x-faregate-shortened', String(quote.cap)] : NO_HEADERS;
}

/** The header with the model that answers in the place of the requested one. */
export function modelHeaders({ requested, model }: Pick<Admission, 'requested' | 'model'>): ReplyHeaders {
  return requested === null ? NO_HEADERS : ['x-faregate-model', model.id];
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
