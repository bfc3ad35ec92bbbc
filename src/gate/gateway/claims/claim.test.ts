import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { GateStage } from '../../../../test/support/gate-stage.ts';
import { Claim } from './claim.ts';

const BODY = Buffer.alloc(32);

function claimOf(stage: GateStage): Claim {
  const request = { workspaceId: randomUUID(), keyId: randomUUID(), idempotencyKey: 'k', requestId: randomUUID() };
  return new Claim(stage.gate, request, BODY);
}

test('a request that finds another’s claim has nothing to release, and is sure of nothing', async () => {
  const stage = new GateStage();
  const [first, second] = [claimOf(stage), claimOf(stage)];
  await first.attempt();
  expect(await second.attempt()).toEqual({ state: 'running' });
  expect([first.isSure, second.isSure]).toEqual([true, false]);
  const releasing = vi.spyOn(stage.claims, 'release');
  await second.release();
  expect(releasing).not.toHaveBeenCalled();
  await first.release();
  expect(releasing).toHaveBeenCalledOnce();
});
