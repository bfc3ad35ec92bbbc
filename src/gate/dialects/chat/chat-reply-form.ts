import { REFUSALS } from '../../../domain/refusals.ts';
import { renderErrorBody } from '../../openai/error-body.ts';
import type { ReplyForm } from '../dialect.ts';
import { refusalDetails } from '../refusal-details.ts';

const SECOND_MS = 1_000;

/** Answers in OpenAI's form: error bodies with all four keys, and details. */
export const CHAT_REPLY_FORM: ReplyForm = {
  idHeaders: (requestId) => ['x-request-id', requestId],
  refusalBody: (refusal) => {
    const { code, message, param, providerCode } = refusal;
    const { type } = REFUSALS[code];
    return renderErrorBody({ code: providerCode ?? code, type, message, param, ...refusalDetails(refusal) });
  },
  // Retrying does not create credit: no Retry-After on a 402 unless it is transient.
  retryHeaders: ({ retryAfterMs, shouldRetry }) => {
    const headers: string[] = [];
    if (retryAfterMs !== undefined) {
      headers.push('retry-after', String(Math.ceil(retryAfterMs / SECOND_MS)), 'retry-after-ms', String(retryAfterMs));
    }
    if (shouldRetry !== undefined) headers.push('x-should-retry', String(shouldRetry));
    return headers;
  },
};
