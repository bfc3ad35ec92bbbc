import { adminDependencies } from '../../../../test/support/admin-dependencies.ts';
import { serveAdmin } from '../../../../test/support/served-admin.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, granted, openAccount, openKey, Spender } from '../../../../test/support/accounts.ts';
import { parseCsv, sumOf } from '../../../../test/support/csv.ts';
import { adminIdentity, identifyOwn } from '../../../../test/support/admin-identity.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { scopeOf } from '../../../../test/support/scopes.ts';
import { countUsageIn } from '../../../../test/support/verify-ledger.ts';
import { correctReceipt } from '../../ledger/corrections.ts';
import { createAdminApp } from '../admin-app.ts';
import type { AdminClient } from '../client.ts';

const TOKEN = 'operator-token';
const HOUR_MS = 3_600_000;

let testDatabase: TestDatabase;
let client: AdminClient;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  testDatabase = await startTestDatabase();
  const { control } = testDatabase;
  const app = createAdminApp({
    ...adminDependencies(control),
    identify: identifyOwn(control, TOKEN),
    identity: adminIdentity(control),
  });
  ({ url, client, close } = await serveAdmin(app, TOKEN));
});
afterAll(async () => {
  await close();
  await testDatabase.stop();
});

let account: Account;
let other: Account;

beforeEach(async () => {
  const { database: sql } = testDatabase;
  [account, other] = await Promise.all([openAccount(sql, { credit: 10_000n }), openAccount(sql, { credit: 10_000n })]);
  const spender = await Spender.begin(sql);
  const nowMs = Date.now();
  const first = await spender.spend(account, { hold: 50n, charge: 20n }, { model: 'a', admittedAtMs: nowMs });
  await spender.spend(account, { hold: 50n, charge: 30n }, { model: 'b', admittedAtMs: nowMs - 30 * HOUR_MS });
  await spender.spend(other, { hold: 50n, charge: 7n }, { model: 'b', writeOff: 2n, admittedAtMs: nowMs });
  await countUsageIn(sql)();
  await spender.spend(account, { hold: 50n, charge: 5n }, { model: 'a', admittedAtMs: nowMs - 3 * 24 * HOUR_MS });
  const correction = { requestId: first.requestId, charge: 1n, reason: 'wrong' };
  granted(await correctReceipt(sql, scopeOf(account.workspace.id), correction));
});

