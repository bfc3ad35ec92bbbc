import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMockUpstream } from '../support/aimock.ts';
import { printFigure } from '../support/figures.ts';
import { outputPricedConfig, USAGE } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant, TenantSettings } from '../support/tenant.ts';

// What an operator changes holds within a second for requests that were served from memory before.

const WITHIN_MS = 1_000;
const REQUEST = { model: 'output-priced', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }] };
/** Of that request: what is held for it, and what it costs. */
const HOLD = '0.002';
const HOLD_NANO = 2_000_000;
const CHARGE_NANO = 600_000;

let program: Program;

beforeAll(async () => {
  const upstream = await startMockUpstream({ usage: () => USAGE });
  program = await startProgram({
    config: outputPricedConfig(upstream),
    beside: [upstream],
  });
});
afterAll(() => program.dispose());

interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly details: { readonly levels: readonly Record<string, unknown>[] } | undefined;
}

async function ask(key: string): Promise<Answer> {
  const response = await program.chat(key, REQUEST);
  const body = (await response.json()) as { error?: Omit<Answer, 'status'> };
  const { code = null, message = '', details } = body.error ?? {};
  return { status: response.status, code, message, details };
}

/** Asks until the status is as expected, which must be within a second from now. */
async function expectSoon(what: string, key: string, status: number): Promise<Answer> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await ask(key);
    const tookMs = performance.now() - startedMs;
    if (answer.status === status) {
      printFigure(`${what} holds after`, tookMs, 'ms');
      expect(tookMs).toBeLessThan(WITHIN_MS);
      return answer;
    }
    expect(tookMs).toBeLessThan(WITHIN_MS);
  }
}

const createTenant = (settings: TenantSettings = {}): Promise<Tenant> =>
  program.createTenant({ credit: '5', ...settings });

test('a key in use that is revoked is refused, and one of its siblings is not', async () => {
  const tenant = await createTenant();
  expect((await ask(tenant.key)).status).toBe(200);
  const sibling = await program.admin.createKey(tenant.projectId, {});
  expect((await ask(sibling.key)).status).toBe(200);

  await program.admin.revokeKey(tenant.keyId);
  expect((await expectSoon('a revocation', tenant.key, 401)).code).toBe('INVALID_API_KEY');
  expect((await ask(sibling.key)).status).toBe(200);
  await program.json('key', 'revoke', sibling.id);
  await expectSoon('a revocation by command', sibling.key, 401);
});

test('a key that is new works immediately', async () => {
  const tenant = await createTenant();
  expect((await ask(tenant.key)).status).toBe(200);
});

test('a key in use that is disabled is refused until it is enabled', async () => {
  const { key, keyId } = await createTenant();
  expect((await ask(key)).status).toBe(200);
  await program.json('key', 'disable', keyId);
  expect((await expectSoon('a disabled key', key, 401)).message).toContain('disabled');
  await program.json('key', 'enable', keyId);
  await expectSoon('an enabled key', key, 200);
});

test('a key that is rotated works with both secrets, spends under one limit, and ends its former secret in time', async () => {
  const { key, keyId } = await createTenant({ key: { spend_limit_usd: '0.0029' } });
  expect((await ask(key)).status).toBe(200);
  const rotated = await program.admin.rotateKey(keyId, { overlap_hours: 1 });
  expect(rotated).toMatchObject({ id: keyId, former_secret_until: expect.any(String) });
  expect((await ask(rotated.key)).status).toBe(200);
  // 1,200,000 nano-USD are charged by then, so 1,700,000 are left of the one limit, less than either would hold.
  for (const secret of [key, rotated.key])
    expect(await ask(secret)).toMatchObject({ code: 'KEY_SPEND_LIMIT_EXCEEDED' });
  const again = await program.admin.rotateKey(keyId, { overlap_hours: 0 });
  for (const secret of [key, rotated.key]) await expectSoon('a former secret', secret, 401);
  expect(await ask(again.key)).toMatchObject({ code: 'KEY_SPEND_LIMIT_EXCEEDED' });
});

