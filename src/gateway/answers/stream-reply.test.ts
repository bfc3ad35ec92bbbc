import { expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { GateStage, plainAnswer } from '../../../test/support/gate-stage.ts';
import { PING } from '../../openai/sse.ts';

test('a caller that closes its side of the connection has its stream pinged then, after a round trip, and every second, until it is answered', async () => {
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
