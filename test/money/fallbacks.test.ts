import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Other models answer in the place of one whose routes don't: those of the configuration, or of the caller's `models`. The most
// expensive of them is held, and the one that answers is charged.

const SIZE = 'context_window: 10000, max_output: 1000';

let program: Program;
let upstream: ScriptedUpstream;
/** What the upstream does, by its models. */
let scripts: Record<string, Script>;
let tenant: Tenant;
let openai: OpenAI;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => {
    const { model } = JSON.parse(String(request.body)) as { model: string };
    (scripts[model] ?? FAILING)(response, request);
  });
  const model = (id: string, input: string, output: string, more = ''): string =>
    `\n  - { id: ${id}, routes: [{ provider: openai, model: at-${id} }], price: { input: "${input}", output: "${output}" }, ${SIZE}${more} }`;
  const config = `
routing: { results_min: 1000 }
providers:
  openai: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: "sk-upstream" }
  anthropic: { kind: anthropic, base_url: "${upstream.origin}", api_key: "sk-ant-upstream" }
models:${model('large', '1', '10', ', fallback: [small, claude]')}${model('small', '0.5', '5')}${model('huge', '20', '100')}${model('bound', '1', '10', ', fallback: [huge]')}${model('worded', '1', '10', ', fallback: [claude, gpt]')}${model('gpt', '1', '10')}
  - { id: claude, routes: [{ provider: anthropic, model: at-claude }], price: { input: "2", output: "20" }, ${SIZE} }
  - { id: mixed, routes: [{ provider: anthropic, model: at-claude }, { provider: openai, model: at-gpt }], price: { input: "1", output: "10" }, ${SIZE} }
  - { id: turned, routes: [{ provider: openai, model: at-gpt }, { provider: anthropic, model: at-claude }], price: { input: "1", output: "10" }, ${SIZE} }
  - { id: embed, kind: embedding, routes: [{ provider: openai, model: at-embed }], price: { input: "1" }, context_window: 1000 }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
  openai = clientOf(tenant);
});
beforeEach(() => {
  scripts = {};
});
afterAll(() => program.dispose());

const clientOf = ({ key }: Tenant): OpenAI => new OpenAI({ baseURL: `${program.url}/v1`, apiKey: key, maxRetries: 0 });

const answers =
  (body: object, status = 200): Script =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const FAILING = answers({ error: { message: 'no', type: 'api_error', param: null, code: null } }, 500);
const USED = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const MESSAGES = [{ role: 'user' as const, content: 'hi' }];
const CHAT = { messages: MESSAGES, max_completion_tokens: 20 };
/** Nano-USD for what each answer uses. */
const CHARGE = { large: 200_000n, small: 100_000n, claude: 400_000n };

const completion = (content = 'hi'): Script =>
  answers({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'theirs',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: USED,
  });

const MESSAGE = answers({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'theirs',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 100, output_tokens: 10 },
});

const chunk = (more: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'theirs', ...more })}\n\n`;
const FIRST = chunk({ choices: [{ index: 0, finish_reason: null, delta: { role: 'assistant', content: 'hi' } }] });
const REST = `${chunk({ choices: [{ index: 0, finish_reason: 'stop', delta: {} }] })}${chunk({ choices: [], usage: USED })}data: [DONE]\n\n`;

const streams =
  (text: string, isCut = false): Script =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => (isCut ? response.destroy() : response.end()));
  };

/** What the receipt says of the models: the one that answered, the requested one, those tried, and the charge. */
async function receiptOf(response: Pick<Response, 'headers'>, header = 'x-request-id') {
  const receipt = await program.admin.showReceipt(response.headers.get(header) ?? '');
  const { model, requested_model: requested, attempts, charge_nano_usd: charge, hold_nano_usd: hold, cost } = receipt;
  expect(BigInt(hold)).toBeGreaterThanOrEqual(BigInt(charge));
  if (charge !== '0') expect(cost?.cost_nano_usd).toBe(charge);
  const tried = attempts.map(({ upstream_model: name }) => name);
  return { model, requested, tried, charge: BigInt(charge), hold: BigInt(hold), outcome: receipt.outcome };
}

