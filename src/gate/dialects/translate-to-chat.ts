import { assert } from '../../lib/assert.ts';
import type { BodyFault } from '../openai/body-fault.ts';
import type { ChatTarget, CompletionEndpoint } from './dialect.ts';
import { DIALECTS } from './dialects.ts';

/** A request to translate in a thread: plain values, with its body already checked. */
export interface ChatTranslation {
  readonly endpoint: CompletionEndpoint;
  readonly body: Buffer;
  readonly target: ChatTarget;
}

/** A chat request's body, and the left-out parts of the caller's; or the fault if there is no chat form. */
export type TranslatedToChat =
  | { readonly ok: true; readonly made: Buffer; readonly leftOut: readonly string[]; readonly notes: string }
  | { readonly ok: false; readonly fault: BodyFault };

/** Translates a request of a dialect whose chat form depends on the body alone. */
export function translateToChat({ endpoint, body, target }: ChatTranslation): TranslatedToChat {
  const reading = DIALECTS[endpoint].read(body, {});
  assert(reading.ok, 'a request that was read can be read again');
  const { chat } = reading.request;
  assert(chat !== null && chat.notes !== null, 'a request that is translated apart can write its notes');
  const form = chat.toChat(target);
  if (!form.ok) return form;
  return { ok: true, made: form.chat.body, leftOut: form.leftOut, notes: chat.notes.write() };
}
