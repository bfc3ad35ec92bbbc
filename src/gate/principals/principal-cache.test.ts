import { EVENT_LOOP } from '../turns/stages.ts';
import { hash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { type Account, openAccount, changeProject, endKey } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { composeKey } from '../../domain/key.ts';
import { SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type Sql } from '../../lib/sql.ts';
import { ChangeFeed } from './changes.ts';
import { makeKeySecret } from '../../control/accounts/key-secret.ts';
import { type LookUp, PrincipalCache } from './principal-cache.ts';
import { findPrincipals } from './principals.ts';
import { locateKey } from '../../control/accounts/references.ts';

let testDatabase: TestDatabase;
let sql: Sql;
let feed: ChangeFeed;
let cache: PrincipalCache;
/** Created before the feed begins, so that no change reports it. */
let account: Account;
/** Between the cache and the database: counts reads, can cut the connection, and can delay results. */
let link: { lookUps: number; keys: number; running: number; most: number; away: boolean; held: Promise<void> };

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

beforeEach(async () => {
  account = await openAccount(sql);
  const clock = new SystemClock();
  feed = new ChangeFeed(sql, clock, (error) => {
    throw error;
  });
  link = { lookUps: 0, keys: 0, running: 0, most: 0, away: false, held: Promise.resolve() };
  const lookUp: LookUp = async (secrets) => {
    link.lookUps++;
    link.keys += secrets.length;
    link.running++;
    link.most = Math.max(link.most, link.running);
    try {
      if (link.away) throw new DatabaseUnavailable('away');
      const principals = await findPrincipals(sql, secrets);
      await link.held;
      return principals;
    } finally {
      link.running--;
    }
  };
  cache = new PrincipalCache({ lookUp, clock, turns: EVENT_LOOP, feed });
  await feed.start();
});
afterEach(() => feed.stop());

test('a principal cache looks a key up once for all concurrent requests, and then answers synchronously', async () => {
  const { key } = account;
  const answers = await Promise.all(Array.from({ length: 50 }, async () => cache.find(key.key)));
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatchObject({ keyId: key.id });
  expect(link.lookUps).toBe(1);
  expect(cache.find(key.key)).toBe(answers[0]);
});

test('a principal cache drops a revoked key', async () => {
  const { key } = await openAccount(sql);
  await cache.find(key.key);
  await endKey(sql, key);
  await eventually(async () => expect(await cache.find(key.key)).toBeNull());
});

test('a principal cache reloads a changed project', async () => {
  const { key, project } = await openAccount(sql);
  await cache.find(key.key);
  await changeProject(sql, project, { concurrency: 9 });
  const changed = { rateLimits: { concurrency: 9 } };
  await eventually(async () => expect(await cache.find(key.key)).toMatchObject(changed));
});

test('a principal cache does not keep a look-up that a change overtook', async () => {
  const { key } = await openAccount(sql);
  let release = (): void => {};
  link.held = new Promise((resolve) => (release = resolve));
  const finding = cache.find(key.key);
  await eventually(() => expect(link.lookUps).toBe(1));
  const { generation } = feed;
  await endKey(sql, key);
  await eventually(() => expect(feed.generation).toBeGreaterThan(generation));
  release();
  expect(await finding).toBeNull();
});

test('a principal cache refuses a malformed key by its characters, whatever the state of the database', () => {
  link.away = true;
  const { key } = makeKeySecret('00');
  const other = key.endsWith('0') ? '1' : '0';
  expect(cache.find('fg_live_nonsense')).toBe('malformed');
  expect(cache.find(`${key.slice(0, -1)}${other}`)).toBe('mistyped');
  expect(cache.find(composeKey(`zz${'A'.repeat(12)}`, 'b'.repeat(33)))).toBe('foreign');
  expect(link.lookUps).toBe(0);
});

test('a principal cache finds a key that was made before keys had a shard', async () => {
  const { key } = await openAccount(sql);
  const former = composeKey('Abcdefghijkl', 'b'.repeat(33));
  await sql.query('update keys set public_id = $2, secret_sha256 = $3 where id = $1', [
    key.id,
    'Abcdefghijkl',
    hash('sha256', former, 'buffer'),
  ]);
  expect(await cache.find(former)).toMatchObject({ keyId: key.id });
  expect(await locateKey(sql, former)).toMatchObject({ id: key.id });
});

test('a principal cache looks an unknown key up once a second', async () => {
  const { key } = makeKeySecret('00');
  expect(await cache.find(key)).toBeNull();
  expect(cache.find(key)).toBeNull();
  expect(link.lookUps).toBe(1);
  await eventually(() => expect(cache.find(key)).not.toBeNull());
  // It looks the key up again, and the database must not be cut off before the result has arrived.
  expect(await cache.find(key)).toBeNull();
});

test('a principal cache looks up keys that arrive together in one batch, and runs one look-up at a time', async () => {
  const { key } = account;
  const unknown = Array.from({ length: 300 }, () => makeKeySecret('00').key);
  const asked = [...unknown.slice(0, 150), key.key, ...unknown.slice(150)];
  const answers = await Promise.all(asked.map(async (one) => cache.find(one)));
  const found = answers.flatMap((principal, index) => (principal === null ? [] : [{ index, principal }]));
  expect(found).toMatchObject([{ index: 150, principal: { keyId: key.id } }]);
  expect(link).toMatchObject({ lookUps: 2, keys: 301, most: 1 });
});

test('a principal cache batches the keys that arrive during a look-up into the next one', async () => {
  let release = (): void => {};
  link.held = new Promise((resolve) => (release = resolve));
  const first = cache.find(makeKeySecret('00').key);
  await eventually(() => expect(link.lookUps).toBe(1));
  const others = Array.from({ length: 20 }, async () => cache.find(makeKeySecret('00').key));
  release();
  await Promise.all([first, ...others]);
  expect(link).toMatchObject({ lookUps: 2, keys: 21 });
});

test('a principal cache bounds its queue', async () => {
  const keys = Array.from({ length: 1_100 }, () => makeKeySecret('00').key);
  const answers = await Promise.allSettled(keys.map(async (key) => cache.find(key)));
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(100);
  expect(refused[0]).toMatchObject({ reason: expect.any(DatabaseUnavailable) });
});

test('a principal cache without a database fails for keys that aren’t cached, and serves those that are', async () => {
  const [known, unknown] = [await openAccount(sql), await openAccount(sql)];
  const principal = await cache.find(known.key.key);
  link.away = true;
  await expect(cache.find(unknown.key.key)).rejects.toThrow(DatabaseUnavailable);
  expect(cache.find(known.key.key)).toBe(principal);
  link.away = false;
  expect(await cache.find(unknown.key.key)).toMatchObject({ keyId: unknown.key.id });
});
