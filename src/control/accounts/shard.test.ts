import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardOf } from '../../domain/key.ts';
import { openAccount, openKey } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { claimShard, readShard, ShardFault } from './shard.ts';

const databases: TestDatabase[] = [];
let unclaimed: TestDatabase;
let former: TestDatabase;
beforeAll(async () => {
  unclaimed = await startTestDatabase();
  databases.push(unclaimed);
  former = await startTestDatabase();
  databases.push(former);
});
afterAll(async () => {
  for (const { stop } of databases) await stop();
});

test('an empty database gets the shard of the first start, whose keys have it; another one is refused from then on', async () => {
  const sql = unclaimed.database;
  expect(await readShard(sql)).toBe('00');
  // Two that start together.
  const starts = await Promise.allSettled([claimShard(sql, '7z'), claimShard(sql, '7z')]);
  expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  await expect(claimShard(sql, '00')).rejects.toThrow(
    new ShardFault(
      "the database's keys begin with the shard 7z, and database.shard is 00: write 7z there, or name another database",
    ),
  );
  const { key, project } = await openAccount(sql);
  expect(shardOf(key.key)).toBe('7z');
  expect(shardOf((await openKey(sql, project)).key)).toBe('7z');
  await claimShard(sql, '7z');
});

test('a database with keys from before there were shards has the first one, whatever a start says', async () => {
  const sql = former.database;
  await openAccount(sql);
  await expect(claimShard(sql, '01')).rejects.toBeInstanceOf(ShardFault);
  await claimShard(sql, '00');
  expect(await readShard(sql)).toBe('00');
});
