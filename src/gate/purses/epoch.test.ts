import { beforeEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { Epoch } from './epoch.ts';
import { EpochFenced, type Peer, type PurseStore } from './ports/database.ts';

const TIMEOUT_MS = 6_000;
const BEAT_MS = 1_000;
const silent: Peer = { epochId: 9n, heartbeat: 'once', timeoutMs: TIMEOUT_MS, isFenced: false };

let clock: ManualClock;
let timeline: string;
let peers: readonly Peer[];
let beats: number;
let answer: () => Promise<void>;
const fence = vi.fn<PurseStore['fence']>();
const onTimeline = vi.fn<() => void>();
const onFault = vi.fn<(fault: unknown) => void>();

beforeEach(() => {
  clock = new ManualClock();
  timeline = '00000001';
  peers = [];
  beats = 0;
  answer = () => Promise.resolve();
  for (const mock of [fence, onTimeline, onFault]) mock.mockReset();
  fence.mockImplementation(() => Promise.resolve());
});

async function begin(known = timeline): Promise<Epoch> {
  const store = {
    fence,
    async heartbeat() {
      beats += 1;
      await answer();
      return { databaseNowMs: clock.nowMs(), timeline, peers };
    },
  } as unknown as PurseStore;
  const synchronised = Object.assign(clock, { synchronise: () => undefined });
  const begunAtMs = clock.monotonicMs();
  const parts = {
    id: 1n,
    store,
    clock: synchronised,
    timeoutMs: TIMEOUT_MS,
    leasesInUse: () => null,
    begunAtMs,
    events: { serverChanged: onTimeline, failed: onFault },
  };
  const epoch = new Epoch({ ...parts, timeline: known });
  await epoch.start();
  return epoch;
}

test('an epoch counts itself dead once its last acknowledged heartbeat, by its sending, is as old as the time-out', async () => {
  const epoch = await begin();
  await clock.advance(10 * BEAT_MS);
  answer = () => Promise.reject(new DatabaseUnavailable('away'));
  await clock.advance(TIMEOUT_MS - 1);
  expect(epoch.isLive).toBe(true);
  await clock.advance(1);
  expect(epoch.isLive).toBe(false);
  answer = () => Promise.resolve();
  await clock.advance(BEAT_MS);
  expect(epoch).toMatchObject({ isLive: true, isDead: false });
});

test('an epoch is over once the database has said so', async () => {
  const epoch = await begin();
  answer = () => Promise.reject(new EpochFenced('dead'));
  await clock.advance(BEAT_MS);
  expect(epoch).toMatchObject({ isLive: false, isDead: true });
  expect(onFault).toHaveBeenCalledExactlyOnceWith(expect.any(EpochFenced));
  const before = beats;
  await clock.advance(60_000);
  expect(beats).toBe(before);
});

test('a peer that has fallen silent is declared dead by the heartbeat that was seen last', async () => {
  await begin();
  peers = [silent];
  // It is first seen by the first heartbeat, and given a fiftieth more, because its clock may run slower.
  await clock.advance(BEAT_MS + TIMEOUT_MS);
  expect(fence).not.toHaveBeenCalled();
  await clock.advance(BEAT_MS);
  expect(fence).toHaveBeenCalledExactlyOnceWith(9n, 'once');
});

test('a peer that has fallen silent does not hold up heartbeats by a lock that it still has', async () => {
  const epoch = await begin();
  peers = [silent];
  fence.mockImplementation(() => new Promise(() => undefined));
  await clock.advance(10 * TIMEOUT_MS);
  expect(epoch.isLive).toBe(true);
  expect(beats).toBe((10 * TIMEOUT_MS) / BEAT_MS + 1);
  expect(fence).toHaveBeenCalledOnce();
});

test('a peer that has fallen silent is declared dead again if the database did not answer', async () => {
  await begin();
  peers = [{ ...silent, isFenced: true }];
  fence.mockImplementationOnce(() => Promise.reject(new DatabaseUnavailable('away')));
  await clock.advance(2 * BEAT_MS);
  expect(fence).toHaveBeenCalledTimes(2);
  expect(onFault).not.toHaveBeenCalled();
});

test('a fault of declaring a peer dead is reported, and the peer is tried again', async () => {
  await begin();
  peers = [{ ...silent, isFenced: true }];
  const bug = new Error('a bug');
  fence.mockImplementationOnce(() => Promise.reject(bug));
  await clock.advance(2 * BEAT_MS);
  expect(fence).toHaveBeenCalledTimes(2);
  expect(onFault).toHaveBeenCalledExactlyOnceWith(bug);
});

test('another timeline is told of once', async () => {
  await begin();
  await clock.advance(5 * BEAT_MS);
  expect(onTimeline).not.toHaveBeenCalled();
  timeline = '00000002';
  await clock.advance(5 * BEAT_MS);
  expect(onTimeline).toHaveBeenCalledOnce();
});

test('another timeline is noticed by an epoch that begins after it', async () => {
  timeline = '00000002';
  await begin('00000001');
  expect(onTimeline).toHaveBeenCalledOnce();
});
