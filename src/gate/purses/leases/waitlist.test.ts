import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { windowAt } from '../../../domain/window.ts';
import { Pace } from '../../../lib/pace.ts';
import { Hold, type HoldLeases, holdLeases } from './hold.ts';
import { Lease } from './lease.ts';
import { LeaseFigureRows } from './lease-figures.ts';
import type { PurseKind } from '../ports/database.ts';
import { type HoldRequest, type WaitEnd, Waitlist } from './waitlist.ts';

const ID = '018f0000-0000-7000-8000-000000000000';
const WAIT_MS = 2_000;
/** At least one beat of any pace. */
const BEAT_MS = 100;

const source = {
  mayHold: true,
  isUnavailable: false,
  resting: new Set<Lease>(),
  stuck: new Set<Lease>(),
  refilled: [] as Lease[],
  isResting: (lease: Lease) => source.resting.has(lease),
  isStuck: (lease: Lease) => source.stuck.has(lease),
  place: (leases: HoldLeases, amount: bigint) =>
    new Hold(leases, amount, clock.monotonicMs(), { closed: () => Promise.resolve(), freed: () => undefined }),
  refill: (lease: Lease) => void source.refilled.push(lease),
};

let clock: ManualClock;
let waitlist: Waitlist;
let sequence: bigint;
let credit: Lease;
let project: Lease;
let key: Lease;

beforeEach(() => {
  clock = new ManualClock();
  Object.assign(source, { mayHold: true, isUnavailable: false, resting: new Set(), stuck: new Set(), refilled: [] });
  waitlist = new Waitlist({ clock, pace: new Pace(1n), waitMs: WAIT_MS, source });
  sequence = 0n;
  [credit, project, key] = [leaseOf('credit'), leaseOf('project'), leaseOf('key')];
  for (const lease of [credit, project, key]) drawn(lease, { limit: null });
});

function leaseOf(kind: PurseKind): Lease {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt('never', 0);
  const name = { workspaceId: ID, kind, subjectId: ID, period: 'never', windowStartMs, windowEndMs } as const;
  return new Lease(name, 0, new LeaseFigureRows().next());
}

/** A draw of the lease is answered: its purse has `available` in addition to the slack of this lease. */
function drawn(lease: Lease, { limit = 1_000n as bigint | null, available = 0n, slack = 0n }): void {
  sequence += 1n;
  lease.beginDraw(sequence, false);
  const granted = lease.held + lease.charged + slack;
  const seen = { purseId: 1n, sequence, limit, spentByOthers: 0n, granted, open: limit === null, mode: 'wet' } as const;
  lease.learn({ ...seen, available: limit === null ? null : available });
}

interface Waiting {
  end: WaitEnd | null;
}

async function waiting(amount: bigint, given: Partial<HoldRequest> = {}): Promise<Waiting> {
  const asked: Waiting = { end: null };
  const request = { leases: holdLeases([credit, project, key]), amount, places: true, isPatient: true, ...given };
  const ended = waitlist.wait(request).then((end) => (asked.end = end));
  await Promise.race([ended, clock.advance(0)]);
  return asked;
}

test('a hold that fits does not wait, unless its process may not hold', async () => {
  expect((await waiting(50n)).end).toBeInstanceOf(Hold);
  expect((await waiting(50n, { places: false })).end).toBe('fits');
  expect(credit.held).toBe(50n);
  source.mayHold = false;
  const asked = await waiting(50n);
  expect(asked.end).toBeNull();
  waitlist.serve(credit);
  await clock.advance(0);
  expect(asked.end).toBe('unavailable');
  expect(credit.held).toBe(50n);
});

test('a hold is refused immediately where a lease that it lacks can’t be drawn, and not for one that it has', async () => {
  drawn(key, { slack: 10n });
  source.resting.add(credit);
  const asked = await waiting(50n);
  expect(asked.end).toBeNull();
  source.resting.add(key);
  expect((await waiting(50n)).end).toBe('unavailable');
  expect((await waiting(10n)).end).toBeInstanceOf(Hold);
  expect(asked.end).toBeNull();
});

