import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { operatorScope } from '../../../test/support/scopes.ts';
import { pruneCreations, reserveCreation } from './once.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
});
afterAll(() => testDatabase.stop());

test('the name of a creation stands for it for 24 hours, and is free then', async () => {
  const sql = testDatabase.database;
  const ids = [randomUUID(), randomUUID()] as const;
  const reserve = (once: string) =>
    reserveCreation(sql, operatorScope(), { kind: 'workspace', id: randomUUID(), once, request: {} });
  for (const [index, hours] of [23, 25].entries()) {
    const id = ids[index] ?? '';
    await reserveCreation(sql, operatorScope(), { kind: 'workspace', id, once: id, request: {} });
    await sql.query('update creations set created_at = now() - make_interval(hours => $2) where target_id = $1', [
      id,
      hours,
    ]);
  }
  await pruneCreations(sql);
  expect([await reserve(ids[0]), await reserve(ids[1])]).toEqual([ids[0], null]);
});
