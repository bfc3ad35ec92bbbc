import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/program/database/pool.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// What is charged beside tokens: a fee for each request, and one for each use of a tool that the provider runs. It is held
// as a bound, charged by what the provider reports, and a part of the receipt's arithmetic.

const PRICE = 'input: "1", output: "10"';
const SIZE = 'context_window: 10000, max_output: 1000';
const FEES = 'fees: { request: "0.002", web_search: "0.01", web_fetch: "0.001", image_generation: "0.04" }';
const TOOLS = 'tools: { web_search: { max_uses: 3, input_tokens: 500 }, web_fetch: { max_uses: 2, input_tokens: 0 } }';
const [INPUT, OUTPUT, REQUEST, SEARCH, FETCH, IMAGE] = [
  1_000n,
  10_000n,
  2_000_000n,
  10_000_000n,
  1_000_000n,
  40_000_000n,
];

let program: Program;
let upstream: ScriptedUpstream;
let database: Database;
let script: Script;
let tenant: Tenant;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  // Streams that break off are many here, and rest no route.
  const config = `
routing: { results_min: 1000 }
providers:
  openai: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: "sk-upstream" }
  anthropic: { kind: anthropic, base_url: "${upstream.origin}", api_key: "sk-ant-upstream" }
models:
  - { id: gpt-full, routes: [{ provider: openai, model: theirs, cost: { input: "1", output: "1", fees: { web_search: "0.008" } } }], price: { ${PRICE}, ${FEES} }, ${SIZE}, ${TOOLS} }
  - { id: claude-full, routes: [{ provider: anthropic, model: theirs }], price: { ${PRICE}, ${FEES} }, ${SIZE}, ${TOOLS} }
  - { id: gpt-docs, routes: [{ provider: openai, model: theirs }], price: { ${PRICE}, fees: { mcp: "0.003" } }, ${SIZE}, tools: { mcp: { max_uses: 2, input_tokens: 300 } } }
  - { id: gpt-bare, routes: [{ provider: openai, model: theirs }], price: { ${PRICE} }, ${SIZE} }
  - { id: claude-bare, routes: [{ provider: anthropic, model: theirs }], price: { ${PRICE} }, ${SIZE} }
  - { id: embed, kind: embedding, routes: [{ provider: openai, model: theirs }], price: { input: "1", fees: { request: "0.002" } }, context_window: 1000 }
`;
  program = await startProgram({ config, beside: [upstream] });
  database = await program.openDatabase();
  tenant = await program.createTenant();
});
beforeEach(() => {
  script = (response) => response.writeHead(500).end();
});
afterAll(() => program.dispose());

