import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Gateway } from '../wire/gateway.ts';
import { answering } from '../wire/upstream-scripts.ts';
import { message } from './messages-stage.ts';

// A field that nobody has judged goes nowhere, in any API, unless the operator lets a provider have it.

const MODEL = 'price: { input: "1", output: "10" }, context_window: 100000, max_output: 4000';
/** Members and types that two providers accept. */
const NESTED = [
  'messages.content.shape',
  'messages.content.content.shape',
  'messages.content.type=hologram',
  'messages.shape',
  'input.shape',
  'input.type=hologram',
  'input.content.type=hologram',
  'tools.shape',
];

const NEW_BETA = 'cheaper-than-ever-2027-01-01';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({
    more: (origin) => {
      const openai = (path: string, more = '') =>
        `{ kind: openai, profile: openai, completions: true, base_url: "${origin}/${path}/v1"${more} }`;
      const model = (id: string, ...providers: readonly string[]) =>
        `\n  - { id: ${id}, routes: [${providers.map((name) => `{ provider: ${name}, model: theirs }`).join(', ')}], ${MODEL} }`;
      const silent = (id: string, kind: string, provider: string) =>
        `\n  - { id: ${id}, kind: ${kind}, routes: [{ provider: ${provider}, model: ada }], price: { input: "1" }, context_window: 8192 }`;
      return {
        providers: `
  strict: ${openai('strict')}
  open: ${openai('open', `, accept_fields: [of_next_year, ${NESTED.join(', ')}]`)}
  claude: { kind: anthropic, base_url: "${origin}/claude", api_key: sk-ant-0123456789 }
  daring: { kind: anthropic, base_url: "${origin}/daring", api_key: sk-ant-0123456789, accept_fields: [of_next_year, ${NEW_BETA}, ${NESTED.join(', ')}] }`,
        models: [
          model('gpt', 'strict'),
          model('gpt-open', 'strict', 'open'),
          model('claude', 'claude'),
          model('claude-open', 'claude', 'daring'),
          silent('ada', 'embedding', 'strict'),
          silent('ada-open', 'embedding', 'open'),
          silent('rank', 'rerank', 'strict'),
          silent('rank-open', 'rerank', 'open'),
          silent('judge', 'moderation', 'strict'),
          silent('judge-open', 'moderation', 'open'),
        ].join(''),
      };
    },
  });
});

afterAll(() => gateway?.stop());

beforeEach(() => gateway.script(answering(200, message([{ type: 'text', text: 'hi' }]))));

const MESSAGES = [{ role: 'user', content: 'hi' }];

const BODIES: readonly (readonly [path: string, model: string, fields: object])[] = [
  ['/v1/chat/completions', 'gpt', { messages: MESSAGES }],
  ['/v1/completions', 'gpt', { prompt: 'hi' }],
  ['/v1/responses', 'gpt', { input: 'hi' }],
  ['/v1/responses/compact', 'gpt', { input: 'hi' }],
  ['/v1/responses/input_tokens', 'gpt', { input: 'hi' }],
  ['/v1/embeddings', 'ada', { input: 'hi' }],
  ['/v1/rerank', 'rank', { query: 'hi', documents: ['hi'] }],
  ['/v1/moderations', 'judge', { input: 'hi' }],
  ['/v1/messages', 'claude', { messages: MESSAGES, max_tokens: 9 }],
  ['/v1/messages/count_tokens', 'claude', { messages: MESSAGES }],
  ['/v1/quote', 'gpt', { messages: MESSAGES }],
  ['/v1/quote', 'ada', { input: 'hi' }],
  ['/v1/quote', 'judge', { input: 'hi' }],
  ['/v1/quote', 'rank', { query: 'hi', documents: ['hi'] }],
];

const sentSince = (before: number) => gateway.upstream.requests.slice(before);

test.each(BODIES)(
  'a field that nobody has judged is refused by its name, and nothing is sent: %s %s',
  async (...body) => {
    const [path, model, fields] = body;
    const before = gateway.upstream.requests.length;
    const response = await gateway.post(path, JSON.stringify({ model, ...fields, of_next_year: { n: 1 } }));
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string; param: string; message: string } };
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', param: 'of_next_year' });
    expect(error.message).toContain('providers.NAME.accept_fields');
    expect(sentSince(before)).toEqual([]);
  },
);