test('the former secret of a rotated key ends before its time by a command', async () => {
  const { key, keyId } = await createTenant();
  const rotated = await program.admin.rotateKey(keyId, { overlap_hours: 24 });
  expect((await ask(key)).status).toBe(200);
  expect(await program.json('key', 'end-former', keyId)).toMatchObject({ id: keyId, former_secret_until: null });
  await expectSoon('the former secret', key, 401);
  expect((await ask(rotated.key)).status).toBe(200);
});

test('a key is created and changed by commands with an expiry and notes, and loses both by "none"', async () => {
  const { projectId } = await createTenant();
  const options = ['--expires', '2099-12-31', '--metadata', 'team=search', 'owner=a=b'];
  const created = await program.json<{ id: string }>('key', 'create', projectId, ...options);
  const shown = await program.admin.showKey(created.id);
  expect(shown).toMatchObject({ expires_at: '2099-12-31T00:00:00.000Z', metadata: { team: 'search', owner: 'a=b' } });
  await program.json('key', 'update', created.id, '--expires', 'none', '--metadata', 'none');
  expect(await program.admin.showKey(created.id)).toMatchObject({ expires_at: null, metadata: {} });
});

test('a key’s new limit holds in the month that runs, whether it is raised, lowered or lifted', async () => {
  const { key, keyId } = await createTenant({ key: { spend_limit_usd: HOLD } });
  expect((await ask(key)).status).toBe(200);
  expect((await ask(key)).code).toBe('KEY_SPEND_LIMIT_EXCEEDED');
  await program.json('key', 'update', keyId, '--spend-limit', '1');
  await expectSoon('a raised key limit', key, 200);
  await program.json('key', 'update', keyId, '--spend-limit', '0.001');
  await expectSoon('a lowered key limit', key, 402);
  await program.json('key', 'update', keyId, '--spend-limit', 'none');
  await expectSoon('a lifted key limit', key, 200);
  expect(await program.admin.showKey(keyId)).toMatchObject({ left_usd: null, spend_limit_usd: null });
});

test('a workspace that is suspended refuses its keys with the reason until it is resumed', async () => {
  const { key, workspaceId } = await createTenant();
  expect((await ask(key)).status).toBe(200);
  await program.json('workspace', 'suspend', workspaceId, '--reason', 'an unpaid invoice');
  expect(await expectSoon('a suspension', key, 403)).toMatchObject({
    code: 'WORKSPACE_SUSPENDED',
    message: 'This workspace is suspended: an unpaid invoice',
  });
  await program.json('workspace', 'resume', workspaceId);
  await expectSoon('a resumption', key, 200);
});

