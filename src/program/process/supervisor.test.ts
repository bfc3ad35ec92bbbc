import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Supervisor } from './supervisor.ts';
import type { FromWorker, MetricsSnapshot, ToWorker } from './worker-messages.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that does what the test says. */
class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly told: ToWorker[] = [];
  readonly ended: Promise<string>;
  readonly end: (how: string) => void;
  #listener: (message: FromWorker) => void = () => undefined;

  constructor(pid: number) {
    this.pid = pid;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.end = resolve;
  }

  send(message: ToWorker): void {
    this.told.push(message);
  }

  onMessage(listener: (message: FromWorker) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.end('SIGKILL');
  }

  say(message: FromWorker): void {
    this.#listener(message);
  }

  serve(): void {
    this.say({ kind: 'epoch', epochId: BigInt(this.pid) });
    this.say({ kind: 'serving' });
  }
}

let workers: FakeWorker[];
let reclaimed: bigint[];
let reclaim: (epochIds: readonly bigint[], stopping: AbortSignal) => Promise<void>;
let deaths: string[];

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  reclaimed = [];
  reclaim = () => Promise.resolve();
  deaths = [];
});

afterEach(() => {
  vi.useRealTimers();
});

function supervise(count: number): Supervisor {
  return new Supervisor({
    settings: () => ({ file: null, problem: null, settings: [] }),
    version: '1.2.3',
    count,
    orders: 'orders',
    lameDuckMs: 5_000,
    drainMs: 30_000,
    fork: () => {
      const worker = new FakeWorker(workers.length + 1);
      workers.push(worker);
      return worker;
    },
    reclaim: (epochIds, stopping) => {
      reclaimed.push(...epochIds);
      return reclaim(epochIds, stopping);
    },
    onDeath: ({ how, reason }) => deaths.push(reason ?? how),
    onFault: (fault) => {
      throw new Error('the supervisor failed', { cause: fault });
    },
    addUp: (departed, last) => Promise.resolve([...departed, ...last]),
  });
}

function workerAt(index: number): FakeWorker {
  const found = workers[index];
  if (found === undefined) throw new Error(`there is no worker ${index}`);
  return found;
}

/** Two workers that have served for so long that a death is no trouble. */
async function steady(): Promise<Supervisor> {
  const supervisor = supervise(2);
  const started = supervisor.start();
  workerAt(0).serve();
  workerAt(1).serve();
  await started;
  await vi.advanceTimersByTimeAsync(60_000);
  return supervisor;
}

test('the supervisor has started once all workers serve, and each has had its orders', async () => {
  const supervisor = supervise(2);
  const onStarted = vi.fn<() => void>();
  const started = supervisor.start().then(onStarted);
  workerAt(0).serve();
  await vi.advanceTimersByTimeAsync(0);
  expect(onStarted).not.toHaveBeenCalled();
  workerAt(1).serve();
  await started;
  expect(workers.map(({ told }) => told)).toEqual([
    [{ kind: 'begin', version: '1.2.3', orders: 'orders' }],
    [{ kind: 'begin', version: '1.2.3', orders: 'orders' }],
  ]);
});