test('if no route of a model answers, the next model does, plain and streamed, at its own price and with its name', async () => {
  scripts = { 'at-small': completion() };
  const plain = await openai.chat.completions.create({ model: 'large', ...CHAT }).withResponse();
  expect(plain.data.choices[0]?.message.content).toBe('hi');
  scripts = { 'at-small': streams(FIRST + REST) };
  const streamed = await openai.chat.completions.create({ model: 'large', ...CHAT, stream: true }).withResponse();
  for await (const event of streamed.data) expect(event.id).toBe('c');
  for (const { response } of [plain, streamed]) {
    expect(response.headers.get('x-faregate-model')).toBe('small');
    const tried = ['at-large', 'at-small'];
    const expected = { model: 'small', requested: 'large', tried, charge: CHARGE.small, outcome: 'completed' };
    expect(await receiptOf(response)).toMatchObject(expected);
  }
});

test('models of other providers answer each API, by a translation where their provider needs one', async () => {
  scripts = { 'at-claude': MESSAGE };
  const anthropic = new Anthropic({ baseURL: program.url, apiKey: tenant.key, maxRetries: 0 });
  const asked = { model: 'large', max_tokens: 20, messages: MESSAGES };
  const message = await anthropic.messages.create(asked).withResponse();
  const response = await openai.responses.create({ model: 'large', input: 'hi', max_output_tokens: 20 }).withResponse();
  const tried = ['at-large', 'at-small', 'at-claude'];
  const expected = { model: 'claude', requested: 'large', tried, charge: CHARGE.claude };
  expect(await receiptOf(message.response, 'request-id')).toMatchObject(expected);
  expect(response.data.output_text).toBe('hi');
  expect(await receiptOf(response.response)).toMatchObject(expected);
});

test('an answer of the requested model names no other, and a wrong request is tried at no other', async () => {
  scripts = { 'at-large': completion(), 'at-small': completion() };
  const { response } = await openai.chat.completions.create({ model: 'large', ...CHAT }).withResponse();
  expect(response.headers.get('x-faregate-model')).toBeNull();
  expect(await receiptOf(response)).toMatchObject({ model: 'large', requested: null, charge: CHARGE.large });
  scripts['at-large'] = answers({ error: { message: 'wrong', type: 'x', param: 'seed', code: null } }, 400);
  const sent = upstream.requests.length;
  await expect(openai.chat.completions.create({ model: 'large', ...CHAT })).rejects.toMatchObject({ status: 400 });
  expect(upstream.requests.length).toBe(sent + 1);
});

test('a model that has no words for a request is passed over, and so is such a route of a model that has others', async () => {
  scripts = { 'at-gpt': completion() };
  const body = { ...CHAT, n: 2 };
  const other = await openai.chat.completions.create({ model: 'worded', ...body }).withResponse();
  expect(await receiptOf(other.response)).toMatchObject({ model: 'gpt', requested: 'worded', charge: CHARGE.large });
  const mixed = await openai.chat.completions.create({ model: 'mixed', ...body }).withResponse();
  expect(await receiptOf(mixed.response)).toMatchObject({ model: 'mixed', requested: null, charge: CHARGE.large });
  scripts = {};
  for (const model of ['worded', 'mixed', 'turned']) {
    const refused: unknown = await openai.chat.completions.create({ model, ...body }).catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ status: 503, code: 'MODEL_UNAVAILABLE' });
  }
  const unsaid: unknown = await openai.chat.completions
    .create({ model: 'claude', ...body })
    .catch((fault: unknown) => fault);
  expect(unsaid).toMatchObject({ status: 400, code: 'INVALID_REQUEST', param: 'n' });
});

test('once a byte of an answer has reached the caller, no other model is tried', async () => {
  scripts = { 'at-large': streams(FIRST, true), 'at-small': streams(FIRST + REST) };
  const { data, response } = await openai.chat.completions
    .create({ model: 'large', ...CHAT, stream: true })
    .withResponse();
  const read = async (): Promise<void> => {
    for await (const event of data) expect(event.id).toBe('c');
  };
  await expect(read()).rejects.toBeInstanceOf(APIError);
  expect(await receiptOf(response)).toMatchObject({ model: 'large', tried: ['at-large'], outcome: 'interrupted' });
});

test('if no model answers, the refusal is that of the requested one, and nothing is charged', async () => {
  const refused: unknown = await openai.chat.completions
    .create({ model: 'large', ...CHAT })
    .catch((fault: unknown) => fault);
  expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('"large" can\'t be reached') });
  const { headers } = refused as { headers: Headers };
  const tried = ['at-large', 'at-small', 'at-claude'];
  const expected = { model: 'large', requested: null, tried, charge: 0n, outcome: 'failed' };
  // The caller of a failed request doesn't wait for its receipt.
  await vi.waitFor(async () => expect(await receiptOf({ headers })).toMatchObject(expected), 20_000);
});

