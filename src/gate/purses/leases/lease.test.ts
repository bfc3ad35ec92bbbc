import { expect, test } from 'vitest';
import { windowAt } from '../../../domain/window.ts';
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

const SEEN = { purseId: 7n, limit: 1_000n, spentByOthers: 0n, available: 900n, open: false, mode: 'wet' } as const;

test('a lease that has never been drawn has no purse and no money, and draws what is expected of it', () => {
  const lease = leaseOfCredit();
  expect(lease).toMatchObject({ isKnown: false, isOpen: false, isDry: false, sequence: 0n, sent: 0n, answered: 0n });
  expect(lease).toMatchObject({ slack: 0n, limit: null, available: null, availableAtBest: null, used: 0n, ahead: 0n });
  expect(lease.window).toEqual({ period: 'never', startMs: 0, endMs: null });
  expect(lease.fits(0n)).toBe(false);
  expect(() => lease.purseId).toThrow('a lease has its purse once it has been drawn');
  lease.expect(20n);
  lease.expect(10n);
  expect(lease.ahead).toBe(160n);
});

test('a lease is what the last draw says of its purse, and counts its own charges', () => {
  const lease = leaseOfCredit();
  lease.beginDraw(4n, false);
  lease.learn({ ...SEEN, sequence: 3n, spentByOthers: 50n, available: 850n, granted: 100n });
  expect(lease).toMatchObject({ isKnown: true, purseId: 7n, sequence: 3n, sent: 4n, answered: 4n, limit: 1_000n });
  expect([lease.fits(100n), lease.fits(101n)]).toEqual([true, false]);
  lease.hold(60n, 1_234);
  expect(lease).toMatchObject({ held: 60n, slack: 40n, available: 890n, lastHoldMs: 1_234 });
  lease.close(60n, 20n);
  expect(lease).toMatchObject({
    held: 0n,
    charged: 20n,
    slack: 80n,
    used: 70n,
    available: 930n,
    availableAtBest: 950n,
  });
  lease.beginDraw(5n, false);
  lease.learn({ ...SEEN, sequence: 5n, spentByOthers: 50n, mode: 'dry', available: 0n, granted: 100n });
  expect(lease).toMatchObject({ isDry: true, availableAtBest: 930n });
  expect(() => lease.close(1n, 0n)).toThrow('a lease holds no less than nothing');
});

test('a lease without a limit fits any amount, and is closed while a draw of it is under way', () => {
  const lease = leaseOfCredit();
  lease.beginDraw(1n, false);
  lease.learn({ ...SEEN, sequence: 1n, limit: null, available: null, granted: 0n, open: true });
  expect(lease).toMatchObject({ isOpen: true, limit: null, available: null, availableAtBest: null, runsLow: false });
  lease.hold(10n, 0);
  lease.close(10n, 5n);
  lease.hold(10n ** 12n, 0);
  expect([lease.fits(10n ** 15n), lease.slack]).toEqual([true, 0n]);
  lease.beginDraw(2n, false);
  expect(lease).toMatchObject({ isOpen: false, slack: 0n, granted: 10n ** 12n + 5n });
  expect([lease.fits(0n), lease.fits(1n)]).toEqual([true, false]);
});

test('a lease that gives nothing back goes on with its slack while a draw of it is under way', () => {
  const lease = leaseOfCredit();
  lease.beginDraw(1n, false);
  lease.learn({ ...SEEN, sequence: 1n, granted: 100n });
  lease.beginDraw(2n, false);
  expect([lease.granted, lease.fits(100n), lease.available]).toEqual([100n, true, 1_000n]);
});

test('a lease is quiet once nothing is held, each charge is settled and each draw answered', () => {
  const lease = leaseOfCredit();
  const quiet = (): boolean => lease.isQuiet;
  lease.beginDraw(1n, false);
  expect(quiet()).toBe(false);
  lease.learn({ ...SEEN, sequence: 1n, granted: 100n });
  expect(quiet()).toBe(true);
  lease.hold(10n, 0);
  expect(quiet()).toBe(false);
  lease.close(10n, 5n);
  expect(quiet()).toBe(false);
  lease.settled();
  expect(quiet()).toBe(true);
  lease.unsettled();
  expect(quiet()).toBe(false);
});

test('a lease runs low below what was recently needed of it, and is drawn up to that and its reserve', () => {
  const lease = leaseOfCredit();
  const seen = { ...SEEN, limit: 10_000n };
  lease.beginDraw(1n, false);
  lease.learn({ ...seen, sequence: 1n, available: 9_900n, granted: 100n });
  expect([lease.runsLow, lease.ahead]).toEqual([false, 0n]);
  lease.hold(60n, 1);
  lease.close(60n, 40n);
  // 60 are at hand: a peak of 60, 40 in a second, and a reserve of 568, a sixteenth of 9,900 − 8 × 100.
  expect([lease.slack, lease.runsLow, lease.ahead]).toEqual([60n, true, 60n + 40n + 568n - 60n]);
  lease.beginDraw(2n, false);
  lease.learn({ ...seen, sequence: 2n, available: 9_000n, granted: 181n });
  // By now a sixteenth of 9,000 − 8 × 960 = 82, of which 61 are enough.
  expect([lease.slack, lease.runsLow, lease.ahead]).toEqual([60n + 20n + 61n, false, 60n + 40n + 82n - 141n]);
  lease.hold(1n, 2);
  expect([lease.runsLow, lease.ahead]).toEqual([false, 41n]);
  lease.close(1n, 1n);
  expect(lease.runsLow).toBe(true);
});

test('a lease of a dry purse is never drawn ahead of need', () => {
  const lease = leaseOfCredit();
  lease.beginDraw(1n, false);
  lease.learn({ ...SEEN, sequence: 1n, granted: 100n, mode: 'dry' });
  lease.hold(60n, 1);
  lease.close(60n, 60n);
  expect(lease.runsLow).toBe(false);
});

test('a lease takes no draw that is older than the last one, and none that takes what is held', () => {
  const lease = leaseOfCredit();
  lease.beginDraw(2n, false);
  expect(() => lease.beginDraw(2n, false)).toThrow('the numbers of draws rise');
  lease.learn({ ...SEEN, sequence: 2n, granted: 100n });
  lease.hold(60n, 1);
  const less = { ...SEEN, sequence: 3n, granted: 59n };
  lease.beginDraw(3n, false);
  expect(() => lease.learn(less)).toThrow('a draw leaves what is held and charged');
});

test('a lease has slack that is worth the way back where that is much of what its purse has left', () => {
  const lease = leaseOfCredit();
  lease.beginDraw(1n, false);
  lease.learn({ ...SEEN, sequence: 1n, available: 6_200n, granted: 100n });
  expect(lease.hasMaterialSlack).toBe(true);
  lease.hold(2n, 0);
  expect(lease.hasMaterialSlack).toBe(false);
});
