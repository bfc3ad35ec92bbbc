import { expect, test } from 'vitest';
import { windowAt } from '../../domain/window.ts';
import { Lease } from './lease.ts';
import { LeaseFigureRows } from './lease-figures.ts';

function leaseOfCredit(): Lease {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt('never', 0);
  const id = '018f0000-0000-7000-8000-000000000000';
  const name = { workspaceId: id, kind: 'credit', subjectId: id, period: 'never', windowStartMs, windowEndMs } as const;
  return new Lease(name, 0, new LeaseFigureRows().next());
}

test('slack that is on its way back counts as available, before the purse tells so', () => {
  const lease = leaseOfCredit();
  const seen = { purseId: 1n, limit: 800n, spentByOthers: 0n, open: false, mode: 'wet' } as const;
  lease.beginDraw(1n, false);
  lease.learn({ ...seen, sequence: 1n, available: 700n, granted: 100n });
  lease.hold(40n, 1);
  expect(lease.available).toBe(760n);
  lease.beginDraw(2n, true);
  expect(lease.slack).toBe(0n);
  expect(lease.available).toBe(760n);
  lease.learn({ ...seen, sequence: 2n, available: 760n, granted: 40n });
  expect(lease.available).toBe(760n);
});

test('a charge that is taken from elsewhere while a draw is under way does not count twice when that is answered', () => {
  const lease = leaseOfCredit();
  const seen = { purseId: 1n, limit: 200n, open: false, mode: 'wet' } as const;
  lease.beginDraw(1n, false);
  lease.learn({ ...seen, sequence: 1n, spentByOthers: 0n, available: 100n, granted: 100n });
  lease.hold(60n, 1);
  lease.close(60n, 60n);
  lease.beginDraw(2n, false);
  lease.forgone(60n);
  lease.learn({ ...seen, sequence: 2n, spentByOthers: 60n, available: 40n, granted: 100n });
  expect(lease.availableAtBest).toBe(140n);
});
