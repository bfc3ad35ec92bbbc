import { expect, test } from 'vitest';
import { GateStage, plainAnswer } from '../../../test/support/gate-stage.ts';
import { turnsOf } from '../../../test/support/turns-of.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { LARGE_BYTES } from '../../lib/own-turn.ts';
import { readAnswer } from '../openai/chat-answer.ts';
import { translate } from '../upstreams/translation.ts';
import type { ResponseStore } from './response-store.ts';

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
  const { chat } = request;
  chat?.toChat({ extensions: 'none', reasoning: false });
  const call = { id: 'c1', type: 'function', function: { name: 'apply_patch', arguments: '{"input":"a"}' } };
  const message = { role: 'assistant', content: 'hi', tool_calls: [call] };
  const body = Buffer.from(
    JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
  );
  const notes = chat?.notes?.ofAnswer('id-1') ?? '';
  const translated = translate({ to: 'caller', endpoint, body, notes });
  const withoutTimes = (answer: Buffer): string => answer.toString().replaceAll(/_at":\d+/g, '_at":0');
  expect(withoutTimes(translated.ok ? translated.made : Buffer.alloc(0))).toBe(
    withoutTimes(chat!.fromChat(body, 'id-1')),
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

test('a large answer waits for a turn of its own for each thing that is read in it, or written into it', async () => {
  const turnsFor = (bytes: number, headers: object): Promise<number> => {
    const stage = new GateStage();
    const body = plainAnswer('x'.repeat(bytes - plainAnswer('').length));
    stage.attempt = (sink) => sink.answer(body, readAnswer(body));
    return turnsOf(() => stage.send({}, headers).done);
  };
  for (const [headers, more] of [
    [{}, 0],
    [{ reportCost: 'true' }, 1],
  ] as const) {
    expect((await turnsFor(LARGE_BYTES + 1, headers)) - (await turnsFor(LARGE_BYTES, headers))).toBe(more);
  }
});

/** Sends a request to a provider that speaks its API, which answers with this. No answers are kept. */
async function sentNatively(fields: object, dialect: 'messages' | 'responses', body: Buffer) {
  const responses = { keepMs: 1_000, keepsFor: () => false } satisfies Partial<ResponseStore>;
  const stage: GateStage = new GateStage({
    upstreams: {
      p: { natives: { [dialect]: (...call: Parameters<GateStage['sendNative']>) => stage.sendNative(...call) } },
    },
    parts: { responses: responses as unknown as ResponseStore },
  });
  const usage = readAnswer(plainAnswer()).usage;
  stage.attempt = (sink) => sink.answer(body, { valid: true, error: null, choices: 1, contentBytes: 2, usage });
  const { caller, done } = stage.send(fields, {}, dialect);
  await done;
  expect(stage.closed).toMatchObject([{ outcome: 'completed', charge: 23n }]);
  return caller.text;
}

test('an answer of a provider that speaks its caller’s API is sent as it is, unless it is to say that it is not kept', async () => {
  const message = '{"type":"message",  "content":[]}';
  expect(await sentNatively({ max_tokens: 10 }, 'messages', Buffer.from(message))).toBe(message);
  const response = '{"id":"resp_1",  "store":true,"output":[]}';
  const asked = { messages: undefined, input: 'hi' };
  const said = JSON.parse(await sentNatively(asked, 'responses', Buffer.from(response))) as object;
  expect(said).toMatchObject({ id: 'resp_1', store: false });
  expect(await sentNatively({ ...asked, store: false }, 'responses', Buffer.from(response))).toBe(response);
});

test('a large answer of a provider that speaks its caller’s API is edited in a turn of its own', async () => {
  const turnsFor = (bytes: number): Promise<number> => {
    const answer = JSON.stringify({ id: 'resp_1', store: true, output: [] });
    const asked = { messages: undefined, input: 'hi' };
    return turnsOf(() => sentNatively(asked, 'responses', Buffer.from(answer.padEnd(bytes))));
  };
  expect((await turnsFor(LARGE_BYTES + 1)) - (await turnsFor(LARGE_BYTES))).toBe(1);
});

test('a plain answer tells its charge in its headers, and what its provider was not sent', async () => {
  const stage = new GateStage();
  const edits = [{ type: 'clear_tool_uses_20250919' }];
  const { caller, done } = stage.send({ max_tokens: 10, context_management: { edits } }, {}, 'messages');
  await done;
  expect(caller.headers.slice(-4)).toEqual([
    'x-faregate-left-out',
    'context_management',
    'x-faregate-charge',
    '0.000000023',
  ]);
  expect(stage.closed).toMatchObject([{ charge: 23n, firstEventMs: 0, isWhole: true }]);
});

test('a plain answer has its charge in its usage if the caller wants that, and so has its repeat', async () => {
  for (const headers of [{}, { idempotencyKey: 'order-7' }]) {
    const stage = new GateStage();
    const asked = { ...headers, reportCost: 'true' };
    const { caller, done } = stage.send({}, asked);
    await done;
    expect(JSON.parse(caller.text)).toMatchObject({ usage: { prompt_tokens: 3, cost: '0.000000023' } });
    expect(stage.closed[0]?.answer?.toString()).toBe('idempotencyKey' in headers ? caller.text : undefined);
  }
});

test('a plain answer whose caller has left is charged as abandoned, and whole', async () => {
  const stage = new GateStage();
  stage.attempt = () => undefined;
  const { caller, done } = stage.send({}, { idempotencyKey: 'order-7' });
  await stage.clock.advance(700);
  caller.leave();
  const body = plainAnswer();
  stage.attempts[0]?.sink.answer(body, readAnswer(body));
  await done;
  expect(stage.closed).toMatchObject([
    { outcome: 'abandoned', charge: 23n, firstEventMs: 700, durationMs: 700, isWhole: true, streamed: false },
  ]);
});

test('a request that no route could be tried for is reported as refused; one that routes failed is on its receipt', async () => {
  for (const stream of [false, true]) {
    const stage = new GateStage();
    const refused: unknown[] = [];
    stage.gate.observer.refused = ({ requestId, model, refusal }) =>
      void refused.push([requestId, model, refusal.code]);
    stage.attempt = (sink) => sink.fault({ kind: 'failed', status: 500, message: '' });
    const tried = stage.send({ stream });
    await tried.done;
    expect(tried.caller.refusal?.code).toBe('MODEL_UNAVAILABLE');
    expect(refused).toEqual([]);
    stage.gate.health.of({ provider: 'p', upstreamModel: 'm' }).waitMs = () => 5_000;
    const untried = stage.send({ stream });
    await untried.done;
    expect(untried.caller.refusal?.code).toBe('MODEL_UNAVAILABLE');
    expect(refused).toEqual([[untried.caller.requestId, 'chat', 'MODEL_UNAVAILABLE']]);
    expect(stage.closed).toMatchObject([{ attempts: [{ fault: 'failed' }] }, { outcome: 'failed', attempts: [] }]);
  }
});

test('a request whose answer a bug stops is told so, and its hold is closed once and free', async () => {
  const stage = new GateStage();
  const bug = new Error('a bug');
  Object.defineProperty(stage.gate.upstreams, 'of', {
    value: () => {
      throw bug;
    },
  });
  const { caller, done } = stage.send();
  await done;
  expect(caller.refusal).toMatchObject({
    code: 'INTERNAL_ERROR',
    message: 'The gateway failed because of a bug. Nothing more was charged.',
  });
  expect(stage.faults).toEqual([bug]);
  expect(stage.closed).toMatchObject([{ outcome: 'failed', charge: 0n }]);
  expect(stage.open).toEqual({ permits: 0, holds: 0 });

  const unpaid = new GateStage();
  unpaid.settle = () => Promise.reject(bug);
  const { caller: told, done: over } = unpaid.send();
  await over;
  expect(told.refusal?.code).toBe('INTERNAL_ERROR');
  expect(unpaid.closed).toMatchObject([{ outcome: 'completed', charge: 23n }]);
});

test('a large request of another API is translated in a thread for a route that comes after one without need of that', async () => {
  const stage: GateStage = new GateStage({
    routes: ['p', 'q'].map((provider) => ({ provider, upstreamModel: 'm' })),
    terms: { contextWindow: 1_000_000 },
    upstreams: { p: { natives: { messages: (call, sink) => stage.sendNative(call, sink) } } },
  });
  // Nothing of it is refused before it is read.
  Object.assign(stage.gate.purses, { lacks: () => Promise.resolve(null) });
  const { attempt } = stage;
  stage.attempt = (sink, isStream) => {
    if (stage.attempts.length === 1) sink.fault({ kind: 'failed', status: 500, message: '' });
    else attempt(sink, isStream);
  };
  const { caller, done } = stage.send({ messages: [{ role: 'user', content: LARGE }], max_tokens: 10 }, {}, 'messages');
  await done;
  expect(JSON.parse(caller.text)).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'hi' }] });
  expect(stage.closed[0]?.attempts.map(({ provider, fault }) => [provider, fault])).toEqual([
    ['p', 'failed'],
    ['q', null],
  ]);
});
