import { expect, test } from 'vitest';
import { windowAt } from '../domain/window.ts';
import { NumberRows } from '../lib/number-rows.ts';
import { Lease, LEASE_CELLS } from './lease.ts';

test('slack that is on its way back counts as available, before the purse tells so', () => {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt('never', 0);
  const id = '018f0000-0000-7000-8000-000000000000';
  const name = { workspaceId: id, kind: 'credit', subjectId: id, period: 'never', windowStartMs, windowEndMs } as const;
  const lease = new Lease(name, 0, new NumberRows(LEASE_CELLS).next());
  const seen = { purseId: 1n, limit: 800n, spentByOthers: 0n, open: false, mode: 'wet', modeNumber: 0n } as const;
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
