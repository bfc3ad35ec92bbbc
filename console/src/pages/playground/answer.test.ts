import { expect, test } from 'vitest';
import { type Chunk, NO_ANSWER, withChunk } from './answer.ts';

const delta = (fields: object, finish: string | null = null): Chunk => ({
  choices: [{ delta: fields, finish_reason: finish }],
});

test('an answer is put together from its chunks', () => {
  const chunks = [
    delta({ role: 'assistant', content: '' }),
    delta({ reasoning_content: 'Hm.' }),
    delta({ content: 'Hel' }),
    delta({ content: 'lo' }),
    delta({}, 'stop'),
    { choices: [] },
  ];
  expect(chunks.reduce(withChunk, NO_ANSWER)).toEqual({
    text: 'Hello',
    thoughts: 'Hm.',
    refusal: '',
    toolCalls: [],
    finish: 'stop',
  });
});

test('the arguments of two tool calls are kept apart', () => {
  const tool = (index: number, name: string | undefined, text: string): Chunk =>
    delta({ tool_calls: [{ index, function: { name, arguments: text } }] });
  const chunks = [tool(0, 'clock', '{"zo'), tool(1, 'rain', '{}'), tool(0, undefined, 'ne":1}')];
  expect(chunks.reduce(withChunk, NO_ANSWER).toolCalls).toEqual([
    { name: 'clock', arguments: '{"zone":1}' },
    { name: 'rain', arguments: '{}' },
  ]);
});
