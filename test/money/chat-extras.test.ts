import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// What a chat request buys beside text, by fields of its own: it is sold where the model's price covers it, held as a
// bound, and charged; elsewhere it is refused by its name, and nothing is sent.

const SIZE = 'context_window: 10000, max_output: 1000';
const PRICE = 'input: "1", output: "10"';
const [INPUT, OUTPUT, REQUEST, SEARCH] = [1_000n, 10_000n, 2_000_000n, 10_000_000n];
const READ = 500n;

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const sold = `price: { ${PRICE}, fees: { request: "0.002", web_search: "0.01" } }, tools: { web_search: { input_tokens: ${READ} } }`;
  const config = `
routing: { results_min: 1000 }
structured_output: { free_per_hour: "0" }
providers:
  openai: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: "sk-upstream" }
  generic: { kind: openai, profile: generic, base_url: "${upstream.origin}/v1", api_key: "sk-upstream" }
  anthropic: { kind: anthropic, base_url: "${upstream.origin}", api_key: "sk-ant-upstream" }
models:
  - { id: gpt, routes: [{ provider: openai, model: theirs }], price: { ${PRICE} }, ${SIZE} }
  - { id: gpt-search, routes: [{ provider: openai, model: theirs }], ${sold}, ${SIZE} }
  - { id: compatible, routes: [{ provider: generic, model: theirs }], ${sold}, ${SIZE} }
  - { id: claude, routes: [{ provider: anthropic, model: theirs }], ${sold}, ${SIZE} }
  - { id: either, routes: [{ provider: anthropic, model: theirs }, { provider: openai, model: theirs }], ${sold}, ${SIZE} }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
});
beforeEach(() => {
  script = (response) => response.writeHead(500).end();
});
afterAll(() => program.dispose());

function post(path: string, body: object): Promise<Response> {
  return fetch(`${program.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const answers =
  (body: object): Script =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Streams these chunks, and then breaks the connection. */
const breaksAfter =
  (chunks: readonly object[]): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''), () => response.destroy());
  };

const receiptOf = (response: Response) => program.admin.showReceipt(response.headers.get('x-request-id') ?? '');
const sent = (): Record<string, unknown> =>
  JSON.parse(String(upstream.requests.at(-1)?.body)) as Record<string, unknown>;

async function quoteOf(body: object): Promise<bigint> {
  const quote = (await (await post('quote', body)).json()) as Record<string, string>;
  return BigInt(quote['hold_nano_usd'] ?? '');
}

const CHAT = { model: 'gpt', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const saying = (content: string, choices = 1, completion = 7): object => ({
  choices: Array.from({ length: choices }, (_, index) => ({
    index,
    message: { role: 'assistant', content },
    finish_reason: 'stop',
  })),
  usage: { prompt_tokens: 700, completion_tokens: completion, total_tokens: 700 + completion },
});
const TOKENS = 700n * INPUT + 7n * OUTPUT;
const chunk = (delta: object): object => ({ choices: [{ index: 0, delta, finish_reason: null }] });

async function expectRefused(body: object, param: string): Promise<string> {
  const before = upstream.requests.length;
  const refused = await post('chat/completions', body);
  expect(refused.status).toBe(400);
  const { error } = (await refused.json()) as { readonly error: { readonly param: string; readonly message: string } };
  expect(error.param).toBe(param);
  expect(upstream.requests).toHaveLength(before);
  return error.message;
}

const SEARCHING = { ...CHAT, model: 'gpt-search', web_search_options: { search_context_size: 'low' } };

test.each(['gpt-search', 'compatible', 'either'])(
  'a search is charged once for each choice of an answer, and held with what it reads: %s',
  async (model) => {
    script = answers(saying('hi', 2));
    const body = { ...SEARCHING, model, n: 2 };
    const quoted = await quoteOf(body);
    const bare = { ...CHAT, n: 2, web_search_options: null, user: '_'.repeat(JSON.stringify(body).length) };
    const { length } = JSON.stringify({ ...bare, user: '' });
    const tokens = await quoteOf({ ...bare, user: '_'.repeat(JSON.stringify(body).length - length) });
    expect(quoted).toBe(tokens + REQUEST + 2n * SEARCH + 2n * READ * INPUT);
    const answer = await post('chat/completions', body);
    expect(answer.status).toBe(200);
    expect(sent()['web_search_options']).toEqual({ search_context_size: 'low' });
    expect(await receiptOf(answer)).toMatchObject({
      hold_nano_usd: String(quoted),
      charge_nano_usd: String(TOKENS + REQUEST + 2n * SEARCH),
      uses: { request: 1, web_search: 2 },
      write_off_nano_usd: '0',
    });
  },
);

test('a search is charged if its stream is cut off after the first text, and not where none came', async () => {
  const streamed = { ...SEARCHING, stream: true };
  script = breaksAfter([chunk({ role: 'assistant' }), chunk({ content: 'hi' })]);
  const cut = await post('chat/completions', streamed);
  expect(await cut.text()).toContain('"error"');
  const receipt = await receiptOf(cut);
  expect(receipt).toMatchObject({ outcome: 'interrupted', uses: { request: 1, web_search: 1 } });
  expect(receipt.fees_nano_usd).toBe(String(REQUEST + SEARCH));
  expect(receipt.charge_nano_usd).toBe(receipt.cost?.cost_nano_usd);
  script = breaksAfter([chunk({ role: 'assistant' })]);
  const silent = await post('chat/completions', streamed);
  await silent.text();
  expect(await receiptOf(silent)).toMatchObject({ uses: {}, charge_nano_usd: '0' });
  script = (response) => response.writeHead(500).end();
  const failed = await post('chat/completions', streamed);
  const none = await vi.waitFor(() => receiptOf(failed), { timeout: 20_000, interval: 50 });
  expect(none).toMatchObject({ outcome: 'failed', uses: {}, charge_nano_usd: '0' });
});

test('an answer that does not conform to its schema is charged the search that it made', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  const format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } };
  script = answers(saying('{"b":1}'));
  // The hold covers no other ask after a search that was billed.
  const answer = await post('chat/completions', { ...SEARCHING, response_format: format });
  expect(answer.status).toBe(502);
  const receipt = await vi.waitFor(() => receiptOf(answer), { timeout: 20_000, interval: 50 });
  expect(receipt).toMatchObject({
    uses: { request: 1, web_search: 1 },
    charge_nano_usd: String(TOKENS + REQUEST + SEARCH),
  });
});

