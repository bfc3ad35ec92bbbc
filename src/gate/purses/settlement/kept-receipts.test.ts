import { expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { receiptWith } from '../../../../test/support/receipts.ts';
import type { Receipt } from '../../../domain/receipt.ts';
import { RecentReceipts } from './kept-receipts.ts';

const charge = { leaves: () => undefined, ended: () => undefined, resent: () => undefined };

interface Kept {
  readonly clock: ManualClock;
  readonly recent: RecentReceipts;
  readonly left: (readonly [readonly Receipt[], string | null])[];
  readonly warnings: (readonly [string, unknown])[];
}

function recentReceipts(fault: Error | null = null): Kept {
  const clock = new ManualClock();
  const left: (readonly [readonly Receipt[], string | null])[] = [];
  const warnings: (readonly [string, unknown])[] = [];
  const outcome = (): Promise<void> => (fault === null ? Promise.resolve() : Promise.reject(fault));
  const trail = {
    add: (receipts: readonly Receipt[], timeline: string | null) => {
      left.push([receipts, timeline]);
      return outcome();
    },
    close: outcome,
    clear: outcome,
  };
  const warned = (message: string, why: unknown): void => void warnings.push([message, why]);
  return { clock, recent: new RecentReceipts(clock, trail, { warned }), left, warnings };
}

test('a receipt may have to be sent again for a minute after it was settled', async () => {
  const { clock, recent } = recentReceipts();
  const [old, young] = [receiptWith(), receiptWith()];
  expect(recent.hasAny).toBe(false);
  recent.note({ receipt: old, charge });
  await clock.advance(59_999);
  expect(recent.hasAny).toBe(true);
  await clock.advance(1);
  expect(recent.hasAny).toBe(false);
  recent.note({ receipt: young, charge });
  expect(recent.hasAny).toBe(true);
  expect(recent.take().map(({ receipt }) => receipt)).toEqual([old, young]);
  expect(recent.take()).toEqual([]);
  expect(recent.hasAny).toBe(false);
});

test('receipts that were settled are kept up to twenty thousand, of which the younger half stays', () => {
  const { recent } = recentReceipts();
  const receipt = receiptWith();
  for (let count = 0; count < 20_000; count++) recent.note({ receipt, charge });
  expect(recent.take()).toHaveLength(20_000);
  for (let count = 0; count < 20_001; count++) recent.note({ receipt, charge });
  expect(recent.take()).toHaveLength(10_001);
});

test('a trail names the server that is about to settle what is in it', async () => {
  const { recent, left, warnings } = recentReceipts();
  const receipt = receiptWith();
  await recent.leaveTrail([{ receipt, answer: null }], '4');
  await recent.closeTrail();
  expect(left).toEqual([[[receipt], '4']]);
  expect(warnings).toEqual([]);
});

test('a trail that can’t be written or closed is warned of, and holds up nothing', async () => {
  const fault = new Error('the disk is full');
  const { recent, warnings } = recentReceipts(fault);
  await recent.leaveTrail([{ receipt: receiptWith(), answer: null }], '4');
  await recent.closeTrail();
  const why = 'the trail could not be written: a standby that takes over may lack these charges';
  expect(warnings).toEqual([
    [why, fault],
    [why, fault],
  ]);
});
