import { expect, test } from 'vitest';
import type { Choice } from '../../openai/chat-choices.ts';
import { MESSAGE_CHOICE } from './message-choice.ts';

// What a message says, in chat's terms: the same, whole and as a stream.

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly [member: string]: unknown;
}

const text = (said: string): Block => ({ citations: null, text: said, type: 'text' });
const SAID: Choice = { content: '{}', isInParts: false, calls: [], isRefusal: false, finishReason: 'stop' };

const ofAnswer = (content: readonly Block[], stopReason: string): Choice =>
  MESSAGE_CHOICE.ofAnswer(Buffer.from(JSON.stringify({ type: 'message', content, stop_reason: stopReason })));

/** The blocks as a stream brings them: texts a character at a time, with events between that are no text. */
function ofStream(content: readonly Block[], stopReason: string): readonly Choice[] {
  const gatherer = MESSAGE_CHOICE.ofStream();
  const add = (event: object): void => gatherer.add(Buffer.from(JSON.stringify(event)));
  add({ type: 'message_start', message: { content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    add({ type: 'content_block_start', index, content_block: block.type === 'text' ? { ...block, text: '' } : block });
    for (const piece of block.text ?? '')
      add({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } });
    add({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'x' } });
    add({ type: 'content_block_stop', index });
    add({ type: 'ping' });
  }
  add({ type: 'message_delta', delta: { stop_reason: stopReason }, usage: { output_tokens: 3 } });
  add({ type: 'message_stop' });
  return gatherer.choices();
}

const CALL: Block = { type: 'tool_use', id: 't', name: 'look', input: { text: '{}' } };

test.each<[string, readonly Block[], string, Partial<Choice>]>([
  ['its text', [text('{}')], 'end_turn', {}],
  [
    'its text alone beside its thoughts',
    [{ type: 'thinking', thinking: 'hm', signature: 's' }, text('{}')],
    'end_turn',
    {},
  ],
  ['several texts together, and that they are several', [text('{'), text('}')], 'stop_sequence', { isInParts: true }],
  ['nothing', [], 'end_turn', { content: null }],
  ['that it was cut off', [text('{}')], 'max_tokens', { finishReason: 'length' }],
  ['that its context was full', [text('{}')], 'model_context_window_exceeded', { finishReason: 'length' }],
  ['that it refuses', [], 'refusal', { content: null, finishReason: 'content_filter' }],
  [
    'a call',
    [CALL],
    'tool_use',
    { content: null, calls: [{ name: 'look', arguments: '' }], finishReason: 'tool_calls' },
  ],
  ['no call that its provider has run', [{ type: 'server_tool_use', name: 'web_search' }, text('{}')], 'end_turn', {}],
])('a message says %s, whole and as a stream', (_what, content, stopReason, said) => {
  expect(ofAnswer(content, stopReason)).toEqual({ ...SAID, ...said });
  expect(ofStream(content, stopReason)).toEqual([{ ...SAID, ...said }]);
});

test('what a stream says in its first event already is said beside its blocks', () => {
  const gatherer = MESSAGE_CHOICE.ofStream();
  const events = [
    { type: 'message_start', message: { content: [text('Here: ')], stop_reason: null } },
    { type: 'content_block_start', index: 1, content_block: text('{}') },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  ];
  for (const event of events) gatherer.add(Buffer.from(JSON.stringify(event)));
  expect(gatherer.choices()).toEqual([{ ...SAID, content: 'Here: {}', isInParts: true }]);
});
