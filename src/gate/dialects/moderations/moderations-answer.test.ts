import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readModerationsAnswer } from './moderations-answer.ts';

const facts = (text: string) => readModerationsAnswer(Buffer.from(text));

test('an answer that judges each input is one, with or without usage', () => {
  expect(facts('{"id":"m","results":[{"flagged":true,"categories":{"hate":false}},{"flagged":false}]}')).toEqual({
    valid: true,
    error: null,
    usage: null,
    choices: 0,
    contentBytes: 0,
  });
  const counted = facts('{"results":[{"flagged":false}],"usage":{"prompt_tokens":7,"total_tokens":9}}');
  expect(counted.usage).toMatchObject({ input: 9, output: 0 });
});

test.each([
  '',
  '[]',
  '{}',
  '{"results":[]}',
  '{"results":{}}',
  '{"results":[1]}',
  '{"results":[{}]}',
  '{"results":[{"flagged":"no"}]}',
  '{"results":[{"flagged":true},{"categories":{}}]}',
  '{"results":[{"flagged":true}]',
  '{"results":[{"flagged":true}]} x',
])('what judges nothing, or not every input, is no answer: %s', (text) => {
  expect(facts(text).valid).toBe(false);
});

test('no bytes make the reader of answers throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(typeof facts(text).valid).toBe('boolean');
      expect(typeof facts(`{"results":[{"flagged":${text}}]}`).valid).toBe('boolean');
    }),
  );
});