function post(path: string, body: object, headers: Record<string, string> = {}, key = tenant.key): Promise<Response> {
  return fetch(`${program.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const answers =
  (body: object): Script =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Streams these events; with `isCut` the connection breaks then. */
const streams =
  (events: readonly { readonly type: string; readonly [name: string]: unknown }[], isCut = false): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    response.write(text, () => (isCut ? response.destroy() : response.end()));
  };

const receiptOf = (response: Response) => program.admin.showReceipt(response.headers.get('x-request-id') ?? '');
const sent = (): Record<string, unknown> =>
  JSON.parse(String(upstream.requests.at(-1)?.body)) as Record<string, unknown>;

const SEARCH_TOOL = { type: 'web_search' };
const FUNCTION = { type: 'function', name: 'f', parameters: {} };
const RESPONSES = { model: 'gpt-full', input: 'hi', max_output_tokens: 100 };
const SEARCHED = { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'q' } };
const OPENED = { type: 'web_search_call', id: 'wo', status: 'completed', action: { type: 'open_page', url: 'u' } };
const DRAWN = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'aGk=' };
const SAID = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] };
const USAGE = { input_tokens: 700, output_tokens: 7, total_tokens: 707 };
const response = (output: readonly object[]): object => ({
  id: 'resp',
  object: 'response',
  status: 'completed',
  output,
  usage: USAGE,
});
const TOKENS = 700n * INPUT + 7n * OUTPUT;

const MESSAGES = { model: 'claude-full', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const CLAUDE_SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const CLAUDE_FETCH = { type: 'web_fetch_20250910', name: 'web_fetch', max_uses: 4 };
const OWN_TOOL = { name: 'own', input_schema: { type: 'object' } };
const message = (uses: object): object => ({
  id: 'msg',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 700, output_tokens: 7, ...uses },
});

test('a request is charged its fee and that of each use which is reported, and the receipt shows the arithmetic', async () => {
  script = answers(response([SEARCHED, OPENED, SEARCHED, DRAWN, SAID]));
  const tools = [SEARCH_TOOL, { type: 'image_generation' }, FUNCTION];
  const answer = await post('responses', { ...RESPONSES, tools });
  expect(answer.headers.get('x-faregate-left-out')).toBeNull();
  // No more calls than the larger of both maxima, as the model is sold.
  expect(sent()).toMatchObject({ tools, max_tool_calls: 5 });
  const fees = REQUEST + 2n * SEARCH + IMAGE;
  const receipt = await receiptOf(answer);
  expect(receipt).toMatchObject({
    charge_nano_usd: String(TOKENS + fees),
    write_off_nano_usd: '0',
    fees_nano_usd: String(fees),
    uses: { request: 1, web_search: 2, image_generation: 1 },
    cost: {
      fee_lines: [
        { use: 'request', uses: 1, fee_usd: '0.002', amount_usd: '0.002' },
        { use: 'web_search', uses: 2, fee_usd: '0.01', amount_usd: '0.02' },
        { use: 'image_generation', uses: 1, fee_usd: '0.04', amount_usd: '0.04' },
      ],
      cost_nano_usd: String(TOKENS + fees),
    },
  });
  const shown = (await program.cli('receipt', receipt.request_id)).stdout;
  expect(shown).toMatch(/^web search +2 +0\.01 +0\.02$/m);
  const own = await fetch(`${program.url}/v1/receipts/${receipt.request_id}`, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  expect(await own.json()).toMatchObject({ uses: { web_search: 2 }, fees_usd: '0.062' });
});

test('the hold covers the maximum of uses and what they read, and is what a quote says', async () => {
  script = answers(response([SAID]));
  const body = { ...RESPONSES, tools: [SEARCH_TOOL], max_tool_calls: 4 };
  const quoted = (await (await post('quote', body)).json()) as Record<string, string>;
  expect(quoted).toMatchObject({
    fees: [
      { use: 'request', uses_max: 1, fee_usd: '0.002' },
      { use: 'web_search', uses_max: 4, fee_usd: '0.01' },
    ],
    fees_max_nano_usd: String(REQUEST + 4n * SEARCH),
  });
  const bare = (await (await post('quote', { ...body, model: 'gpt-bare' })).json()) as Record<string, string>;
  const read = 4n * 500n * INPUT;
  expect(BigInt(quoted['hold_nano_usd'] ?? '')).toBe(
    BigInt(bare['hold_nano_usd'] ?? '') + REQUEST + 4n * SEARCH + read,
  );
  const answer = await post('responses', body);
  expect(sent()).toMatchObject({ max_tool_calls: 4 });
  expect((await receiptOf(answer)).hold_nano_usd).toBe(quoted['hold_nano_usd']);
});

test('uses beyond the hold are written off, and the charge is never above it', async () => {
  script = answers(response([...Array.from({ length: 9 }, () => SEARCHED), SAID]));
  const answer = await post('responses', { ...RESPONSES, tools: [SEARCH_TOOL], max_tool_calls: 1 });
  const receipt = await receiptOf(answer);
  const due = TOKENS + REQUEST + 9n * SEARCH;
  expect(receipt.charge_nano_usd).toBe(receipt.hold_nano_usd);
  expect(BigInt(receipt.charge_nano_usd) + BigInt(receipt.write_off_nano_usd)).toBe(due);
  expect(receipt.fees_nano_usd).toBe(String(REQUEST + 9n * SEARCH));
});

test('calls of an MCP server are held up to the maximum that the provider is sent, and charged one by one', async () => {
  const FEE = 3_000_000n;
  const server = {
    type: 'mcp',
    server_label: 'docs',
    server_url: 'https://mcp.example.com',
    require_approval: 'never',
  };
  const called = { type: 'mcp_call', id: 'mcp', server_label: 'docs', name: 'find', arguments: '{}', output: 'a' };
  const listed = { type: 'mcp_list_tools', id: 'mcpl', server_label: 'docs', tools: [] };
  script = answers(response([listed, called, called, SAID]));
  const body = { ...RESPONSES, model: 'gpt-docs', tools: [server] };
  const answer = await post('responses', body);
  expect(sent()).toMatchObject({ tools: [server], max_tool_calls: 2 });
  const receipt = await receiptOf(answer);
  expect(receipt).toMatchObject({
    uses: { mcp: 2 },
    charge_nano_usd: String(TOKENS + 2n * FEE),
    write_off_nano_usd: '0',
  });
  const bare = (await (await post('quote', { ...body, model: 'gpt-bare' })).json()) as Record<string, string>;
  expect(BigInt(receipt.hold_nano_usd)).toBe(BigInt(bare['hold_nano_usd'] ?? '') + 2n * (FEE + 300n * INPUT));
});

const done = (item: object) => ({ type: 'response.output_item.done', output_index: 0, item });
const DELTA = { type: 'response.output_text.delta', delta: 'hi' };
const CREATED = { type: 'response.created', response: { id: 'resp', output: [] } };

test('a stream is charged for the uses that its events report, also if it breaks off', async () => {
  const events = [CREATED, done(SEARCHED), done(OPENED), done(SEARCHED), DELTA];
  script = streams([...events, { type: 'response.completed', response: response([SEARCHED, SEARCHED, SAID]) }]);
  const body = { ...RESPONSES, tools: [SEARCH_TOOL], stream: true };
  const whole = await post('responses', body);
  expect(await whole.text()).toContain('response.completed');
  expect(await receiptOf(whole)).toMatchObject({
    uses: { request: 1, web_search: 2 },
    charge_nano_usd: String(TOKENS + REQUEST + 2n * SEARCH),
  });
  script = streams(events, true);
  const cut = await post('responses', body);
  expect(await cut.text()).toContain('response.failed');
  const receipt = await receiptOf(cut);
  expect(receipt).toMatchObject({ outcome: 'interrupted', uses: { request: 1, web_search: 2 } });
  expect(receipt.fees_nano_usd).toBe(String(REQUEST + 2n * SEARCH));
  expect(receipt.charge_nano_usd).toBe(receipt.cost?.cost_nano_usd);
});

test('a recorded search of an agent arrives byte for byte where the model is sold with it', async () => {
  const recorded = readFileSync(join(import.meta.dirname, '../fixtures/agents/claude-web-search.json'), 'utf8');
  const { body } = JSON.parse(recorded) as { readonly body: object };
  script = streams([{ type: 'message_start' }, { type: 'message_stop' }]);
  const answer = await post('messages', { ...body, model: 'claude-full', max_tokens: 100 });
  await answer.text();
  expect(answer.headers.get('x-faregate-left-out')).toBeNull();
  expect(String(upstream.requests.at(-1)?.body)).toBe(JSON.stringify({ ...body, model: 'theirs', max_tokens: 100 }));
});

test('a message is charged for the uses that its usage counts, and each tool is sent with a maximum', async () => {
  script = answers(message({ server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } }));
  const answer = await post('messages', { ...MESSAGES, tools: [CLAUDE_SEARCH, OWN_TOOL, CLAUDE_FETCH] });
  expect(sent()['tools']).toEqual([{ ...CLAUDE_SEARCH, max_uses: 3 }, OWN_TOOL, CLAUDE_FETCH]);
  const receipt = await receiptOf(answer);
  const fees = REQUEST + 2n * SEARCH + FETCH;
  expect(receipt).toMatchObject({
    uses: { request: 1, web_search: 2, web_fetch: 1 },
    charge_nano_usd: String(TOKENS + fees),
  });
  const held = BigInt(receipt.hold_nano_usd);
  const bare = await post(
    'quote',
    { ...MESSAGES, model: 'claude-bare', tools: [CLAUDE_SEARCH, OWN_TOOL, CLAUDE_FETCH] },
    { 'anthropic-version': '2023-06-01' },
  );
  const { hold_nano_usd: without } = (await bare.json()) as Record<string, string>;
  expect(held - BigInt(without ?? '')).toBe(REQUEST + 3n * SEARCH + 4n * FETCH + 3n * 500n * INPUT);
});

test('a stream of a message that breaks off is charged for the results that are there', async () => {
  const start = { type: 'message_start', message: { ...message({}), content: [], stop_reason: null } };
  const block = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
  const result = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
  const failed = { ...result, content: { type: 'web_search_tool_result_error', error_code: 'unavailable' } };
  const text = { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'hi' } };
  const events = [start, block(0, result), block(1, failed), block(2, { type: 'text', text: '' }), text];
  const body = { ...MESSAGES, stream: true, tools: [CLAUDE_SEARCH] };
  script = streams(events, true);
  const cut = await post('messages', body);
  await cut.text();
  expect(await receiptOf(cut)).toMatchObject({ outcome: 'interrupted', uses: { request: 1, web_search: 1 } });
  const delta = {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: 7, server_tool_use: { web_search_requests: 2 } },
  };
  script = streams([...events, delta, { type: 'message_stop' }]);
  const whole = await post('messages', body);
  await whole.text();
  expect(await receiptOf(whole)).toMatchObject({ outcome: 'completed', uses: { request: 1, web_search: 2 } });
});

test('a tool without a price is taken out and told, in each dialect, though no other is left', async () => {
  script = answers(response([SAID]));
  const asked = { ...RESPONSES, model: 'gpt-bare', tools: [SEARCH_TOOL], tool_choice: 'auto' };
  const stripped = await post('responses', asked);
  expect(stripped.status).toBe(200);
  expect(stripped.headers.get('x-faregate-left-out')).toBe('web_search');
  expect(sent()).not.toHaveProperty('tools');
  expect(sent()).not.toHaveProperty('max_tool_calls');
  script = answers(message({ server_tool_use: { web_search_requests: 2 } }));
  const claude = await post('messages', {
    ...MESSAGES,
    model: 'claude-bare',
    tools: [CLAUDE_SEARCH],
    tool_choice: { type: 'auto' },
  });
  expect(claude.status).toBe(200);
  expect(claude.headers.get('x-faregate-left-out')).toBe('web_search_20250305');
  expect(sent()).not.toHaveProperty('tools');
  expect(sent()).not.toHaveProperty('tool_choice');
  expect(await receiptOf(claude)).toMatchObject({ uses: {}, fees_nano_usd: '0', charge_nano_usd: String(TOKENS) });
});

test.each([
  [
    'responses',
    { ...RESPONSES, model: 'gpt-bare', tools: [SEARCH_TOOL], tool_choice: { type: 'web_search' } },
    'tool_choice',
  ],
  ['responses', { ...RESPONSES, model: 'gpt-bare', tools: [SEARCH_TOOL], tool_choice: 'required' }, 'tools[0]'],
  [
    'responses',
    { ...RESPONSES, tools: [{ type: 'file_search', vector_store_ids: ['vs'] }], tool_choice: { type: 'file_search' } },
    'tool_choice',
  ],
  [
    'responses',
    { ...RESPONSES, tools: [{ type: 'image_generation', input_image_mask: { file_id: 'file_of_another' } }] },
    'tools[0].file_id',
  ],
  [
    'messages',
    {
      ...MESSAGES,
      model: 'claude-bare',
      tools: [CLAUDE_SEARCH, OWN_TOOL],
      tool_choice: { type: 'tool', name: 'web_search' },
    },
    'tool_choice',
  ],
  [
    'messages',
    { ...MESSAGES, model: 'claude-bare', tools: [CLAUDE_SEARCH], tool_choice: { type: 'any' } },
    'tool_choice',
  ],
  ['messages', { ...MESSAGES, tools: [{ ...CLAUDE_SEARCH, max_uses: 0 }] }, 'tools[0].max_uses'],
  // The provider is not asked in the dialect of the caller, so its tools can't be offered there.
  [
    'messages',
    { ...MESSAGES, model: 'gpt-full', tools: [CLAUDE_SEARCH], tool_choice: { type: 'tool', name: 'web_search' } },
    'tool_choice',
  ],
])(
  'a request that depends on a tool that is not for sale is refused, and nothing is sent: %s %j',
  async (path, body, param) => {
    const before = upstream.requests.length;
    const refused = await post(path, body);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param } });
    expect(upstream.requests).toHaveLength(before);
  },
);

test('a balance that covers the tokens but not the fees is refused, and nothing is sent', async () => {
  const poor = await program.createTenant({ credit: '0.02' });
  const before = upstream.requests.length;
  const body = { ...RESPONSES, max_output_tokens: 10, tools: [SEARCH_TOOL] };
  const refused = await post('responses', body, {}, poor.key);
  expect(refused.status).toBe(402);
  expect(upstream.requests).toHaveLength(before);
  script = answers(response([SAID]));
  expect((await post('responses', { ...body, max_tool_calls: 1 }, {}, poor.key)).status).toBe(200);
});

test('a repeat with the same Idempotency-Key gets the same answer, and its fees are charged once', async () => {
  script = answers(response([SEARCHED, SAID]));
  const body = { ...RESPONSES, tools: [SEARCH_TOOL] };
  const own = await program.createTenant();
  const headers = { 'idempotency-key': 'fees-once' };
  const [first, again] = [
    await post('responses', body, headers, own.key),
    await post('responses', body, headers, own.key),
  ];
  expect([first.status, await again.text()]).toEqual([200, await first.text()]);
  const usage = await program.admin.showUsage(own.workspaceId, { group_by: 'model' });
  expect(usage.total).toMatchObject({ requests: 1, charge_nano_usd: String(TOKENS + REQUEST + SEARCH) });
});

test('the fee of a request is charged in chat and for embeddings too, and not where nothing came back', async () => {
  const chat = { model: 'gpt-full', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
  script = answers({ choices: [{ message: { content: 'hi' } }], usage: { prompt_tokens: 700, completion_tokens: 7 } });
  expect(await receiptOf(await post('chat/completions', chat))).toMatchObject({
    uses: { request: 1 },
    charge_nano_usd: String(TOKENS + REQUEST),
  });
  script = answers({ object: 'list', data: [{ embedding: [0.1] }], usage: { prompt_tokens: 3, total_tokens: 3 } });
  expect(await receiptOf(await post('embeddings', { model: 'embed', input: 'hi' }))).toMatchObject({
    uses: { request: 1 },
    charge_nano_usd: String(3n * INPUT + REQUEST),
  });
  script = (answer) => answer.writeHead(500).end();
  const failed = await post('chat/completions', chat);
  // A caller that gets no answer doesn't wait for its receipt.
  const receipt = await vi.waitFor(() => receiptOf(failed), { timeout: 20_000, interval: 50 });
  expect(receipt).toMatchObject({ outcome: 'failed', uses: {}, charge_nano_usd: '0' });
});

test('a workspace with a discount pays that much less of each fee, and a provider’s fees are costs of the operator', async () => {
  const own = await program.createTenant();
  await program.admin.adjustPrices(own.workspaceId, { change_percent: '-50' });
  script = answers(response([SEARCHED, SAID]));
  const answer = await post('responses', { ...RESPONSES, tools: [SEARCH_TOOL] }, {}, own.key);
  expect(await receiptOf(answer)).toMatchObject({
    charge_nano_usd: String((TOKENS + REQUEST + SEARCH) / 2n),
    cost: { fee_lines: [{ fee_usd: '0.001' }, { fee_usd: '0.005' }] },
  });
  const usage = await program.admin.showUsage(own.workspaceId, { group_by: 'model' });
  // 707 tokens at one, and one search.
  expect(usage.total).toMatchObject({ costed_requests: 1, cost_nano_usd: String(707n * 1_000n + 8_000_000n) });
});

test('fees are listed wherever prices are: by the list for the operator, and as a workspace pays them', async () => {
  const own = await program.createTenant();
  await program.admin.adjustPrices(own.workspaceId, { change_percent: '-12.5' });
  const paid = [
    { use: 'request', fee_nano_usd: '1750000', fee_usd: '0.00175' },
    { use: 'web_search', fee_nano_usd: '8750000', fee_usd: '0.00875' },
    { use: 'web_fetch', fee_nano_usd: '875000', fee_usd: '0.000875' },
    { use: 'image_generation', fee_nano_usd: '35000000', fee_usd: '0.035' },
  ];
  const { data } = await program.admin.listModels(own.workspaceId);
  expect(data.find(({ id }) => id === 'gpt-full')?.price.fees).toEqual(paid);
  expect(data.find(({ id }) => id === 'gpt-bare')?.price.fees).toEqual([]);
  const { history } = await program.admin.showModel(own.workspaceId, 'gpt-full');
  expect(history.map(({ fees }) => fees.map(({ fee_usd: fee }) => fee))).toEqual([
    ['0.00175', '0.00875', '0.000875', '0.035'],
    ['0.002', '0.01', '0.001', '0.04'],
  ]);
  const catalogue = (await program.admin.listCatalogue({})).data.find(({ id }) => id === 'gpt-full');
  expect(catalogue).toMatchObject({
    price: { fees: [{ fee_usd: '0.002' }, { fee_usd: '0.01' }, { fee_usd: '0.001' }, { fee_usd: '0.04' }] },
    costs: [{ fees: [{ use: 'web_search', fee_nano_usd: '8000000', fee_usd: '0.008' }] }],
  });

  const shown = async (...words: readonly string[]) => (await program.cli(...words)).stdout;
  expect(await shown('model', 'list', own.workspaceId)).toMatch(/^gpt-full +\d+ +web search +0\.00875 +\S+Z +-$/m);
  const former = await shown('model', 'show', 'gpt-full', '--workspace', own.workspaceId);
  expect(former).toMatch(/^gpt-full +1 +request +0\.002 +\S+Z +\S+Z$/m);
  expect(await shown('model', 'show', 'gpt-bare', '--workspace', own.workspaceId)).not.toContain('FEE PER');
  const listed = await shown('catalogue', 'list');
  expect(listed).toMatch(/^gpt-full +1 +image generation +0\.04 +\S+Z +-$/m);
  expect(listed).toMatch(/^gpt-full +openai\/theirs +web search +0\.008 +\S+Z +-$/m);
});

test('usage adds up to what the ledger was charged, fees included', async () => {
  const usage = await program.admin.showUsage(tenant.workspaceId, { group_by: 'model' });
  const [sum] = await database.query<{ charge: bigint }>(
    'select sum(charge_nano_usd)::bigint as charge from receipts where workspace_id = $1',
    [tenant.workspaceId],
  );
  expect(usage.total.charge_nano_usd).toBe(String(sum?.charge));
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
