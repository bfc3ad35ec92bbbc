import { expect, test } from 'vitest';
import { ResponsesAnswer } from './responses-answer.ts';

test('what a response begins with is passed as it came, though its bytes are written over before more has come', () => {
  const passed: string[] = [];
  const never = (): never => {
    throw new Error('the answer is faultless');
  };
  const outlet = {
    pass: (payload: Buffer) => void passed.push(payload.toString()),
    done: never,
    error: never,
    malformed: never,
  };
  const answer = new ResponsesAnswer(null);
  const created = JSON.stringify({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } });
  const delta = JSON.stringify({ type: 'response.output_text.delta', delta: 'hi' });
  const chunk = Buffer.from(created);
  answer.event(chunk, outlet);
  expect(passed).toEqual([]);
  chunk.fill('x');
  answer.event(Buffer.from(delta), outlet);
  expect(passed).toEqual([created, delta]);
});