test.each(BODIES.filter(([path]) => path !== '/v1/quote'))(
  'a provider that is configured to accept it gets the field as it was sent, and no other provider does: %s %s',
  async (...body) => {
    const [path, model, fields] = body;
    const before = gateway.upstream.requests.length;
    const text = JSON.stringify({ model: `${model}-open`, ...fields, of_next_year: { n: [1.0, 12] } });
    const response = await gateway.post(path, text.replace('[1,12]', '[1.0, 12345678901234567890]'));
    await response.text();
    const sent = sentSince(before);
    expect(sent.map((request) => request.path.split('/')[1])).toEqual([model === 'claude' ? 'daring' : 'open']);
    // OpenAI's count of tokens takes a few fields alone.
    if (path.endsWith('input_tokens')) return;
    expect(sent[0]?.body.toString()).toContain('"of_next_year":{"n":[1.0, 12345678901234567890]}');
  },
);

const user = (...content: unknown[]) => ({ messages: [...MESSAGES, { role: 'user', content }] });
const result = (...content: unknown[]) => user({ type: 'tool_result', tool_use_id: 't', content });
const [CHAT_PATH, MESSAGES_PATH, RESPONSES_PATH] = ['/v1/chat/completions', '/v1/messages', '/v1/responses'];
const SHAPE = { a: [1] };

