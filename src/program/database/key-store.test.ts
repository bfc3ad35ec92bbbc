import { hash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, drawAll, openAccount, openKey, openProject } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { makeKeySecret } from '../../control/accounts/key-secret.ts';
import { PERIODS, windowAt } from '../../domain/window.ts';
import {
  EpochFenced,
  type FirstDraw,
  type LookedUp,
  NO_STOCK,
  type PurseName,
} from '../../gate/purses/ports/database.ts';
import { PostgresKeyStore } from './key-store.ts';
import { PostgresPermitStore } from './permit-store.ts';
import { PostgresPurseStore } from './purse-store.ts';

// A look-up tells whose keys they are, and draws once, and only for keys that somebody has.

const CONNECTIONS = 8;
const LIMITS = { requestsPerMinute: 6_000, tokensPerMinute: 600_000, concurrency: 600 };

let db: TestDatabase;
let store: PostgresKeyStore;
let purses: PostgresPurseStore;
let account: Account;
let epoch: bigint;
let sequence = 0n;

beforeAll(async () => {
  db = await startTestDatabase({ connectionsMax: CONNECTIONS });
  store = new PostgresKeyStore(db.database);
  purses = new PostgresPurseStore(db.database);
});
afterAll(() => db.stop());

beforeEach(async () => {
  account = await openAccount(db.database, {
    credit: 8_000n,
    project: { ...LIMITS, budget: 80_000n, budgetPeriod: 'week', models: ['a', 'b'] },
    key: { models: ['b'], expiresAt: new Date(Date.now() + 60_000) },
  });
  epoch = await purses.beginEpoch(randomUUID(), 'test', 30_000);
});

const sha256 = (key: string): Buffer => hash('sha256', key, 'buffer');

function firstDraw(ahead = 100n, tokens = 50): FirstDraw {
  sequence += 1n;
  const windows = PERIODS.map((period) => windowAt(period, Date.now()));
  return { windows, sequence, ahead, permitSequence: Number(sequence), tokens };
}

function lookUp(keys: readonly string[], draw = firstDraw()): Promise<LookedUp> {
  return store.findAndDraw(epoch, keys.map(sha256), draw);
}

/** What a look-up changes, all together. */
async function rows(): Promise<unknown> {
  return await db.database.query(`
    select (select count(*) from purses) as purses, (select count(*) from leases) as leases,
      (select count(*) from rate_leases) as rate_leases, (select count(*) from rate_buckets) as rate_buckets,
      (select sum(leased_nano_usd) from purses) as leased`);
}

test('a key is told with all that its requests are judged by', async () => {
  const { principals } = await lookUp([account.key.key]);
  expect(principals).toEqual([
    {
      workspaceId: account.workspace.id,
      projectId: account.project.id,
      keyId: account.key.id,
      policies: [['a', 'b'], ['b']],
      expiresAtMs: account.key.expiresAt?.getTime(),
      rateLimits: LIMITS,
      budgetPeriod: 'week',
      memberLimitId: null,
      modelWhenSpent: null,
      movedTo: null,
      isPaused: false,
      servedLimits: null,
      served: null,
      reportsCost: false,
      isAllowedFrom: null,
      suspension: null,
    },
  ]);
  expect(await store.find([sha256(account.key.key)])).toEqual(principals);
});

test('a key is accepted from where both it and its workspace are', async () => {
  const { key, workspace } = await openAccount(db.database);
  const isAllowedFrom = async (...addresses: readonly string[]) => {
    const [principal] = (await lookUp([key.key])).principals;
    return addresses.map((address) => principal?.isAllowedFrom?.(address) ?? null);
  };
  expect(await isAllowedFrom('10.0.0.1')).toEqual([null]);
  await db.database.query(`update keys set allowed_networks = '{10.0.0.0/8,2001:db8::/32}' where id = $1`, [key.id]);
  expect(await isAllowedFrom('10.9.9.9', '::ffff:10.0.0.1', '2001:db8::1', '11.0.0.1', '')).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  await db.database.query(
    `insert into workspace_access (workspace_id, allowed_networks) values ($1, '{10.1.0.0/16}')`,
    [workspace.id],
  );
  expect(await isAllowedFrom('10.1.0.1', '10.2.0.1', '2001:db8::1')).toEqual([true, false, false]);
});