test('a hold that waits has the leases drawn that it lacks, immediately and at each beat, and no others', async () => {
  drawn(key, { slack: 10n });
  const asked = await waiting(50n);
  expect(source.refilled).toEqual([key]);
  await clock.advance(BEAT_MS);
  expect(new Set(source.refilled)).toEqual(new Set([key]));
  expect(source.refilled.length).toBeGreaterThan(1);
  drawn(key, { slack: 50n });
  waitlist.serve(key);
  await clock.advance(0);
  expect(asked.end).toBeInstanceOf(Hold);
  expect(key.held).toBe(50n);
  source.refilled = [];
  await clock.advance(10 * BEAT_MS);
  expect(source.refilled).toEqual([]);
});

test('a hold that waits is awaited by all three of its leases until it ends', async () => {
  drawn(key, { slack: 10n });
  const other = leaseOf('key');
  const both = [await waiting(50n), await waiting(60n)];
  expect([credit, project, key, other].map((lease) => waitlist.isAwaited(lease))).toEqual([true, true, true, false]);
  expect(waitlist.needsOf(key)).toEqual([50n, 60n]);
  drawn(key, { slack: 50n });
  waitlist.serve(key);
  await clock.advance(0);
  expect(both.map(({ end }) => end === null)).toEqual([false, true]);
  expect(waitlist.isAwaited(key)).toBe(true);
  expect(waitlist.needsOf(key)).toEqual([60n]);
  waitlist.giveUp(key);
  await clock.advance(0);
  expect(both[1]?.end).toBe('unavailable');
  expect([credit, project, key].map((lease) => waitlist.isAwaited(lease))).toEqual([false, false, false]);
  expect(waitlist.needsOf(key)).toEqual([]);
});

test('a hold that lacks one purse needs nothing of its others until that may have the money', async () => {
  drawn(key, { slack: 10n });
  drawn(credit, { slack: 10n });
  await waiting(50n);
  expect([waitlist.needsOf(credit), waitlist.needsOf(key)]).toEqual([[50n], [50n]]);
  // What was known before it came says nothing. Now the key is known to lack it.
  drawn(key, { slack: 10n, available: 39n });
  expect([waitlist.needsOf(credit), waitlist.needsOf(key)]).toEqual([[], [50n]]);
  drawn(key, { slack: 10n, available: 40n });
  expect([waitlist.needsOf(credit), waitlist.needsOf(key)]).toEqual([[50n], [50n]]);
});

test('a hold that waits for a locked purse needs nothing of its others, and that one all the same', async () => {
  drawn(key, { slack: 10n });
  drawn(credit, { slack: 100n });
  await waiting(50n);
  expect(waitlist.isUseful(credit)).toBe(true);
  source.stuck.add(credit);
  // It has what it needs of that one.
  expect([waitlist.needsOf(credit), waitlist.needsOf(key)]).toEqual([[50n], [50n]]);
  source.stuck = new Set([key]);
  expect([waitlist.needsOf(credit), waitlist.needsOf(key)]).toEqual([[], [50n]]);
  expect(waitlist.isUseful(credit)).toBe(false);
});

test('slack is of use where a hold that waits fits into it, and lacks no purse', async () => {
  drawn(key, { slack: 10n });
  drawn(credit, { slack: 50n });
  expect(waitlist.isUseful(credit)).toBe(false);
  await waiting(50n);
  expect([waitlist.isUseful(credit), waitlist.isUseful(key)]).toEqual([true, false]);
  drawn(key, { slack: 10n, available: 39n });
  expect(waitlist.isUseful(credit)).toBe(false);
  drawn(key, { slack: 10n, available: 40n });
  drawn(credit, { slack: 49n, available: 100n });
  expect(waitlist.isUseful(credit)).toBe(false);
});

test('a purse is asked for news as long as a hold that lacks it has had none since it came', async () => {
  drawn(key, { slack: 10n });
  await waiting(50n);
  expect([waitlist.isAsked(key), waitlist.isAsked(credit)]).toEqual([true, false]);
  drawn(key, { slack: 10n });
  expect(waitlist.isAsked(key)).toBe(false);
  await waiting(50n);
  expect(waitlist.isAsked(key)).toBe(true);
});

test('what holds that wait for a lease wait for beside it is concerned as well', async () => {
  expect([...waitlist.withSiblings([key])]).toEqual([key]);
  drawn(key, { slack: 10n });
  await waiting(50n);
  expect(new Set(waitlist.withSiblings([key]))).toEqual(new Set([credit, project, key]));
  const other = leaseOf('key');
  expect([...waitlist.withSiblings([other])]).toEqual([other]);
});