test('a workspace that is closed refuses its keys, gets its credit refunded, and its ledger adds up', async () => {
  const { key, workspaceId } = await createTenant({ credit: null });
  await program.admin.postCredit(workspaceId, { kind: 'top_up', amount_usd: '3', reason: 'paid' });
  await program.admin.postCredit(workspaceId, { kind: 'grant', amount_usd: '2', reason: 'welcome' });
  expect((await ask(key)).status).toBe(200);
  await program.json('workspace', 'close', workspaceId, '--yes');
  await expectSoon('a closing', key, 401);
  const database = await program.openDatabase();
  // Requests are served until the process learns of the closing, and what they cost is not refunded.
  const [charged] = await database.query<{ sum: bigint }>(
    'select sum(charge_nano_usd)::bigint as sum from receipts where workspace_id = $1',
    [workspaceId],
  );
  expect(Number(charged?.sum) % CHARGE_NANO).toBe(0);
  const postings = async (): Promise<readonly string[]> => {
    const rows = await database.query<{ kind: string; amount: bigint }>(
      'select kind, amount_nano_usd::bigint as amount from postings where workspace_id = $1 order by number',
      [workspaceId],
    );
    return rows.map(({ kind, amount }) => `${kind} ${amount}`);
  };
  await expect
    .poll(postings, { timeout: 60_000 })
    .toEqual([
      'top_up 3000000000',
      'grant 2000000000',
      'refund -3000000000',
      `adjustment -${2_000_000_000 - Number(charged?.sum)}`,
    ]);
  expect(await program.admin.showWorkspace(workspaceId)).toMatchObject({ state: 'closed', balance_usd: '0.00' });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test('a key in use ends when its time is up', async () => {
  const expiresMs = Date.now() + 1_500;
  const { key } = await createTenant({ key: { expires_at: new Date(expiresMs).toISOString() } });
  expect((await ask(key)).status).toBe(200);
  await expect
    .poll(() => ask(key), { interval: 20, timeout: 2_000 })
    .toMatchObject({
      status: 401,
      code: 'INVALID_API_KEY',
      message: expect.stringContaining('expired'),
    });
  expect(Date.now()).toBeGreaterThanOrEqual(expiresMs);
  expect(Date.now()).toBeLessThan(expiresMs + WITHIN_MS);
});

test('a key in use whose monthly limit is spent is refused until the month is over', async () => {
  const ends = nextMonth();
  const { key } = await createTenant({ key: { spend_limit_usd: HOLD } });
  expect((await ask(key)).status).toBe(200);
  const refusal = await ask(key);
  expect(refusal).toMatchObject({ status: 402, code: 'KEY_SPEND_LIMIT_EXCEEDED' });
  expect(refusal.details?.levels).toMatchObject([
    { level: 'key', limit_nano_usd: String(HOLD_NANO), used_nano_usd: String(CHARGE_NANO) },
  ]);
  expect([ends, nextMonth()]).toContain(refusal.details?.levels[0]?.['resets_at']);
});

test("a project's spent budget refuses until its period is over, and a raised one lets through", async () => {
  const ends = nextDay();
  const tenant = await createTenant({ project: { budget_usd: HOLD, budget_period: 'day' } });
  expect((await ask(tenant.key)).status).toBe(200);
  const refusal = await ask(tenant.key);
  expect(refusal).toMatchObject({ status: 402, code: 'PROJECT_BUDGET_EXCEEDED' });
  expect(refusal.details?.levels).toMatchObject([{ level: 'project' }]);
  expect([ends, nextDay()]).toContain(refusal.details?.levels[0]?.['resets_at']);

  await program.admin.updateProject(tenant.projectId, { budget_usd: '1' });
  await expectSoon('a raised budget', tenant.key, 200);
  await program.admin.updateProject(tenant.projectId, { budget_usd: '0.001' });
  expect((await expectSoon('a lowered budget', tenant.key, 402)).code).toBe('PROJECT_BUDGET_EXCEEDED');
  await program.admin.updateProject(tenant.projectId, { budget_usd: null });
  await expectSoon('a lifted budget', tenant.key, 200);
});

test("a project's budget that is set late starts from what was spent, and one without a period never resets", async () => {
  const tenant = await createTenant({ project: { budget_period: 'never' } });
  for (let count = 0; count < 3; count++) expect((await ask(tenant.key)).status).toBe(200);
  await program.admin.updateProject(tenant.projectId, { budget_usd: '0.003' });
  const refusal = await expectSoon('a late budget', tenant.key, 402);
  const [level] = refusal.details?.levels ?? [];
  expect(level).toMatchObject({ level: 'project', resets_at: null });
  expect(Number(level?.['used_nano_usd'])).toBeGreaterThanOrEqual(3 * CHARGE_NANO);
});

test("a project's rate and model policy apply as they are changed", async () => {
  const tenant = await createTenant();
  expect((await ask(tenant.key)).status).toBe(200);
  await program.admin.updateProject(tenant.projectId, { requests_per_minute: 1 });
  expect((await expectSoon('a new rate', tenant.key, 429)).code).toBe('RATE_LIMITED');
  await program.admin.updateProject(tenant.projectId, { requests_per_minute: null, models: ['other/*'] });
  expect((await expectSoon('a new model policy', tenant.key, 403)).code).toBe('MODEL_NOT_ALLOWED');
  await program.admin.updateProject(tenant.projectId, { models: null });
  await expectSoon('a lifted model policy', tenant.key, 200);
});

test('credit that is granted to an empty workspace can be spent', async () => {
  const tenant = await createTenant({ credit: null });
  const refusal = await ask(tenant.key);
  expect(refusal).toMatchObject({ status: 402, code: 'INSUFFICIENT_BALANCE' });
  expect(refusal.details?.levels).toMatchObject([{ level: 'workspace', limit_nano_usd: '0', resets_at: null }]);
  await program.admin.postCredit(tenant.workspaceId, { kind: 'grant', amount_usd: HOLD, reason: 'a test' });
  await expectSoon('a grant', tenant.key, 200);
});

function nextDay(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
}

function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
}
