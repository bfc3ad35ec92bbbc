import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminRefused } from '../../src/control/admin/client/send.ts';
import { readAllPages } from '../../src/control/admin/client/all-pages.ts';
import { type ProxiedPostgres, startProxiedPostgres } from '../support/proxied-postgres.ts';
import type { Tenant } from '../support/tenant.ts';
import { openShop, type Shop } from './shop.ts';

// A refused request leaves no receipt, but it can be found by its id for a day, with the reason.

const SOON = { timeout: 30_000, interval: 200 };

let postgres: ProxiedPostgres;
let shop: Shop;

beforeAll(async () => {
  postgres = await startProxiedPostgres();
  shop = await openShop({
    args: ['--bootstrap', '--workers', '2'],
    env: { DATABASE_URL: postgres.url },
    beside: [postgres],
  });
});

afterAll(() => shop.program.dispose());

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'a secret question' }], max_tokens: 100 };

/** Makes a request that is refused with this status; answers with its id. */
async function refusedWith(status: number, { key }: Pick<Tenant, 'key'>, body: object = {}): Promise<string> {
  const response = await shop.post('chat/completions', key, { ...CHAT, ...body });
  await response.text();
  expect(response.status).toBe(status);
  return response.headers.get('x-request-id') ?? '';
}

/** The recorded refusal of a request, found by its id alone. */
async function found(id: string) {
  const { admin } = shop.program;
  await expect
    .poll(() => admin.lookUp({ request_id: id }).catch(() => null), SOON)
    .toMatchObject({ id, kind: 'refusal' });
  return await admin.showRefusal((await admin.lookUp({ request_id: id })).workspace_id, id);
}

test.each([
  ['workspace', 'INSUFFICIENT_BALANCE', { credit: '0.000001' }, '0.000001'],
  ['project', 'PROJECT_BUDGET_EXCEEDED', { project: { budget_usd: '0.000002' } }, '0.000002'],
  ['key', 'KEY_SPEND_LIMIT_EXCEEDED', { key: { spend_limit_usd: '0.000003' } }, '0.000003'],
] as const)(
  'a 402 for the money of the %s is found by its request id, with its levels and the fix',
  async (...given) => {
    const [level, code, settings, limit] = given;
    const tenant = await shop.program.createTenant(settings);
    const id = await refusedWith(402, tenant);

    const refusal = await found(id);

    expect(refusal).toMatchObject({
      workspace_id: tenant.workspaceId,
      project_id: tenant.projectId,
      key_id: tenant.keyId,
      code,
      status: 402,
      endpoint: 'chat_completions',
      model: 'chat',
      shortage: {
        levels: [{ level, code, limit_usd: limit, used_usd: '0.00', held_usd: '0.00', left_usd: limit }],
        fix: expect.stringContaining(level === 'workspace' ? 'add credit' : `raise the ${level}'s limit`),
      },
      rate_limit: null,
    });
    expect(JSON.stringify(refusal)).not.toMatch(/secret|fg_live/);
  },
);

test('a 403, 404 and 429 are found with the model and the limit', async () => {
  const tenant = await shop.program.createTenant({ key: { models: ['free'] } });
  const limited = await shop.program.createTenant({ project: { requests_per_minute: 1 } });
  const forbidden = await refusedWith(403, tenant);
  const missing = await refusedWith(404, tenant, { model: 'none' });
  await (await shop.post('chat/completions', limited.key, CHAT)).text();
  const late = await refusedWith(429, limited);
  await shop.program.admin.suspendWorkspace(tenant.workspaceId, { reason: 'a test' });
  await expect
    .poll(async () => (await shop.post('chat/completions', tenant.key, CHAT)).text(), SOON)
    .toContain('SUSPENDED');

  expect(await found(forbidden)).toMatchObject({ code: 'MODEL_NOT_ALLOWED', status: 403, model: 'chat' });
  expect(await found(missing)).toMatchObject({ code: 'MODEL_NOT_FOUND', model: 'none', shortage: null });
  expect(await found(late)).toMatchObject({
    code: 'RATE_LIMITED',
    retry_after_ms: expect.any(Number),
    rate_limit: { limit: 'requests', most: 1, requests: { limit: 1, remaining: 0 }, tokens: null },
  });
  const suspended = { code: 'WORKSPACE_SUSPENDED' } as const;
  await expect
    .poll(async () => (await shop.program.admin.listRefusals(tenant.workspaceId, suspended)).data, SOON)
    .not.toEqual([]);
});

test('a key from outside of the networks of it or its workspace is refused, holds nothing, and is found', async () => {
  const tenant = await shop.program.createTenant({ key: { allowed_networks: ['10.0.0.0/8', '2001:db8::/32'] } });
  const id = await refusedWith(403, tenant);
  expect(await found(id)).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED', status: 403, key_id: tenant.keyId });
  const { admin } = shop.program;
  expect(await admin.showKey(tenant.keyId)).toMatchObject({ held_usd: '0.00', used_usd: '0.00' });
  const statusOf = async () => {
    const response = await shop.post('chat/completions', tenant.key, CHAT);
    await response.text();
    return response.status;
  };
  await admin.updateKey(tenant.keyId, { allowed_networks: ['127.0.0.0/8', '::1/128'] });
  await expect.poll(statusOf, SOON).toBe(200);
  await admin.changeAccess(tenant.workspaceId, { allowed_networks: ['192.0.2.0/24'] });
  await expect.poll(statusOf, SOON).toBe(403);
  await admin.changeAccess(tenant.workspaceId, { allowed_networks: null });
  await expect.poll(statusOf, SOON).toBe(200);
});

