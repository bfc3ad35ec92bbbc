import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import { signedIn } from '../support/signed-in-person.ts';
import type { Tenant } from '../support/tenant.ts';

// Limits of single end users, which hold in the place of their project's for each.

const SOON = { timeout: 30_000, interval: 100 };
const CAP = 1_000;
const BODY = { model: 'output-priced', max_tokens: CAP, messages: [{ role: 'user', content: 'hi' }] };

let upstream: MockUpstream;
let program: Program;

beforeAll(async () => {
  // A request costs 0.002 USD.
  upstream = await startMockUpstream({ usage: () => ({ prompt_tokens: 0, completion_tokens: CAP }) });
  program = await startProgram({
    beside: [upstream],
    args: ['--workers', '2'],
    config: outputPricedConfig(upstream, 'timeouts: { hold_wait: 20s }'),
  });
});

afterAll(() => program.dispose());

/** A project that limits each end user; null: it does not. */
async function openTenant(limit: string | null): Promise<Tenant> {
  const tenant = await program.createTenant({ credit: '10' });
  await program.admin.updateProject(tenant.projectId, { end_user_limit_usd: limit });
  return tenant;
}

const chat = ({ key }: Tenant, user: string) => program.chat(key, { ...BODY, user });
const statusOf = async (tenant: Tenant, user: string) => (await chat(tenant, user)).status;
const shown = ({ projectId }: Tenant, name: string) => program.admin.showEndUser(projectId, { name });

async function levelsOf(answer: Response): Promise<unknown> {
  expect(answer.status).toBe(402);
  return ((await answer.json()) as { error: { details: { levels: unknown } } }).error.details.levels;
}

