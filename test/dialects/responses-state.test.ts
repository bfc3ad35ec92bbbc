import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// What is kept of Responses, and how requests go on from it: by OpenAI's own SDK, and by bodies as agents send them, with a
// provider that speaks Responses and with one that is translated.

const PRICE = 'price: { input: "1", output: "10" }, context_window: 128000, max_output: 4096';

let program: Program;
let upstream: ScriptedUpstream;
let tenant: Tenant;
let stranger: Tenant;
let client: OpenAI;
let database: Awaited<ReturnType<Program['openDatabase']>>;

/** What the provider answers with next; `output` is its own if left out. */
let answers: { id: string; output?: readonly object[]; more?: object }[] = [];
let made = 0;

/** What the provider that speaks chat alone answers with. */
let chatAnswer = '';
const CHAT_USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { body, path }) => {
    if (path.endsWith('/input_tokens')) {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"object":"response.input_tokens","input_tokens":42}');
      return;
    }
    if (path.startsWith('/chat/')) {
      const choices = [{ index: 0, message: { role: 'assistant', content: chatAnswer }, finish_reason: 'stop' }];
      const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'gpt', choices, usage: CHAT_USAGE };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
      return;
    }
    const request = JSON.parse(body.toString()) as { stream?: boolean };
    const { id, output = [message(`msg_of_${id}`, 'fine')], more = {} } = answers.shift() ?? { id: freshId() };
    const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
    const answer = { id, object: 'response', status: 'completed', error: null, output, store: false, usage, ...more };
    if (request.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      return;
    }
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...answer, status: 'in_progress', output: [] } },
      ...output.map((item, index) => ({ type: 'response.output_item.done', sequence_number: index + 1, item })),
      { type: 'response.completed', sequence_number: output.length + 1, response: answer },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framed(events));
  });
  const config = `
server: { body_max: 64KiB }
providers:
  native: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: sk-upstream-0123456789abcdef }
  chat: { kind: openai, base_url: "${upstream.origin}/chat/v1" }
  sandbox: { kind: sandbox }
models:
  - { id: carried, routes: [{ provider: chat, model: gpt }], ${PRICE} }
  - { id: native, routes: [{ provider: native, model: gpt }], ${PRICE} }
  - { id: thinking, routes: [{ provider: native, model: gpt }], reasoning: true, ${PRICE} }
  - { id: echo, routes: [{ provider: sandbox, model: echo }], ${PRICE} }
  - { id: json, routes: [{ provider: sandbox, model: json }], ${PRICE} }
`;
  program = await startProgram({ config, beside: [upstream] });
  database = await program.openDatabase();
  [tenant, stranger] = [await program.createTenant(), await program.createTenant()];
  client = new OpenAI({ apiKey: tenant.key, baseURL: `${program.url}/v1`, maxRetries: 0 });
});

afterAll(() => program.dispose());

function freshId(): string {
  made += 1;
  return `resp_${made}`;
}

function message(id: string, text: string): object {
  return { type: 'message', id, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] };
}

