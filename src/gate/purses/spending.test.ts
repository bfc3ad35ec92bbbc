import { beforeEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { receiptWith } from '../../../test/support/receipts.ts';
import type { Principal } from '../../domain/principal.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { Hold } from './leases/hold.ts';
import {
  type DrawReply,
  type DrawRequest,
  EpochFenced,
  type KeyStore,
  LeaseGone,
  type LeasesInUse,
  type PermitStore,
  type PurseStore,
} from './ports/database.ts';
import { Spending } from './spending.ts';
import type { Trail } from './ports/disk.ts';

/** A server may take over, but no later process reads the trail in these tests. */
const NO_TRAIL: Trail = {
  add: () => Promise.resolve(),
  close: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};

const TIMEOUT_MS = 6_000;
const BEAT_MS = 1_000;
const principal: Principal = {
  workspaceId: 'w',
  projectId: 'p',
  keyId: 'k',
  policies: [],
  expiresAtMs: null,
  rateLimits: { requestsPerMinute: null, tokensPerMinute: null, concurrency: null },
  budgetPeriod: 'month',
  memberLimitId: null,
  servedLimits: null,
  served: null,
  reportsCost: false,
  isAllowedFrom: null,
  suspension: null,
};

/** A database with unlimited money, in which a test declares epochs dead. */
class GenerousStore {
  readonly dead = new Set<bigint>();
  readonly fenced: bigint[] = [];
  readonly timely: string[] = [];
  readonly late: string[] = [];
  server = '00000001';
  isAway = false;
  /** Heartbeats alone get no reply. */
  isDeaf = false;
  /** No epoch can be ended. */
  isFenceAway = false;
  /** What the last heartbeat said. */
  inUse: LeasesInUse = null;
  /** Settlements wait for this. */
  settling: Promise<void> = Promise.resolve();
  /** The epoch whose draws a new server lacks. */
  lost: bigint | null = null;
  latest = 0n;
  /** Called with each epoch that begins. */
  onBegin: (epochId: bigint) => void = () => undefined;

  beginEpoch(): Promise<bigint> {
    return this.#answer(() => {
      this.latest += 1n;
      this.onBegin(this.latest);
      return this.latest;
    });
  }

  timeline(): Promise<string> {
    return this.#answer(() => this.server);
  }

  heartbeat(epochId: bigint, inUse: LeasesInUse) {
    this.inUse = inUse;
    if (this.isDeaf) return Promise.reject(new DatabaseUnavailable('deaf'));
    return this.#live(epochId, () => ({ databaseNowMs: 0, timeline: this.server, peers: [] }));
  }

  draw(epochId: bigint, requests: readonly DrawRequest[]): Promise<readonly DrawReply[]> {
    if (epochId === this.lost) return Promise.reject(new LeaseGone('lost'));
    return this.#live(epochId, () =>
      requests.map(({ keep, needs, ahead, purse, sequence }) => ({
        purseId: { credit: 1n, project: 2n, member: 4n, key: 3n, end_user: 5n, session: 6n }[purse.kind],
        limit: 1_000_000n,
        spentByOthers: 0n,
        available: 1_000_000n,
        granted: keep + needs.reduce((sum, need) => sum + need, 0n) + ahead,
        open: false,
        mode: 'wet' as const,
        sequence,
      })),
    );
  }

  async settle(epochId: bigint, receipts: readonly { requestId: string }[]): Promise<void> {
    await this.settling;
    return this.#live(epochId, () => void this.timely.push(...receipts.map(({ requestId }) => requestId)));
  }

  settleLate(_epochId: bigint, receipts: readonly { requestId: string }[]): Promise<void> {
    return this.#answer(() => void this.late.push(...receipts.map(({ requestId }) => requestId)));
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  fence(epochId: bigint): Promise<void> {
    if (this.isFenceAway) return Promise.reject(new DatabaseUnavailable('away'));
    return this.#answer(() => void this.fenced.push(epochId));
  }

  #live<Answer>(epochId: bigint, answer: () => Answer): Promise<Answer> {
    if (!this.isAway && this.dead.has(epochId)) return Promise.reject(new EpochFenced('dead'));
    return this.#answer(answer);
  }

  #answer<Answer>(answer: () => Answer): Promise<Answer> {
    return this.isAway ? Promise.reject(new DatabaseUnavailable('away')) : Promise.resolve(answer());
  }
}

let clock: ManualClock;
let store: GenerousStore;
let spending: Spending;
let journaled: string[];
const onFault = vi.fn<(fault: unknown) => void>();
const onServer = vi.fn<() => void>();

