import { expect, test } from 'vitest';
import { readChoices, replaceContents } from './chat-choices.ts';

const answer = (...choices: object[]): Buffer =>
  Buffer.from(JSON.stringify({ id: 'c', choices, usage: { total_tokens: 3 } }));
const call = (name: string, value: unknown): object => ({
  id: 'x',
  type: 'function',
  function: { name, arguments: value },
});

test('choices tell what is said in them, whichever provider wrote them', () => {
  const body = answer(
    { index: 0, message: { content: 'é' }, finish_reason: 'stop' },
    { message: { content: [{ type: 'text', text: 'a' }, { type: 'thinking' }, { type: 'text', text: 'b' }] } },
    { message: { content: null, refusal: 'No.' }, finish_reason: null },
    { message: { tool_calls: [call('f', '{"a":1}'), call('g', { a: 1 })] }, finish_reason: 'tool_calls' },
    { message: { function_call: { name: 'h', arguments: '{}' } } },
    { text: 'x' },
  );
  const plain = { content: null, isInParts: false, calls: [], isRefusal: false, finishReason: '' };
  expect(readChoices(body)).toEqual([
    { ...plain, content: 'é', finishReason: 'stop' },
    { ...plain, content: 'ab', isInParts: true },
    { ...plain, isRefusal: true },
    {
      ...plain,
      calls: [
        { name: 'f', arguments: '{"a":1}' },
        { name: 'g', arguments: '{"a":1}' },
      ],
      finishReason: 'tool_calls',
    },
    { ...plain, calls: [{ name: 'h', arguments: '{}' }] },
    plain,
  ]);
  expect(readChoices(Buffer.from('{"choices":[{"message":'))).toEqual([]);
});

test('of what is given twice the last counts, as for those who read the answer next', () => {
  const twice =
    '{"choices":[{"message":{"content":"a"}}],"choices":[{"message":{"content":"b"},' +
    '"message":{"content":"c","content":"d"},"finish_reason":"length","finish_reason":"stop"}]}';
  expect(readChoices(Buffer.from(twice))).toMatchObject([{ content: 'd', finishReason: 'stop' }]);
  const replaced = JSON.parse(replaceContents(Buffer.from(twice), new Map([[0, 'e']])).toString()) as object;
  expect(replaced).toEqual({ choices: [{ message: { content: 'e' }, finish_reason: 'stop' }] });
});

test('of a message that is given again as no object nothing is left, as for those who read the answer next', () => {
  const twice = '{"choices":[{"message":{"content":"a"},"message":5,"finish_reason":"stop"}]}';
  expect(readChoices(Buffer.from(twice))).toMatchObject([{ content: null }]);
});

test('an answer of which a choice has more members than any that is meant has no choices to read', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, at]));
  const message = { content: 'x' };
  expect(readChoices(answer({ message }, { message, ...many }))).toEqual([]);
  expect(readChoices(answer({ message: { ...message, ...many } }))).toEqual([]);
});

test('a content is replaced in its own choice, and every other byte stays', () => {
  const text =
    '{"n":12345678901234567890, "choices":[ {"index":0,"message":{"content":"a"},"finish_reason":"stop"},' +
    '{"index":1,"logprobs":{"content":[]},"message":{"role":"assistant","content":null,"tool_calls":[{}] },"finish_reason":"tool_calls"} ]}';
  expect(replaceContents(Buffer.from(text), new Map([[1, '{"b":"\n"}']])).toString()).toBe(
    '{"n":12345678901234567890, "choices":[ {"index":0,"message":{"content":"a"},"finish_reason":"stop"},' +
      '{"index":1,"logprobs":null,"message":{"role":"assistant","content":"{\\"b\\":\\"\\n\\"}" },"finish_reason":"stop"} ]}',
  );
  const cut = answer({ message: { content: 'x' }, finish_reason: 'length' });
  expect(readChoices(replaceContents(cut, new Map([[0, 'y']])))[0]).toMatchObject({
    content: 'y',
    finishReason: 'length',
  });
});