test('a hold that nothing here can bring ends with the news of it, and a hold of nothing waits on', async () => {
  const fresh = leaseOf('key');
  const none = await waiting(0n, { leases: holdLeases([credit, project, fresh]) });
  drawn(key, { slack: 10n });
  const most = await waiting(1_000n);
  const more = await waiting(1_001n);
  waitlist.serve(key);
  await clock.advance(0);
  expect([most.end, more.end]).toEqual([null, null]);
  drawn(key, { slack: 10n });
  waitlist.serve(key);
  waitlist.serve(credit);
  await clock.advance(0);
  expect([most.end, more.end, none.end]).toEqual([null, 'final', null]);
});

test('a hold of nothing is not refused for good, though one of its purses is overdrawn', async () => {
  const asked = await waiting(0n, { leases: holdLeases([credit, leaseOf('project'), key]) });
  drawn(key, { limit: -1n, available: -1n });
  waitlist.serve(key);
  await clock.advance(0);
  expect(asked.end).toBeNull();
});

test('a hold without patience ends with the news that its money is not there now, a patient one waits on', async () => {
  drawn(key, { slack: 10n });
  const [patient, hasty] = [await waiting(50n), await waiting(50n, { isPatient: false })];
  waitlist.serve(key);
  await clock.advance(0);
  expect([patient.end, hasty.end]).toEqual([null, null]);
  drawn(key, { slack: 10n, available: 39n });
  waitlist.serve(key);
  await clock.advance(0);
  expect([patient.end, hasty.end]).toEqual([null, 'short']);
});

test('a hold that all news speaks for has what it lacks drawn immediately, once in each beat', async () => {
  drawn(key, { slack: 10n });
  await waiting(50n);
  source.refilled = [];
  drawn(key, { slack: 10n, available: 40n });
  waitlist.serve(key);
  expect(source.refilled).toEqual([key]);
  waitlist.serve(key);
  expect(source.refilled).toEqual([key]);
  await clock.advance(BEAT_MS);
  source.refilled = [];
  waitlist.serve(key);
  expect(source.refilled).toEqual([key]);
});

test('a hold whose time is up ends as its news are: short, or nothing known, or the database away', async () => {
  drawn(key, { slack: 10n });
  drawn(credit, { slack: 50n });
  const unheard = await waiting(50n);
  await clock.advance(WAIT_MS - 1);
  expect(unheard.end).toBeNull();
  await clock.advance(1);
  expect(unheard.end).toBe('unavailable');

  const short = await waiting(50n);
  drawn(key, { slack: 10n, available: 39n });
  await clock.advance(WAIT_MS);
  expect(short.end).toBe('short');

  // The reply about the lease that fits says nothing about the others.
  const elsewhere = await waiting(50n, { isPatient: false });
  drawn(credit, { slack: 50n });
  await clock.advance(WAIT_MS);
  expect(elsewhere.end).toBe('unavailable');

  const away = await waiting(50n);
  drawn(key, { slack: 10n, available: 39n });
  source.isUnavailable = true;
  await clock.advance(WAIT_MS);
  expect(away.end).toBe('unavailable');
});

test('a hold whose time is up while all news speaks for it has half a second more for the last answer', async () => {
  drawn(key, { slack: 10n });
  const [asked, late] = [await waiting(50n), await waiting(50n)];
  drawn(key, { slack: 10n, available: 90n });
  await clock.advance(WAIT_MS);
  expect(asked.end).toBeNull();
  await clock.advance(499);
  expect(asked.end).toBeNull();
  drawn(key, { slack: 50n, available: 0n });
  waitlist.serve(key);
  await clock.advance(0);
  expect(asked.end).toBeInstanceOf(Hold);
  // It no longer waits for other holds.
  expect(late.end).toBe('short');
});

test('holds that wait end at the next beat of a process that may not hold any more', async () => {
  drawn(key, { slack: 10n });
  const asked = await waiting(50n);
  source.mayHold = false;
  await clock.advance(BEAT_MS);
  expect(asked.end).toBe('unavailable');
  expect(waitlist.isAwaited(key)).toBe(false);
});
