import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';

// A price changes in the config file: what is a step becomes the price at the next start, what looks like a slip waits
// for a yes, and what was charged before stays charged as it was.

let upstream: MockUpstream;
let program: Program;

beforeAll(async () => {
  upstream = await startMockUpstream({ usage: () => ({ prompt_tokens: 1_000, completion_tokens: 100 }) });
});

afterAll(async () => {
  await program.dispose();
  await upstream.stop();
});

const config = (prices: { steady: string; doubled: string; slipped: string }, { tier = '', fees = '' } = {}) => `
providers:
  mock: { kind: openai, base_url: "${upstream.baseUrl}" }
models:
  - id: steady
    routes: [{ provider: mock, model: gpt }]
    price: { input: "1", output: "${prices.steady}" }
    context_window: 128000
    max_output: 1000
  - id: doubled
    routes: [{ provider: mock, model: gpt }]
    price: { input: "1", output: "${prices.doubled}"${tier} }
    context_window: 128000
    max_output: 1000
  - id: slipped
    routes: [{ provider: mock, model: gpt }]
    price: { input: "1", output: "${prices.slipped}"${fees} }
    context_window: 128000
    max_output: 1000
`;

async function ask(key: string, model: string): Promise<string> {
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] };
  const response = await program.chat(key, body);
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

const problems = async (): Promise<readonly string[]> => (await program.admin.showStatus()).problems;

test('a new price is charged from the next start on, a slip only once it is accepted, a past receipt never', async () => {
  program = await startProgram({ config: config({ steady: '2', doubled: '2', slipped: '2' }) });
  const { key } = await program.createTenant({ credit: '5' });
  const before = await ask(key, 'doubled');
  expect(await program.admin.showReceipt(before)).toMatchObject({ charge_nano_usd: '1200000', price_version: 1 });
  expect((await program.cli('catalogue', 'diff')).stdout).toContain('The models on sale match the config.');
  await program.signal('SIGINT');

  const tier = ', tiers: [{ above_input_tokens: 999, input: "1", output: "5" }]';
  const fees = ', fees: { web_search: "0.01" }';
  const changed = config({ steady: '2', doubled: '4', slipped: '0.1' }, { tier, fees });
  program = await startProgram({ config: changed, data: dirname(program.data) });
  expect(await program.admin.showReceipt(before)).toMatchObject({
    charge_nano_usd: '1200000',
    price_version: 1,
    cost: { above_input_tokens: null, cost_nano_usd: '1200000' },
  });
  expect(await program.admin.showReceipt(await ask(key, 'doubled'))).toMatchObject({
    charge_nano_usd: '1500000',
    price_version: 2,
    cost: { above_input_tokens: 999, cost_nano_usd: '1500000' },
  });
  expect(await program.admin.showReceipt(await ask(key, 'steady'))).toMatchObject({ price_version: 1 });

  // Twentyfold cheaper: the old price stays, and everybody who looks is told.
  expect(await program.admin.showReceipt(await ask(key, 'slipped'))).toMatchObject({
    charge_nano_usd: '1200000',
    price_version: 1,
  });
  expect(await problems()).toEqual([expect.stringContaining('catalogue apply --accept slipped')]);
  expect(program.stderr()).toContain('more than tenfold');
  const diff = (await program.cli('catalogue', 'diff')).stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(diff).toEqual(
    expect.arrayContaining([
      ['slipped', 'update', 'price.output', '2.00', '0.10', 'needs --accept slipped'],
      ['slipped', 'update', 'price.fees.web_search', '-', '0.01', 'needs --accept slipped'],
      ['Prices are USD per million tokens, fees USD per use.'],
    ]),
  );
  const refused = await program.cli('catalogue', 'apply');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept slipped') });
  expect((await program.cli('catalogue', 'apply', '--accept', 'slipped')).code).toBe(0);
  expect(await problems()).toEqual([]);
  expect(await program.admin.showReceipt(await ask(key, 'slipped'))).toMatchObject({
    charge_nano_usd: '1010000',
    price_version: 2,
  });

  const history = (await program.admin.listCatalogue({ history: 'true' })).data.find(({ id }) => id === 'doubled');
  expect(history).toMatchObject({ on_sale: true, retired_at: null, price: { version: 2, to: null } });
  expect(history?.history.map(({ version, tiers }) => [version, tiers.map((each) => each.above_input_tokens)])).toEqual(
    [
      [2, [0, 999]],
      [1, [0]],
    ],
  );
  const listed = (await program.cli('catalogue', 'list')).stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(listed).toContainEqual(expect.arrayContaining(['doubled', '2', 'above 999', '1.00', '1.00', '5.00']));

  // At the new version's price the request would have cost more than it held, which is the most that it may cost.
  const { hold_nano_usd: hold } = await program.admin.showReceipt(before);
  expect(await program.json('receipt', 'correct', before, '--price-version', '2', '--reason', 'agreed')).toMatchObject({
    posting: { amount_nano_usd: String(1_200_000n - BigInt(hold)) },
    receipt: { charge_nano_usd: '1200000', price_version: 1, net_charge_nano_usd: hold },
  });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
