import type { BodyFault, BodyResult } from '../../openai/body-fault.ts';
import { CHAT_REPLY_FORM } from '../chat/chat-reply-form.ts';
import type { CompletionRequest, Dialect } from '../dialect.ts';
import { NATIVE_ALONE, nativeRequest } from '../native-request.ts';
import { RESULTS_USAGE } from '../usage-cost.ts';
import { ModerationInput } from './moderation-input.ts';
import { readModerationsRequest } from './moderations-request.ts';

// OpenAI's moderations: whether texts and images are harmful, and in which way. Sent unchanged to providers that have them.

const NOT_SPOKEN: BodyFault = { message: 'The providers of this model have no moderations.', param: 'model' };

export const MODERATIONS_DIALECT: Dialect = {
  endpoint: 'moderations',
  path: '/v1/moderations',
  name: 'moderations',
  modelKind: 'moderation',
  replyForm: CHAT_REPLY_FORM,
  usageForm: RESULTS_USAGE,
  ...NATIVE_ALONE,
  nativeOnly: NOT_SPOKEN,
  read(body): BodyResult<CompletionRequest> {
    const result = readModerationsRequest(body);
    if (!result.ok) return result;
    const { textSizes, images } = result.request;
    const input = new ModerationInput(textSizes, images);
    return { ok: true, request: nativeRequest(MODERATIONS_DIALECT, result.request, input, null) };
  },
};
