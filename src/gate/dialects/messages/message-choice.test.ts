import { expect, test } from 'vitest';
import type { Choice } from '../../openai/chat-choices.ts';
import { MESSAGE_CHOICE } from './message-choice.ts';

// A message has the same choice in chat's terms, whole and as a stream.

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly [member: string]: unknown;
}

const text = (said: string): Block => ({ citations: null, text: said, type: 'text' });
const SAID: Choice = { content: '{}', isInParts: false, calls: [], isRefusal: false, finishReason: 'stop' };

const ofAnswer = (content: readonly Block[], stopReason: string): Choice =>
  MESSAGE_CHOICE.ofAnswer(Buffer.from(JSON.stringify({ type: 'message', content, stop_reason: stopReason })));

/** The choices of the blocks as a stream: texts one character at a time, with other events in between. */
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

test('a message says nothing in its other members', () => {
  const members = { stop_details: [text('no')], content: [text('{}')], stop_reason: 'max_tokens', model: 'tool_use' };
  const said = { ...SAID, finishReason: 'length' };
  expect(MESSAGE_CHOICE.ofAnswer(Buffer.from(JSON.stringify({ id: 'refusal', ...members })))).toEqual(said);
  const gatherer = MESSAGE_CHOICE.ofStream();
  gatherer.add(Buffer.from(JSON.stringify({ message: members, other: { content: [text('no')] } })));
  gatherer.add(Buffer.from(JSON.stringify({ delta: { stop_reason: 'max_tokens', stop_sequence: 'end_turn' } })));
  expect(gatherer.choices()).toEqual([said]);
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

test('what is no block, no delta or no message says nothing', () => {
  const blocks = [5, { type: 5, text: 'a' }, { type: 'tool_use', name: 5 }, { type: 'text', text: 5 }];
  const said = { ...SAID, content: '', calls: [{ name: '', arguments: '' }] };
  expect(MESSAGE_CHOICE.ofAnswer(Buffer.from(JSON.stringify({ content: blocks, stop_reason: 5 })))).toEqual(said);
  for (const body of ['5', '{"content":5}', '{"content":[{"type":"text","text":"a"}]']) {
    expect(MESSAGE_CHOICE.ofAnswer(Buffer.from(body))).toEqual({ ...SAID, content: null });
  }
  const gatherer = MESSAGE_CHOICE.ofStream();
  const events = [5, { delta: { text: 'lost' } }, { content_block: 5 }, { message: 5 }, { delta: 5 }, { text: 'a' }];
  for (const event of [...events, { content_block: text('a') }, { delta: { text: 5, stop_reason: null } }]) {
    gatherer.add(Buffer.from(JSON.stringify(event)));
  }
  expect(gatherer.choices()).toEqual([{ ...SAID, content: 'a' }]);
});
