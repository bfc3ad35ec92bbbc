import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { windowAt } from '../../../domain/window.ts';
import { DatabaseUnavailable, SqlFault } from '../../../lib/sql.ts';
import { type DrawReply, type DrawRequest, LeaseGone, type LeaseRelease, type Waiting } from '../ports/database.ts';
import { Draws } from './draws.ts';
import { Lease } from './lease.ts';
import { LeaseFigureRows } from './lease-figures.ts';

const rows = new LeaseFigureRows();

let clock: ManualClock;
let draws: Draws;
let drawn: { readonly requests: readonly DrawRequest[]; readonly waits: boolean }[];
let released: LeaseRelease[];
let faults: unknown[];
/** What the store does before it takes a draw or a release. */
let onDraw: () => Promise<void>;
let onRelease: () => Promise<void>;

function replyTo({ keep, ahead, sequence }: DrawRequest): DrawReply {
  const limit = 10n ** 6n;
  const granted = keep + ahead;
  return { purseId: 1n, limit, spentByOthers: 0n, available: limit, granted, open: false, mode: 'wet', sequence };
}

let reply: (request: DrawRequest) => DrawReply;

beforeEach(() => {
  clock = new ManualClock();
  [drawn, released, faults] = [[], [], []];
  onDraw = () => Promise.resolve();
  onRelease = () => Promise.resolve();
  reply = replyTo;
  draws = new Draws({
    store: {
      draw: async (_epochId: bigint, requests: readonly DrawRequest[], options?: Waiting) => {
        drawn.push({ requests, waits: options?.waits === true });
        await onDraw();
        return requests.map((request) => reply(request));
      },
      release: async (_epochId: bigint, leases: readonly LeaseRelease[]) => {
        released.push(...leases);
        await onRelease();
        return leases.map(() => true as const);
      },
    } as unknown as ConstructorParameters<typeof Draws>[0]['store'],
    clock,
    epochId: 1n,
    needs: { isAwaited: () => false, needsOf: () => [], isAsked: () => false },
    owner: { drawn: () => undefined, stuck: () => undefined, refused: () => undefined },
    events: { failed: (fault) => void faults.push(fault) },
  });
});

function leaseOf(subjectId: string, workspaceId = 'workspace'): Lease {
  const { startMs: windowStartMs, endMs: windowEndMs } = windowAt('never', 0);
  const name = { workspaceId, kind: 'key', subjectId, period: 'never', windowStartMs, windowEndMs } as const;
  return new Lease(name, 0, rows.next());
}

async function give(lease: Lease): Promise<void> {
  draws.want(lease, { giveBack: true });
  await clock.advance(0);
}

const subjects = (): string[] => drawn.flatMap(({ requests }) => requests.map(({ purse }) => purse.subjectId));

test('a lease is drawn again only once the former one of its purse is closed, while others are drawn', async () => {
  const former = leaseOf('one');
  await give(former);
  const closed = Promise.withResolvers<void>();
  onRelease = () => closed.promise;
  draws.release([former]);
  await clock.advance(0);
  expect(released).toEqual([{ purseId: 1n, charged: 0n, sequence: 1n }]);
  draws.want(leaseOf('one'), { giveBack: true });
  await give(leaseOf('other'));
  expect(subjects()).toEqual(['one', 'other']);
  closed.resolve();
  await clock.advance(0);
  expect(subjects()).toEqual(['one', 'other', 'one']);
});

test('a lease that is to be closed is not drawn any more', async () => {
  const lease = leaseOf('one');
  await give(lease);
  draws.want(lease, { giveBack: true });
  draws.release([lease]);
  await clock.advance(0);
  expect([drawn.length, released.length]).toEqual([1, 1]);
});

test('a lease whose slack is to go back gives it back, whatever else is wished of it before or after', async () => {
  for (const wishes of [
    [true, false],
    [false, true],
  ]) {
    const lease = leaseOf('one');
    lease.expect(10n);
    for (const giveBack of wishes) draws.want(lease, { giveBack });
    await clock.advance(0);
  }
  expect(drawn.flatMap(({ requests }) => requests.map(({ ahead }) => ahead))).toEqual([0n, 0n]);
});

