import { expect, test } from 'vitest';
import { finishReasons } from './finish-reasons.ts';

test.each<[object, string[]]>([
  [{ choices: [{ finish_reason: 'stop' }, { finish_reason: 'length' }] }, ['stop', 'length']],
  [{ choices: [{ delta: {}, finish_reason: null }] }, []],
  [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, ['end_turn']],
  [{ object: 'response', status: 'completed', incomplete_details: null }, ['completed']],
  [{ object: 'response', incomplete_details: { reason: 'max_output_tokens' } }, ['max_output_tokens']],
  [{ choices: [{ message: { content: '{"finish_reason":"mine"}' }, finish_reason: 'stop' }] }, ['stop']],
  [{ choices: [{ message: { content: '\\"finish_reason":"mine' }, finish_reason: 'stop' }] }, ['stop']],
  [{ choices: [{ finish_reason: 'A reason with the prompt in it' }] }, []],
  [{ object: 'list', data: [] }, []],
])('of %j the reasons are %j', (answer, reasons) => {
  expect(finishReasons(Buffer.from(JSON.stringify(answer)))).toEqual(reasons);
});

test('a very large answer is not looked into', () => {
  const answer = { choices: [{ message: { content: 'a'.repeat(300_000) }, finish_reason: 'stop' }] };
  expect(finishReasons(Buffer.from(JSON.stringify(answer)))).toEqual([]);
});

test('an answer of very many choices has the reasons of the first ones', () => {
  const choices = Array.from({ length: 500 }, () => ({ finish_reason: 'stop' }));
  const reasons = finishReasons(Buffer.from(JSON.stringify({ choices })));
  expect(reasons.length).toBeGreaterThan(1);
  expect(reasons.length).toBeLessThan(500);
});
