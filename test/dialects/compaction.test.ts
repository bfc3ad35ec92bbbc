import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Gateway, MARKER, NANO_PER_INPUT, NANO_PER_OUTPUT } from '../wire/gateway.ts';
import { answering } from '../wire/upstream-scripts.ts';

// Compaction of conversations: passed as it is to providers that have it, held by all that the model can write, charged by
// the reported usage, and not there for models whose providers have none.

const MAX_OUTPUT = 400;

let gateway: Gateway;
let client: OpenAI;

const model = (id: string, ...providers: readonly string[]): string => `
  - id: ${id}
    routes: [${providers.map((provider) => `{ provider: ${provider}, model: theirs }`).join(', ')}]
    price: { input: "1", output: "10", fees: { web_search: "0.01" } }
    context_window: 100000
    max_output: ${MAX_OUTPUT}`;

beforeAll(async () => {
  gateway = await Gateway.start({
    more: (origin) => ({
      providers: `
  openai: { kind: openai, profile: openai, base_url: "${origin}/openai/v1", accept_fields: [of_next_year, x] }
  second: { kind: openai, profile: openai, base_url: "${origin}/second/v1" }
  azure: { kind: azure, base_url: "${origin}/azure", api_key: azure-key }
  dated: { kind: azure, base_url: "${origin}/azure", api_version: 2024-10-21, api_key: azure-key }
  local: { kind: openai, profile: vllm, base_url: "${origin}/local/v1" }
  claude: { kind: anthropic, base_url: "${origin}/anthropic", api_key: sk-ant-0123456789 }
  sandbox: { kind: sandbox }`,
      models: [
        model('gpt', 'openai'),
        model('azure', 'azure'),
        model('dated', 'dated'),
        model('local', 'local'),
        model('claude', 'claude'),
        model('mixed', 'claude', 'openai'),
        model('two', 'openai', 'second'),
        `
  - id: echo
    routes: [{ provider: sandbox, model: echo }]
    price: { input: "1", output: "10" }
    context_window: 100000
    max_output: ${MAX_OUTPUT}`,
      ].join(''),
    }),
  });
  client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

beforeEach(() => gateway.script(answering(200, COMPACTED)));

afterAll(() => gateway?.stop());

const USAGE = {
  input_tokens: 70,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 8 },
  total_tokens: 120,
};
const CHARGE = 70n * NANO_PER_INPUT + 50n * NANO_PER_OUTPUT;
const SAID = {
  type: 'message',
  id: 'msg_u',
  role: 'user',
  status: 'completed',
  content: [{ type: 'input_text', text: 'x'.repeat(400) }],
};
const SUMMARY = { type: 'compaction', id: 'cmp_1', encrypted_content: 'e'.repeat(200) };
const HEAD = { id: 'resp_cmp', object: 'response.compaction', created_at: 1, output: [SAID, SUMMARY] };
const COMPACTED = { ...HEAD, usage: USAGE };

const PATH = '/v1/responses/compact';
const post = (body: object | string, { path = PATH, headers = {} } = {}) =>
  gateway.post(path, typeof body === 'string' ? body : JSON.stringify(body), { headers });
const sent = (): string => gateway.upstream.requests.at(-1)?.body.toString() ?? '';
const idOf = (response: Response): string => response.headers.get('x-request-id') ?? '';

/** A native answer of the provider, which is kept; its id. */
async function keptResponse(id: string, input: string): Promise<string> {
  const output = [
    { type: 'message', id: `msg_of_${id}`, role: 'assistant', content: [{ type: 'output_text', text: 'fine' }] },
  ];
  gateway.script(answering(200, { id, object: 'response', status: 'completed', error: null, output, usage: USAGE }));
  expect((await post({ model: 'gpt', input }, { path: '/v1/responses' })).status).toBe(200);
  gateway.script(answering(200, COMPACTED));
  return id;
}

test('a compaction reaches its provider byte for byte, and its answer the caller, charged by the usage', async () => {
  const answer = ` {"of_next_year":12345678901234567890,"object":"response.compaction", "usage":${JSON.stringify(USAGE)},"id":"r","output":[{"type":"compaction","encrypted_content":"\\u0065"}]}`;
  gateway.script(answering(200, answer));
  const body = `{ "model":"gpt", "input" : [{"role":"user","content":"${MARKER}"}],"instructions":"short","of_next_year": 12345678901234567890 }`;
  const response = await post(body);
  expect(await response.text()).toBe(answer);
  expect(sent()).toBe(body.replace('"gpt"', '"theirs"'));
  expect(gateway.upstream.requests.at(-1)?.path).toBe('/openai/v1/responses/compact');
  const receipt = await gateway.receipt(idOf(response));
  expect(receipt).toMatchObject({ outcome: 'completed', charge: CHARGE, certainty: 'exact', input: 70, output: 50 });
  expect(response.headers.get('x-faregate-charge')).toBe('0.00057');
  expect(await gateway.program.admin.showReceipt(idOf(response))).toMatchObject({ dialect: 'responses', model: 'gpt' });
});

test("OpenAI's SDK compacts a conversation and goes on from what it gets, with the same provider", async () => {
  const compacted = await client.responses.compact({ model: 'gpt', input: 'a long story' });
  expect(compacted).toMatchObject({ object: 'response.compaction', output: [SAID, SUMMARY], usage: USAGE });
  const output = [{ type: 'message', id: 'msg_2', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }];
  gateway.script(answering(200, { id: 'resp_2', object: 'response', status: 'completed', output, usage: USAGE }));
  const input = [...compacted.output, { role: 'user', content: 'and?' }] as OpenAI.Responses.ResponseInput;
  const next = await client.responses.create({ model: 'gpt', input, store: false });
  expect(next.output_text).toBe('ok');
  expect(JSON.parse(sent())).toMatchObject({ input });
});

test('what a provider has compacted is refused by its name for a model that is translated', async () => {
  for (const id of ['claude', 'echo', 'chat']) {
    const response = await post({ model: id, input: [SAID, SUMMARY] }, { path: '/v1/responses' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'input[1].type' } });
  }
});