test('the models of a caller are tried in its order in the place of those configured, and no provider sees them', async () => {
  scripts = { 'at-claude': MESSAGE };
  const body = { model: 'large', ...CHAT, models: ['large', 'claude', 'small'] };
  const { response } = await openai.chat.completions.create(body).withResponse();
  expect(await receiptOf(response)).toMatchObject({ model: 'claude', tried: ['at-large', 'at-claude'] });
  for (const { body: sent } of upstream.requests.slice(-2))
    expect(JSON.parse(String(sent))).not.toHaveProperty('models');
});

test('a model that a caller names and may not call is refused, and a configured one is passed over', async () => {
  const narrow = await program.createTenant({ project: { models: ['large', 'claude'] } });
  const client = clientOf(narrow);
  const before = upstream.requests.length;
  for (const [models, status, code] of [
    [['small'], 403, 'MODEL_NOT_ALLOWED'],
    [['nobody'], 404, 'MODEL_NOT_FOUND'],
    [['embed'], 403, 'MODEL_NOT_ALLOWED'],
  ] as const) {
    const body = { model: 'large', ...CHAT, models };
    const refused: unknown = await client.chat.completions.create(body).catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ status, code, param: 'models' });
  }
  await expect(
    openai.chat.completions.create({ model: 'large', ...CHAT, models: ['embed'] } as never),
  ).rejects.toMatchObject({
    status: 400,
    param: 'models',
  });
  await expect(
    openai.chat.completions.create({ model: 'large', ...CHAT, models: 'small' } as never),
  ).rejects.toMatchObject({
    status: 400,
    param: 'models',
  });
  expect(upstream.requests.length).toBe(before);
  scripts = { 'at-small': completion(), 'at-claude': MESSAGE };
  const { response } = await client.chat.completions.create({ model: 'large', ...CHAT }).withResponse();
  expect(await receiptOf(response)).toMatchObject({ model: 'claude', tried: ['at-large', 'at-claude'] });
});

test('the most expensive model that may answer is held and quoted, and must be covered', async () => {
  const post = (key: string, path: string): Promise<Response> =>
    fetch(`${program.url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'bound', ...CHAT }),
    });
  const quote = (await (await post(tenant.key, 'quote')).json()) as Record<string, unknown> & {
    hold_nano_usd: string;
    input_tokens_max: number;
  };
  const most = BigInt(quote.input_tokens_max) * 20_000n + 20n * 100_000n;
  expect(quote).toMatchObject({ model: 'bound', fallback: ['huge'], hold_nano_usd: String(most) });
  scripts = { 'at-bound': completion() };
  const answered = await post(tenant.key, 'chat/completions');
  expect(await receiptOf(answered)).toMatchObject({ model: 'bound', charge: CHARGE.large, hold: most });
  const poor = await program.createTenant({ credit: '0.01' });
  expect((await post(poor.key, 'chat/completions')).status).toBe(402);
});

/** The body of a chat to the most expensive model, at this path; the answer, or the refusal. */
const ask = (key: string, path = 'chat/completions', more: object = {}, headers = {}): Promise<Response> =>
  fetch(`${program.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'huge', ...CHAT, ...more }),
  });

test('a cheaper model answers if the project names one and its budget does not cover the requested one', async () => {
  const saving = await program.createTenant({ project: { budget_usd: '0.01', model_when_spent: 'small' } });
  const quote = (await (await ask(saving.key, 'quote')).json()) as { hold_nano_usd: string };
  expect(quote).toMatchObject({ allowed: true, model: 'small', requested_model: 'huge', refusal: null });
  scripts = { 'at-huge': completion(), 'at-small': completion() };
  const answered = await ask(saving.key);
  expect([answered.status, answered.headers.get('x-faregate-model')]).toEqual([200, 'small']);
  const receipt = { model: 'small', requested: 'huge', tried: ['at-small'], charge: CHARGE.small };
  expect(await receiptOf(answered)).toMatchObject({ ...receipt, hold: BigInt(quote.hold_nano_usd) });
  scripts['at-small'] = streams(FIRST + REST);
  const streamed = await ask(saving.key, 'chat/completions', { stream: true });
  expect(await streamed.text()).toContain('[DONE]');
  expect(await receiptOf(streamed)).toMatchObject(receipt);
  await program.admin.updateProject(saving.projectId, { budget_usd: '1' });
  await vi.waitFor(
    async () => expect(await (await ask(saving.key, 'quote')).json()).toMatchObject({ model: 'huge' }),
    5_000,
  );
  const own = await ask(saving.key);
  expect(own.headers.get('x-faregate-model')).toBeNull();
  expect(await receiptOf(own)).toMatchObject({ model: 'huge', requested: null });
});

