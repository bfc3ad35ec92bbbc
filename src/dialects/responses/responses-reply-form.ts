import { renderErrorBody } from '../../openai/error-body.ts';
import { REFUSALS } from '../../domain/refusals.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import type { ReplyForm } from '../dialect.ts';

/** Answers as those of chat; an unknown model by OpenAI's code, without which Codex asks for it six times. */
export const RESPONSES_REPLY_FORM: ReplyForm = {
  ...CHAT_REPLY_FORM,
  refusalBody: (refusal, requestId) => {
    const { code, message, param } = refusal;
    if (code !== 'MODEL_NOT_FOUND') return CHAT_REPLY_FORM.refusalBody(refusal, requestId);
    return renderErrorBody({ code: 'model_not_found', type: REFUSALS[code].type, message, param, details: { code } });
  },
};
