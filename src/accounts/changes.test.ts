import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { SystemClock } from '../lib/clock.ts';
import { DatabaseUnavailable, type Sql, type SqlRunner } from '../lib/sql.ts';
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

async function listen(runner: SqlRunner = sql, clock = new SystemClock()): Promise<Heard> {
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

/** A gate that can be let fall between a feed and its database. */
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

describe('a change feed', () => {
  test('tells what is committed within a second, once, and moves its generation', async () => {
    await recordChange(sql, 'key', 'before the start');
    const heard = await listen();
    const { generation } = heard.feed;
    await recordChange(sql, 'key', 'one');
    await vi.waitFor(() => expect(subjects(heard)).toEqual(['one']), { timeout: 1_000 });
    expect(heard.feed.generation).toBe(generation + 1);
    await recordChange(sql, 'project', 'two');
    await vi.waitFor(() => expect(heard.changes.at(-1)).toEqual({ kind: 'project', subjectId: 'two' }));
    expect(subjects(heard)).toEqual(['one', 'two']);
    expect(heard.resets).toBe(0);
  });

  test('hears a change whose transaction commits after younger ones were heard', async () => {
    const heard = await listen();
    await sql.transaction(async (tx) => {
      await recordChange(tx, 'key', 'slow');
      await recordChange(sql, 'key', 'fast');
      await vi.waitFor(() => expect(subjects(heard)).toEqual(['fast']));
      await recordChange(sql, 'key', 'faster');
      await vi.waitFor(() => expect(subjects(heard)).toEqual(['fast', 'faster']));
    });
    await vi.waitFor(() => expect(subjects(heard)).toEqual(['fast', 'faster', 'slow']));
  });

  test('does not tell again what it has told, while an older writer keeps the horizon back', async () => {
    const heard = await listen();
    await sql.transaction(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      await recordChange(sql, 'purse', 'one');
      await vi.waitFor(() => expect(subjects(heard)).toEqual(['one']));
      const { generation, lastSuccessMs } = heard.feed;
      await vi.waitFor(() => expect(heard.feed.lastSuccessMs).toBeGreaterThan(lastSuccessMs + 600), { timeout: 3_000 });
      expect(heard.feed.generation).toBe(generation);
    });
    expect(subjects(heard)).toEqual(['one']);
  });

  test('survives a database that is away, and then tells what it missed', async () => {
    const gate = cuttable();
    const heard = await listen(gate.runner);
    gate.away = true;
    await vi.waitFor(() => expect(heard.faults.length).toBeGreaterThan(1));
    const { lastSuccessMs } = heard.feed;
    await recordChange(sql, 'workspace', 'meanwhile');
    gate.away = false;
    await vi.waitFor(() => expect(subjects(heard)).toEqual(['meanwhile']));
    expect(heard.feed.lastSuccessMs).toBeGreaterThan(lastSuccessMs);
    expect(heard.resets).toBe(0);
  });

  test('says that anything may have changed, after a silence in which rows may have been pruned', async () => {
    let skippedMs = 0;
    const clock = new (class extends SystemClock {
      override monotonicMs(): number {
        return super.monotonicMs() + skippedMs;
      }
    })();
    const heard = await listen(sql, clock);
    const { generation } = heard.feed;
    skippedMs = 31 * 60_000;
    await vi.waitFor(() => expect(heard.resets).toBe(1));
    expect(heard.feed.generation).toBeGreaterThan(generation);
  });

  test('goes on when a listener fails', async () => {
    const heard = await listen();
    heard.feed.subscribe(() => {
      throw new Error('listener');
    });
    await recordChange(sql, 'key', 'one');
    await vi.waitFor(() => expect(heard.faults).toHaveLength(1));
    await recordChange(sql, 'key', 'two');
    await vi.waitFor(() => expect(subjects(heard)).toEqual(['one', 'two']));
  });

  test('does not start on a database that is away', async () => {
    const gate = cuttable();
    gate.away = true;
    await expect(listen(gate.runner)).rejects.toThrow(DatabaseUnavailable);
  });
});

test('pruning takes what every feed has read, and nothing younger than an hour', async () => {
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
