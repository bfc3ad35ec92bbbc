import { expect, test } from 'vitest';
import { Peers } from './epoch.ts';
import type { Peer } from './ports/database.ts';

const TIMEOUT_MS = 6_000;
const GAP_MS_MAX = 3_000;
const BEAT_MS = 1_000;
/** With the allowance for clocks that run at different rates. */
const WATCHED_MS = 6_120;

const silent: Peer = { epochId: 7n, heartbeat: 'once', timeoutMs: TIMEOUT_MS, isFenced: false };

/** Looks for this long, each answered immediately with the peer's state at that moment. */
function watch(
  peers: Peers,
  fromMs: number,
  untilMs: number,
  peerAt: (ms: number) => Peer = () => silent,
): number | null {
  for (let ms = fromMs; ms <= untilMs; ms += BEAT_MS) {
    if (peers.look([peerAt(ms)], ms, ms).length > 0) return ms;
  }
  return null;
}

test('a peer that has fallen silent is dead once it has been watched for its time-out and a fiftieth, not before', () => {
  const peers = new Peers(GAP_MS_MAX);
  expect(watch(peers, 0, TIMEOUT_MS)).toBeNull();
  expect(peers.look([silent], WATCHED_MS - 1, WATCHED_MS - 1)).toEqual([]);
  expect(peers.look([silent], WATCHED_MS, WATCHED_MS)).toEqual([silent]);
});

test('a peer that has fallen silent is given its own time-out, not that of the process that watches', () => {
  const slow = { ...silent, timeoutMs: 20_000 };
  expect(watch(new Peers(GAP_MS_MAX), 0, 60_000, () => slow)).toBe(21_000);
});

test('a peer that has fallen silent is so only between the answer that showed it first and the last question', () => {
  const peers = new Peers(GAP_MS_MAX);
  peers.look([silent], 0, 2_900);
  for (let ms = 4_000; ms <= 8_000; ms += BEAT_MS) expect(peers.look([silent], ms, ms)).toEqual([]);
  expect(peers.look([silent], 9_019, 9_070)).toEqual([]);
  expect(peers.look([silent], 9_020, 9_070)).toEqual([silent]);
});

test('a peer that has fallen silent is watched from the start on a server that may lack its last heartbeats', () => {
  const on = (server: string): Peer => ({ ...silent, heartbeat: `${server} once` });
  const seen = (ms: number): Peer => on(ms < 5_000 ? 'former' : 'next');
  expect(watch(new Peers(GAP_MS_MAX), 0, 60_000, seen)).toBe(5_000 + TIMEOUT_MS + BEAT_MS);
});

test('a peer that has fallen silent is watched from the start by a process that was out of touch itself', () => {
  const peers = new Peers(GAP_MS_MAX);
  expect(watch(peers, 0, 5_000)).toBeNull();
  expect(watch(peers, 5_000 + GAP_MS_MAX + 1, 60_000)).toBe(5_000 + GAP_MS_MAX + 1 + TIMEOUT_MS + BEAT_MS);
});

test('a peer that has fallen silent is not dead to a process that has never seen it, however old its heartbeat', () => {
  const peers = new Peers(GAP_MS_MAX);
  peers.look([], 0, 0);
  expect(peers.look([silent], 1_000_000, 1_000_000)).toEqual([]);
});

test('a peer that lives is alive as long as its heartbeat moves before its time-out', () => {
  const beating = (ms: number): Peer => ({ ...silent, heartbeat: String(Math.floor(ms / (TIMEOUT_MS - BEAT_MS))) });
  expect(watch(new Peers(GAP_MS_MAX), 0, 100_000, beating)).toBeNull();
});

test('a peer that lives is watched from its last heartbeat on', () => {
  const peers = new Peers(GAP_MS_MAX);
  const once = (ms: number): Peer => (ms < 4_000 ? silent : { ...silent, heartbeat: 'twice' });
  expect(watch(peers, 0, 60_000, once)).toBe(4_000 + TIMEOUT_MS + BEAT_MS);
});

test('a peer that lives stays alive when heartbeats are answered out of their order', () => {
  const peers = new Peers(GAP_MS_MAX);
  const newer = { ...silent, heartbeat: 'newer' };
  for (let ms = 0; ms <= 30_000; ms += BEAT_MS) {
    expect(peers.look([ms % 2_000 === 0 ? newer : silent], ms, ms)).toEqual([]);
  }
});

test('a peer that somebody has declared dead already is reaped without a wait', () => {
  const fenced = { ...silent, isFenced: true };
  expect(new Peers(GAP_MS_MAX).look([fenced], 0, 0)).toEqual([fenced]);
});