function framed(events: readonly { type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function send(body: object, { key = tenant.key, path = '/v1/responses', headers = {} } = {}): Promise<Response> {
  return fetch(`${program.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function at(id: string, { key = tenant.key, method = 'GET' } = {}): Promise<Response> {
  return fetch(`${program.url}/v1/responses/${id}`, { method, headers: { authorization: `Bearer ${key}` } });
}

/** Answers a request natively; the body that the provider was sent. */
async function sentFor(body: object): Promise<{ input: unknown; previous_response_id?: unknown; include?: unknown }> {
  const answer = await send({ model: 'native', ...body });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  return JSON.parse(String(upstream.requests.at(-1)?.body)) as { input: unknown };
}

test("OpenAI's SDK goes on from a response twice, reads it and deletes it, with a translated model", async () => {
  const first = await client.responses.create({ model: 'echo', input: 'one' });
  const second = await client.responses.create({ model: 'echo', input: 'two', previous_response_id: first.id });
  const third = await client.responses.create({ model: 'echo', input: 'three', previous_response_id: second.id });
  expect(first).toMatchObject({ store: true });
  expect(third).toMatchObject({ store: true, previous_response_id: second.id });
  expect(second.usage!.input_tokens).toBeGreaterThan(first.usage!.input_tokens);
  expect(third.usage!.input_tokens).toBeGreaterThan(second.usage!.input_tokens);
  expect(await client.responses.retrieve(third.id)).toMatchObject({ id: third.id, output: third.output, store: true });
  await client.responses.delete(third.id);
  const gone = client.responses.retrieve(third.id);
  await expect(gone).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining(`'${third.id}' not found`),
  });
  const next = client.responses.create({ model: 'echo', input: 'four', previous_response_id: third.id });
  await expect(next).rejects.toMatchObject({
    status: 404,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
  });
});

test('a streamed response is found by the next request, and says that it is kept in each of its events', async () => {
  for (const model of ['native', 'echo']) {
    answers = [{ id: freshId(), more: { previous_response_id: null } }];
    const answer = await send({ model, input: 'hello', stream: true });
    const text = await answer.text();
    expect(text).not.toContain('"store":false');
    const last = text.split('\n').findLast((line) => line.startsWith('data: {'));
    const { response } = JSON.parse(last!.slice(6)) as { response: { id: string; output: unknown } };
    expect(await (await at(response.id)).json()).toEqual(response);
    const next = await send({ model, input: 'and then?', previous_response_id: response.id, stream: true });
    expect(next.status).toBe(200);
    expect(await next.text()).toContain('"store":true');
  }
});

/** How an answer says whether it is kept: in the order in which it does, and as the whole that it is at its end. */
async function kept(answer: Response): Promise<{ said: readonly boolean[]; whole: { id: string } }> {
  const text = await answer.text();
  const said = Array.from(text.matchAll(/"store":(true|false)/g), ([, value]) => value === 'true');
  const last = text.split('\n').findLast((line) => line.startsWith('data: {'));
  const whole = last === undefined ? JSON.parse(text) : (JSON.parse(last.slice(6)) as { response: object }).response;
  return { said, whole: whole as { id: string } };
}

test.each(
  ['native', 'carried'].flatMap((model) => [
    [model, false] as const,
    [model === 'carried' ? 'echo' : model, true] as const,
  ]),
)(
  'an answer of %s says that it is kept, or is not if its workspace has as much as it may (stream: %s)',
  async (model, stream) => {
    const full = await program.createTenant();
    const ask = async (more: { headers?: Record<string, string> } = {}) => {
      answers = [{ id: freshId() }];
      return kept(await send({ model, input: 'hello', stream }, { key: full.key, ...more }));
    };
    const stored = async (id: string) => (await at(id, { key: full.key })).status;
    const first = await ask();
    expect(new Set(first.said)).toEqual(new Set([true]));
    expect(await (await at(first.whole.id, { key: full.key })).json()).toEqual(first.whole);
    const fill = 'update stored_response_bytes set bytes = $2 where workspace_id = $1';
    await database.query(fill, [full.workspaceId, 4n * 2n ** 30n - 10n]);

    // That there is no room is known at the end of the first, and from then on.
    const surprised = await ask({ headers: { 'idempotency-key': `full-${model}-${stream}` } });
    expect(surprised.whole).toMatchObject({ store: false });
    expect(await stored(surprised.whole.id)).toBe(404);
    const warned = await ask();
    expect(new Set(warned.said)).toEqual(new Set([false]));
    expect(await stored(warned.whole.id)).toBe(404);
    const replayed = await ask({ headers: { 'idempotency-key': `full-${model}-${stream}` } });
    expect(replayed).toEqual(surprised);

    // The place of a deleted one is free immediately.
    await database.query(fill, [full.workspaceId, 4n * 2n ** 30n]);
    await at(first.whole.id, { key: full.key, method: 'DELETE' });
    const [{ bytes } = { bytes: 0n }] = await database.query<{ bytes: bigint }>(
      'select bytes from stored_response_bytes where workspace_id = $1',
      [full.workspaceId],
    );
    expect(bytes).toBeLessThan(4n * 2n ** 30n - BigInt(JSON.stringify(first.whole).length));
    await database.query(fill, [full.workspaceId, 0n]);
    expect(await stored((await ask()).whole.id)).toBe(200);
  },
);

test('an answer by a schema is kept like any other', async () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  const text = { format: { type: 'json_schema', name: 'a', schema, strict: true } };
  for (const stream of [false, true]) {
    const answer = await send({ model: 'json', input: 'hello', text, stream });
    const id = /"id":"(resp_\w+)"/.exec(await answer.text())?.[1] ?? '';
    expect((await at(id)).status).toBe(200);
  }
});

test('a request that says store: false is not kept, whatever it goes on from', async () => {
  const first = await client.responses.create({ model: 'echo', input: 'one' });
  const second = { model: 'echo', input: 'two', previous_response_id: first.id, store: false };
  const answer = await client.responses.create(second);
  expect(answer).toMatchObject({ store: false, previous_response_id: first.id });
  expect((await at(answer.id)).status).toBe(404);
  expect((await send({ model: 'echo', input: 'x', previous_response_id: answer.id })).status).toBe(404);
});

test('an answer that broke off is not kept', async () => {
  const id = freshId();
  answers = [{ id, output: [{}], more: { status: 'failed', error: { code: 'server_error', message: 'oh no' } } }];
  await (await send({ model: 'native', input: 'hi' })).text();
  expect((await at(id)).status).toBe(404);
});

test('reasoning comes back as the provider takes it: by its encrypted content, or not at all', async () => {
  const shell = { type: 'reasoning', id: 'rs_shell', summary: [] };
  const whole = { type: 'reasoning', id: 'rs_whole', summary: [], encrypted_content: 'c2VjcmV0' };
  const said = message('msg_reasoned', 'done');
  answers = [{ id: 'resp_reasoned', output: [shell, whole, said] }];
  expect(await sentFor({ model: 'thinking', input: 'think', include: ['file_search_call.results'] })).toMatchObject({
    include: ['file_search_call.results', 'reasoning.encrypted_content'],
    store: false,
  });
  const next = await sentFor({ input: 'go on', previous_response_id: 'resp_reasoned' });
  expect(next.include).toBeUndefined();
  const asked = { role: 'user', content: 'think' };
  const more = { role: 'user', content: 'go on' };
  expect(next.input).toEqual([asked, whole, said, more]);
  const references = ['rs_shell', 'rs_whole', 'msg_reasoned'].map((id) => ({ type: 'item_reference', id }));
  expect((await sentFor({ input: [asked, ...references, more] })).input).toEqual([asked, whole, said, more]);
  expect((await sentFor({ input: [asked, { id: 'msg_reasoned' }, more] })).input).toEqual([asked, said, more]);
});

test("the second turn of the AI SDK's loop of tools is served as it was recorded", async () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_0000002d', name: 'weather', arguments: '{}' };
  const thought = { type: 'reasoning', id: 'rs_0000002b', summary: [], encrypted_content: 'c2VjcmV0' };
  answers = [{ id: 'resp_ai_sdk', output: [thought, call] }];
  await sentFor({ input: 'hi' });
  const recorded = new URL('../fixtures/agents/sdk-ai-openai-tools-turn2.json', import.meta.url);
  const { body } = JSON.parse(readFileSync(recorded, 'utf8')) as { body: { input: unknown[] } };
  const { input } = await sentFor({ ...body, model: 'native' });
  expect(input).toEqual(body.input.with(1, thought));
});

test('going on from a response sends the provider what a caller would send that sends everything again', async () => {
  const text = fc.string({ minLength: 1, maxLength: 20, unit: 'binary' });
  const asked = fc.oneof(
    text,
    fc.array(fc.record({ role: fc.constant('user'), content: text }), { minLength: 1, maxLength: 3 }),
  );
  const output = fc.array(
    text.map((said) => message(`msg_${(made += 1)}`, said)),
    { minLength: 0, maxLength: 3 },
  );
  const turn = fc.record({ asked, output, from: fc.nat() });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
      const conversations: { id: string; items: unknown[] }[] = [];
      for (const each of turns) {
        const from = conversations.at(each.from % (conversations.length + 1));
        const own = typeof each.asked === 'string' ? [{ role: 'user', content: each.asked }] : each.asked;
        const id = freshId();
        answers = [{ id, output: each.output }];
        const previous = from === undefined ? {} : { previous_response_id: from.id };
        const sent = await sentFor({ input: each.asked, ...previous });
        const items = [...(from?.items ?? []), ...own];
        expect(sent.input).toEqual(from === undefined ? each.asked : items);
        expect(sent.previous_response_id).toBeUndefined();
        conversations.push({ id, items: [...items, ...each.output] });
      }
    }),
    { numRuns: 15 },
  );
});

const KEPT = { id: 'resp_of_another', output: [message('msg_of_another', 'a secret')] };

test.each([
  ['previous_response_id', { previous_response_id: KEPT.id, input: 'x' }, 'previous_response_not_found'],
  ['item_reference', { input: [{ type: 'item_reference', id: 'msg_of_another' }] }, 'NOT_FOUND'],
  ['an id alone', { input: [{ id: 'msg_of_another' }] }, 'NOT_FOUND'],
  ['the id of a response in the place of an item', { input: [{ id: KEPT.id }] }, 'NOT_FOUND'],
  ['both', { previous_response_id: KEPT.id, input: [{ id: 'msg_of_another' }] }, 'previous_response_not_found'],
  ['conversation', { conversation: KEPT.id, input: 'x' }, 'INVALID_REQUEST'],
  ['prompt', { prompt: { id: KEPT.id }, input: 'x' }, 'INVALID_REQUEST'],
])("another workspace's id is not there, and no provider hears of it: %s", async (_name, body, code) => {
  answers = [KEPT];
  await sentFor({ input: 'hi' });
  const before = upstream.requests.length;
  const requests = [send({ model: 'native', ...body }, { key: stranger.key })];
  for (const path of ['/v1/quote', '/v1/responses/input_tokens', '/v1/responses/compact']) {
    requests.push(send({ model: 'native', ...body }, { key: stranger.key, path }));
  }
  for (const answer of await Promise.all(requests)) {
    const said = await answer.text();
    expect([400, 404]).toContain(answer.status);
    if (answer.url.endsWith('/responses')) expect(JSON.parse(said)).toMatchObject({ error: { code } });
    expect(said).not.toContain('a secret');
  }
  expect(upstream.requests.length).toBe(before);
});

test('another workspace can neither read nor delete a response, and gets the same answer as for one that never was', async () => {
  answers = [KEPT];
  await sentFor({ input: 'hi' });
  for (const method of ['GET', 'DELETE']) {
    const [other, never] = [
      await at(KEPT.id, { key: stranger.key, method }),
      await at('resp_never', { key: stranger.key, method }),
    ];
    expect([other.status, never.status]).toEqual([404, 404]);
    const textOf = async (answer: Response) => ((await answer.json()) as { error: { message: string } }).error.message;
    expect((await textOf(other)).replace(KEPT.id, 'resp_never')).toBe(await textOf(never));
  }
  expect((await at(KEPT.id)).status).toBe(200);
});

test('what cannot be an id is refused, and never asked for in the database', async () => {
  for (const id of ['', 'x'.repeat(300), 5, ['resp_1'], '\u0000']) {
    const { status } = await send({ model: 'native', input: 'x', previous_response_id: id });
    expect([400, 404]).toContain(status);
    expect([400, 404]).toContain((await send({ model: 'native', input: [{ type: 'item_reference', id }] })).status);
  }
  expect((await at('%00')).status).toBe(404);
  expect((await at(KEPT.id, { method: 'PUT' })).status).toBe(405);
});

test('a response that was deleted, or whose time is over, ends what went on from it', async () => {
  const ids = [freshId(), freshId(), freshId()];
  for (const [index, id] of ids.entries()) {
    answers = [{ id }];
    await sentFor({ input: 'hi', ...(index > 0 ? { previous_response_id: ids[index - 1] } : {}) });
  }
  const goesOn = async (): Promise<number> =>
    (await send({ model: 'native', input: 'x', previous_response_id: ids[2], store: false })).status;
  expect(await goesOn()).toBe(200);
  const [{ expires_at: expiry } = {}] = await database.query<{ expires_at?: Date }>(
    'select expires_at from stored_responses where response_id = $1',
    [ids[1] ?? ''],
  );
  await database.query('update stored_responses set expires_at = now() where response_id = $1', [ids[1] ?? '']);
  expect(await goesOn()).toBe(404);
  await database.query('update stored_responses set expires_at = $2 where response_id = $1', [
    ids[1] ?? '',
    expiry ?? null,
  ]);
  expect(await goesOn()).toBe(200);
  expect((await at(ids[0] ?? '', { method: 'DELETE' })).status).toBe(200);
  expect(await goesOn()).toBe(404);
});

test('a conversation that makes a request longer than a body may be is refused with that bound', async () => {
  const input = 'x'.repeat(40_000);
  const id = freshId();
  answers = [{ id }];
  await sentFor({ input });
  const before = upstream.requests.length;
  const answer = await send({ model: 'native', input, previous_response_id: id });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: { code: 'INVALID_REQUEST', param: 'previous_response_id', message: expect.stringContaining('65536 bytes') },
  });
  answers = [{ id: freshId(), output: [message('msg_large', input)] }];
  await sentFor({ input: 'large' });
  const references = Array.from({ length: 2 }, () => ({ id: 'msg_large' }));
  expect((await send({ model: 'native', input: references })).status).toBe(400);
  expect(upstream.requests.length).toBe(before + 1);
});

test('what goes on from a response is charged for all of it, and a quote says so beforehand', async () => {
  const first = await client.responses.create({ model: 'echo', input: 'a long story '.repeat(50) });
  const next = { model: 'echo', input: 'x', previous_response_id: first.id };
  const inputMaxOf = async (body: object): Promise<number> =>
    ((await (await send(body, { path: '/v1/quote' })).json()) as { input_tokens_max: number }).input_tokens_max;
  expect(await inputMaxOf(next)).toBeGreaterThan((await inputMaxOf({ model: 'echo', input: 'x' })) + 1_000);
});

test('tokens are counted by the provider where it can, the conversation that a request goes on from included', async () => {
  answers = [{ id: 'resp_counted' }];
  await sentFor({ input: 'hi' });
  const tools = [{ type: 'function', name: 'f', parameters: {} }];
  const body = {
    model: 'native',
    input: 'and?',
    previous_response_id: 'resp_counted',
    tools: [{ type: 'web_search' }, ...tools],
  };
  const { data, response } = await client.responses.inputTokens
    .count({ ...body, max_output_tokens: 5 } as OpenAI.Responses.InputTokenCountParams)
    .withResponse();
  expect(data).toEqual({ object: 'response.input_tokens', input_tokens: 42 });
  expect(response.headers.get('x-faregate-estimate')).toBeNull();
  const sent = upstream.requests.at(-1);
  expect(sent?.path).toBe('/v1/responses/input_tokens');
  const asked = [
    { role: 'user', content: 'hi' },
    message('msg_of_resp_counted', 'fine'),
    { role: 'user', content: 'and?' },
  ];
  expect(JSON.parse(String(sent?.body))).toEqual({ model: 'gpt', input: asked, tools });
});

test('tokens are estimated where the provider does not count, and the answer says so', async () => {
  const first = await client.responses.create({ model: 'echo', input: 'a long story '.repeat(50) });
  const counting = client.responses.inputTokens.count({ model: 'echo', input: 'x', previous_response_id: first.id });
  const { data, response } = await counting.withResponse();
  expect(response.headers.get('x-faregate-estimate')).toBe('true');
  expect(data.input_tokens).toBeGreaterThan(300);
});

test('a repeat with the same Idempotency-Key is the same if its caller sent the same, and gets the kept response', async () => {
  const first = await client.responses.create({ model: 'echo', input: 'one' });
  const body = { model: 'echo', input: 'two', previous_response_id: first.id };
  const [one, other] = [
    await send(body, { headers: { 'idempotency-key': 'kept' } }),
    await send(body, { headers: { 'idempotency-key': 'kept' } }),
  ];
  expect(other.headers.get('x-faregate-replayed')).toBe(one.headers.get('x-request-id'));
  const { id } = (await other.json()) as { id: string };
  expect((await at(id)).status).toBe(200);
});

test('a repeat with the same Idempotency-Key gets the stored answer, even if what it goes on from was deleted since', async () => {
  const first = await client.responses.create({ model: 'echo', input: 'one' });
  const body = { model: 'echo', input: 'two', previous_response_id: first.id };
  const headers = { 'idempotency-key': 'kept-then-deleted' };
  const one = await send(body, { headers });
  expect((await at(first.id, { method: 'DELETE' })).status).toBe(200);
  expect((await send(body)).status).toBe(404);
  const other = await send(body, { headers });
  expect(other.headers.get('x-faregate-replayed')).toBe(one.headers.get('x-request-id'));
  expect(await other.json()).toEqual(await one.json());
  const never = { 'idempotency-key': 'deleted-before' };
  expect((await send(body, { headers: never })).status).toBe(404);
  expect((await send({ model: 'echo', input: 'two' }, { headers: never })).status).toBe(200);
});

test.each(['native', 'carried'].flatMap((model) => [10, 1_200_000].map((length) => [model, length] as const)))(
  'an answer that is not kept names what it goes on from too: of %s, %i characters long',
  async (model, length) => {
    const first = await client.responses.create({ model: 'echo', input: 'one' });
    chatAnswer = 'x'.repeat(length);
    answers = [{ id: freshId(), output: [message('msg_long', chatAnswer)], more: { previous_response_id: null } }];
    const answer = await send({ model, input: 'two', previous_response_id: first.id, store: false });
    expect(await answer.json()).toMatchObject({ store: false, previous_response_id: first.id });
  },
);

test('a stream that is not kept names what it goes on from in each of its events', async () => {
  const first = await client.responses.create({ model: 'echo', input: 'one' });
  answers = [{ id: freshId(), more: { previous_response_id: null } }];
  for (const model of ['native', 'echo']) {
    const body = { model, input: 'two', previous_response_id: first.id, store: false, stream: true };
    const text = await (await send(body)).text();
    expect(new Set(text.match(/"previous_response_id":("\w+"|null)/g))).toEqual(
      new Set([`"previous_response_id":"${first.id}"`]),
    );
  }
});

test("a code interpreter's call goes back to its provider from where it is kept, and never from its caller", async () => {
  const call = {
    type: 'code_interpreter_call',
    id: 'ci_kept',
    container_id: 'cntr_1',
    code: '1',
    status: 'completed',
    outputs: null,
  };
  const cited = { type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1', filename: 'a.png' };
  const content = [{ type: 'output_text', text: 'done', annotations: [cited] }];
  const answer = { type: 'message', id: 'msg_ci', role: 'assistant', status: 'completed', content };
  answers = [{ id: 'resp_ci', output: [call, answer] }];
  await sentFor({ input: 'run it' });
  const [asked, more] = [
    { role: 'user', content: 'run it' },
    { role: 'user', content: 'again' },
  ];
  const next = await sentFor({ input: 'again', previous_response_id: 'resp_ci' });
  expect(next.input).toEqual([asked, call, answer, more]);
  const referred = await sentFor({ input: [asked, { type: 'item_reference', id: 'ci_kept' }, answer, more] });
  expect(referred.input).toEqual([asked, call, answer, more]);
  const before = upstream.requests.length;
  const refused = await Promise.all([
    send({ model: 'native', input: [asked, call, more] }),
    send({ model: 'native', input: [call, more], previous_response_id: 'resp_ci' }),
    send({ model: 'native', input: [{ ...call, type: 'of_next_year' }], previous_response_id: 'resp_ci' }),
    send({ model: 'native', input: [{ type: 'item_reference', id: 'ci_kept' }] }, { key: stranger.key }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 404]);
  expect(upstream.requests.length).toBe(before);
});

test.each([
  { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 's', tools: [] },
  { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'f', arguments: '{}', output: 'x' },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
  { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' },
  { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['q'], results: null },
])('what a model did by tools may be sent again with the whole conversation: $type', async (item) => {
  const input = [{ role: 'user', content: 'x' }, item, { role: 'user', content: 'y' }];
  expect((await sentFor({ input, store: false })).input).toEqual(input);
});
