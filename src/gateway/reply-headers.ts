import type { Admission } from './admit.ts';
import type { ReplyHeaders } from './caller.ts';

const NONE: ReplyHeaders = {};

/** What an answer's headers say beyond the request id: the cap of an answer that the money has shortened. */
export function replyHeaders(admission: Admission): ReplyHeaders {
  return admission.quote.shortened ? { 'x-faregate-shortened': String(admission.quote.cap) } : NONE;
}