test('a key is told in its place among others, as often as it was asked for', async () => {
  const other = await openAccount(db.database);
  const nobody = makeKeySecret('00').key;
  const { principals } = await lookUp([nobody, other.key.key, account.key.key, nobody, other.key.key]);
  expect(principals.map((principal) => principal?.keyId)).toEqual([
    undefined,
    other.key.id,
    account.key.id,
    undefined,
    other.key.id,
  ]);
});

test('a first draw brings something of all three purses, each in its window, and of the project’s limits', async () => {
  const { leases, permits } = await lookUp([account.key.key]);
  expect(leases.get(account.workspace.id)).toMatchObject({ limit: 8_000n, granted: 100n, available: 7_900n });
  expect(leases.get(account.project.id)).toMatchObject({ limit: 80_000n, granted: 100n, mode: 'wet' });
  expect(leases.get(account.key.id)).toMatchObject({ limit: null, granted: 0n, open: true });
  const stock = { requests: 2, tokens: 100, slots: 2 };
  expect(permits.get(account.project.id)).toMatchObject({ limits: LIMITS, stock, shortages: [] });
  const windows = await db.database.query(
    'select kind, period, window_start as start from purses where workspace_id = $1 order by kind',
    [account.workspace.id],
  );
  expect(windows).toEqual([
    { kind: 'credit', period: 'never', start: new Date(0) },
    { kind: 'key', period: 'month', start: new Date(windowAt('month', Date.now()).startMs) },
    { kind: 'project', period: 'week', start: new Date(windowAt('week', Date.now()).startMs) },
  ]);
});

test('a first draw brings each key of a project a permit, and one to spare, and what they share once', async () => {
  const others = await Promise.all(
    [1, 2].map(async () => await openKey(db.database, account.project, { name: 'other' })),
  );
  const { leases, permits } = await lookUp([account.key.key, ...others.map(({ key }) => key)]);
  expect(leases.size).toBe(2 + 3);
  expect(permits.get(account.project.id)).toMatchObject({ stock: { requests: 4, tokens: 200, slots: 4 } });
});

test('a first draw of a project without limits brings no permits', async () => {
  const free = await openProject(db.database, account.workspace, { name: 'free' });
  const key = await openKey(db.database, free, { name: 'key' });
  expect((await lookUp([key.key])).permits.size).toBe(0);
});

test('a first draw that is sent again changes nothing, and tells the same', async () => {
  const draw = firstDraw();
  const first = await lookUp([account.key.key], draw);
  const before = await rows();
  const second = await lookUp([account.key.key], draw);
  expect(second.leases).toEqual(first.leases);
  expect(second.permits.get(account.project.id)?.stock).toEqual(first.permits.get(account.project.id)?.stock);
  expect(await rows()).toEqual(before);
});

test('a first draw takes no notice of what the epoch has already', async () => {
  await lookUp([account.key.key]);
  const before = await rows();
  const { principals, leases, permits } = await lookUp([account.key.key]);
  expect(principals[0]?.keyId).toBe(account.key.id);
  expect(leases.size).toBe(0);
  expect(permits.size).toBe(0);
  expect(await rows()).toEqual(before);
});

test('a first draw brings stock to a project whose stock has gone back', async () => {
  const permitStore = new PostgresPermitStore(db.database);
  const { workspaceId = '', projectId = '' } = (await lookUp([account.key.key])).principals[0] ?? {};
  sequence += 1n;
  const stock = { requests: 2, tokens: 100, slots: 2 };
  const back = { taken: 0, running: 0, stock, keep: NO_STOCK, returned: { requests: 0, tokens: 0 }, needs: [] };
  await permitStore.drawPermits(epoch, [
    { workspaceId, projectId, sequence: Number(sequence), ...back, target: NO_STOCK },
  ]);
  expect((await lookUp([account.key.key])).permits.get(projectId)).toMatchObject({ stock });
});

