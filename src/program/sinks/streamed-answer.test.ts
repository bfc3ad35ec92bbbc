import { expect, test } from 'vitest';
import { streamedAnswer } from './streamed-answer.ts';

const read = (...events: readonly object[]): object =>
  streamedAnswer(
    Buffer.from(
      [': ping', ...events.map((event) => `data: ${JSON.stringify(event)}\n`), 'data: [DONE]\n\n'].join('\n'),
    ),
  );

test('chunks of chat become the texts and tool calls of each choice', () => {
  const delta = (index: number, fields: object, reason: string | null = null) => ({
    choices: [{ index, delta: fields, finish_reason: reason }],
  });
  const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
  expect(
    read(
      delta(0, { role: 'assistant', content: 'write to ada@' }),
      delta(1, { reasoning_content: 'hm' }),
      delta(0, { content: 'example.com' }, 'stop'),
      delta(1, call({ id: 'c1', function: { name: 'find', arguments: '{"a"' } })),
      delta(1, call({ function: { arguments: ':1}' } }), 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 1 } },
    ),
  ).toEqual({
    parts: [
      { choice: 0, type: 'text', text: 'write to ada@example.com' },
      { choice: 1, type: 'reasoning', text: 'hm' },
      { choice: 1, type: 'tool_call', text: '{"a":1}', id: 'c1', name: 'find' },
    ],
    finish_reasons: ['stop', 'tool_calls'],
  });
});

test('events of Messages become blocks with their texts', () => {
  expect(
    read(
      { type: 'message_start', message: { id: 'm' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'he' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'llo' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'find', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    ),
  ).toEqual({
    parts: [
      { choice: 0, type: 'block', text: 'hello', block: { type: 'text', text: '' } },
      { choice: 0, type: 'block', text: '{}', block: { type: 'tool_use', name: 'find', input: {} } },
    ],
    finish_reasons: ['tool_use'],
  });
});

test('a response is the one that its last event has, and of one that breaks off the texts until then', () => {
  const delta = { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'hel' };
  const response = { id: 'r', output: [] };
  expect(read(delta, { type: 'response.completed', response })).toEqual(response);
  expect(read(delta, { ...delta, delta: 'lo' })).toEqual({
    parts: [{ choice: 0, type: 'output_text', text: 'hello' }],
    finish_reasons: [],
  });
});

test('chunks of legacy completions become texts', () => {
  expect(
    read({ choices: [{ index: 0, text: 'a' }] }, { choices: [{ index: 0, text: 'b', finish_reason: 'length' }] }),
  ).toEqual({
    parts: [{ choice: 0, type: 'text', text: 'ab' }],
    finish_reasons: ['length'],
  });
});
