import { expect, test } from 'vitest';
import { GateStage, PRINCIPAL } from '../../../test/support/gate-stage.ts';
import { refuse } from '../../domain/refusals.ts';
import { countRefused } from './take-permit.ts';

const WRONG = { messages: 'hi' };
const standing = { requests: null, tokens: null };

test('a refused body takes a request out of the rate limits, and keeps it', async () => {
  const stage = new GateStage();
  const { caller, done } = stage.send(WRONG);
  await done;
  expect(caller.refusal?.code).toBe('INVALID_REQUEST');
  expect(stage.permits).toEqual([{ quoted: 0, ended: { used: 0 } }]);
});

test('a refused body of a project without a request left is told of that', async () => {
  const stage = new GateStage();
  stage.takePermit = () => ({ kind: 'exceeded', limit: 'requests', most: 1, retryAfterMs: 5, standing });
  const { caller, done } = stage.send(WRONG);
  await done;
  expect(caller.refusal).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 5 });
});

test('a refused body is refused where the rate limits are unknown', async () => {
  const stage = new GateStage();
  stage.takePermit = () => Promise.resolve({ kind: 'unavailable' });
  const { caller, done } = stage.send(WRONG);
  await done;
  expect(caller.refusal?.code).toBe('INVALID_REQUEST');
});

test('what is refused for another reason than its body takes nothing', async () => {
  const stage = new GateStage();
  const { caller, done } = stage.send({ model: 'nothing' });
  await done;
  expect(caller.refusal?.code).toBe('MODEL_NOT_FOUND');
  expect(stage.permits).toEqual([]);
});

test('a body that is not read ends its connection, also if the project has no request left', async () => {
  for (const closes of [true, false]) {
    const stage = new GateStage();
    stage.takePermit = () => ({ kind: 'exceeded', limit: 'requests', most: 1, retryAfterMs: 5, standing });
    const refusal = refuse('INVALID_REQUEST', 'no', closes ? { closeConnection: true } : {});
    const counted = await countRefused(stage.gate, PRINCIPAL, refusal);
    expect([counted.code, counted.closeConnection]).toEqual(['RATE_LIMITED', closes ? true : undefined]);
  }
});

test('a request whose rate limits are unknown is worth sending again', async () => {
  const stage = new GateStage();
  stage.takePermit = () => Promise.resolve({ kind: 'unavailable' });
  const { caller, done } = stage.send();
  await done;
  expect(caller.refusal).toEqual({
    kind: 'refusal',
    code: 'SERVICE_UNAVAILABLE',
    message: 'The limits of this project could not be checked. Nothing was charged; try again in a moment.',
    param: null,
    retryAfterMs: 1_000,
  });
});