test('an end user’s own limit holds in the place of the project’s, a 402 names it, and others keep theirs', async () => {
  const tenant = await openTenant('0.003');
  const set = (name: string, limit_usd: string | null) =>
    program.admin.setEndUserLimit(tenant.projectId, { name, limit_usd });
  expect(await set('ada', '0.005')).toMatchObject({ name: 'ada', is_own: true, limit_usd: '0.005', used_usd: '0.00' });
  await set('bob', '0.001');
  await set('eve', null);

  const statuses = async (user: string) => [await statusOf(tenant, user), await statusOf(tenant, user)];
  await expect.poll(() => statusOf(tenant, 'bob'), SOON).toBe(402);
  expect(await statuses('ada')).toEqual([200, 200]);
  expect(await levelsOf(await chat(tenant, 'ada'))).toMatchObject([{ level: 'end_user', limit_usd: '0.005' }]);
  expect(await levelsOf(await chat(tenant, 'bob'))).toMatchObject([{ level: 'end_user', limit_usd: '0.001' }]);
  expect(await statuses('carol')).toEqual([200, 402]);
  expect([...(await statuses('eve')), ...(await statuses('eve'))]).toEqual([200, 200, 200, 200]);
  expect(await shown(tenant, 'ada')).toMatchObject({ used_usd: '0.004', left_usd: '0.001', is_own: true });
  expect(await shown(tenant, 'carol')).toMatchObject({ used_usd: '0.002', limit_usd: '0.003', is_own: false });
  expect(await shown(tenant, 'nobody')).toMatchObject({ used_usd: '0.00', limit_usd: '0.003', is_own: false });
  const { data } = await program.admin.listEndUserLimits(tenant.projectId, { sort: 'spend' });
  expect(data.map(({ name, used_usd }) => [name, used_usd])).toEqual([
    ['eve', '0.008'],
    ['ada', '0.004'],
    ['bob', '0.00'],
  ]);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('a limit that is set, raised or removed holds within seconds for an end user who calls all the time', async () => {
  const tenant = await openTenant('0.003');
  const { projectId } = tenant;
  const set = (change: object) =>
    program.admin.setEndUserLimit(projectId, { name: 'ada', limit_usd: '0.003', ...change });
  await set({ limit_usd: null });
  for (let count = 0; count < 3; count += 1) expect(await statusOf(tenant, 'ada')).toBe(200);
  await set({});
  await expect.poll(() => statusOf(tenant, 'ada'), SOON).toBe(402);
  const raisedUntil = new Date(Date.now() + 3_600_000).toISOString();
  const { used_nano_usd: used } = await shown(tenant, 'ada');
  const raised_limit_usd = `0.${String(BigInt(used) + 2_500_000n).padStart(9, '0')}`;
  expect(await set({ raised_limit_usd, raised_until: raisedUntil })).toMatchObject({ raised_until: raisedUntil });
  await expect.poll(() => statusOf(tenant, 'ada'), SOON).toBe(200);
  expect(await levelsOf(await chat(tenant, 'ada'))).toMatchObject([{ level: 'end_user' }]);
  await set({ limit_usd: '1.00' });
  await expect.poll(() => statusOf(tenant, 'ada'), SOON).toBe(200);
  expect(await shown(tenant, 'ada')).toMatchObject({ raised_limit_usd: null });
  const { id } = await shown(tenant, 'ada');
  await program.admin.removeEndUserLimit(projectId, id);
  await expect.poll(() => statusOf(tenant, 'ada'), SOON).toBe(402);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('a limit of one end user holds in a project that limits no other', async () => {
  const tenant = await openTenant(null);
  await program.admin.setEndUserLimit(tenant.projectId, { name: 'mallory', limit_usd: '0.001' });
  await expect.poll(() => statusOf(tenant, 'mallory'), SOON).toBe(402);
  for (let count = 0; count < 5; count += 1) expect(await statusOf(tenant, 'ada')).toBe(200);
  await program.admin.updateProject(tenant.projectId, { end_user_limit_usd: '0.003' });
  await expect.poll(() => statusOf(tenant, 'ada'), SOON).toBe(402);
  const { id } = await shown(tenant, 'mallory');
  await program.admin.removeEndUserLimit(tenant.projectId, id);
  await expect.poll(() => statusOf(tenant, 'mallory'), SOON).toBe(200);
});

test('an application learns by its key, and by a quote, how the limit of one of its end users stands', async () => {
  const tenant = await openTenant('0.003');
  await program.admin.setEndUserLimit(tenant.projectId, { name: 'ada & co', limit_usd: '0.005' });
  expect(await statusOf(tenant, 'ada & co')).toBe(200);
  const get = async (query: string) => {
    const headers = { authorization: `Bearer ${tenant.key}` };
    return (await (await fetch(`${program.url}/v1/key${query}`, { headers })).json()) as Record<string, unknown>;
  };
  expect((await get(`?user=${encodeURIComponent('ada & co')}`))['end_user']).toMatchObject({
    name: 'ada & co',
    limit_usd: '0.005',
    used_usd: '0.002',
    left_usd: '0.003',
  });
  expect((await get('?user=other'))['end_user']).toMatchObject({ limit_usd: '0.003', used_usd: '0.00' });
  expect(await get('')).not.toHaveProperty('end_user');
  expect(await get(`?user=${'x'.repeat(513)}`)).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'user' } });
  const quote = await fetch(`${program.url}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...BODY, max_tokens: 2_000, user: 'ada & co' }),
  });
  expect(await quote.json()).toMatchObject({
    refusal: { details: { levels: [{ level: 'end_user', limit_usd: '0.005' }] } },
  });
});

test('the requests of one end user are listed by name and project, and a name without a project is refused', async () => {
  const tenant = await openTenant('1');
  const { workspaceId, projectId } = tenant;
  for (const user of ['ada', 'bob', 'ada']) expect(await statusOf(tenant, user)).toBe(200);
  const list = (end_user: string) => program.admin.listReceipts(workspaceId, { project: projectId, end_user });
  await expect.poll(async () => (await list('ada')).data.length, SOON).toBe(2);
  const { data, end_user_since: since } = await list('bob');
  expect(data).toHaveLength(1);
  expect(since).toMatch(/^\d{4}-\d\d-01T00:00:00.000Z$/);
  expect((await program.admin.listReceipts(workspaceId)).end_user_since).toBeNull();
  await expect(program.admin.listReceipts(workspaceId, { end_user: 'ada' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'An end user is one of a project: name the project, too.',
  });
  const { stdout } = await program.cli('requests', workspaceId, '--project', projectId, '--end-user', 'bob');
  expect(stdout).toContain(data[0]?.request_id);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stdout).toContain(`Requests of end users are found from ${since} on.\n`);
});

test('names are kept in the list alone, and go with the limit; audit events have digests of them', async () => {
  const tenant = await openTenant('1');
  const { workspaceId, projectId } = tenant;
  const name = 'ada.lovelace@example.com';
  const { id } = await program.admin.setEndUserLimit(projectId, { name, limit_usd: '2' });
  await program.admin.setEndUserLimit(projectId, { name, limit_usd: '3' });
  await program.admin.removeEndUserLimit(projectId, id);
  const { data } = await program.admin.listAuditEvents(workspaceId, { target: id });
  expect(data.map(({ action, target }) => [action, target.kind])).toEqual([
    ['end_user.unlimit', 'end_user'],
    ['end_user.limit', 'end_user'],
    ['end_user.limit', 'end_user'],
  ]);
  expect(JSON.stringify(data)).not.toContain(name);
  expect(data.map(({ before, after }) => [before?.['limit_nano_usd'], after?.['limit_nano_usd']])).toMatchObject([
    ['3000000000', undefined],
    ['2000000000', '3000000000'],
    [undefined, '2000000000'],
  ]);
  await expect(program.admin.removeEndUserLimit(projectId, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a thousand end users of a project have limits of their own at most, and who may not change it is refused', async () => {
  const tenant = await openTenant('1');
  const { workspaceId, projectId } = tenant;
  const database = await program.openDatabase();
  await database.query(
    `insert into end_user_limits (workspace_id, project_id, id, name, limit_nano_usd)
     select $1, $2, gen_random_uuid(), 'user ' || n, 1 from generate_series(1, 999) n`,
    [workspaceId, projectId],
  );
  await program.admin.setEndUserLimit(projectId, { name: 'last', limit_usd: '1' });
  await program.admin.setEndUserLimit(projectId, { name: 'last', limit_usd: '2' });
  await expect(program.admin.setEndUserLimit(projectId, { name: 'more', limit_usd: '1' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  const viewer = await signedIn(program, { workspaceId, role: 'viewer' });
  const path = `/workspaces/${workspaceId}/projects/${projectId}/end-users`;
  expect((await viewer.session.get(path)).status).toBe(200);
  const headers = { origin: program.url, 'sec-fetch-site': 'same-origin' };
  const change = { name: 'last', limit_usd: '9' };
  expect(await viewer.session.request('PUT', path, change, headers)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
});

test('commands set, show, list and remove the limit of an end user by name', async () => {
  const { projectId } = await openTenant('1');
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await program.cli('end-user', ...words);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  expect(await run('update', projectId, 'ada', '--limit', '5')).toMatch(/limit +5.00 USD\n/);
  expect(await run('list', projectId)).toMatch(/ada +5.00 USD +0.00/);
  expect(await run('unlimit', projectId, 'ada')).toBe('ada: 1.00 USD, as each end user of the project.\n');
  expect(await run('show', projectId, 'ada')).toContain('1.00 USD, as each end user of the project');
});
