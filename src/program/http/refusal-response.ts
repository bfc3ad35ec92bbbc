import { CHAT_REPLY_FORM } from '../../gate/dialects/chat/chat-reply-form.ts';
import type { ReplyForm } from '../../gate/dialects/dialect.ts';
import { type Refusal, REFUSALS } from '../../domain/refusals.ts';
import { rateHeaders } from '../../gate/gateway/answers/rate-headers.ts';

/** A refusal as an HTTP response. */
export interface RefusalResponse {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** The status, headers and body of a refusal, in the form of its caller's API. */
export function refusalResponse(
  refusal: Refusal,
  requestId: string,
  form: ReplyForm = CHAT_REPLY_FORM,
): RefusalResponse {
  const body = form.refusalBody(refusal, requestId);
  return {
    status: REFUSALS[refusal.code].status,
    headers: [
      ...form.idHeaders(requestId),
      'content-type',
      'application/json',
      'content-length',
      String(body.length),
      ...form.retryHeaders(refusal),
      ...(refusal.rate === undefined ? [] : rateHeaders(refusal.rate)),
      ...(refusal.code === 'INVALID_API_KEY' ? ['www-authenticate', 'Bearer'] : []),
      ...(refusal.allow === undefined ? [] : ['allow', refusal.allow]),
    ],
    body,
  };
}
