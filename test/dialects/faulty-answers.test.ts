import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Providers whose answers aren't what their API says: the official SDKs, in every dialect, still get a whole answer or an
// error that says what happened, and nobody pays for what is none.

const PRICE = 'price: { input: "1", output: "10" }, context_window: 128000, max_output: 4096';

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const config = `
providers:
  native: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: sk-upstream-0123456789 }
  chat: { kind: openai, base_url: "${upstream.origin}/chat/v1" }
  claude: { kind: anthropic, base_url: "${upstream.origin}", api_key: sk-ant-0123456789 }
  sandbox: { kind: sandbox }
routing: { results_min: 1000 }
timeouts: { ping: 50ms }
models:
  - { id: native, routes: [{ provider: native, model: gpt }], ${PRICE} }
  - { id: embed, kind: embedding, routes: [{ provider: native, model: e }], price: { input: "1" }, context_window: 8192 }
  - { id: carried, routes: [{ provider: chat, model: gpt }], ${PRICE} }
  - { id: carried-or-echo, routes: [{ provider: chat, model: gpt }, { provider: sandbox, model: echo }], ${PRICE} }
  - { id: claude-or-echo, routes: [{ provider: claude, model: claude }, { provider: sandbox, model: echo }], ${PRICE} }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
  openai = new OpenAI({ apiKey: tenant.key, baseURL: `${program.url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ authToken: tenant.key, apiKey: null, baseURL: program.url, maxRetries: 0 });
});

afterAll(() => program.dispose());

function answers(body: string): Script {
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

function events(...payloads: readonly string[]): Script {
  const text = payloads.map((payload) => `data: ${payload}\n\n`).join('');
  return (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

/** Asks in each dialect that is translated to chat and in chat itself, and gives the text of each answer. */
const DIALECTS = {
  chat: async (model: string) =>
    (await openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'hello' }] })).choices[0]
      ?.message.content,
  responses: async (model: string) => (await openai.responses.create({ model, input: 'hello' })).output_text,
  messages: async (model: string) => {
    const { content } = await anthropic.messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hello' }],
    });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
} as const;

const NO_ANSWERS = ['{}', '{"choices":null}', '{"choices":[]}', '{"choices":[null]}', '{"choices":{"0":{}}}'];

test.each(Object.entries(DIALECTS).flatMap(([dialect, ask]) => NO_ANSWERS.map((body) => ({ dialect, ask, body }))))(
  'in $dialect, an answer of chat without a choice ($body) is none: the next route is tried',
  async ({ ask, body }) => {
    script = answers(body);
    expect(await ask('carried-or-echo')).toBe('hello');
    await expect(ask('carried')).rejects.toMatchObject({ status: 503 });
  },
);

test.each(['{}', '{"output":null}', '{"output":{}}', '{"id":"resp_up","object":"response"}'])(
  'a response without an output (%s) and embeddings without data are none',
  async (body) => {
    script = answers(body);
    await expect(openai.responses.create({ model: 'native', input: 'hello' })).rejects.toMatchObject({ status: 503 });
    await expect(openai.embeddings.create({ model: 'embed', input: 'hello' })).rejects.toMatchObject({ status: 503 });
  },
);

test('a choice of chat without a message is an empty answer', async () => {
  script = answers('{"model":"gpt","choices":[{"index":0,"finish_reason":"content_filter"}]}');
  expect(await openai.responses.create({ model: 'carried', input: 'hello' })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    output: [],
  });
  expect(await DIALECTS.messages('carried')).toBe('');
});

test('a stream of chat that announces its end without a reason to stop ends a response as a whole one', async () => {
  script = events('{"model":"gpt","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}', '[DONE]');
  const final = await openai.responses.stream({ model: 'carried', input: 'hello' }).finalResponse();
  expect(final).toMatchObject({ status: 'completed', output_text: 'hi' });
  expect(await openai.responses.retrieve(final.id)).toMatchObject({ status: 'completed', output_text: 'hi' });
});

test('a response that breaks off at a provider that speaks Responses fails under its own id, as the SDK demands', async () => {
  script = events(
    '{"type":"response.created","sequence_number":0,"response":{"id":"resp_up","object":"response","created_at":5,"status":"in_progress","model":"gpt-2026","output":[],"instructions":null,"of_next_year":1}}',
    '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}',
    '{"type":"response.content_part.added","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}',
    '{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"hi","logprobs":[]}',
  );
  const final = await openai.responses.stream({ model: 'native', input: 'hello' }).finalResponse();
  expect(final).toMatchObject({
    id: 'resp_up',
    status: 'failed',
    created_at: 5,
    model: 'gpt-2026',
    of_next_year: 1,
    error: { code: 'server_error', message: '"native" broke off its answer.' },
  });
});

test.each(['native', 'carried'])(
  'a response of a provider (%s) that hangs up after a silence fails with the reason, as the SDK reads it',
  async (model) => {
    const { promise: hasPinged, resolve } = Promise.withResolvers<unknown>();
    script = (response) => void hasPinged.then(() => response.destroy());
    const watched = openai.withOptions({
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        const [seen, rest] = answer.body?.tee() ?? [];
        seen?.getReader().read().then(resolve, resolve);
        return new Response(rest ?? null, answer);
      },
    });
    expect(await watched.responses.stream({ model, input: 'hello' }).finalResponse()).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: `"${model}" can't be reached. Nothing was charged. Try again later.` },
    });
  },
);

test.each(['{not JSON', '[]', 'null', '5', '"text"', '{"type":"message_start"'])(
  'a stream of messages whose first event is %s has not begun: the next route is tried',
  async (first) => {
    script = events(first, '{"type":"message_stop"}');
    const message = await anthropic.messages
      .stream({ model: 'claude-or-echo', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] })
      .finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: 'hello' }]);
  },
);

test('after all faulty answers the ledger is whole', async () => {
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