test('as much as the model can write is held, whatever the money, because no field bounds a compaction', async () => {
  const response = await post({ model: 'gpt', input: 'hi' });
  const { hold, shortened } = await gateway.receipt(idOf(response));
  expect(hold).toBeGreaterThan(BigInt(MAX_OUTPUT) * NANO_PER_OUTPUT);
  expect(shortened).toBeNull();
  const poor = await gateway.openAccount({ credit: hold - 1n });
  const before = gateway.upstream.requests.length;
  const refused = await post({ model: 'gpt', input: 'hi' }, { headers: { authorization: `Bearer ${poor}` } });
  expect(refused.status).toBe(402);
  const text = await refused.text();
  expect(text).toContain('INSUFFICIENT_BALANCE');
  expect(text).not.toContain('Set max_tokens');
  expect(gateway.upstream.requests).toHaveLength(before);
  const rich = await gateway.openAccount({ credit: hold });
  expect((await post({ model: 'gpt', input: 'hi' }, { headers: { authorization: `Bearer ${rich}` } })).status).toBe(
    200,
  );
});

test('a maximum cost below the hold refuses a compaction, and says what it would have to be', async () => {
  const headers = { 'x-faregate-max-cost': '0.001' };
  const refused = await post({ model: 'gpt', input: 'hi' }, { headers });
  const text = await refused.text();
  expect(text).toContain('MAX_COST_EXCEEDED');
  expect(text).toMatch(/Set x-faregate-max-cost to 0\.\d+ or more/);
  expect(text).not.toContain('Set max_tokens');
});

test('a conversation is compacted from the response that it goes on from, and no id of it goes to the provider', async () => {
  const id = await keptResponse('resp_one', 'tell me');
  const bodies = [{}, { input: null }, { input: [] }, { input: 'and now' }];
  for (const more of bodies) {
    const response = await post({ model: 'gpt', previous_response_id: id, ...more });
    expect(response.status).toBe(200);
    const own = more.input === 'and now' ? [{ role: 'user', content: 'and now' }] : [];
    const said = { type: 'message', id: 'msg_of_resp_one', role: 'assistant', content: expect.any(Array) };
    expect(JSON.parse(sent())).toEqual({
      model: 'theirs',
      input: [{ role: 'user', content: 'tell me' }, said, ...own],
    });
  }
  const input = [{ type: 'item_reference', id: 'msg_of_resp_one' }];
  expect((await post({ model: 'gpt', input })).status).toBe(200);
  expect(JSON.parse(sent())).toMatchObject({ input: [{ id: 'msg_of_resp_one', role: 'assistant' }] });
});

test("another workspace's response, and one that never was, are not there to be compacted", async () => {
  const id = await keptResponse('resp_foreign', 'secret');
  const stranger = await gateway.openAccount({ credit: 1_000_000_000n });
  const before = gateway.upstream.requests.length;
  for (const [previous, key] of [
    [id, stranger],
    ['resp_never', gateway.key],
  ] as const) {
    const headers = { authorization: `Bearer ${key}` };
    const response = await post({ model: 'gpt', previous_response_id: previous }, { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'previous_response_not_found' } });
  }
  expect(gateway.upstream.requests).toHaveLength(before);
});

test('a compaction is not kept: nothing goes on from its id', async () => {
  await post({ model: 'gpt', input: 'hi' });
  const next = await post({ model: 'gpt', input: 'x', previous_response_id: HEAD.id }, { path: '/v1/responses' });
  expect(next.status).toBe(404);
});