test('a worker that takes too long to start is killed for that reason, and each after it has twice as long', async () => {
  const supervisor = supervise(1);
  const onFailed = vi.fn<() => void>();
  supervisor.failed.then(onFailed, onFailed);
  const started = supervisor.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(deaths).toEqual([
    'it did not serve within 60 s (it had no epoch in the database yet), so it was killed; the next one has 120 s',
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  workerAt(1).say({ kind: 'epoch', epochId: 7n });
  await vi.advanceTimersByTimeAsync(118_000);
  expect(deaths).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(deaths[1]).toContain('within 120 s (it had begun its epoch), so it was killed; the next one has 240 s');
  await vi.advanceTimersByTimeAsync(200_000);
  workerAt(2).serve();
  await started;
  expect(onFailed).not.toHaveBeenCalled();
  workerAt(2).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(66_000);
  expect(deaths.at(-1)).toContain('within 60 s');
});

test('workers that take too long together are one failed start, and five of those end the program', async () => {
  const supervisor = supervise(6);
  const onFailed = vi.fn<() => void>();
  supervisor.failed.then(onFailed, onFailed);
  supervisor.start().catch(() => undefined);
  await vi.advanceTimersByTimeAsync((60 + 120 + 240 + 480) * 1_000 + 60_000);
  expect(deaths).toHaveLength(4 * 6);
  expect(onFailed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(await supervisor.failed).toContain('5 times in a row; the last one: it did not serve within 600 s');
});

test('changed orders reach the workers that serve or start, and those that come later begin with them', async () => {
  const supervisor = await steady();
  workerAt(0).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  supervisor.change({ orders: 'others', lameDuckMs: 0, drainMs: 1 });
  workerAt(1).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(60_000);
  const begun = { kind: 'begin', version: '1.2.3', orders: 'orders' };
  const changed = { kind: 'change', orders: 'others' };
  expect(workers.slice(1).map(({ told }) => told)).toEqual([
    [begun, changed],
    [begun, changed],
    [{ kind: 'begin', version: '1.2.3', orders: 'others' }],
  ]);
});

test('a worker that says at the first start why it cannot ends the program with that', async () => {
  const supervisor = supervise(2);
  supervisor.start().catch(() => undefined);
  workerAt(0).say({ kind: 'failed', reason: 'the port is taken', isDatabaseAway: false });
  workerAt(0).end('code 1');
  expect(await supervisor.failed).toBe('the port is taken');
});

test('a dead worker is replaced immediately, and all its epochs are taken back', async () => {
  await steady();
  workerAt(0).say({ kind: 'epoch', epochId: 100n });
  workerAt(0).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  expect(reclaimed).toEqual([1n, 100n]);
  expect(deaths).toEqual(['SIGKILL']);
  expect(workers).toHaveLength(3);
});

test('workers that die young are replaced after pauses that grow up to five seconds', async () => {
  await steady();
  const pauses: number[] = [];
  for (let index = 1; index <= 10; index++) {
    const next = workers.length;
    workerAt(next - 1).end('code 1');
    let pausedMs = 0;
    while (workers.length === next) {
      await vi.advanceTimersByTimeAsync(pausedMs === 0 ? 0 : 100);
      pausedMs += workers.length === next ? 100 : 0;
    }
    pauses.push(pausedMs);
    workerAt(next).serve();
  }
  expect(pauses.slice(0, 4)).toEqual([0, 0, 100, 200]);
  expect(pauses.at(-1)).toBe(5_000);
});

/** The worker that started last says why it can't serve, and ends; by then its successor has started. */
async function failLast(reason: string, isDatabaseAway: boolean): Promise<void> {
  const last = workerAt(workers.length - 1);
  last.say({ kind: 'failed', reason, isDatabaseAway });
  last.end('code 1');
  await vi.advanceTimersByTimeAsync(5_000);
}

test('starts that come to nothing again and again while nobody serves end the program with one line', async () => {
  const supervisor = await steady();
  workerAt(0).end('SIGKILL');
  workerAt(1).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  for (let count = 1; count <= 5; count++) await failLast('no memory', false);
  expect(await supervisor.failed).toBe('workers end before they serve, 5 times in a row; the last one: no memory');
});

test('as long as one worker serves, no failing start of another ends the program, and it is tried again', async () => {
  const supervisor = await steady();
  const onFailed = vi.fn<() => void>();
  supervisor.failed.then(onFailed, onFailed);
  workerAt(0).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  for (let count = 1; count <= 20; count++) await failLast('no memory', false);
  expect(onFailed).not.toHaveBeenCalled();
  expect(workers).toHaveLength(2 + 1 + 20);
  workerAt(workers.length - 1).serve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(workers).toHaveLength(2 + 1 + 20);
});

test('starts that fail while the database is away never end the program, even if nobody serves', async () => {
  const supervisor = await steady();
  const onFailed = vi.fn<() => void>();
  supervisor.failed.then(onFailed, onFailed);
  workerAt(0).end('SIGKILL');
  workerAt(1).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  for (let count = 1; count <= 20; count++) await failLast('the database is away', true);
  expect(onFailed).not.toHaveBeenCalled();
  expect(workers.length).toBeGreaterThan(20);
});

test('a rolling restart lets each worker go only once its replacement serves', async () => {
  const supervisor = await steady();
  expect(supervisor.restart()).toEqual({ running: true, workers: 2, replaced: 0, problem: null });
  for (const index of [0, 1]) {
    const successor = workerAt(2 + index);
    expect(workerAt(index).told).toHaveLength(1);
    successor.serve();
    await vi.advanceTimersByTimeAsync(0);
    expect(workerAt(index).told.at(-1)).toEqual({ kind: 'hand over' });
    expect(supervisor.restart()).toMatchObject({ running: true, replaced: index });
    workerAt(index).end('code 0');
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(supervisor.restartProgress).toEqual({ running: false, workers: 2, replaced: 2, problem: null });
  expect(workers).toHaveLength(4);
  expect(deaths).toEqual([]);
  expect(reclaimed).toEqual([1n, 2n]);
});

test('a rolling restart whose new worker cannot serve is given up, and the old workers stay', async () => {
  const supervisor = await steady();
  supervisor.restart();
  workerAt(2).say({ kind: 'failed', reason: 'the config is gone', isDatabaseAway: false });
  workerAt(2).end('code 1');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(supervisor.restartProgress).toEqual({
    running: false,
    workers: 2,
    replaced: 0,
    problem: 'a new worker failed to start, so the old ones continue: the config is gone',
  });
  expect(workers).toHaveLength(3);
  expect([workerAt(0), workerAt(1)].map(({ told }) => told.length)).toEqual([1, 1]);
});

test('a worker that dies while it is to be replaced is replaced once', async () => {
  const supervisor = await steady();
  supervisor.restart();
  workerAt(0).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  workerAt(2).serve();
  await vi.advanceTimersByTimeAsync(0);
  workerAt(3).serve();
  workerAt(1).end('code 0');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(supervisor.restartProgress).toMatchObject({ running: false, replaced: 2, problem: null });
  expect(workers).toHaveLength(4);
});

test('a stop tells all workers, kills those that take too long, and starts no more', async () => {
  const supervisor = await steady();
  const stopped = supervisor.stop(null);
  expect(workers.map(({ told }) => told.at(-1))).toEqual([{ kind: 'stop' }, { kind: 'stop' }]);
  workerAt(0).end('code 0');
  await vi.advanceTimersByTimeAsync(60_000);
  await stopped;
  expect(workers).toHaveLength(2);
  expect(reclaimed).toEqual([1n, 2n]);
  expect(deaths).toEqual([]);
});

test('a stop that is to be noticed has all workers retire, kills those that take too long, and can be hurried', async () => {
  const supervisor = await steady();
  const { promise: hurried, resolve: hurry } = Promise.withResolvers<void>();
  const stopped = supervisor.stop(hurried);
  expect(workers.map(({ told }) => told.at(-1))).toEqual([{ kind: 'retire' }, { kind: 'retire' }]);
  await vi.advanceTimersByTimeAsync(44_000);
  expect(workers.map(({ told }) => told.at(-1))).toEqual([{ kind: 'retire' }, { kind: 'retire' }]);
  hurry();
  await vi.advanceTimersByTimeAsync(0);
  expect(workers.map(({ told }) => told.at(-1))).toEqual([{ kind: 'stop' }, { kind: 'stop' }]);
  workerAt(0).end('code 0');
  await vi.advanceTimersByTimeAsync(1_000);
  await stopped;
  expect(workers).toHaveLength(2);
  expect(deaths).toEqual([]);
});

test('a worker that retires has its lame duck, its drain and ten seconds to settle before it is killed', async () => {
  const supervisor = await steady();
  const stopped = supervisor.stop(new Promise(() => undefined));
  const kill = vi.spyOn(FakeWorker.prototype, 'kill');
  await vi.advanceTimersByTimeAsync(44_900);
  expect(kill).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  await stopped;
  expect(kill).toHaveBeenCalledTimes(2);
});

test('the numbers of a worker that is leaving still count', async () => {
  const supervisor = await steady();
  workerAt(0).say({ kind: 'measured', id: 0, metrics: [{ count: 5 }] });
  supervisor.restart();
  workerAt(2).serve();
  await vi.advanceTimersByTimeAsync(0);
  expect(workerAt(0).told.at(-1)).toEqual({ kind: 'hand over' });
  const measured = supervisor.metrics();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await measured).toContainEqual([{ count: 5 }]);
});

test('what cannot be taken back of a dead worker is told that the program stops, and does not keep it', async () => {
  const supervisor = await steady();
  reclaim = (_epochIds, stopping) =>
    new Promise((resolve) => {
      if (stopping.aborted) resolve();
      stopping.addEventListener('abort', () => resolve());
    });
  workerAt(0).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  const onStopped = vi.fn<() => void>();
  supervisor.stop(null).then(onStopped, onStopped);
  workerAt(1).end('code 0');
  workerAt(2).end('code 0');
  await vi.advanceTimersByTimeAsync(0);
  expect(onStopped).toHaveBeenCalledOnce();
});

test('the health of an instance is that of the workers that answer within a second, and says how many serve', async () => {
  const supervisor = await steady();
  const reported = supervisor.health();
  const asked = workerAt(1).told.at(-1);
  if (asked?.kind !== 'examine') throw new Error('it was not asked');
  const health = { windowMs: 60_000, providers: [] };
  workerAt(1).say({ kind: 'examined', id: asked.id, health });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await reported).toEqual({ processes: 2, reports: [health] });

  const ofDying = supervisor.health();
  workerAt(0).end('SIGKILL');
  workerAt(1).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  expect(await ofDying).toEqual({ processes: 2, reports: [] });
});

test('the numbers of workers that are gone are kept, and those of one that hangs are its last', async () => {
  const supervisor = await steady();
  const measure = async (counts: Readonly<Record<number, number>>): Promise<readonly MetricsSnapshot[]> => {
    const measured = supervisor.metrics();
    for (const [index, count] of Object.entries(counts)) {
      const asked = workerAt(Number(index)).told.at(-1);
      if (asked?.kind !== 'measure') throw new Error('it was not asked');
      workerAt(Number(index)).say({ kind: 'measured', id: asked.id, metrics: [{ count }] });
    }
    await vi.advanceTimersByTimeAsync(1_000);
    return await measured;
  };
  expect(await measure({ 0: 5, 1: 7 })).toEqual([[], [{ count: 5 }], [{ count: 7 }]]);
  workerAt(0).end('SIGKILL');
  await vi.advanceTimersByTimeAsync(0);
  workerAt(2).serve();
  expect(await measure({ 2: 1 })).toEqual([[{ count: 5 }], [{ count: 7 }], [{ count: 1 }]]);
});