test('a key’s limit brings the cheaper model, too; one that does not cover that model either refuses as before', async () => {
  scripts = { 'at-huge': completion(), 'at-small': completion() };
  const project = { model_when_spent: 'small' };
  const { key } = await program.createTenant({ project, key: { spend_limit_usd: '0.01' } });
  expect(await receiptOf(await ask(key))).toMatchObject({ model: 'small', requested: 'huge' });
  const spent = await program.createTenant({ project, key: { spend_limit_usd: '0.0001' } });
  const sent = upstream.requests.length;
  const refused = await ask(spent.key);
  expect(await refused.json()).toMatchObject({ error: { code: 'KEY_SPEND_LIMIT_EXCEEDED' } });
  const poor = await program.createTenant({ credit: '0.01', project });
  expect(await (await ask(poor.key)).json()).toMatchObject({ error: { code: 'INSUFFICIENT_BALANCE' } });
  expect(upstream.requests.length).toBe(sent);
});

test.each<[string, object]>([
  ['END_USER_LIMIT_EXCEEDED', { end_user_limit_usd: '0.01' }],
  ['SESSION_LIMIT_EXCEEDED', { session_limit_usd: '0.01' }],
])('the cheaper model answers in the place of %s, until the limit does not cover it either', async (code, limit) => {
  scripts = { 'at-huge': completion(), 'at-small': completion() };
  const { key, projectId } = await program.createTenant({ project: { model_when_spent: 'small', ...limit } });
  const served = (path?: string): Promise<Response> => ask(key, path, { user: 'ada' }, { 'x-session-id': 'run-1' });
  expect(await (await served('quote')).json()).toMatchObject({ model: 'small', requested_model: 'huge' });
  expect(await receiptOf(await served())).toMatchObject({ model: 'small', requested: 'huge', charge: CHARGE.small });
  expect(await receiptOf(await ask(key))).toMatchObject({ model: 'huge', requested: null });
  await program.admin.updateProject(projectId, Object.fromEntries(Object.keys(limit).map((name) => [name, '0.0001'])));
  await vi.waitFor(async () => expect(await (await served()).json()).toMatchObject({ error: { code } }), 8_000);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});

test.each<[string, object, object]>([
  ['it is not among the models of the project', { models: ['huge'] }, {}],
  ['it is not on sale', { model_when_spent: 'nobody' }, {}],
  ['it is of another kind', { model_when_spent: 'embed' }, {}],
  ['its provider has no words for the request', { model_when_spent: 'claude' }, { n: 2 }],
  [
    'its context window may be too small',
    { budget_usd: '0.05' },
    { messages: [{ role: 'user', content: 'x'.repeat(10_000) }] },
  ],
  ['the caller names the models that may answer', {}, { models: ['huge', 'large'] }],
])('no cheaper model answers if %s: the request is refused for the budget', async (_why, project, more) => {
  const budget = { budget_usd: '0.01', model_when_spent: 'small', ...project };
  const { key } = await program.createTenant({ project: budget });
  const sent = upstream.requests.length;
  const refused = await ask(key, 'chat/completions', more);
  expect(await refused.json()).toMatchObject({ error: { code: 'PROJECT_BUDGET_EXCEEDED' } });
  expect(upstream.requests.length).toBe(sent);
});

test('an answer by a schema may come from another model, and repeats by a key get that answer', async () => {
  scripts = { 'at-small': completion('{"a":1}') };
  const schema = {
    type: 'object',
    properties: { a: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
  };
  const body = {
    model: 'large',
    ...CHAT,
    response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
  } as const;
  const headers = { 'idempotency-key': 'once' };
  const first = await openai.chat.completions.create(body, { headers }).withResponse();
  expect(await receiptOf(first.response)).toMatchObject({ model: 'small', requested: 'large', charge: CHARGE.small });
  const again = await openai.chat.completions.create(body, { headers }).withResponse();
  expect(again.response.headers.get('x-faregate-replayed')).toBe(first.response.headers.get('x-request-id'));
  expect(again.data).toEqual(first.data);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
