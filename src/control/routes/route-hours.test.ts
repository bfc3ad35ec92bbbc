import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { operatorScope } from '../../../test/support/scopes.ts';
import { noAttempts, type RouteCounts } from './route-counts.ts';
import { addRouteCounts, pruneRouteHours, readRouteDay } from './route-hours.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

function counts(model: string, more: Partial<RouteCounts> = {}): RouteCounts {
  return { model, provider: 'main', upstreamModel: 'vendor', ...noAttempts(), ...more };
}

async function dayOf(model: string) {
  const { routes } = await readRouteDay(db.control, operatorScope());
  return routes.filter((route) => route.model === model);
}

const inClass = (at: number, count: number): number[] => noAttempts().whole.map((_, n) => (n === at ? count : 0));

test('counts of many processes that are stored in the same moment add up, and none waits for another for ever', async () => {
  const models = ['one', 'two', 'three'];
  const fault = (n: number) => ({ atMs: 1_000 * n, kind: 'failed', status: 500, requestId: randomUUID() });
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const all = (n % 2 === 0 ? models : models.toReversed()).map((model) =>
        counts(model, {
          answered: 2,
          rejected: 1,
          abandoned: 3,
          faults: new Map([
            ['failed', 1],
            [n % 2 === 0 ? 'timeout' : 'broken', 1],
          ]),
          firstEvent: inClass(3, 2),
          whole: inClass(5, n),
          answeredAtMs: n,
          fault: fault(n),
        }),
      );
      return addRouteCounts(db.control, all);
    }),
  );
  for (const model of models) {
    expect(await dayOf(model)).toMatchObject([
      {
        answered: 40,
        rejected: 20,
        abandoned: 60,
        faults: new Map([
          ['failed', 20],
          ['timeout', 10],
          ['broken', 10],
        ]),
        firstEvent: inClass(3, 40),
        whole: inClass(5, 190),
        answeredAtMs: 19,
        fault: { atMs: 19_000, kind: 'failed', status: 500 },
      },
    ]);
  }
});

test('the last fault stays the last one while others add answers alone', async () => {
  const fault = { atMs: 5_000, kind: 'overloaded', status: 529, requestId: randomUUID() };
  await addRouteCounts(db.control, [counts('kept', { answered: 1 })]);
  await addRouteCounts(db.control, [counts('kept', { fault, faults: new Map([['overloaded', 1]]) })]);
  await addRouteCounts(db.control, [counts('kept', { answered: 1 })]);
  expect(await dayOf('kept')).toMatchObject([{ answered: 2, fault }]);
});

test('a day has this hour and the 23 before it, and older counts are neither summed nor kept', async () => {
  for (const hoursAgo of [30, 24, 23, 1, 0]) {
    await addRouteCounts(db.control, [counts('aged', { answered: 1 })]);
    await db.database.query(
      `update route_hours set hour = hour - $1 * interval '1 hour' where model = 'aged' and hour > now() - interval '1 hour'`,
      [hoursAgo],
    );
  }
  const kept = async (): Promise<number> => {
    const [row] = await db.database.query<{ rows: number }>(
      "select count(*)::int as rows from route_hours where model = 'aged'",
    );
    return row?.rows ?? 0;
  };
  expect(await dayOf('aged')).toMatchObject([{ answered: 3 }]);
  expect(await kept()).toBe(5);
  await pruneRouteHours(db.control);
  expect(await kept()).toBe(3);
});