test.each([
  [CHAT_PATH, 'messages[1].content[0].shape', user({ type: 'text', text: 'a', shape: SHAPE })],
  [CHAT_PATH, 'messages[1].content[0].type', user({ type: 'hologram', hologram: null })],
  [CHAT_PATH, 'messages[0].shape', { messages: [{ role: 'user', content: 'hi', shape: SHAPE }] }],
  [CHAT_PATH, 'tools[0].shape', { tools: [{ type: 'function', function: { name: 'f' }, shape: SHAPE }] }],
  [MESSAGES_PATH, 'messages[1].content[0].shape', user({ type: 'text', text: 'a', shape: SHAPE })],
  [MESSAGES_PATH, 'messages[1].content[0].content[0].shape', result({ type: 'text', text: 'a', shape: SHAPE })],
  [MESSAGES_PATH, 'messages[1].content[0].type', user({ type: 'hologram', text: 'a' })],
  [MESSAGES_PATH, 'tools[0].shape', { tools: [{ name: 'f', input_schema: {}, shape: SHAPE }] }],
  [RESPONSES_PATH, 'input[0].shape', { input: [{ role: 'user', content: 'hi', shape: SHAPE }] }],
  [RESPONSES_PATH, 'input[0].type', { input: [{ type: 'hologram', content: 'hi' }] }],
  [RESPONSES_PATH, 'input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'hologram' }] }] }],
  [RESPONSES_PATH, 'tools[0].shape', { tools: [{ type: 'function', name: 'f', shape: SHAPE }] }],
] as const)(
  'a member or type that nobody has judged is refused by its path, unless it is accepted: %s %s',
  async (...row) => {
    const [path, param, fields] = row;
    const before = gateway.upstream.requests.length;
    const of =
      path === MESSAGES_PATH
        ? { max_tokens: 9, messages: MESSAGES }
        : path === CHAT_PATH
          ? { messages: MESSAGES }
          : { input: 'hi' };
    const model = path === MESSAGES_PATH ? 'claude' : 'gpt';
    const response = await gateway.post(path, JSON.stringify({ model, ...of, ...fields }));
    const { error } = (await response.json()) as { error: { code: string; param: string; message: string } };
    expect([response.status, error.code, error.param]).toEqual([400, 'INVALID_REQUEST', param]);
    const name = param.replaceAll(/\[\d+\]/g, '') + (param.endsWith('.type') ? '=hologram' : '');
    expect(error.message).toContain(`(providers.NAME.accept_fields: ${name})`);
    expect(sentSince(before)).toEqual([]);
    await (await gateway.post(path, JSON.stringify({ model: `${model}-open`, ...of, ...fields }))).text();
    const [sent] = sentSince(before);
    expect(sent?.path.split('/')[1]).toBe(model === 'claude' ? 'daring' : 'open');
    expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject(fields);
  },
);

test.each([
  [MESSAGES_PATH, 'thinking.shape', { thinking: { type: 'adaptive', shape: 1 } }],
  [MESSAGES_PATH, 'output_config.shape', { output_config: { effort: 'low', shape: 1 } }],
  [MESSAGES_PATH, 'output_config.task_budget.shape', { output_config: { task_budget: { total: 1, shape: 1 } } }],
  [MESSAGES_PATH, 'tool_choice.shape', { tool_choice: { type: 'auto', shape: 1 } }],
  [MESSAGES_PATH, 'metadata.shape', { metadata: { user_id: 'u', shape: 1 } }],
  [MESSAGES_PATH, 'cache_control.shape', { cache_control: { type: 'ephemeral', shape: 1 } }],
  [MESSAGES_PATH, 'system[0].shape', { system: [{ type: 'text', text: 'a', shape: 1 }] }],
  [
    MESSAGES_PATH,
    'context_management.edits[0].trigger.shape',
    { context_management: { edits: [{ type: 'clear_tool_uses_20250919', trigger: { type: 'tool_uses', shape: 1 } }] } },
  ],
  [
    MESSAGES_PATH,
    'messages[1].content[0].content.file_id',
    user({ type: 'web_fetch_tool_result', content: { file_id: 'f' } }),
  ],
  [CHAT_PATH, 'messages[1].content[0].file.file_id', user({ type: 'file', file: { file_id: 'file_of_another' } })],
  [
    CHAT_PATH,
    'messages[1].content[0].image_url.uuid',
    user({ type: 'image_url', image_url: { url: 'https://a', uuid: 'u' } }),
  ],
  [CHAT_PATH, 'stream_options.shape', { stream: true, stream_options: { include_usage: true, shape: 1 } }],
  [CHAT_PATH, 'response_format.shape', { response_format: { type: 'text', shape: 1 } }],
  [CHAT_PATH, 'prompt_cache_options.ttl', { prompt_cache_options: { ttl: '12h' } }],
  [
    CHAT_PATH,
    'prompt_cache_options.comparison_response_id',
    { prompt_cache_options: { comparison_response_id: 'resp_1' } },
  ],
  [RESPONSES_PATH, 'reasoning.mode', { reasoning: { effort: 'low', mode: 'pro' } }],
  [RESPONSES_PATH, 'reasoning.shape', { reasoning: { shape: 1 } }],
  [RESPONSES_PATH, 'text.shape', { text: { shape: 1 } }],
  [RESPONSES_PATH, 'input[0].type', { input: [{ type: 'compaction_trigger' }] }],
  [
    RESPONSES_PATH,
    'input[0].caller.shape',
    { input: [{ type: 'function_call', caller: { type: 'direct', shape: 1 } }] },
  ],
])('no setting of a request takes a member that nobody has judged, or one that is refused: %s %s', async (...row) => {
  const [path, param, fields] = row;
  const before = gateway.upstream.requests.length;
  const of = path === RESPONSES_PATH ? { input: 'hi' } : { messages: MESSAGES, max_tokens: 9 };
  const model = path === MESSAGES_PATH ? 'claude-open' : 'gpt-open';
  const response = await gateway.post(path, JSON.stringify({ model, ...of, ...fields }));
  expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param } });
  expect(sentSince(before)).toEqual([]);
});

test('what is the caller’s own is not judged: inputs and schemas of tools, schemas of answers, metadata', async () => {
  const schema = { type: 'object', properties: { shape: SHAPE }, shape: SHAPE };
  const use = { type: 'tool_use', id: 't', name: 'f', input: { file_id: 'f', shape: SHAPE } };
  const tools = [{ name: 'f', input_schema: schema, input_examples: [{ shape: SHAPE }] }];
  const messages = [...MESSAGES, { role: 'assistant', content: [use] }];
  const claude = JSON.stringify({ model: 'claude', max_tokens: 9, messages, tools });
  expect((await gateway.post(MESSAGES_PATH, claude)).status).toBe(200);
  const functions = [{ type: 'function', function: { name: 'f', parameters: schema } }];
  const gpt = JSON.stringify({ model: 'gpt', messages: MESSAGES, tools: functions, metadata: { shape: 'a' } });
  const before = gateway.upstream.requests.length;
  await (await gateway.post(CHAT_PATH, gpt)).text();
  expect(JSON.parse(sentSince(before)[0]?.body.toString() ?? '{}')).toMatchObject({ tools: functions });
});