async function start(): Promise<void> {
  spending = await Spending.start({
    store: store as unknown as PurseStore,
    permitStore: {} as PermitStore,
    keyStore: {} as KeyStore,
    clock: Object.assign(clock, { synchronise: () => undefined }),
    turns: clock,
    instanceId: 'instance',
    processName: 'test',
    timeoutMs: TIMEOUT_MS,
    holdWaitMs: 2_000,
    journalOf: () => ({
      write: (receipts) => Promise.resolve(void journaled.push(...receipts.map(({ requestId }) => requestId))),
      clear: () => Promise.resolve(void (journaled.length = 0)),
    }),
    trailOf: () => NO_TRAIL,
    events: {
      serverBegun: onServer,
      failed: onFault,
      warned: () => undefined,
      receiptRefused: () => undefined,
      purseRefused: () => undefined,
      projectRefused: () => undefined,
    },
  });
}

beforeEach(async () => {
  onFault.mockReset();
  onServer.mockReset();
  clock = new ManualClock();
  store = new GenerousStore();
  journaled = [];
  await start();
});

async function hold(): Promise<Hold> {
  const placed = await spending.purses.hold(principal, 100n);
  if ('kind' in placed) throw new Error(`no hold: ${placed.kind}`);
  return placed;
}

/** Closes a hold, and returns the request's id synchronously. */
function close(open: Hold, charge = 60n): string {
  const receipt = receiptWith({ charge });
  open.close(receipt).catch(() => undefined);
  return receipt.requestId;
}

test('the server on which spending begins is announced once', () => {
  expect(onServer).toHaveBeenCalledOnce();
});

test('heartbeats say what is held and charged of each purse until it is settled, and nothing of what was drawn ahead', async () => {
  const inAll = (amount: bigint): LeasesInUse =>
    new Map([
      [1n, amount],
      [2n, amount],
      [3n, amount],
    ]);
  expect(store.inUse).toEqual(new Map());
  const [first, second] = [await hold(), await hold()];
  await clock.advance(BEAT_MS);
  expect(store.inUse).toEqual(inAll(200n));

  let settle: () => void = () => undefined;
  store.settling = new Promise((resolve) => (settle = resolve));
  close(first, 60n);
  await clock.advance(BEAT_MS);
  expect(store.inUse).toEqual(inAll(160n));
  close(second, 0n);
  await clock.advance(BEAT_MS);
  expect(store.inUse).toEqual(inAll(60n));

  settle();
  await clock.advance(BEAT_MS);
  expect(store.inUse).toEqual(new Map());
  await hold();
  await clock.advance(BEAT_MS);
  expect(store.inUse).toEqual(inAll(160n));
});

test('a process that was declared dead begins again, and what it had under way is charged late', async () => {
  const open = await hold();
  store.dead.add(store.latest);
  await clock.advance(BEAT_MS);
  expect(store.latest).toBe(2n);
  expect(spending.isLive).toBe(true);
  const id = close(open);
  await clock.advance(0);
  expect(store.late).toEqual([id]);

  const next = close(await hold());
  await clock.advance(0);
  expect(store.timely).toEqual([next]);
  expect(spending.unsettled).toBe(0);
  expect(onFault).not.toHaveBeenCalled();
});

test('open and waiting holds and unsettled receipts are counted over all epochs of a process', async () => {
  const counts = () => [spending.openHolds, spending.waitingHolds, spending.unsettled];
  const first = await hold();
  store.dead.add(store.latest);
  await clock.advance(BEAT_MS);
  const second = await hold();
  expect(counts()).toEqual([2, 0, 0]);
  store.isAway = true;
  close(first);
  close(second);
  await clock.advance(0);
  expect(counts()).toEqual([0, 0, 2]);
  const third = hold();
  await clock.advance(0);
  expect(counts()).toEqual([0, 1, 2]);
  store.isAway = false;
  await clock.advance(BEAT_MS);
  await third;
  expect(counts()).toEqual([1, 0, 0]);
});

test('a process that was declared dead begins again as often as that happens, before the next epoch is heard of too', async () => {
  store.onBegin = (epochId) => void (epochId < 5n && store.dead.add(epochId));
  store.dead.add(1n);
  await clock.advance(BEAT_MS);
  expect(store.latest).toBe(5n);
  expect(spending.isLive).toBe(true);
  close(await hold());
});

test('a process that was declared dead begins again once the database is back, if it has gone away', async () => {
  const open = await hold();
  store.dead.add(1n);
  const begins = vi.spyOn(store, 'beginEpoch').mockRejectedValue(new DatabaseUnavailable('away'));
  await clock.advance(TIMEOUT_MS * 3);
  expect(spending.isLive).toBe(false);
  begins.mockRestore();
  await clock.advance(BEAT_MS);
  expect(spending.isLive).toBe(true);
  const id = close(open);
  await clock.advance(0);
  expect(store.late).toEqual([id]);
});

test('a process that was declared dead sends again what its former epoch settled, when a new server lacks it', async () => {
  const id = close(await hold());
  await clock.advance(0);
  store.dead.add(1n);
  store.server = '00000002';
  await clock.advance(BEAT_MS);
  expect(store.late).toEqual([id]);
});

