import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseCsv, sumOf } from '../support/csv.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startScriptedUpstream, type ScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// What an operator does to the money by hand, through the commands of a running program, and what callers see of it.

const USAGE = {
  prompt_tokens: 1_001,
  completion_tokens: 53,
  total_tokens: 1_054,
  prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 200, audio_tokens: 100 },
  completion_tokens_details: { audio_tokens: 10 },
};

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: USAGE,
};

let upstream: ScriptedUpstream;
let program: Program;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
  });
  program = await startProgram({
    config: `
providers:
  mock: { kind: openai, base_url: "${upstream.origin}/v1" }
models:
  - id: tiered-chat
    routes: [{ provider: mock, model: gpt }]
    price:
      input: "0.25"
      output: "2.00"
      tiers:
        - above_input_tokens: 1000
          input: "0.333333333"
          cached_input: "0.033333333"
          cache_write_5m: "0.416666667"
          audio_input: "10"
          output: "3.00"
          audio_output: "20"
    context_window: 128000
    max_output: 1000
`,
  });
});

afterAll(() => program.dispose());

/** Sends a request and answers with its status, and with its id. */
async function ask({ key }: Tenant): Promise<{ status: number; requestId: string; error?: object }> {
  const body = { model: 'tiered-chat', max_tokens: 100, messages: [{ role: 'user', content: 'x'.repeat(4_000) }] };
  const response = await program.chat(key, body);
  const { error } = (await response.json()) as { error?: object };
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, ...(error === undefined ? {} : { error }) };
}

const becomes = (tenant: Tenant, status: number) =>
  vi.waitFor(async () => expect((await ask(tenant)).status).toBe(status), { timeout: 10_000, interval: 100 });

interface Posted {
  readonly id: string;
  readonly amount_usd: string;
  readonly balance_usd: string;
  readonly repeated: boolean;
}

const credit = (...args: string[]) => program.json<Posted>('credit', ...args, '--reason', 'a test');

test('postings of every kind go the way their kind goes, and stand in the history with the balance after each', async () => {
  const { workspaceId } = await program.createTenant({ credit: null });
  await credit('top-up', workspaceId, '10', '--once', 'invoice-7');
  expect(await credit('top-up', workspaceId, '10', '--once', 'invoice-7')).toMatchObject({ repeated: true });
  await credit('grant', workspaceId, '0.000000001');
  await credit('refund', workspaceId, '2.5', '--yes');
  await credit('dispute', workspaceId, '3');
  await credit('dispute', workspaceId, '1', '--won');
  await credit('adjust', workspaceId, '-0.25');
  const last = await credit('adjust', workspaceId, '.5').catch((fault: unknown) => String(fault));
  expect(last).toContain('Write an amount of USD');
  expect(await credit('adjust', workspaceId, '0.5')).toMatchObject({ balance_usd: '5.750000001' });
  const { stdout } = await program.cli('credit', 'history', workspaceId);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(rows[0]).toEqual(['POSTED', 'KIND', 'AMOUNT USD', 'BALANCE USD', 'ACTOR', 'REASON']);
  expect(rows.slice(1).map(([, kind, amount, balance]) => [kind, amount, balance])).toEqual([
    ['adjustment', '0.50', '5.750000001'],
    ['adjustment', '-0.25', '5.250000001'],
    ['dispute', '1.00', '5.500000001'],
    ['dispute', '-3.00', '4.500000001'],
    ['refund', '-2.50', '7.500000001'],
    ['grant', '0.000000001', '10.000000001'],
    ['top-up', '10.00', '10.00'],
  ]);
  const clash = await program.cli('credit', 'top-up', workspaceId, '11', '--reason', 'a test', '--once', 'invoice-7');
  expect(clash.code).toBe(1);
  expect(clash.stderr).toMatch(/^faregate: "invoice-7" belongs to another posting.*\n$/);
});

