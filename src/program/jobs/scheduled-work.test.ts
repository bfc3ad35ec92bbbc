import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { readWork } from '../../control/schedules/scheduled-work.ts';
import { workProblem } from '../../control/schedules/work-problems.ts';
import type { Sql } from '../../lib/sql.ts';
import { WorkFault } from '../../lib/work-fault.ts';
import { ScheduledWork, turnStart } from './scheduled-work.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAILY = { everyMs: DAY_MS, afterMs: 2 * HOUR_MS };

let testDatabase: TestDatabase;
let sql: Sql;
let clock: ManualClock;
let done: string[];
let faults: unknown[];
beforeEach(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
  clock = new ManualClock(Date.parse('2027-03-01T12:00:00Z'));
  [done, faults] = [[], []];
});
afterEach(() => testDatabase.stop());

type Work = ConstructorParameters<typeof ScheduledWork>[0]['work'];

/** What a process has of some work. */
function work(act: Work = () => Promise.resolve({}), more: { isReady?: () => Promise<boolean> } = {}): ScheduledWork {
  return new ScheduledWork({
    name: 'backup',
    sql,
    clock,
    turnAt: (nowMs) => turnStart(nowMs, DAILY),
    work: (turn) => {
      done.push(turn.toISOString());
      return act(turn);
    },
    onFault: (fault) => void faults.push(fault),
    ...more,
  });
}

const problem = async (): Promise<string | null> =>
  workProblem({ name: 'backup', everyMs: DAY_MS, sinceMs: clock.nowMs() }, await readWork(sql), clock.nowMs());

test.each([
  ['2027-03-01T01:59:59.999Z', DAILY, '2027-02-28T02:00:00.000Z'],
  ['2027-03-01T02:00:00.000Z', DAILY, '2027-03-01T02:00:00.000Z'],
  ['2027-03-01T05:59:00.000Z', { everyMs: 6 * HOUR_MS, afterMs: 0 }, '2027-03-01T00:00:00.000Z'],
])('at %s the turn of %o began at %s', (now, schedule, turn) => {
  expect(turnStart(Date.parse(now), schedule).toISOString()).toBe(turn);
});

test('scheduled work is done once in each of its turns, by one process of all, and its outcome is kept', async () => {
  await Promise.all(Array.from({ length: 4 }, () => work(() => Promise.resolve({ file: 'f' })).run()));
  await work().run();
  expect(done).toEqual(['2027-03-01T02:00:00.000Z']);
  expect(await readWork(sql)).toMatchObject([{ name: 'backup', outcome: { file: 'f' }, problem: null }]);
  await clock.advance(DAY_MS);
  await work().run();
  expect(done).toEqual(['2027-03-01T02:00:00.000Z', '2027-03-02T02:00:00.000Z']);
});

test('work that fails is reported with its reason until it succeeds, and left to other processes for a while', async () => {
  const failing = work(() => Promise.reject(new WorkFault('the folder /b is full')));
  await failing.run();
  await failing.run();
  expect([done.length, faults.length]).toEqual([1, 1]);
  expect(await problem()).toMatch(/^The scheduled backup failed at \S+: the folder \/b is full\./);
  await clock.advance(900_000);
  await failing.run();
  expect(done).toHaveLength(2);
  await work().run();
  expect([done.length, await problem()]).toEqual([3, null]);
});

test('work that could not begin is no failure, and is tried at the next look', async () => {
  const busy = work(() => Promise.resolve(done.length < 2 ? null : {}));
  await busy.run();
  expect(await problem()).toBeNull();
  await busy.run();
  await busy.run();
  expect(done).toHaveLength(2);
});

test('work whose process died is taken over two minutes later, and not before', async () => {
  const dying = Promise.withResolvers<null>();
  const dead = work(() => dying.promise).run();
  await expect.poll(() => done.length).toBe(1);
  await work().run();
  expect(done).toHaveLength(1);
  await sql.query(`update scheduled_work set held_until = now() - interval '1 second'`);
  await work().run();
  expect(done).toHaveLength(2);
  dying.resolve(null);
  await dead;
});

test('a process that works for long keeps its turn', async () => {
  const end = Promise.withResolvers<object>();
  const long = work(() => end.promise as Promise<Record<string, unknown>>);
  const running = long.run();
  await expect.poll(() => done.length).toBe(1);
  await sql.query(`update scheduled_work set held_until = now() - interval '1 second'`);
  await clock.advance(30_000);
  await expect
    .poll(async () => (await sql.query('select from scheduled_work where held_until > now()')).length)
    .toBe(1);
  await work().run();
  expect(done).toHaveLength(1);
  end.resolve({});
  await running;
});

test('after a clock that was a year ahead, the turns of the right time are done as before', async () => {
  const ahead = new ManualClock(clock.nowMs() + 365 * DAY_MS);
  const right = clock;
  clock = ahead;
  await work().run();
  clock = right;
  await work().run();
  expect(done).toEqual(['2028-02-29T02:00:00.000Z', '2027-03-01T02:00:00.000Z']);
});

test('work that was not done for two turns is a problem, though it has never failed', async () => {
  await work().run();
  const planned = { name: 'backup', everyMs: DAY_MS, sinceMs: 0 } as const;
  const states = await readWork(sql);
  const lastMs = states[0]?.succeededAt?.getTime() ?? 0;
  expect(workProblem(planned, states, lastMs + 2 * DAY_MS)).toBeNull();
  expect(workProblem(planned, states, lastMs + 2 * DAY_MS + 1)).toContain('was last done at');
  expect(workProblem({ ...planned, sinceMs: lastMs }, [], lastMs + 2 * DAY_MS + 1)).toContain('was never done');
});

test('work that is not ready takes no turn', async () => {
  await work(undefined, { isReady: () => Promise.resolve(false) }).run();
  expect([done, await readWork(sql)]).toEqual([[], []]);
});
