import type { Caller } from './caller.ts';
import { chatCaller } from './chat-caller.ts';
import { messagesCaller } from './messages-caller.ts';
import { responsesCaller } from './responses-caller.ts';

// What callers may add to a request that not every kind of provider can be asked for.

export interface Wish {
  readonly caller: Caller;
  /** The fields of the request's body. */
  readonly fields: object;
  /** The field that a refusal names, or what it begins with. */
  readonly param: string;
  /** What the docs call it, if that is not the field. */
  readonly name?: string;
}

const wish = (caller: Caller, name: string, value: unknown): Wish => ({
  caller,
  fields: { [name]: value },
  param: name,
});

const PDF = 'data:application/pdf;base64,JVBERi0=';
const WAV = { data: 'UklGRg==', format: 'wav' };

const chatPart = (part: object): object => ({ messages: [{ role: 'user', content: [part] }] });
const block = (source: object): object => ({
  messages: [{ role: 'user', content: [{ type: 'document', source }] }],
});
const inputPart = (part: object): object => ({ input: [{ role: 'user', content: [part] }] });

export const WISHES: readonly Wish[] = [
  wish(chatCaller, 'n', 2),
  wish(chatCaller, 'logprobs', true),
  wish(chatCaller, 'logit_bias', { 50256: -100 }),
  wish(chatCaller, 'presence_penalty', 0.5),
  wish(chatCaller, 'frequency_penalty', 0.5),
  wish(chatCaller, 'seed', 7),
  wish(chatCaller, 'verbosity', 'low'),
  wish(chatCaller, 'top_k', 5),
  {
    caller: chatCaller,
    fields: chatPart({ type: 'input_audio', input_audio: WAV }),
    param: 'messages',
    name: 'audio',
  },
  {
    caller: chatCaller,
    fields: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    param: 'modalities',
    name: 'an answer in audio',
  },
  {
    caller: chatCaller,
    fields: chatPart({ type: 'file', file: { filename: 'a.pdf', file_data: PDF } }),
    param: 'messages',
    name: 'a file',
  },
  wish(messagesCaller, 'top_k', 5),
  wish(messagesCaller, 'thinking', { type: 'enabled', budget_tokens: 2_048 }),
  wish(messagesCaller, 'context_management', { edits: [{ type: 'clear_tool_uses_20250919' }] }),
  { ...wish(messagesCaller, 'tools', [{ type: 'bash_20250124', name: 'bash' }]), name: 'a tool of Anthropic’s' },
  {
    caller: messagesCaller,
    fields: block({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }),
    param: 'messages',
    name: 'a document',
  },
  {
    caller: messagesCaller,
    fields: block({ type: 'url', url: 'https://example.com/a.pdf' }),
    param: 'messages',
    name: 'a document by its URL',
  },
  wish(responsesCaller, 'truncation', 'auto'),
  wish(responsesCaller, 'top_logprobs', 2),
  wish(responsesCaller, 'reasoning', { effort: 'low' }),
  wish(responsesCaller, 'presence_penalty', 0.5),
  wish(responsesCaller, 'frequency_penalty', 0.5),
  {
    caller: responsesCaller,
    fields: inputPart({ type: 'input_file', filename: 'a.pdf', file_data: PDF }),
    param: 'input',
    name: 'a file',
  },
  {
    caller: responsesCaller,
    fields: inputPart({ type: 'input_audio', input_audio: WAV }),
    param: 'input',
    name: 'audio',
  },
];