test.each<[string, object]>([
  ['model', { model: undefined }],
  ['model', { model: null }],
  ['input', { input: undefined }],
  ['input', { input: null }],
  ['input', { input: [] }],
  ['input', { input: 7 }],
  ['input[0].file_id', { input: [{ role: 'user', content: 'x', file_id: 'file-1' }] }],
  ['stream', { stream: true }],
  ['store', { store: true }],
  ['max_output_tokens', { max_output_tokens: 9 }],
  ['previous_response_id', { previous_response_id: 5 }],
  ['conversation', { conversation: 'conv_1' }],
  ['prompt', { prompt: { id: 'p' } }],
  ['background', { background: true }],
  ['service_tier', { service_tier: 'priority' }],
  ['models', { models: ['other'] }],
  ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }],
])(
  'a compaction with a wrong or unsold field is refused by its name, and nothing is sent: %s %j',
  async (param, more) => {
    const before = gateway.upstream.requests.length;
    const response = await post({ model: 'gpt', input: 'hi', ...more });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { param: string } };
    expect(error.param).toMatch(new RegExp(`^${RegExp.escape(param)}`));
    expect(gateway.upstream.requests).toHaveLength(before);
  },
);

test('what says nothing may be said, and no tool runs for a compaction, even if its model is sold with it', async () => {
  const tools = [{ type: 'web_search' }, { type: 'function', name: 'f', parameters: {} }];
  const quiet = { store: false, stream: false, background: false, service_tier: 'default', max_output_tokens: null };
  const response = await post({ model: 'gpt', input: 'hi', tools, ...quiet });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-faregate-left-out')).toBe('web_search');
  expect(JSON.parse(sent())).toEqual({ model: 'theirs', input: 'hi', tools: tools.slice(1), ...quiet });
});

test('a model whose providers compact nothing is not there, and the answer says what to do instead', async () => {
  const before = gateway.upstream.requests.length;
  for (const id of ['claude', 'local', 'chat', 'echo', 'dated']) {
    const error: unknown = await client.responses.compact({ model: id, input: 'hi' }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error).toMatchObject({ param: 'model', message: expect.stringContaining('POST /v1/responses') });
  }
  expect(gateway.upstream.requests).toHaveLength(before);
  expect((await post({ model: 'nobody', input: 'hi' })).status).toBe(404);
  expect((await post({ model: 'gpt', input: 'hi' }, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  const got = await fetch(`${gateway.url}${PATH}`, { headers: { authorization: `Bearer ${gateway.key}` } });
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
});

test('a compaction goes to the routes of its model that have it, on Azure too, and to the next if one fails', async () => {
  for (const [id, path] of [
    ['mixed', '/openai/v1/responses/compact'],
    ['azure', '/azure/openai/v1/responses/compact'],
  ]) {
    expect((await post({ model: id, input: 'hi' })).status).toBe(200);
    expect(gateway.upstream.requests.at(-1)?.path).toBe(path);
  }
  gateway.script((response, { path }) => {
    const script = path.startsWith('/second') ? answering(200, COMPACTED) : answering(500, {});
    script(response, { path } as never);
  });
  const response = await post({ model: 'two', input: 'hi' });
  expect(response.status).toBe(200);
  const { attempts, charge } = await gateway.receipt(idOf(response));
  expect(attempts.map(({ provider, status }) => [provider, status])).toEqual([
    ['openai', 500],
    ['second', 200],
  ]);
  expect(charge).toBe(CHARGE);
});

test('a compaction without usage is charged by an estimate of what the model wrote, not of what its caller had', async () => {
  gateway.script(answering(200, HEAD));
  const body = { model: 'gpt', input: 'hi' };
  const receipt = await gateway.receipt(idOf(await post(body)));
  expect(receipt).toMatchObject({ certainty: 'estimated', output: 50, outcome: 'completed' });
});

test('an error in the place of a compaction costs nothing', async () => {
  for (const [status, answer] of [
    [200, { ...HEAD, output: [], error: { code: 'server_error', message: 'no' } }],
    [500, {}],
    [200, 'not JSON'],
  ] as const) {
    gateway.script(answering(status, answer));
    const response = await post({ model: 'gpt', input: 'hi' });
    expect(response.status).toBeGreaterThanOrEqual(500);
    expect(await gateway.receipt(idOf(response))).toMatchObject({ outcome: 'failed', charge: 0n });
  }
  gateway.script(answering(400, { error: { message: 'unknown parameter', param: 'x', code: 'unknown_parameter' } }));
  const rejected = await post({ model: 'gpt', input: 'hi', x: 1 });
  expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('unknown parameter')]);
});

test('a repeat under an Idempotency-Key gets the same compaction and runs nothing, and is not one of a response', async () => {
  const headers = { 'idempotency-key': 'compact-once' };
  const body = { model: 'gpt', input: 'once' };
  const first = await post(body, { headers });
  const before = gateway.upstream.requests.length;
  const again = await post(body, { headers });
  expect(again.headers.get('x-faregate-replayed')).toBe(idOf(first));
  expect(await again.json()).toEqual(await first.json());
  expect((await post(body, { headers, path: '/v1/responses' })).status).toBe(422);
  expect(gateway.upstream.requests).toHaveLength(before);
});

test('the books are right after all of it', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
});