test('postings that leave a workspace owing block its requests until all is repaid', async () => {
  const tenant = await program.createTenant({ credit: '5' });
  expect(await ask(tenant)).toMatchObject({ status: 200 });
  await credit('dispute', tenant.workspaceId, '7');
  await becomes(tenant, 402);
  const owing = await ask(tenant);
  expect(owing).toMatchObject({ status: 402, error: { code: 'INSUFFICIENT_BALANCE' } });
  await credit('top-up', tenant.workspaceId, '1');
  // What is refused tells how things stand: once the top-up is known, and still refused.
  await vi.waitFor(
    async () => {
      const { status, error } = await ask(tenant);
      expect(status).toBe(402);
      expect(error).not.toEqual(owing.error);
    },
    { timeout: 10_000 },
  );
  expect((await credit('dispute', tenant.workspaceId, '7', '--won')).balance_usd).toMatch(/^5\.99/);
  await becomes(tenant, 200);
  expect(await program.json('ledger', 'verify')).toMatchObject({ ok: true });
});

test('a receipt shows the arithmetic of its charge: each class by the rate of its tier, summed, rounded up once', async () => {
  const tenant = await program.createTenant({ credit: '5' });
  const { requestId } = await ask(tenant);
  const { stdout } = await program.cli('receipt', requestId);
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/).join('|'));
  expect(lines).toEqual(
    expect.arrayContaining([
      'At the prices above 1000 input tokens.',
      'TOKENS OF|COUNT|USD PER MILLION|USD',
      'input|401|0.333333333|0.000133666666533',
      'cached input|300|0.033333333|0.0000099999999',
      'cache write 5m|200|0.416666667|0.0000833333334',
      'audio input|100|10.00|0.001',
      'output|43|3.00|0.000129',
      'audio output|10|20.00|0.0002',
      'Their sum is 0.001555999999833 USD, rounded up to 0.001556 USD.',
      'charge|0.001556 USD',
      'price version|1',
    ]),
  );
});

test('a receipt is corrected beside what it says, and the money comes back', async () => {
  const tenant = await program.createTenant({ credit: '5', key: { spend_limit_usd: '1' } });
  const { requestId } = await ask(tenant);
  const correct = (...args: string[]) =>
    program.cli('receipt', 'correct', requestId, ...args, '--reason', 'the upstream was down');
  expect((await correct('--charge', '9')).stderr).toContain('at most its hold');
  expect((await correct()).stderr).toContain('--charge USD or --price-version NUMBER');
  expect((await correct('--charge', '0', '--price-version', '1')).code).toBe(1);
  expect((await correct('--price-version', '7')).stderr).toContain('has no price version 7');
  expect((await correct('--price-version', '1')).stdout).toContain('nothing was posted');
  for (const was of ['Posted', 'This was posted before']) {
    const { stdout } = await correct('--charge', '0.0005', '--once', 'ticket-9');
    expect(stdout).toBe(`${was}: an adjustment of 0.001056 USD; the request is charged 0.0005 USD.\n`);
  }
  expect(await program.json('receipt', requestId)).toMatchObject({
    charge_nano_usd: '1556000',
    net_charge_nano_usd: '500000',
    corrections: [{ amount_nano_usd: '1056000', kind: 'adjustment', reason: 'the upstream was down' }],
  });
  expect((await program.cli('receipt', requestId)).stdout).toMatch(/corrected to +0\.0005 USD/);
  expect(await program.json('workspace', 'show', tenant.workspaceId)).toMatchObject({ balance_usd: '4.9995' });
  const headers = { authorization: `Bearer ${tenant.key}` };
  const own = (await (await fetch(`${program.url}/v1/receipts/${requestId}`, { headers })).json()) as object;
  expect(own).toMatchObject({ charge_nano_usd: '1556000', net_charge_nano_usd: '500000' });
  expect(JSON.stringify(own)).not.toMatch(/the upstream was down|balance|operator/);
  expect(await program.json('ledger', 'verify')).toMatchObject({ ok: true });
});

