import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Receipts say what sent a request to the route whose cache may have its beginning, as a word without what it was.

const SIZE = 'context_window: 10000, max_output: 1000';
const SECRET = 'a name that nobody needs to read';

let program: Program;
let upstream: ScriptedUpstream;
let failing: string | null = null;
let tenant: Tenant;

const CHAT = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'theirs',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
};
const CHUNKS = [
  { choices: [{ index: 0, finish_reason: null, delta: { role: 'assistant', content: 'hi' } }] },
  { choices: [{ index: 0, finish_reason: 'stop', delta: {} }] },
  { choices: [], usage: CHAT.usage },
].map((chunk) => `data: ${JSON.stringify({ ...CHAT, object: 'chat.completion.chunk', usage: null, ...chunk })}\n\n`);

const answer: Script = (response, { path, body }) => {
  const isFailing = failing !== null && path.startsWith(`/${failing}/`);
  const { stream } = JSON.parse(String(body)) as { stream?: boolean };
  const type = stream === true && !isFailing ? 'text/event-stream' : 'application/json';
  response.writeHead(isFailing ? 500 : 200, { 'content-type': type });
  response.end(isFailing ? '{}' : stream === true ? `${CHUNKS.join('')}data: [DONE]\n\n` : JSON.stringify(CHAT));
};

beforeAll(async () => {
  upstream = await startScriptedUpstream(answer);
  const provider = (name: string): string =>
    `\n  ${name}: { kind: openai, base_url: "${upstream.origin}/${name}/v1", api_key: "sk-upstream" }`;
  const model = (id: string, cached: string, weights: readonly [string, string]): string =>
    `\n  - { id: ${id}, routes: [{ provider: one, model: m${weights[0]} }, { provider: other, model: m${weights[1]} }], price: { input: "1", output: "10"${cached} }, ${SIZE} }`;
  const [weighted, listed] = [
    [', weight: 1', ', weight: 1'],
    ['', ''],
  ] as const;
  const cached = ', cached_input: "0.1"';
  const config = `
routing: { results_min: 1000 }
providers:${provider('one')}${provider('other')}
models:${model('bound', cached, weighted)}${model('chance', '', weighted)}${model('listed', cached, listed)}
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
});
afterAll(() => program.dispose());

const openai = (headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({ baseURL: `${program.url}/v1`, apiKey: tenant.key, maxRetries: 0, defaultHeaders: headers });
const messages = [{ role: 'user' as const, content: 'hi' }];

/** What the caller's and the operator's receipt say of it, and the provider that answered. */
async function receiptOf({ headers }: Pick<Response, 'headers'>) {
  const id = headers.get('x-request-id') ?? '';
  const response = await fetch(`${program.url}/v1/receipts/${id}`, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });
  const own = (await response.json()) as { affinity: unknown; affinity_missed: unknown };
  const receipt = await program.admin.showReceipt(id);
  expect(own).toMatchObject({ affinity: receipt.affinity, affinity_missed: receipt.affinity_missed });
  const { provider } = receipt.attempts.at(-1) ?? {};
  return { affinity: receipt.affinity, isMissed: receipt.affinity_missed, provider, text: JSON.stringify(receipt) };
}

async function chat(more: object = {}, headers: Record<string, string> = {}, model = 'bound') {
  return await receiptOf(
    await openai(headers)
      .chat.completions.create({ model, messages, ...more })
      .asResponse(),
  );
}

test.each<[string, object, Record<string, string>]>([
  ['session', {}, { 'session-id': SECRET }],
  ['prompt_cache_key', { prompt_cache_key: SECRET }, {}],
  ['user_id', { metadata: { user_id: SECRET } }, {}],
  ['messages', { messages: [{ role: 'system', content: SECRET }, ...messages] }, {}],
])('a receipt says that %s chose the route, of a plain answer and of a stream', async (source, more, headers) => {
  const plain = await chat(more, headers);
  expect(plain).toMatchObject({ affinity: source, isMissed: false });
  if (source !== 'session') expect(plain.text).not.toContain(SECRET);
  const { response } = await openai(headers)
    .chat.completions.create({ model: 'bound', messages, ...more, stream: true })
    .withResponse();
  await response.text();
  expect(await receiptOf(response)).toMatchObject({ affinity: source, isMissed: false, provider: plain.provider });
});

test('a receipt of a message says it too', async () => {
  const anthropic = new Anthropic({ baseURL: program.url, apiKey: tenant.key, maxRetries: 0 });
  const metadata = { user_id: SECRET };
  const message = await anthropic.messages.create({ model: 'bound', max_tokens: 9, messages, metadata }).asResponse();
  expect(await receiptOf(message)).toMatchObject({ affinity: 'user_id', isMissed: false });
});

test('a receipt says if another route answered than the one that its request is bound to', async () => {
  const usual = await chat({ prompt_cache_key: 'k' });
  failing = usual.provider ?? null;
  const moved = await chat({ prompt_cache_key: 'k' });
  expect(moved).toMatchObject({ affinity: 'prompt_cache_key', isMissed: true });
  expect(moved.provider).not.toBe(usual.provider);
  failing = null;
  expect(await chat({ prompt_cache_key: 'k' })).toMatchObject({ isMissed: false, provider: usual.provider });
});

test('a request is bound by nothing where routes are listed, or where nothing is cheaper for being cached', async () => {
  for (const model of ['chance', 'listed'])
    expect(await chat({ prompt_cache_key: 'k' }, {}, model)).toMatchObject({ affinity: null, isMissed: false });
});
