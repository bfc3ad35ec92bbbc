import { expect, test } from 'vitest';
import { GateStage, plainAnswer } from '../../../../test/support/gate-stage.ts';
import type { CompletionEndpoint } from '../../dialects/dialect.ts';
import { readAnswer } from '../../openai/chat-answer.ts';

const ANSWER_BYTES_MAX = 8_388_608;
const KEY = { idempotencyKey: 'order-7' };

/** A plain answer of exactly this many bytes. */
function answerOf(bytes: number): Buffer {
  const frame = plainAnswer('').length;
  return plainAnswer('x'.repeat(bytes - frame));
}

test('a repeat of a request with an answer of 8 MiB gets it; one byte more is refused with the request’s id, free', async () => {
  for (const bytes of [ANSWER_BYTES_MAX, ANSWER_BYTES_MAX + 1]) {
    const stage = new GateStage();
    const body = answerOf(bytes);
    stage.attempt = (sink) => sink.answer(body, readAnswer(body));
    const first = stage.send({}, KEY);
    await first.done;
    expect(first.caller.text).toHaveLength(bytes);
    const { caller, done } = stage.send({}, KEY);
    await done;
    expect(stage.closed).toHaveLength(1);
    if (bytes <= ANSWER_BYTES_MAX) {
      expect(caller.text === first.caller.text).toBe(true);
      continue;
    }
    expect(caller.text).toBe('');
    expect(caller.refusal).toMatchObject({ code: 'INVALID_REQUEST', param: 'Idempotency-Key', shouldRetry: false });
    expect(caller.refusal?.message).toContain(first.caller.requestId);
  }
});

test('a repeat of a request with a streamed answer above 8 MiB is refused in the same way, whatever its parts', async () => {
  const stage = new GateStage();
  const delta = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  const chunks = Array.from({ length: 9 }, () => Buffer.from(JSON.stringify(delta('x'.repeat(1_000_000)))));
  stage.attempt = (sink) => {
    for (const each of chunks) sink.event(each);
    sink.end(true);
  };
  const first = stage.send({ stream: true, n: 100 }, KEY);
  await first.done;
  expect(first.caller.text.endsWith('[DONE]\n\n')).toBe(true);
  const { caller, done } = stage.send({ stream: true, n: 100 }, KEY);
  await done;
  expect(caller.refusal?.message).toContain(first.caller.requestId);
});

test('a repeat of a request with a streamed answer gets it byte for byte, in whatever script it is written', async () => {
  const stage = new GateStage();
  const delta = { content: 'Grüße, 日本, 👋 \u0000' };
  stage.attempt = (sink) => {
    sink.event(Buffer.from(JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })));
    sink.end(true);
  };
  const first = stage.send({ stream: true }, KEY);
  await first.done;
  expect(Buffer.from(first.caller.text, 'latin1').toString()).toContain('Grüße, 日本, 👋');
  const { caller, done } = stage.send({ stream: true }, KEY);
  await done;
  expect(caller.text).toBe(first.caller.text);
  expect(stage.closed).toHaveLength(1);
});

test('a repeat of a request that was not streamed says that it is one, and what its first answer was charged', async () => {
  const stage = new GateStage();
  const first = stage.send({}, KEY);
  await first.done;
  const { caller, done } = stage.send({}, KEY);
  await done;
  expect(caller.headers).toEqual(['x-faregate-replayed', first.caller.requestId, 'x-faregate-charge', '0.000000023']);
  const streamed = stage.send({ stream: true }, { idempotencyKey: 'order-8' });
  await streamed.done;
  const again = stage.send({ stream: true }, { idempotencyKey: 'order-8' });
  await again.done;
  expect(again.caller.headers).toEqual(['x-faregate-replayed', streamed.caller.requestId]);
  expect([caller.isOver, again.caller.isOver]).toEqual([true, true]);
});

test('a repeat of a request is what has the same body, endpoint and maximum cost; anything else is a mismatch', async () => {
  const stage = new GateStage();
  const body = { max_tokens: 9 };
  await stage.send(body, { ...KEY, maxCost: '0.05' }).done;
  const codeOf = async (
    fields: object,
    headers: object,
    endpoint: CompletionEndpoint = 'chat',
  ): Promise<string | null> => {
    const { caller, done } = stage.send({ ...body, ...fields }, { ...KEY, ...headers }, endpoint);
    await done;
    return caller.refusal?.code ?? null;
  };
  expect(await codeOf({}, { maxCost: '0.05' })).toBeNull();
  expect(await codeOf({}, { maxCost: '0.050' })).toBeNull();
  expect(await codeOf({}, { maxCost: '0.06' })).toBe('IDEMPOTENCY_MISMATCH');
  expect(await codeOf({}, {})).toBe('IDEMPOTENCY_MISMATCH');
  expect(await codeOf({}, { maxCost: '0.05' }, 'messages')).toBe('IDEMPOTENCY_MISMATCH');
  expect(await codeOf({ temperature: 1 }, { maxCost: '0.05' })).toBe('IDEMPOTENCY_MISMATCH');
  const { caller, done } = stage.send({ temperature: 1 }, KEY);
  await done;
  expect(caller.refusal).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', param: 'Idempotency-Key' });
  expect(stage.closed).toHaveLength(1);
});