test('exported receipts and entries add up to the balance', async () => {
  const tenant = await program.createTenant({ credit: '5' });
  for (let n = 0; n < 5; n++) expect(await ask(tenant)).toMatchObject({ status: 200 });
  await credit('adjust', tenant.workspaceId, '-0.000000007');
  const read = async (what: string, ...range: string[]) => {
    const { code, stdout } = await program.cli('ledger', 'export', what, tenant.workspaceId, ...range);
    expect(code).toBe(0);
    return parseCsv(stdout);
  };
  const [receipts, entries] = [await read('receipts'), await read('entries')];
  const posted = entries.filter(({ account }) => account === 'credit' || account === 'owed');
  const { balance_nano_usd: balance } = await program.json<{ balance_nano_usd: string }>(
    'workspace',
    'show',
    tenant.workspaceId,
  );
  expect(receipts).toHaveLength(5);
  expect(sumOf(posted, 'amount_nano_usd') - sumOf(receipts, 'charge_nano_usd')).toBe(BigInt(balance));
  expect(await read('receipts', '--to', '2020-01-01')).toEqual([]);
  expect(await read('entries', '--from', '2020-01-01')).toEqual(entries);
});

test('a proof that fails is a failed command, a problem of the instance and a number to alert on', async () => {
  const tenant = await program.createTenant({ credit: '5' });
  const database = await program.openDatabase();
  const bend = (by: number) =>
    database.query(
      `update purses set limit_nano_usd = limit_nano_usd + $1 where kind = 'credit' and workspace_id = $2`,
      [by, tenant.workspaceId],
    );
  await bend(1);
  const proof = await program.cli('ledger', 'verify');
  expect(proof).toMatchObject({ code: 1, stderr: expect.stringContaining('does not add up') });
  expect(proof.stdout).toMatch(/workspace_balance/);
  expect((await program.admin.showStatus()).problems.join('\n')).toContain('The ledger did not add up');
  expect(await program.metrics()).toMatch(/^faregate_ledger_differences 1$/m);
  expect(program.stderr()).toContain('the ledger does not add up: run');
  await bend(-1);
  expect((await program.cli('ledger', 'verify')).code).toBe(0);
  expect((await program.admin.showStatus()).problems).toEqual([]);
  expect(await program.metrics()).toMatch(/^faregate_ledger_differences 0$/m);
});

test('usage is a table for people and an answer of the API for programs, and equals the receipts immediately', async () => {
  const tenant = await program.createTenant({ credit: '5' });
  await ask(tenant);
  await vi.waitFor(async () => expect((await program.cli('usage', tenant.workspaceId)).code).toBe(0), {
    timeout: 20_000,
  });
  const { requestId } = await ask(tenant);
  const receipt = await program.json<{ charge_nano_usd: string }>('receipt', requestId);
  const usage = await program.json<{ total: { requests: number; charge_nano_usd: string } }>(
    'usage',
    tenant.workspaceId,
  );
  expect(usage.total).toMatchObject({
    requests: 2,
    charge_nano_usd: (2n * BigInt(receipt.charge_nano_usd)).toString(),
  });
  const lines = (await program.cli('usage', tenant.workspaceId, '--by', 'model', '--since', '2d')).stdout
    .trim()
    .split('\n');
  expect(lines[0]).toMatch(/^MODEL +REQUESTS +INPUT TOKENS +OUTPUT TOKENS +CHARGE USD +WRITE-OFF USD$/);
  expect(lines[1]).toMatch(/^tiered-chat +2 +2002 +106 /);
  expect((await program.cli('usage', tenant.workspaceId, '--by', 'day')).stdout).toMatch(/^\d{4}-\d\d-\d\d +2 /m);
  expect((await program.cli('usage', '--since', 'yesterday')).stderr).toContain('Write a time such as 12h, 7d');
  expect(await program.json('ledger', 'rebuild-usage')).toEqual({ recounted: true });
});
