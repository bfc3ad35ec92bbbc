import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { migrate } from './migrate.ts';
import { PostgresPurseStore } from './purse-store.ts';
import { mixProblem, processName, runningProcesses } from './running-versions.ts';

let fresh: TestDatabase;
beforeEach(async () => void (fresh = await startTestDatabase()));
afterEach(() => fresh.stop());

/** A process of this version that has just begun to serve. */
const begin = (instanceId: string, name: string): Promise<bigint> =>
  new PostgresPurseStore(fresh.database).beginEpoch(instanceId, name, 30_000);
const RELEASE = { migrations: [], functions: [] };

test('versions that serve are known by processes that neither ended nor fell silent, of other instances', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  await begin(own, processName('0.1.0', 1));
  await begin(other, processName('0.3.0-dev', 2));
  await begin(other, 'a test');
  const fenced = await begin(other, processName('0.1.1', 3));
  await new PostgresPurseStore(fresh.database).fence(fenced);
  const silent = await begin(other, processName('0.1.2', 4));
  await fresh.database.query(`update epochs set heartbeat_at = now() - interval '31 s' where id = $1`, [silent]);
  expect(await runningProcesses(fresh.database, own)).toEqual([{ version: '0.3.0-dev', instanceId: other }]);
  expect(await runningProcesses(fresh.database, null)).toHaveLength(2);
});

test('versions too old to serve beside the program keep it from upgrading the schema, with what to do', () => {
  const program = { version: '0.4.0', releases: [{ version: '0.3.0', ...RELEASE }] };
  const running = (version: string) => [{ version, instanceId: 'i-1' }];
  expect(mixProblem([...running('0.3.0'), ...running('0.3.2'), ...running('0.4.0')], program)).toBeNull();
  expect(mixProblem(running('0.2.9'), program)).toMatch(
    /^Faregate 0\.2\.9 serves .*instance i-1.* 0\.4\.0 can't .*upgrade all instances to 0\.3\.0 first.*nothing was changed$/,
  );
  expect(mixProblem(running('0.3.9'), { version: '0.4.0', releases: [] })).toMatch(
    /versions before 0\.4\.0: stop all instances, then start this one/,
  );
});

test('a schema is not upgraded while a version serves that can’t serve beside the program', async () => {
  const { database } = fresh;
  await begin(randomUUID(), processName('0.0.9', 5));
  await database.query('delete from schema_programs');
  await expect(migrate(database)).rejects.toThrow(/Faregate 0\.0\.9 serves on this database/);
  expect(await database.query('select from schema_programs')).toEqual([]);
});