test('a server that has taken over gets what any epoch of the last minute settled, however many have begun since', async () => {
  const id = close(await hold());
  await clock.advance(0);
  store.dead.add(1n);
  await clock.advance(BEAT_MS);
  store.dead.add(2n);
  store.server = '00000002';
  await clock.advance(BEAT_MS);
  expect(store.latest).toBeGreaterThan(2n);
  expect(store.late).toEqual([id]);
});

test('a server that has taken over gets it too where it is heard of first between two epochs', async () => {
  const id = close(await hold());
  await clock.advance(0);
  const heartbeats = vi.spyOn(store, 'heartbeat').mockImplementation(async () => {
    await new Promise<void>((resolve) => void clock.after(100, resolve));
    return { databaseNowMs: 0, timeline: store.server, peers: [] };
  });
  store.server = '00000002';
  await clock.advance(BEAT_MS);
  heartbeats.mockRestore();
  const begins = vi.spyOn(store, 'beginEpoch').mockRejectedValue(new DatabaseUnavailable('away'));
  store.dead.add(1n);
  spending.purses.everyPurseChanged();
  await clock.advance(BEAT_MS / 2);
  begins.mockRestore();
  await clock.advance(BEAT_MS);
  expect(store.late).toEqual([id]);
});

test('a server that has taken over gets it too where no heartbeat had been answered, with what others had left', async () => {
  await spending.stop();
  store.isDeaf = true;
  await start();
  onServer.mockReset();
  const id = close(await hold());
  await clock.advance(0);
  store.timely.length = 0;
  store.server = '00000002';
  store.isDeaf = false;
  await clock.advance(BEAT_MS);
  expect(store.late).toContain(id);
  expect(onServer).toHaveBeenCalledOnce();
});

test('a server that has taken over is followed by the next one within an epoch, and the process lives on', async () => {
  store.fence = () => new Promise((resolve) => void clock.after(100, resolve));
  store.onBegin = (epochId) => {
    if (epochId === 2n) store.server = '00000003';
  };
  store.server = '00000002';
  await clock.advance(BEAT_MS);
  await clock.advance(500);
  expect(spending.isLive).toBe(true);
  store.dead.add(store.latest);
  await clock.advance(BEAT_MS);
  expect(spending.isLive).toBe(true);
});

test('a server that has taken over makes the process end its own epoch, and the next one begin', async () => {
  const open = await hold();
  store.server = '00000002';
  await clock.advance(BEAT_MS);
  expect(store.fenced).toEqual([1n]);
  expect(store.latest).toBe(2n);
  await hold();
  const id = close(open);
  await clock.advance(0);
  expect(store.late).toEqual([id]);
});

test('a server that has taken over charges late only once it has acknowledged the end of the epoch', async () => {
  const open = await hold();
  const settled = close(await hold());
  await clock.advance(0);
  store.isFenceAway = true;
  store.server = '00000002';
  await clock.advance(BEAT_MS);
  const id = close(open);
  await clock.advance(BEAT_MS);
  expect(store.late).toEqual([]);
  store.isFenceAway = false;
  store.dead.add(1n);
  await clock.advance(BEAT_MS);
  expect(store.late.toSorted()).toEqual([settled, id].toSorted());
});

test('a server that has taken over is noticed by a draw that counts on what it lacks, before a heartbeat tells', async () => {
  await hold();
  store.lost = 1n;
  spending.purses.everyPurseChanged();
  await clock.advance(0);
  expect(store.fenced).toEqual([1n]);
  await hold();
  expect(spending.purses.epochId).toBe(2n);
  expect(onFault).not.toHaveBeenCalled();
});

test('a process that stops settles what is left and gives all leases back', async () => {
  const id = close(await hold());
  await spending.stop();
  expect(store.timely).toEqual([id]);
  expect(store.fenced).toEqual([1n]);
});

test('a process that stops charges nothing late in an epoch that nobody fenced, though another server took over', async () => {
  // The next epoch has begun, and has a hold, when its first heartbeat reports the other server.
  const answer = Promise.withResolvers<void>();
  store.heartbeat = async () => {
    if (store.latest === 1n) throw new EpochFenced('dead');
    await answer.promise;
    return { databaseNowMs: 0, timeline: '00000002', peers: [] };
  };
  await clock.advance(BEAT_MS);
  const open = await hold();
  store.isFenceAway = true;
  const stopping = spending.stop();
  answer.resolve();
  await clock.advance(1_000);
  const id = close(open);
  await clock.advance(10_000);
  await stopping;
  expect(store).toMatchObject({ timely: [id], late: [] });
});

test('a process that stops leaves the leases to charges that only the journal has', async () => {
  const open = await hold();
  // Everything else is taken, the end of the epoch too.
  store.settle = () => Promise.reject(new DatabaseUnavailable('away'));
  const id = close(open);
  const stopping = spending.stop();
  await clock.advance(6_500);
  await stopping;
  expect(journaled).toEqual([id]);
  expect(store.fenced).toEqual([]);
});
