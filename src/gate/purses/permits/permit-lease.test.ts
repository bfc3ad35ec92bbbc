import { expect, test } from 'vitest';
import type { Permit } from './permit.ts';
import { PermitLease } from './permit-lease.ts';
import { NO_STOCK, type PermitReply } from '../ports/database.ts';

// A lease must never have more than the database has recorded for it, or stock and bucket together would exceed the
// limit.

const limits = { requestsPerMinute: 100, tokensPerMinute: null, concurrency: null };

const replyWith = (requests: number, requestParts = 0): PermitReply => ({
  limits,
  stock: { ...NO_STOCK, requests },
  shortages: [],
  left: { requestParts, tokenParts: null, slots: null },
  share: 1,
});

function leaseWith(requests: number): PermitLease {
  const lease = new PermitLease({
    workspaceId: 'workspace',
    projectId: 'project',
    owner: { due: () => undefined },
    clock: { monotonicMs: () => 0 },
  });
  lease.beginDraw(1, false);
  lease.learn(replyWith(requests));
  return lease;
}

function takeAll(lease: PermitLease): Permit[] {
  const permits: Permit[] = [];
  for (let permit = lease.tryTake(0); permit !== null; permit = lease.tryTake(0)) permits.push(permit);
  return permits;
}

test('permits that come back refill the stock that was drawn, and go back to the database beyond it', () => {
  const lease = leaseWith(3);
  const permits = takeAll(lease);
  expect(permits).toHaveLength(3);
  lease.beginDraw(2, false);
  lease.learn(replyWith(2));
  expect(takeAll(lease)).toHaveLength(2);
  for (const permit of permits) permit.giveBack();
  expect(lease.beginDraw(3, false)).toMatchObject({ stock: { requests: 2 }, returned: { requests: 1 } });
});

test('permits that come back while a draw is under way don’t refill stock which that draw has reported as spent', () => {
  const lease = leaseWith(20);
  const permits = [...Array(15)].map(() => lease.tryTake(0));
  expect(lease.beginDraw(2, false)).toMatchObject({ stock: { requests: 5 }, keep: { requests: 5 } });
  for (const permit of permits) permit?.giveBack();
  lease.learn(replyWith(5));
  expect(takeAll(lease)).toHaveLength(5);
  expect(lease.beginDraw(3, false)).toMatchObject({ returned: { requests: 15 } });
});

test('stock of a kind is in excess once it is more than four times what was recently needed of it', () => {
  const lease = leaseWith(5);
  lease.note(limits, 0);
  expect(lease.hasExcess).toBe(true);
  expect(lease.tryTake(0)).not.toBeNull();
  expect(lease.hasExcess).toBe(false);
});

test('stock that is offered with a draw is not taken from until the answer', () => {
  const lease = leaseWith(3);
  lease.beginDraw(2, true);
  expect(lease.tryTake(0)).toBeNull();
  lease.learn(replyWith(1));
  expect(takeAll(lease)).toHaveLength(1);
});
