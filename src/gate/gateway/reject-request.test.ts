import { expect, test } from 'vitest';
import { GateStage, PRINCIPAL } from '../../../test/support/gate-stage.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';

// Refusals are reported in addition to receipts if no receipt gives the reason.

function reporting(kind: 'chat' | 'embedding' = 'chat') {
  const reported: RefusedRequest[] = [];
  const stage = new GateStage({ kind });
  Object.assign(stage.gate.observer, { refused: (request: RefusedRequest) => void reported.push(request) });
  return { stage, reported };
}

const REST = { kind: 'overloaded', status: 429, retryAfterMs: 300, message: '' } as const;

test.each([
  ['a plain call', 'chat', {}, 'chat_completions'],
  ['a stream', 'chat', { stream: true }, 'chat_completions'],
  ['input to embed', 'embedding', { input: 'hi' }, 'embeddings'],
] as const)('a request for which no route could be tried is reported with its refusal: %s', async (...row) => {
  const [, kind, fields, endpoint] = row;
  const { stage, reported } = reporting(kind);
  const nowMs = stage.clock.monotonicMs();
  stage.gate.health.of({ provider: 'p', upstreamModel: 'm' }).failed(REST, nowMs, nowMs);
  const { caller, done } = stage.send(fields);
  await done;
  const { requestId, refusal } = caller;
  expect(refusal?.code).toBe('MODEL_UNAVAILABLE');
  expect(reported).toEqual([{ requestId, principal: PRINCIPAL, endpoint, model: 'chat', refusal }]);
});

test('a request that was tried is not reported, whose receipt says what became of it', async () => {
  const { stage, reported } = reporting();
  stage.attempt = (sink) => sink.fault({ kind: 'failed', status: 500, message: '' });
  for (const stream of [true, false]) {
    const { caller, done } = stage.send({ stream });
    await done;
    expect(caller.refusal?.code).toBe('MODEL_UNAVAILABLE');
  }
  expect(stage.closed).toHaveLength(2);
  expect(reported).toEqual([]);
});

test('a request that is refused before it is tried is reported with its refusal, which its caller gets', async () => {
  const { stage, reported } = reporting();
  const { caller, done } = stage.send({ model: 'none' });
  await done;
  const { requestId, refusal } = caller;
  expect(refusal?.code).toBe('MODEL_NOT_FOUND');
  expect(reported).toEqual([{ requestId, principal: PRINCIPAL, endpoint: 'chat_completions', model: 'none', refusal }]);
});