test('null asks for nothing, in a field that is refused and in one that nobody has judged', async () => {
  const fields = { model: 'claude', max_tokens: 9, messages: MESSAGES, thread: null, of_next_year: null };
  expect((await gateway.post('/v1/messages', JSON.stringify(fields))).status).toBe(200);
});

test.each([
  ['thread', { type: 'continue', previous_message_id: 'msg_1' }],
  ['thread', { type: 'create' }],
  ['compaction', { type: 'summarize' }],
  ['billing_policy', { type: 'billing_policy', bill_to: 'user_profile' }],
  ['fallback_credit_token', 'fct_1'],
  ['fallbacks', 'default'],
  ['workspace_id', 'wrkspc_1'],
  ['user_profile_id', 'up_1'],
  ['diagnostics', { previous_message_id: 'msg_1' }],
  ['container', 'container_1'],
  ['inference_geo', 'eu'],
])('no provider’s setting admits what reaches or bills another’s: %s', async (name, value) => {
  const before = gateway.upstream.requests.length;
  for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
    const body = { model: 'claude-open', max_tokens: 9, messages: MESSAGES, [name]: value };
    const response = await gateway.post(path, JSON.stringify(body));
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: name } });
  }
  expect(sentSince(before)).toEqual([]);
});

test('Anthropic’s SDK goes on without a thread, with the whole conversation in each request', async () => {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
  const thread = client.beta.messages.thread({
    model: 'claude',
    max_tokens: 9,
    unsupportedRequestBehavior: 'continue_unthreaded',
  });
  const before = gateway.upstream.requests.length;
  for (const text of ['one', 'two']) {
    const reply = await thread.send({ role: 'user', content: text });
    expect(reply.content).toMatchObject([{ type: 'text', text: 'hi' }]);
  }
  const bodies = sentSince(before).map(({ body }) => JSON.parse(body.toString()) as { messages: object[] });
  expect(bodies.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(JSON.stringify(bodies)).not.toContain('"thread"');

  const threaded = client.beta.messages.thread({ model: 'claude', max_tokens: 9 });
  const refusal = await threaded.send({ role: 'user', content: 'one' }).then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Anthropic.BadRequestError);
  expect(refusal).toMatchObject({
    error: { error: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } } },
  });
});

test('a beta that nobody has judged is left out and named, and its provider may be configured to get it', async () => {
  const ask = async (model: string, betas: string) => {
    const body = JSON.stringify({ model, max_tokens: 9, messages: MESSAGES });
    const response = await gateway.post('/v1/messages', body, { headers: { 'anthropic-beta': betas } });
    expect(response.status).toBe(200);
    const sent = gateway.upstream.requests.at(-1)?.headers['anthropic-beta'];
    return [sent, response.headers.get('x-faregate-left-out')];
  };
  const known = 'effort-2025-11-24,claude-code-20250219';
  expect(await ask('claude', `${known}, ${NEW_BETA}`)).toEqual([known, NEW_BETA]);
  expect(await ask('claude', known)).toEqual([known, null]);
  expect(await ask('claude', NEW_BETA)).toEqual([undefined, NEW_BETA]);
  gateway.script((response, request) =>
    request.path.startsWith('/claude/')
      ? response.writeHead(500).end()
      : answering(200, message([]))(response, request),
  );
  expect(await ask('claude-open', `${known},${NEW_BETA}`)).toEqual([`${known},${NEW_BETA}`, null]);
});

test('of the caller’s headers a provider gets its version and its betas alone', async () => {
  const foreign = {
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'effort-2025-11-24',
    'anthropic-workspace-id': 'wrkspc_1',
    'anthropic-user-profile-id': 'up_1',
    'x-stainless-helper': 'message-thread',
    cookie: 'a=b',
    'x-goog-user-project': 'p',
    'openai-organization': 'org-1',
    'openai-beta': 'x=v1',
  };
  const body = JSON.stringify({ model: 'claude', max_tokens: 9, messages: MESSAGES });
  await (await gateway.post('/v1/messages', body, { headers: foreign })).text();
  const names = Object.keys(gateway.upstream.requests.at(-1)?.headers ?? {}).toSorted();
  const own = ['accept', 'accept-encoding', 'content-length', 'content-type', 'host', 'user-agent', 'x-api-key'];
  expect(names.filter((name) => name !== 'connection')).toEqual(
    [...own, 'anthropic-beta', 'anthropic-version'].toSorted(),
  );
});