test('a search without a fee, or where no provider reads the field, is refused by its name, and nothing is sent', async () => {
  expect(await expectRefused({ ...SEARCHING, model: 'gpt' }, 'web_search_options')).toContain('price.fees.web_search');
  expect(await expectRefused({ ...SEARCHING, model: 'claude' }, 'web_search_options')).toContain('provider');
  await expectRefused({ ...SEARCHING, web_search_options: true }, 'web_search_options');
});

const PREDICTION = { type: 'content', content: 'é'.repeat(200) };
const PREDICTION_BYTES = Buffer.byteLength(JSON.stringify(PREDICTION));
const PREDICTING = { ...CHAT, prediction: PREDICTION };

/** The same request without a prediction, as long. */
const unpredicted = { ...CHAT, metadata: '_'.repeat(PREDICTION_BYTES - 2) };

test('a prediction is held as output beside the cap, and charged as what the provider reports', async () => {
  const same = JSON.stringify(unpredicted).length - Buffer.byteLength(JSON.stringify(PREDICTING));
  const quoted = await quoteOf(PREDICTING);
  expect(quoted).toBe((await quoteOf(unpredicted)) - BigInt(same) * INPUT + BigInt(PREDICTION_BYTES) * OUTPUT);
  const completion = 100 + PREDICTION_BYTES;
  script = answers(saying('hi', 1, completion));
  const answer = await post('chat/completions', PREDICTING);
  expect(sent()['prediction']).toEqual(PREDICTION);
  expect(await receiptOf(answer)).toMatchObject({
    hold_nano_usd: String(quoted),
    charge_nano_usd: String(700n * INPUT + BigInt(completion) * OUTPUT),
    write_off_nano_usd: '0',
  });
});

test('a stream with a prediction is not cut off for the tokens that it rejects', async () => {
  const completion = 100 + PREDICTION_BYTES;
  const usage = { prompt_tokens: 700, completion_tokens: completion, total_tokens: 700 + completion };
  script = breaksAfter([
    { ...chunk({ content: 'hi' }), usage },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ]);
  const answer = await post('chat/completions', { ...PREDICTING, stream: true });
  expect(await answer.text()).toContain('[DONE]');
  expect(await receiptOf(answer)).toMatchObject({
    outcome: 'completed',
    charge_nano_usd: String(700n * INPUT + BigInt(completion) * OUTPUT),
  });
});

test.each(['compatible', 'claude'])(
  'a prediction is refused by its name where no provider reads it: %s',
  async (model) => {
    expect(await expectRefused({ ...PREDICTING, model }, 'prediction')).toContain('provider');
  },
);