async function get(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/admin/v1${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return { status: response.status, text: await response.text() };
}

test('a workspace’s usage names the groups that were charged most, and all that they leave', async () => {
  const usage = await client.showUsage(account.workspace.id, { group_by: 'model', limit: 1, bucket: 'day' });
  expect(usage.total).toMatchObject({
    requests: 3,
    charge_nano_usd: '55',
    correction_nano_usd: '-19',
    net_charge_nano_usd: '36',
  });
  expect(usage.groups).toMatchObject([
    { group: 'b', name: null, before: null, total: { requests: 1, charge_usd: '0.00000003' } },
  ]);
  expect(usage.groups[0]?.points).toHaveLength(1);
  expect(usage.others).toMatchObject({ requests: 2, net_charge_nano_usd: '6', tokens: { input: 14, output: 22 } });
});

test.each(['model', 'key', 'member', 'project'] as const)(
  'the course of usage by %s is that of all groups, named or not, in both stretches',
  async (by) => {
    const startMs = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
    const from = new Date(startMs - HOUR_MS * 24).toISOString();
    const query = { from, group_by: by, limit: 1, bucket: 'day', compare: 'true' } as const;
    const usage = await client.showUsage(account.workspace.id, query);
    const sum = (points: typeof usage.points) =>
      points.reduce((charge, { sums }) => charge + BigInt(sums.net_charge_nano_usd), 0n).toString();
    expect(usage.total.requests + (usage.before?.requests ?? 0)).toBe(3);
    expect(usage.points.every(({ starts_at: at }) => at >= from)).toBe(true);
    expect(usage.points_before.every(({ starts_at: at }) => at < from)).toBe(true);
    expect([sum(usage.points), sum(usage.points_before)]).toEqual([
      usage.total.net_charge_nano_usd,
      usage.before?.net_charge_nano_usd,
    ]);
    const alone = await client.showUsage(account.workspace.id, { ...query, group_by: by, compare: 'false' });
    expect(alone.points_before).toEqual([]);
    expect(alone.points).toEqual(usage.points);
  },
);

test('usage by project and by key has names, and the operator sees that of all workspaces', async () => {
  const byProject = await client.showUsage(account.workspace.id, { group_by: 'project' });
  expect(byProject.groups).toMatchObject([{ group: account.project.id, name: account.project.name }]);
  const byKey = await client.showUsage(account.workspace.id, { group_by: 'key' });
  expect(byKey.groups).toMatchObject([{ group: account.key.id, name: 'key', total: { requests: 3 } }]);
  const all = await client.showUsage(null, { group_by: 'workspace', limit: 200 });
  const named = all.groups.map(({ name, total }) => [name, total.requests]);
  expect(named).toEqual(
    expect.arrayContaining([
      [account.workspace.name, 3],
      [other.workspace.name, 1],
    ]),
  );
});

test('the operator adds up the usage of the workspaces named, and of no other', async () => {
  const query = { group_by: 'workspace', workspaces: `${account.workspace.id},${other.workspace.id}` } as const;
  const both = await client.showUsage(null, query);
  expect(both.groups.map(({ group, total }) => [group, total.requests])).toEqual([
    [account.workspace.id, 3],
    [other.workspace.id, 1],
  ]);
  expect(both.total).toMatchObject({ requests: 4, charge_nano_usd: '62' });
  expect(both.others.requests).toBe(0);
  const one = await client.showUsage(null, { ...query, workspaces: other.workspace.id });
  expect(one.total).toMatchObject({ requests: 1, charge_nano_usd: '7' });
});

test('usage by session names sessions and what has none, adds up to all of its time, and is of one workspace', async () => {
  const spender = await Spender.begin(testDatabase.database);
  const of = async (session: string, charge: bigint) =>
    await spender.spend(account, { hold: 50n, charge }, { admittedAtMs: Date.now(), extras: { session } });
  for (const [session, charge] of [
    ['one', 3n],
    ['two', 50n],
    ['one', 4n],
  ] as const)
    await of(session, charge);
  await countUsageIn(testDatabase.database)();
  await of('three', 1n);
  const usage = await client.showUsage(account.workspace.id, { group_by: 'session', limit: 1, bucket: 'day' });
  const named = usage.groups.map(({ group, name, total }) => [group, name, total.requests, total.net_charge_nano_usd]);
  expect(named).toEqual([
    ['two', null, 1, '50'],
    ['', null, 3, '36'],
  ]);
  expect(usage.others).toMatchObject({ requests: 3, charge_nano_usd: '8' });
  expect(usage.total).toMatchObject({ requests: 7, net_charge_nano_usd: '94' });
  const { text } = await get(`/workspaces/${account.workspace.id}/usage/export?group_by=session`);
  const rows = parseCsv(text);
  expect(sumOf(rows, 'net_charge_nano_usd')).toBe(94n);
  expect(new Set(rows.map(({ group }) => group))).toEqual(new Set(['', 'one', 'two', 'three']));
  expect((await get('/usage?group_by=session')).status).toBe(400);
});

test('usage by service tier names the tiers, adds up to all of its time, and is of one workspace', async () => {
  const tiered = await openAccount(testDatabase.database, { credit: 10_000n });
  const spender = await Spender.begin(testDatabase.database);
  for (const [serviceTier, charge] of [
    ['flex', 3n],
    ['priority', 40n],
    [null, 5n],
    ['flex', 4n],
  ] as const) {
    const extras = serviceTier === null ? {} : { extras: { serviceTier } };
    await spender.spend(tiered, { hold: 50n, charge }, { admittedAtMs: Date.now(), ...extras });
  }
  await countUsageIn(testDatabase.database)();
  const { id } = tiered.workspace;
  const usage = await client.showUsage(id, { group_by: 'service_tier', limit: 2, bucket: 'day' });
  expect(usage.groups.map(({ group, total }) => [group, total.requests, total.net_charge_nano_usd])).toEqual([
    ['priority', 1, '40'],
    ['flex', 2, '7'],
    ['', 1, '5'],
  ]);
  expect(usage.total).toMatchObject({ requests: 4, net_charge_nano_usd: '52' });
  const { text } = await get(`/workspaces/${id}/usage/export?group_by=service_tier`);
  expect(new Set(parseCsv(text).map(({ group }) => group))).toEqual(new Set(['', 'flex', 'priority']));
  expect((await get('/usage?group_by=service_tier')).status).toBe(400);
  expect((await get(`/workspaces/${id}/usage?group_by=service_tier&and_by=model`)).status).toBe(400);
});

test('usage is compared with the stretch before it, and has durations in classes', async () => {
  const nowMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const from = new Date(nowMs - 24 * HOUR_MS).toISOString();
  const usage = await client.showUsage(account.workspace.id, { from, compare: 'true', latency: 'true' });
  expect(usage.total).toMatchObject({ requests: 1, latency: { duration: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0] } });
  expect(usage.before).toMatchObject({ requests: 1, charge_nano_usd: '30' });
});