test('a first draw that comes behind another draw of its project brings nothing, though that found no limits', async () => {
  const { id: workspaceId } = account.workspace;
  const free = await openProject(db.database, account.workspace, { name: 'free' });
  const key = await openKey(db.database, free, { name: 'key' });
  const draw = firstDraw();
  const none = { taken: 0, running: 0, stock: NO_STOCK, keep: NO_STOCK, returned: { requests: 0, tokens: 0 } };
  const later = { ...none, workspaceId, projectId: free.id, sequence: draw.permitSequence + 1, needs: [] };
  await new PostgresPermitStore(db.database).drawPermits(epoch, [{ ...later, target: NO_STOCK }]);
  await db.database.query('update projects set concurrency = 40 where id = $1', [free.id]);
  expect((await lookUp([key.key], draw)).permits.size).toBe(0);
});

test('a first draw brings each project its own permits, whatever stock another project or another process has', async () => {
  const limits = { requestsPerMinute: 60, tokensPerMinute: 6_000, concurrency: 6 };
  const second = await openProject(db.database, account.workspace, { name: 'second', ...limits });
  const keys = [account.key.key, (await openKey(db.database, second, { name: 'key' })).key];
  await lookUp(keys.slice(0, 1));
  expect([...(await lookUp(keys)).permits.keys()]).toEqual([second.id]);
  epoch = await purses.beginEpoch(randomUUID(), 'test', 30_000);
  const { permits } = await lookUp(keys);
  expect(permits.get(account.project.id)?.limits).toEqual(LIMITS);
  expect(permits.get(second.id)?.limits).toEqual(limits);
});

test('a first draw for keys that nobody has changes nothing and waits for nothing', async () => {
  const before = await rows();
  await db.database.transaction(async (tx) => {
    await tx.query('select from epochs where id = $1 for update', [epoch]);
    const { principals } = await lookUp([makeKeySecret('00').key, makeKeySecret('00').key]);
    expect(principals).toEqual([null, null]);
  });
  expect(await rows()).toEqual(before);
});

test('a first draw for a fenced epoch is refused', async () => {
  await purses.fence(epoch);
  const before = await rows();
  await expect(lookUp([account.key.key])).rejects.toThrow(EpochFenced);
  expect(await rows()).toEqual(before);
});

test('look-ups and draws of one epoch at the same time end, and leave each purse what it should have', async () => {
  for (let round = 0; round < 12; round++) {
    const accounts = await Promise.all([1, 2, 3].map(() => openAccount(db.database, { credit: 1_000_000n })));
    const names = accounts.map(({ workspace }): PurseName => ({
      workspaceId: workspace.id,
      kind: 'credit',
      subjectId: workspace.id,
      period: 'never',
      windowStartMs: 0,
      windowEndMs: null,
    }));
    const drawn = names.map((purse) => {
      sequence += 1n;
      return { purse, sequence, keep: 0n, slack: 0n, needs: [70n], ahead: 0n };
    });
    const keys = accounts.map(({ key }) => key.key);
    const [, replies] = await Promise.all([
      lookUp(keys),
      drawAll(purses, epoch, round % 2 === 0 ? drawn : drawn.toReversed()),
      lookUp(keys.toReversed()),
      lookUp(keys.slice(1)),
    ]);
    const leases = await db.database.query<{ granted: bigint; leased: bigint; sequence: bigint }>(
      `select granted_nano_usd as granted, leased_nano_usd as leased, sequence from leases
       join purses on purses.id = purse_id where purses.id = any ($1) order by purses.id`,
      [replies.map(({ purseId }) => purseId)],
    );
    for (const lease of leases) {
      expect(lease.leased).toBe(lease.granted);
      // The draw has taken the place of whatever came first, or has been told that a younger look-up had come first.
      expect(lease.granted).toBe(drawn.some((draw) => draw.sequence === lease.sequence) ? 70n : 100n);
    }
    expect(leases).toHaveLength(3);
  }
});
