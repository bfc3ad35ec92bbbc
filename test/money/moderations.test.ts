import OpenAI, { BadRequestError, NotFoundError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Moderations: sent to a provider as they are, free or priced by the request or the token, and nobody pays for what is no answer.

const ANSWER =
  '{"id":"modr-1","model":"omni", "results":[{"flagged":true,"categories":{"violence":true},"category_scores":{"violence":0.9}}]}';

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const openai = 'routes: [{ provider: openai, model: omni-moderation-latest }]';
  const config = `
routing: { results_min: 1000 }
providers:
  openai: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: sk-upstream-0123456789 }
  claude: { kind: anthropic, base_url: "${upstream.origin}", api_key: sk-ant-0123456789 }
  sandbox: { kind: sandbox }
models:
  - { id: free, kind: moderation, ${openai}, price: { input: "0" }, context_window: 32768 }
  - { id: priced, kind: moderation, ${openai}, price: { input: "1", fees: { request: "0.0001" } }, context_window: 32768, media: { image_tokens: 100 } }
  - { id: silent, kind: moderation, routes: [{ provider: claude, model: claude }], price: { input: "0" }, context_window: 32768 }
  - { id: local, kind: moderation, routes: [{ provider: sandbox, model: moderation }], price: { input: "0" }, context_window: 32768 }
  - { id: chat, routes: [{ provider: sandbox, model: echo }], price: { input: "1", output: "1" }, context_window: 8192, max_output: 100 }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
});
beforeEach(() => {
  script = answers(ANSWER);
});
afterAll(() => program.dispose());

const answers =
  (text: string): Script =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);

const clientOf = ({ key }: Tenant): OpenAI => new OpenAI({ baseURL: `${program.url}/v1`, apiKey: key, maxRetries: 0 });
const receiptOf = (response: Response) => program.admin.showReceipt(response.headers.get('x-request-id') ?? '');

test('a free moderation holds and charges nothing, runs at a balance of zero, and passes byte for byte', async () => {
  const poor = await program.createTenant({ credit: null });
  const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
  const input = [{ type: 'text' as const, text: 'I will kill you' }, image];
  const body = { model: 'free', input };
  const { response, data } = await clientOf(poor).moderations.create(body).withResponse();
  expect(data).toEqual(JSON.parse(ANSWER));
  const sent = upstream.requests.at(-1);
  expect(sent?.path).toBe('/v1/moderations');
  expect(JSON.parse(String(sent?.body))).toEqual({ ...body, model: 'omni-moderation-latest' });
  expect(await receiptOf(response)).toMatchObject({
    dialect: 'moderations',
    hold_nano_usd: '0',
    charge_nano_usd: '0',
    outcome: 'completed',
  });
});

test('a priced one holds the bound of its texts and images and the fee, and is charged what the provider counts', async () => {
  const client = clientOf(tenant);
  const image = { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } };
  const body = { model: 'priced', input: [{ type: 'text' as const, text: 'x'.repeat(40) }, image] };
  const counted = ANSWER.replace('"results"', '"usage":{"prompt_tokens":50,"total_tokens":50},"results"');
  script = answers(counted);
  const exact = await receiptOf((await client.moderations.create(body).withResponse()).response);
  const fee = 100_000n;
  expect(exact).toMatchObject({ hold_nano_usd: String((42n + 100n) * 1_000n + fee), fees_nano_usd: String(fee) });
  expect(exact).toMatchObject({ charge_nano_usd: String(50n * 1_000n + fee), usage: { certainty: 'exact' } });
  script = answers(ANSWER);
  const { response } = await client.moderations.create(body).withResponse();
  const estimated = await receiptOf(response);
  expect(estimated).toMatchObject({ charge_nano_usd: String(10n * 1_000n + fee), usage: { certainty: 'estimated' } });
});

test('a text longer than the model can read is charged as much as the model reads, and nothing is written off', async () => {
  const body = { model: 'priced', input: ['x'.repeat(400_000), 'x'.repeat(40)] };
  const { response } = await clientOf(tenant).moderations.create(body).withResponse();
  const charge = String((32_768n + 42n) * 1_000n + 100_000n);
  expect(await receiptOf(response)).toMatchObject({ charge_nano_usd: charge, write_off_nano_usd: '0' });
});

test.each(['{"results":[]}', '{"results":[{"categories":{}}]}', '{"id":"x"}', 'no'])(
  'what judges nothing is no answer, and nothing is charged: %s',
  async (text) => {
    script = answers(text);
    await expect(clientOf(tenant).moderations.create({ model: 'priced', input: 'hi' })).rejects.toMatchObject({
      status: 503,
      code: 'MODEL_UNAVAILABLE',
    });
  },
);

test('the sandbox flags a text by its words', async () => {
  const input = ['Good morning', 'I will kill you'];
  const { results } = await clientOf(tenant).moderations.create({ model: 'local', input });
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
  expect(results[1]?.categories.violence).toBe(true);
});

test('models of other kinds and providers without moderations are refused, with what to call instead', async () => {
  const client = clientOf(tenant);
  await expect(client.moderations.create({ model: 'chat', input: 'hi' })).rejects.toThrow('/v1/chat/completions');
  await expect(
    client.chat.completions.create({ model: 'free', messages: [{ role: 'user', content: 'hi' }] }),
  ).rejects.toThrow('"free" is a moderation model; call it at /v1/moderations.');
  await expect(client.moderations.create({ model: 'silent', input: 'hi' })).rejects.toBeInstanceOf(NotFoundError);
  await expect(client.moderations.create({ input: 'hi' })).rejects.toBeInstanceOf(BadRequestError);
});

test('a moderation is quoted, and the ledger adds up', async () => {
  const quote = await fetch(`${program.url}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'priced', input: 'hi' }),
  });
  expect(await quote.json()).toMatchObject({ allowed: true, input_tokens_max: 4, hold_nano_usd: '104000' });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
