import { expect, test } from 'vitest';
import { GateStage, plainAnswer } from '../../test/support/gate-stage.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { readAnswer } from '../openai/chat-answer.ts';
import { translate } from '../upstreams/translation.ts';

const LARGE = 'x'.repeat(300_000);

/** A bound that no double holds, as schemas made from 64-bit integers have it. */
const BOUND = '{"type":"object","properties":{"at":{"maximum":18446744073709551615}}}';
const TOOLS = `[{"type":"custom","name":"apply_patch"},{"type":"function","name":"seek","parameters":${BOUND}}]`;

test.each([
  ['messages', '"messages":[{"role":"user","content":"hi"}],"max_tokens":9'],
  ['responses', `"input":"hi","tools":${TOOLS}`],
] as const)('an answer is translated to %s in a thread as it is beside the request', (endpoint, fields) => {
  const reading = DIALECTS[endpoint].read(Buffer.from(`{"model":"m",${fields}}`), {});
  if (!reading.ok) throw new Error(reading.fault.message);
  const { request } = reading;
  request.toChat({ extensions: 'none', reasoning: false });
  const call = { id: 'c1', type: 'function', function: { name: 'apply_patch', arguments: '{"input":"a"}' } };
  const message = { role: 'assistant', content: 'hi', tool_calls: [call] };
  const body = Buffer.from(
    JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
  );
  const notes = request.answerNotes?.('id-1') ?? '';
  const translated = translate({ to: 'caller', endpoint, body, notes });
  const withoutTimes = (answer: Buffer): string => answer.toString().replaceAll(/_at":\d+/g, '_at":0');
  expect(withoutTimes(translated.ok ? translated.made : Buffer.alloc(0))).toBe(
    withoutTimes(request.fromChat(body, 'id-1')),
  );
});

test('a large answer reaches a caller of another API whole, and is charged', async () => {
  const stage = new GateStage();
  stage.attempt = (sink) => {
    const body = plainAnswer(LARGE);
    sink.answer(body, readAnswer(body));
  };
  const { caller, done } = stage.send({ max_tokens: 10 }, {}, 'messages');
  await done;
  expect(JSON.parse(caller.text)).toMatchObject({ type: 'message', content: [{ type: 'text', text: LARGE }] });
  expect(stage.closed).toMatchObject([{ outcome: 'completed' }]);
});
