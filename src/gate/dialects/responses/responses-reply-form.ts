import { renderErrorBody } from '../../openai/error-body.ts';
import { REFUSALS, type RefusalCode } from '../../../domain/refusals.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import type { ReplyForm } from '../dialect.ts';

const OPENAI_CODES: Partial<Record<RefusalCode, string>> = { MODEL_NOT_FOUND: 'model_not_found' };
const PREVIOUS_NOT_FOUND = 'previous_response_not_found';

/** Answers like chat's, but unknown models by OpenAI's code: without it, Codex requests an unknown model six times. */
export const RESPONSES_REPLY_FORM: ReplyForm = {
  ...CHAT_REPLY_FORM,
  refusalBody: (refusal, requestId) => {
    const { code, message, param } = refusal;
    const known = code === 'NOT_FOUND' && param === 'previous_response_id' ? PREVIOUS_NOT_FOUND : OPENAI_CODES[code];
    if (known === undefined) return CHAT_REPLY_FORM.refusalBody(refusal, requestId);
    return renderErrorBody({ code: known, type: REFUSALS[code].type, message, param, details: { code } });
  },
};
