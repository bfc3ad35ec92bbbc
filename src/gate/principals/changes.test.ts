import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Clock, SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type Sql, type SqlRunner } from '../../lib/sql.ts';
import { ChangeFeed, pruneChanges, type Change } from './changes.ts';

let testDatabase: TestDatabase;
let sql: Sql;
const running: ChangeFeed[] = [];

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterEach(async () => {
  for (const feed of running.splice(0)) await feed.stop();
});
afterAll(() => testDatabase.stop());

interface Heard {
  readonly feed: ChangeFeed;
  readonly changes: Change[];
  readonly faults: unknown[];
  resets: number;
}

async function listen(runner: SqlRunner = sql, clock: Clock = new SystemClock()): Promise<Heard> {
  const faults: unknown[] = [];
  const feed = new ChangeFeed(runner, clock, (error) => faults.push(error));
  running.push(feed);
  const heard: Heard = { feed, changes: [], faults, resets: 0 };
  feed.subscribe(
    (change) => heard.changes.push(change),
    () => heard.resets++,
  );
  await feed.start();
  return heard;
}

const subjects = ({ changes }: Heard): string[] => changes.map(({ subjectId }) => subjectId);

async function recordChange(runner: SqlRunner, kind: Change['kind'], subjectId: string): Promise<void> {
  await runner.query('insert into changes (kind, subject_id) values ($1, $2)', [kind, subjectId]);
}

/** A connection between a feed and its database that can be cut. */
function cuttable(): { runner: SqlRunner; away: boolean } {
  const gate = {
    away: false,
    runner: {
      query: <Row extends object>(...query: Parameters<SqlRunner['query']>) =>
        gate.away ? Promise.reject(new DatabaseUnavailable('away')) : sql.query<Row>(...query),
    },
  };
  return gate;
}

test('a change feed reports each commit once and increases its generation', async () => {
  await recordChange(sql, 'key', 'before the start');
  const heard = await listen();
  const { generation } = heard.feed;
  await recordChange(sql, 'key', 'one');
  await eventually(() => expect(subjects(heard)).toEqual(['one']));
  expect(heard.feed.generation).toBe(generation + 1);
  await recordChange(sql, 'project', 'two');
  await eventually(() => expect(heard.changes.at(-1)).toEqual({ kind: 'project', subjectId: 'two' }));
  expect(subjects(heard)).toEqual(['one', 'two']);
  expect(heard.resets).toBe(0);
});

test('a change feed reports a change whose transaction commits after younger ones were reported', async () => {
  const heard = await listen();
  await sql.transaction(async (tx) => {
    await recordChange(tx, 'key', 'slow');
    await recordChange(sql, 'key', 'fast');
    await eventually(() => expect(subjects(heard)).toEqual(['fast']));
    await recordChange(sql, 'key', 'faster');
    await eventually(() => expect(subjects(heard)).toEqual(['fast', 'faster']));
  });
  await eventually(() => expect(subjects(heard)).toEqual(['fast', 'faster', 'slow']));
});

test('a change feed reports nothing twice while an older writer holds the horizon back', async () => {
  const heard = await listen();
  await sql.transaction(async (tx) => {
    await tx.query('select pg_current_xact_id()');
    await recordChange(sql, 'purse', 'one');
    await eventually(() => expect(subjects(heard)).toEqual(['one']));
    const { generation, lastSuccessMs } = heard.feed;
    await eventually(() => expect(heard.feed.lastSuccessMs).toBeGreaterThan(lastSuccessMs + 600));
    expect(heard.feed.generation).toBe(generation);
  });
  expect(subjects(heard)).toEqual(['one']);
});

test('a change feed survives an unreachable database, and then reports what it missed', async () => {
  const gate = cuttable();
  const heard = await listen(gate.runner);
  gate.away = true;
  await eventually(() => expect(heard.faults.length).toBeGreaterThan(1));
  const { lastSuccessMs } = heard.feed;
  expect(heard.feed.hasFailed).toBe(true);
  await recordChange(sql, 'workspace', 'meanwhile');
  gate.away = false;
  await eventually(() => expect(subjects(heard)).toEqual(['meanwhile']));
  expect(heard.feed.lastSuccessMs).toBeGreaterThan(lastSuccessMs);
  expect(heard.feed.hasFailed).toBe(false);
  expect(heard.resets).toBe(0);
});