test('a lease that the database refuses to draw is not asked for until it has rested', async () => {
  const lease = leaseOf('one');
  onDraw = () => Promise.reject(new SqlFault('no', '22003', null));
  await give(lease);
  expect(draws.isResting(lease)).toBe(true);
  onDraw = () => Promise.resolve();
  await give(lease);
  await clock.advance(4_999);
  await give(leaseOf('other'));
  expect(subjects()).toEqual(['one', 'other']);
  await clock.advance(1);
  expect(subjects()).toEqual(['one', 'other', 'one']);
});

test('a lease that was wished for while the draw was under way that is refused then is not drawn until it has rested', async () => {
  const lease = leaseOf('one');
  const refusal = Promise.withResolvers<void>();
  onDraw = () => refusal.promise;
  await give(lease);
  await give(lease);
  expect(draws.isWanted(lease)).toBe(true);
  refusal.reject(new SqlFault('no', '22003', null));
  await clock.advance(0);
  onDraw = () => Promise.resolve();
  await clock.advance(4_999);
  expect([drawn.length, draws.isWanted(lease)]).toEqual([1, true]);
  await clock.advance(1);
  expect([drawn.length, draws.isWanted(lease)]).toEqual([2, false]);
});

test('a lease that the database refuses to close is closed once it has rested', async () => {
  const lease = leaseOf('one');
  await give(lease);
  onRelease = () => Promise.reject(new SqlFault('no', '22003', null));
  draws.release([lease]);
  await clock.advance(0);
  onRelease = () => Promise.resolve();
  expect(released).toHaveLength(1);
  await clock.advance(5_000);
  expect(released).toHaveLength(2);
});

test('a draw has a thousand leases at most', async () => {
  for (let count = 0; count < 1_001; count++) draws.want(leaseOf(`${count}`), { giveBack: true });
  await clock.advance(0);
  expect(drawn.map(({ requests }) => requests.length)).toEqual([1_000, 1]);
});

test('a draw waits for locked rows only where all of them are one workspace’s', async () => {
  draws.want(leaseOf('one'), { giveBack: true });
  await give(leaseOf('other'));
  draws.want(leaseOf('third'), { giveBack: true });
  await give(leaseOf('fourth', 'another workspace'));
  expect(drawn.map(({ waits }) => waits)).toEqual([true, false]);
});

test('a draw is known to fail as long as the database is away', async () => {
  onDraw = () => Promise.reject(new DatabaseUnavailable('away'));
  await give(leaseOf('one'));
  expect(draws.isUnavailable).toBe(true);
  onDraw = () => Promise.resolve();
  await clock.advance(100);
  expect(draws.isUnavailable).toBe(false);
});

test('a draw that finds a lease made again, which was there before, says that leases are lost', async () => {
  const [known, fresh] = [leaseOf('one'), leaseOf('other')];
  await give(known);
  reply = (request) => ({ ...replyTo(request), sequence: 99n });
  await give(fresh);
  expect([faults, fresh.isKnown]).toEqual([[], true]);
  await give(known);
  expect(faults).toEqual([expect.any(LeaseGone)]);
  expect(faults).toMatchObject([{ message: 'the database has made a lease again that it had lost' }]);
});

test('nothing is drawn or closed any more once draws have ended, though it was wished for before', async () => {
  const lease = leaseOf('one');
  await give(lease);
  draws.want(lease, { giveBack: true });
  draws.release([leaseOf('other')]);
  draws.halt();
  draws.want(leaseOf('third'), { giveBack: true });
  draws.release([lease]);
  await clock.advance(10_000);
  expect([drawn.length, released.length]).toEqual([1, 0]);
});

test('nothing is under way any more once draws have stopped', async () => {
  const [first, second] = [leaseOf('one'), leaseOf('other')];
  await give(first);
  const [answered, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onDraw = () => answered.promise;
  onRelease = () => closed.promise;
  draws.release([first]);
  await give(second);
  draws.want(leaseOf('third'), { giveBack: true });
  let isOver = false;
  const stopping = draws.stop().then(() => (isOver = true));
  await clock.advance(100);
  answered.resolve();
  await clock.advance(100);
  expect(isOver).toBe(false);
  closed.resolve();
  await clock.advance(100);
  await stopping;
  expect(isOver).toBe(true);
  expect(subjects()).toEqual(['one', 'other']);
});

test('nothing is wished for where draws stop in the same moment', async () => {
  draws.want(leaseOf('one'), { giveBack: true });
  await draws.stop();
  expect(drawn).toEqual([]);
});
