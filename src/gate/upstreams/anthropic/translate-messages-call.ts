import type { TranslatedRequest } from '../translated-request.ts';
import { messagesBody, type MessagesCall } from './messages-request.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';

/** The request's body for the Messages API, or the fault of a request that can't be translated. */
export function translateMessagesCall(chat: Buffer, call: MessagesCall): TranslatedRequest {
  try {
    return { ok: true, made: messagesBody(chat, call) };
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    return { ok: false, fault: { message: error.message, param: error.param } };
  }
}