test.each([
  ['a time within an hour', 'from=2026-01-01T00:30:00Z', 'from'],
  ['an end before the start', 'from=2026-01-02&to=2026-01-01', 'from'],
  ['a time that is too long', 'from=2001-01-01', 'from'],
  ['too many points', 'bucket=hour&limit=200&from=2026-01-01&to=2026-03-01', 'limit'],
  ['more buckets than points', 'bucket=hour&from=2025-01-01&to=2026-03-01', 'bucket'],
  ['durations by key', 'group_by=key&latency=true', 'latency'],
  ['durations by member', 'group_by=member&latency=true', 'latency'],
  ['durations of one key', 'key=0193a7a0-0000-7000-8000-000000000001&latency=true', 'latency'],
  ['an unknown grouping', 'group_by=mood', 'group_by'],
  ['an unknown field', 'colour=red', 'colour'],
  ['sessions of too long a time', 'group_by=session&from=2026-01-01&to=2026-01-10', 'from'],
  ['tiers of too long a time', 'group_by=service_tier&from=2026-01-01&to=2026-02-02', 'from'],
  ['other workspaces', 'workspaces=00000000-0000-7000-8000-000000000000', 'workspaces'],
])('a question about usage is refused with the parameter that is wrong: %s', async (_, query, param) => {
  const { status, text } = await get(`/workspaces/${account.workspace.id}/usage?${query}`);
  expect({ status, error: (JSON.parse(text) as { error: object }).error }).toMatchObject({
    status: 400,
    error: { param },
  });
});

test('exported usage adds up to the usage that is shown, by every grouping and bucket', async () => {
  const { total } = await client.showUsage(account.workspace.id);
  const from = new Date(Date.now() - 5 * 24 * HOUR_MS).toISOString().slice(0, 10);
  for (const query of [
    '',
    'bucket=hour&group_by=key',
    'group_by=member',
    'group_by=project',
    'group_by=outcome',
    'group_by=dialect',
    'group_by=session&bucket=hour',
  ]) {
    const { status, text } = await get(`/workspaces/${account.workspace.id}/usage/export?from=${from}&${query}`);
    expect(status).toBe(200);
    const rows = parseCsv(text);
    expect(sumOf(rows, 'net_charge_nano_usd').toString()).toBe(total.net_charge_nano_usd);
    expect(sumOf(rows, 'requests')).toBe(3n);
  }
  const lines = await get(`/workspaces/${account.workspace.id}/usage/export?format=ndjson`);
  expect(
    lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toContainEqual(expect.objectContaining({ group: 'b', charge_nano_usd: '30', requests: 1 }));
});

test('usage by two groupings has pairs with both names, whose export adds up to the same', async () => {
  const { id } = account.workspace;
  const query = { group_by: 'key', and_by: 'model' } as const;
  const usage = await client.showUsage(id, query);
  const pairs = usage.groups.map((group) => [group.name, group.second_group, group.second_name, group.total.requests]);
  expect(pairs).toEqual([
    [account.key.name, 'b', null, 1],
    [account.key.name, 'a', null, 2],
  ]);
  const { text } = await get(`/workspaces/${id}/usage/export?group_by=key&and_by=model`);
  const rows = parseCsv(text);
  expect(new Set(rows.map((row) => [row['group'], row['second_group']].join(' ')))).toEqual(
    new Set([`${account.key.id} a`, `${account.key.id} b`]),
  );
  expect(sumOf(rows, 'net_charge_nano_usd')).toBe(BigInt(usage.total.net_charge_nano_usd));
});

test.each([
  'and_by=model',
  'group_by=model&and_by=model',
  'group_by=session&and_by=model',
  'group_by=key&and_by=member',
])('groupings that do not go together are refused by the parameter and_by: %s', async (query) => {
  const answer = await get(`/workspaces/${account.workspace.id}/usage?${query}`);
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { param: 'and_by' } });
});

test('usage that was damaged is right after it was counted again', async () => {
  await testDatabase.database.query('update usage_days set charge_nano_usd = charge_nano_usd + 1, requests = 0');
  const before = await client.showUsage(account.workspace.id);
  expect(before.total).not.toMatchObject({ requests: 3 });
  await client.rebuildUsage();
  expect((await client.showUsage(account.workspace.id)).total).toMatchObject({ requests: 3, charge_nano_usd: '55' });
});

test('the last use of a key is when the last of its counted requests was admitted', async () => {
  const unused = await openKey(testDatabase.database, account.project);
  const { data } = await client.listKeys(account.workspace.id);
  const uses = new Map(data.map((key) => [key.id, key.last_used_at]));
  expect(uses.get(unused.id)).toBeNull();
  expect(Date.now() - Date.parse(uses.get(account.key.id) ?? '')).toBeLessThan(HOUR_MS);
  expect(await client.showKey(account.key.id)).toMatchObject({ last_used_at: uses.get(account.key.id) });
});
