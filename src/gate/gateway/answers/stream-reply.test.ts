import { expect, test } from 'vitest';
import { until } from '../../../../test/support/eventually.ts';
import { GateStage, plainAnswer, TIMES } from '../../../../test/support/gate-stage.ts';
import { PING } from '../../openai/sse.ts';

test('a caller that closes its side has its stream pinged then, after a round trip and every second, until answered', async () => {
  const stage = new GateStage();
  stage.attempt = () => undefined;
  const { caller, done } = stage.send({ stream: true });
  await until(() => stage.attempts.length === 1);
  expect(caller.text).toBe('');
  caller.halfClose();
  expect(caller.text).toBe(PING);
  await stage.clock.advance(100);
  expect(caller.text).toBe(PING.repeat(2));
  await stage.clock.advance(2_000);
  expect(caller.text).toBe(PING.repeat(4));
  const [first] = stage.attempts;
  first?.sink.fault({
    kind: 'rejected_request',
    status: 400,
    callerMessage: 'no',
    code: null,
    param: null,
    message: '',
  });
  await done;
  expect(caller).toMatchObject({ isOver: true, refusal: null, text: expect.stringContaining('"error"') });
});

test('a caller that closes its side of the connection has its attempt ended where pings show that it has left', async () => {
  const stage = new GateStage();
  stage.attempt = () => undefined;
  const { caller, done } = stage.send({ stream: true });
  await until(() => stage.attempts.length === 1);
  caller.halfClose();
  caller.leave();
  await done;
  expect(stage.attempts).toMatchObject([{ isAborted: true }]);
});

test('a caller that closes its side of the connection has a plain call tried, and not again after a failure', async () => {
  const stage = new GateStage({
    routes: [
      { provider: 'p', upstreamModel: 'one' },
      { provider: 'p', upstreamModel: 'two' },
    ],
  });
  const answered = stage.send();
  answered.caller.halfClose();
  await answered.done;
  expect(answered.caller.text).toBe(plainAnswer().toString());
  stage.attempt = (sink) => sink.fault({ kind: 'failed', status: 500, message: '' });
  const failed = stage.send();
  failed.caller.halfClose();
  await failed.done;
  expect(failed.caller.refusal).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(stage.attempts).toHaveLength(2);
  await stage.send().done;
  expect(stage.attempts).toHaveLength(4);
});

test('a stream that is pinged before its first event says in its headers what its provider is not sent', async () => {
  const stage = new GateStage();
  stage.attempt = () => undefined;
  const edits = [{ type: 'clear_tool_uses_20250919' }];
  const fields = { stream: true, max_tokens: 10, context_management: { edits } };
  const { caller, done } = stage.send(fields, {}, 'messages');
  await until(() => stage.attempts.length === 1);
  caller.halfClose();
  expect(caller.text).toContain('event: ping');
  expect(caller.headers.slice(-2)).toEqual(['x-faregate-left-out', 'context_management']);
  caller.leave();
  await done;
});

const SAYS = Buffer.from('{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}');
const ENDS = Buffer.from('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}');
const SILENCE_MS = 15_000;

/** A stream whose caller has got its first event. */
async function begun(stage: GateStage, fields: object = {}) {
  stage.attempt = (sink) => void sink.event(SAYS);
  const { caller, done } = stage.send({ stream: true, ...fields });
  await stage.clock.advance(0);
  await stage.clock.advance(0);
  const [attempt] = stage.attempts;
  if (attempt === undefined) throw new Error('no attempt has begun');
  return { caller, done, sink: attempt.sink };
}

test('a stream is pinged after a silence of 15 seconds, unless its caller does not read', async () => {
  const timeouts = { ...TIMES, streamMs: 1_000_000 };
  const stage = new GateStage({ parts: { timeouts } });
  const { caller, done, sink } = await begun(stage);
  await stage.clock.advance(10_000);
  sink.event(SAYS);
  const { text } = caller;
  await stage.clock.advance(SILENCE_MS - 1);
  expect(caller.text).toBe(text);
  await stage.clock.advance(1);
  expect(caller.text).toBe(text + PING);
  caller.isSlow = true;
  sink.event(SAYS);
  const waiting = caller.text;
  await stage.clock.advance(3 * SILENCE_MS);
  expect(caller.text).toBe(waiting);
  caller.drain();
  await stage.clock.advance(1_000);
  expect(caller.text).toBe(waiting + PING);
  sink.end(true);
  await done;
});

for (const [how, end] of [
  ['is whole', (sink: { end: (done: boolean) => void }) => sink.end(true)],
  ['broke off', (sink: { end: (done: boolean) => void }) => sink.end(false)],
] as const) {
  test(`a stream that ${how} is over for its caller: nothing follows, not even a ping`, async () => {
    const stage = new GateStage();
    const { caller, done, sink } = await begun(stage);
    end(sink);
    await done;
    const { text } = caller;
    expect(caller.isOver).toBe(true);
    await stage.clock.advance(3 * SILENCE_MS);
    caller.halfClose();
    await stage.clock.advance(3 * SILENCE_MS);
    expect(caller.text).toBe(text);
  });
}

test('a stream that is refused before its first event has the refusal’s own status, and nothing follows', async () => {
  const stage = new GateStage();
  stage.attempt = (sink) => sink.fault({ kind: 'failed', status: 500, message: '' });
  const { caller, done } = stage.send({ stream: true });
  await done;
  await stage.clock.advance(3 * SILENCE_MS);
  expect(caller).toMatchObject({ hasStarted: false, text: '', refusal: { code: 'MODEL_UNAVAILABLE' } });
});

test('a stream whose caller leaves while its charge is recorded gets no end', async () => {
  const stage = new GateStage();
  const { caller, done, sink } = await begun(stage);
  const settling = Promise.withResolvers<void>();
  stage.settle = () => settling.promise;
  sink.event(ENDS);
  sink.end(true);
  const { text } = caller;
  caller.leave();
  settling.resolve();
  await done;
  expect(caller).toMatchObject({ text, isOver: false });
  expect(stage.closed).toMatchObject([{ outcome: 'completed' }]);
  await stage.clock.advance(3 * SILENCE_MS);
  expect(caller.text).toBe(text);
});