test('a change feed resets its listeners after a gap in which rows may have been pruned', async () => {
  let skippedMs = 0;
  const clock = new (class extends SystemClock {
    override monotonicMs(): number {
      return super.monotonicMs() + skippedMs;
    }
  })();
  const heard = await listen(sql, clock);
  const { generation } = heard.feed;
  skippedMs = 31 * 60_000;
  await eventually(() => expect(heard.resets).toBe(1));
  expect(heard.feed.generation).toBeGreaterThan(generation);
});

test('a change feed continues when a listener fails', async () => {
  const heard = await listen();
  heard.feed.subscribe(() => {
    throw new Error('listener');
  });
  await recordChange(sql, 'key', 'one');
  await eventually(() => expect(heard.faults).toHaveLength(1));
  await recordChange(sql, 'key', 'two');
  await eventually(() => expect(subjects(heard)).toEqual(['one', 'two']));
});

test('a change feed does not start on an unreachable database', async () => {
  const gate = cuttable();
  gate.away = true;
  await expect(listen(gate.runner)).rejects.toThrow(DatabaseUnavailable);
});

interface Read {
  readonly timeline: string;
  readonly horizon: number;
  readonly ids?: readonly number[];
}

/** A feed with these reads, a quarter of a second apart; its machine has slept for this long after the first. */
async function reading(reads: readonly Read[], sleptMs = 0): Promise<Heard> {
  let skippedMs = 0;
  const clock = new (class extends ManualClock {
    override monotonicMs(): number {
      return super.monotonicMs() + skippedMs;
    }
  })();
  const left = [...reads];
  const runner = {
    query: (text: string) => {
      const { timeline, horizon, ids = [] } = left[0] ?? reads.at(-1)!;
      const state = { horizon: String(horizon), timeline };
      const isLook = text.includes('hasChanges');
      if (!isLook || ids.length === 0) left.shift();
      if (isLook) return Promise.resolve([{ ...state, hasChanges: ids.length > 0 }]);
      return Promise.resolve(ids.map((id) => ({ ...state, id: BigInt(id), kind: 'key', subject_id: `key ${id}` })));
    },
  };
  const heard = await listen(runner as unknown as SqlRunner, clock);
  skippedMs = sleptMs;
  for (let read = 1; read < reads.length; read++) await clock.advance(250);
  return heard;
}

test('a server that takes over may lack changes or have others, so listeners are reset', async () => {
  const former = { timeline: '00000001', horizon: 100 };
  for (const later of [
    { timeline: '00000002', horizon: 100 },
    { timeline: '00000002', horizon: 200 },
    { timeline: '00000002', horizon: 50 },
    { timeline: '00000001', horizon: 99 },
  ]) {
    const heard = await reading([former, former, later, later]);
    expect(heard.resets).toBe(1);
    expect(heard.feed.timeline).toBe(later.timeline);
  }
  for (const horizon of [100, 101]) {
    expect((await reading([former, { ...former, horizon }])).resets).toBe(0);
  }
});

test('a change of a server that takes over is reported even if its id was reported before', async () => {
  const heard = await reading([
    { timeline: '00000001', horizon: 100 },
    { timeline: '00000001', horizon: 100, ids: [7] },
    { timeline: '00000001', horizon: 100, ids: [7, 8] },
    { timeline: '00000002', horizon: 100, ids: [7] },
  ]);
  expect(subjects(heard)).toEqual(['key 7', 'key 8', 'key 7']);
});

test('a stopped feed does not reset its listeners when a server takes over', async () => {
  let reads = 0;
  const clock = new ManualClock();
  const read = { horizon: '100', timeline: '00000001', id: null, kind: null, subject_id: null };
  const runner = { query: () => Promise.resolve([{ ...read, horizon: String(100 + ++reads) }]) };
  const { feed } = await listen(runner as unknown as SqlRunner, clock);
  await clock.advance(1_000);
  expect(reads).toBe(5);
  await feed.stop();
  await clock.advance(1_000);
  expect(reads).toBe(5);
});

test('a server that takes over resets listeners as a gap of more than half an hour does', async () => {
  const read = { timeline: '00000001', horizon: 100 };
  expect((await reading([read, read], 30 * 60_000 - 250)).resets).toBe(0);
  expect((await reading([read, read], 30 * 60_000 - 249)).resets).toBe(1);
});

test('pruning deletes changes that every feed has read, and nothing younger than an hour', async () => {
  await recordChange(sql, 'key', 'young');
  await sql.query(
    `insert into changes (kind, subject_id, changed_at) values ('key', 'old', now() - interval '61 minutes')`,
  );
  await pruneChanges(sql);
  const rows = await sql.query<{ subject_id: string }>(
    `select subject_id from changes where subject_id in ('young', 'old')`,
  );
  expect(rows).toEqual([{ subject_id: 'young' }]);
});