test("another workspace's list and routes know no such refusal", async () => {
  const [poor, other] = [
    await shop.program.createTenant({ credit: null }),
    await shop.program.createTenant({ credit: null }),
  ];
  const id = await refusedWith(402, poor);
  await found(id);

  const { admin } = shop.program;
  const shown = await admin.showRefusal(other.workspaceId, id).catch((fault: unknown) => fault);
  expect(shown).toBeInstanceOf(AdminRefused);
  expect(shown).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await admin.showRequest(poor.workspaceId, id)).toMatchObject({ kind: 'refusal', refusal: { request_id: id } });
  expect((await admin.listRefusals(other.workspaceId)).data).toEqual([]);
  expect((await admin.listAllRefusals()).data.map((each) => each.request_id)).toContain(id);
});

test('a request is shown by its id alone, served or not, and one of another workspace is as unknown as none', async () => {
  const [tenant, other] = [await shop.program.createTenant(), await shop.program.createTenant()];
  const answer = await shop.post('chat/completions', tenant.key, CHAT);
  await answer.text();
  const id = answer.headers.get('x-request-id') ?? '';
  const { admin } = shop.program;
  await expect
    .poll(() => admin.showRequest(tenant.workspaceId, id).catch(() => null), SOON)
    .toMatchObject({ kind: 'receipt', receipt: { request_id: id, cost: { lines: expect.any(Array) } } });

  const unknown = await Promise.all(
    [id, '00000000-0000-7000-8000-000000000000', 'no id'].map((each) =>
      admin.showRequest(other.workspaceId, each).catch((fault: unknown) => fault),
    ),
  );
  expect(unknown.map((each) => each instanceof AdminRefused && [each.status, each.code])).toEqual(
    Array.from({ length: 3 }, () => [404, 'NOT_FOUND']),
  );
  expect(new Set(unknown.map((each) => each instanceof Error && each.message)).size).toBe(1);
});

test('the commands say that a request was refused, why, and what would help', async () => {
  const poor = await shop.program.createTenant({ credit: '0.000001' });
  const id = await refusedWith(402, poor);
  await found(id);

  const { stdout } = await shop.program.cli('receipt', id);
  expect(stdout).toMatch(/refused +402 INSUFFICIENT_BALANCE/);
  expect(stdout).toMatch(/fix +.*add credit to the workspace/);
  expect(stdout).toMatch(/workspace +0\.000001 +0\.00 +0\.00 +0\.000001/);
  const list = await shop.program.cli('requests', poor.workspaceId, '--refused');
  expect(list.stdout).toMatch(new RegExp(`402 +INSUFFICIENT_BALANCE +chat .*${id}`));
  const others = await shop.program.cli('requests', poor.workspaceId, '--code', 'RATE_LIMITED');
  expect(others.stdout).toBe('No refused request was found.\n');
});

test('a flood is recorded in part, and the list says how many are missing', async () => {
  const poor = await shop.program.createTenant({ credit: null });
  const floods = Array.from({ length: 10 }, async () => {
    for (let n = 0; n < 60; n++) await refusedWith(402, poor);
  });
  await Promise.all(floods);

  const { admin } = shop.program;
  const counted = async (): Promise<number> => {
    const data = await readAllPages((page) => admin.listRefusals(poor.workspaceId, page));
    expect(data.length).toBeLessThan(500);
    return data.length + (await admin.listRefusals(poor.workspaceId)).unrecorded;
  };
  await expect.poll(counted, SOON).toBe(600);
});

test('while the database is away requests are refused as before, and the refusals are counted as unrecorded', async () => {
  const poor = await shop.program.createTenant({ credit: null });
  // On several connections, until the worker that knows the key is among those that are asked.
  const statuses = () =>
    Promise.all(
      Array.from({ length: 10 }, async () => {
        const response = await shop.post('chat/completions', poor.key, { ...CHAT, model: 'none' });
        await response.text();
        return response.status;
      }),
    );
  expect(new Set(await statuses())).toEqual(new Set([404]));
  const before = await unrecordedMetric();
  // A process that reads only now that the tenant was made looks its key up once more, which takes the database.
  const isKnownWithoutDatabase = async (): Promise<boolean> => {
    postgres.proxy.cut();
    if ((await statuses()).includes(404)) return true;
    postgres.proxy.mend();
    await expect.poll(statuses, SOON).toContain(404);
    return false;
  };
  try {
    await expect.poll(isKnownWithoutDatabase, SOON).toBe(true);
    await expect.poll(unrecordedMetric, SOON).toBeGreaterThan(before);
    await expect.poll(statuses, SOON).toContain(404);
  } finally {
    postgres.proxy.mend();
  }

  const { admin } = shop.program;
  const unrecorded = async () => (await admin.listRefusals(poor.workspaceId).catch(() => null))?.unrecorded;
  await expect.poll(unrecorded, SOON).toBeGreaterThan(0);
});

async function unrecordedMetric(): Promise<number> {
  const metrics = await shop.program.metrics();
  return Number(/^faregate_unrecorded_refusals (\d+)/m.exec(metrics)?.[1] ?? 0);
}

test('a stop writes what it has refused just before', async () => {
  const poor = await shop.program.createTenant({ credit: null });
  const id = await refusedWith(402, poor);
  await shop.program.signal('SIGINT');

  expect(await postgres.database.query('select code from refusals where request_id = $1', [id])).toEqual([
    { code: 'INSUFFICIENT_BALANCE' },
  ]);
});
