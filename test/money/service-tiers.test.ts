import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { BadRequestError } from 'openai';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Service tiers: what is held is the most that the tier of an answer can cost, and what is charged is the tier that the answer
// names, in each dialect, plain and streamed.

const SIZE = 'context_window: 10000, max_output: 1000';
/** Nano-USD for each token, in the standard tier and in the others. */
const RATES = {
  standard: [1_000n, 10_000n],
  flex: [500n, 5_000n],
  priority: [2_000n, 25_000n],
  fast: [6_000n, 60_000n],
};
const TIERS = `service_tiers: { flex: { input: "0.5", output: "5" }, priority: { input: "2", output: "25" }, fast: { input: "6", output: "60" } }`;
const COST = `cost: { input: "0.4", output: "4", service_tiers: { priority: { input: "0.8", output: "8" } } }`;

type Tier = keyof typeof RATES;

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const price = `price: { input: "1", output: "10", ${TIERS} }, ${SIZE}`;
  const config = `
providers:
  openai: { kind: openai, profile: openai, base_url: "${upstream.origin}/v1", api_key: "sk-upstream" }
  local: { kind: openai, profile: vllm, base_url: "${upstream.origin}/v1" }
  anthropic: { kind: anthropic, base_url: "${upstream.origin}", api_key: "sk-ant-upstream" }
models:
  - { id: gpt, routes: [{ provider: openai, model: theirs, ${COST} }], ${price} }
  - { id: claude, routes: [{ provider: anthropic, model: theirs }], ${price} }
  - { id: local, routes: [{ provider: local, model: theirs }], ${price} }
  - { id: either, routes: [{ provider: local, model: theirs }, { provider: openai, model: theirs }], ${price} }
  - { id: busy, routes: [{ provider: openai, model: other }], ${price} }
  - { id: plain, routes: [{ provider: openai, model: theirs }], price: { input: "1", output: "10" }, ${SIZE} }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
  openai = new OpenAI({ baseURL: `${program.url}/v1`, apiKey: tenant.key, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: program.url, apiKey: tenant.key, maxRetries: 0 });
});
beforeEach(() => {
  script = (response) => response.writeHead(500).end();
});
afterAll(() => program.dispose());

const answers =
  (body: object, status = 200, headers: Record<string, string> = {}): Script =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const streams =
  (...events: readonly (object | string)[]): Script =>
  (response) => {
    const named = (event: object): string => ('type' in event ? `event: ${String(event.type)}\n` : '');
    const text = events.map((event) =>
      typeof event === 'string' ? `data: ${event}\n\n` : `${named(event)}data: ${JSON.stringify(event)}\n\n`,
    );
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text.join(''));
  };

const USED = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const MESSAGES = [{ role: 'user' as const, content: 'hi' }];
const COST_OF = (tier: Tier): bigint => 100n * RATES[tier][0]! + 10n * RATES[tier][1]!;

const completion = (more: object): object => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'theirs',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: USED,
  ...more,
});

async function receiptOf(id: string | null | undefined) {
  return await program.admin.showReceipt(id ?? '');
}

const lastSent = (): Record<string, unknown> => JSON.parse(String(upstream.requests.at(-1)?.body)) as never;

/** What a receipt says of the tier: its name, what was charged, whether that is sure, and the sum of its calculation. */
async function chargedFor(id: string | null | undefined) {
  const { service_tier: tier, charge_nano_usd: charge, usage, cost, hold_nano_usd: hold } = await receiptOf(id);
  expect(BigInt(hold)).toBeGreaterThanOrEqual(BigInt(charge));
  expect(cost?.cost_nano_usd).toBe(charge);
  return { tier, charge: BigInt(charge), certainty: usage.certainty };
}

test.each<[string | undefined, object, Tier, 'exact' | 'estimated']>([
  ['priority', { service_tier: 'priority' }, 'priority', 'exact'],
  ['fast', { service_tier: 'priority' }, 'priority', 'exact'],
  ['priority', { service_tier: 'default' }, 'standard', 'exact'],
  ['priority', {}, 'priority', 'estimated'],
  ['flex', { service_tier: 'flex' }, 'flex', 'exact'],
  ['flex', {}, 'flex', 'estimated'],
  ['auto', { service_tier: 'priority' }, 'priority', 'exact'],
  [undefined, { service_tier: 'priority' }, 'priority', 'exact'],
  [undefined, {}, 'standard', 'exact'],
  ['default', { service_tier: 'priority' }, 'standard', 'exact'],
])(
  'a chat for the tier %s that is answered with %j is charged as %s, and its usage is %s',
  async (asked, said, tier, certainty) => {
    script = answers(completion(said));
    const { response } = await openai.chat.completions
      .create({
        model: 'gpt',
        messages: MESSAGES,
        max_completion_tokens: 20,
        ...(asked && { service_tier: asked as 'flex' }),
      })
      .withResponse();
    expect(lastSent()['service_tier']).toBe(asked);
    const charged = { tier: tier === 'standard' ? null : tier, charge: COST_OF(tier), certainty };
    expect(await chargedFor(response.headers.get('x-request-id'))).toEqual(charged);
  },
);

test('a stream of chat is charged by the tier that its events name', async () => {
  const chunk = (more: object): object => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'theirs',
    ...more,
  });
  const choice = (more: object): object => ({ choices: [{ index: 0, finish_reason: null, delta: {}, ...more }] });
  script = streams(
    chunk({ ...choice({ delta: { role: 'assistant', content: '"service_tier":"flex"' } }), service_tier: 'auto' }),
    chunk({ ...choice({ finish_reason: 'stop' }), service_tier: 'priority' }),
    chunk({ choices: [], usage: USED, service_tier: 'priority' }),
    '[DONE]',
  );
  const { data, response } = await openai.chat.completions
    .create({ model: 'gpt', messages: MESSAGES, max_completion_tokens: 20, stream: true, service_tier: 'priority' })
    .withResponse();
  for await (const event of data) expect(event.object).toBe('chat.completion.chunk');
  const charged = await chargedFor(response.headers.get('x-request-id'));
  expect(charged).toEqual({ tier: 'priority', charge: COST_OF('priority'), certainty: 'exact' });
});

const responseOf = (tier: string, status: string): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: 'theirs',
  output:
    status === 'completed'
      ? [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            status,
            content: [{ type: 'output_text', text: 'hi', annotations: [] }],
          },
        ]
      : [],
  service_tier: tier,
  usage: status === 'completed' ? { input_tokens: 100, output_tokens: 10, total_tokens: 110 } : null,
});

test('Responses are charged by the tier of the whole response, plain and streamed', async () => {
  const asked = { model: 'gpt', input: 'hi', max_output_tokens: 20, service_tier: 'flex', store: false } as const;
  script = answers(responseOf('default', 'completed'));
  const plain = await openai.responses.create(asked).withResponse();
  const standard = { tier: null, charge: COST_OF('standard'), certainty: 'exact' };
  expect(await chargedFor(plain.response.headers.get('x-request-id'))).toEqual(standard);
  script = streams(
    { type: 'response.created', sequence_number: 0, response: responseOf('auto', 'in_progress') },
    {
      type: 'response.output_text.delta',
      sequence_number: 1,
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta: 'hi',
    },
    { type: 'response.completed', sequence_number: 2, response: responseOf('flex', 'completed') },
  );
  const streamed = await openai.responses.create({ ...asked, stream: true }).withResponse();
  for await (const event of streamed.data) expect(event.type).toMatch(/^response\./);
  const flex = { tier: 'flex', charge: COST_OF('flex'), certainty: 'exact' };
  expect(await chargedFor(streamed.response.headers.get('x-request-id'))).toEqual(flex);
});

test('legacy completions are charged by the tier that they name', async () => {
  const text = {
    id: 't',
    object: 'text_completion',
    created: 1,
    model: 'theirs',
    usage: USED,
    service_tier: 'priority',
  };
  script = answers({ ...text, choices: [{ index: 0, text: 'hi', finish_reason: 'stop', logprobs: null }] });
  const body = { model: 'local', prompt: 'hi', max_tokens: 20 };
  const { response } = await openai.completions.create(body).withResponse();
  const charged = { tier: 'priority', charge: COST_OF('priority'), certainty: 'exact' };
  expect(await chargedFor(response.headers.get('x-request-id'))).toEqual(charged);
});

const message = (usage: object): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'theirs',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 100, output_tokens: 10, ...usage },
});

test.each<[object, object, Tier, 'exact' | 'estimated']>([
  [{ speed: 'fast' }, { speed: 'fast', service_tier: 'standard' }, 'fast', 'exact'],
  [{ speed: 'fast' }, { speed: 'standard', service_tier: 'standard' }, 'standard', 'exact'],
  [{ speed: 'fast' }, {}, 'fast', 'estimated'],
  [{}, { service_tier: 'priority' }, 'priority', 'exact'],
  [{ service_tier: 'auto', speed: 'standard' }, { service_tier: 'priority' }, 'priority', 'exact'],
  [{ service_tier: 'standard_only' }, { service_tier: 'standard' }, 'standard', 'exact'],
  [{ service_tier: 'standard_only' }, { service_tier: 'priority' }, 'standard', 'exact'],
])(
  'a message with %j whose usage says %j is charged as %s, and its usage is %s',
  async (asked, said, tier, certainty) => {
    const charged = { tier: tier === 'standard' ? null : tier, charge: COST_OF(tier), certainty };
    script = answers(message(said));
    const body = { model: 'claude', max_tokens: 20, messages: MESSAGES, ...asked };
    const plain = await anthropic.messages.create(body).withResponse();
    expect(lastSent()).toMatchObject(asked);
    expect(await chargedFor(plain.response.headers.get('request-id'))).toEqual(charged);
    const { usage, content, ...rest } = message(said) as { usage: object; content: object };
    const index = { index: 0 };
    script = streams(
      { type: 'message_start', message: { ...rest, content: [], usage: { ...usage, output_tokens: 1 } } },
      { type: 'content_block_start', ...index, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', ...index, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'content_block_stop', ...index },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    );
    expect(content).toHaveLength(1);
    const streamed = await anthropic.messages.create({ ...body, stream: true }).withResponse();
    for await (const event of streamed.data) expect(event.type).toMatch(/^(message|content)_/);
    expect(await chargedFor(streamed.response.headers.get('request-id'))).toEqual(charged);
  },
);

test('a chat that Anthropic serves in priority, unasked, is charged so, plain and streamed', async () => {
  const charged = { tier: 'priority', charge: COST_OF('priority'), certainty: 'exact' };
  const body = { model: 'claude', messages: MESSAGES, max_completion_tokens: 20 } as const;
  script = answers(message({ service_tier: 'priority' }));
  const plain = await openai.chat.completions.create(body).withResponse();
  expect(await chargedFor(plain.response.headers.get('x-request-id'))).toEqual(charged);
  const { usage, ...rest } = message({ service_tier: 'priority' }) as { usage: object };
  const index = { index: 0 };
  script = streams(
    { type: 'message_start', message: { ...rest, content: [], usage: { ...usage, output_tokens: 1 } } },
    { type: 'content_block_start', ...index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', ...index, delta: { type: 'text_delta', text: 'hi' } },
    { type: 'content_block_stop', ...index },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  );
  const streamed = await openai.chat.completions.create({ ...body, stream: true }).withResponse();
  for await (const event of streamed.data) expect(event.object).toBe('chat.completion.chunk');
  expect(await chargedFor(streamed.response.headers.get('x-request-id'))).toEqual(charged);
});

test('a tier without a price is refused by its name before anything is sent, as is one that no provider serves', async () => {
  const before = upstream.requests.length;
  for (const [model, says] of [
    ['plain', 'has no price. It has no tier but the standard one'],
    ['local', 'No provider of this model serves requests in the tier "priority"'],
    ['claude', 'No provider of this model serves requests in the tier "priority"'],
  ] as const) {
    const refused: unknown = await openai.chat.completions
      .create({ model, messages: MESSAGES, service_tier: 'priority' })
      .catch((fault: unknown) => fault);
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ param: 'service_tier', message: expect.stringContaining(says) });
  }
  const unsold = { model: 'plain', max_tokens: 20, messages: MESSAGES, speed: 'fast' } as const;
  await expect(anthropic.messages.create(unsold)).rejects.toThrow("'speed' names the tier");
  // Chat has no words for it, so that a provider of chat alone can't serve it.
  await expect(anthropic.messages.create({ ...unsold, model: 'gpt' })).rejects.toThrow(/speed/);
  expect(upstream.requests.length).toBe(before);
});

test('a route whose provider does not serve the tier is passed over', async () => {
  script = answers(completion({ service_tier: 'priority' }));
  const { response } = await openai.chat.completions
    .create({ model: 'either', messages: MESSAGES, max_completion_tokens: 20, service_tier: 'priority' })
    .withResponse();
  const { attempts } = await receiptOf(response.headers.get('x-request-id'));
  expect(attempts.map(({ provider }) => provider)).toEqual(['openai']);
});

test('a lack of capacity for flex rests no other requests', async () => {
  const fault = { error: { message: 'busy', type: 'x', code: 'resource_unavailable', param: null } };
  script = answers(fault, 429, { 'retry-after': '60' });
  const body = { model: 'busy', messages: MESSAGES, max_completion_tokens: 20 } as const;
  const flex = { ...body, service_tier: 'flex' } as const;
  await expect(openai.chat.completions.create(flex)).rejects.toMatchObject({ status: 503 });
  script = answers(completion({ service_tier: 'default' }));
  const sent = upstream.requests.length;
  await expect(openai.chat.completions.create(flex)).rejects.toMatchObject({ status: 503 });
  expect(upstream.requests.length).toBe(sent);
  expect((await openai.chat.completions.create(body)).choices).toHaveLength(1);
});

test('models list their tiers, and a quote says which of them its hold covers', async () => {
  const models = await openai.models.list();
  const tiersOf = (id: string): unknown =>
    (models.data.find((each) => each.id === id) as { service_tiers?: unknown }).service_tiers;
  expect(tiersOf('gpt')).toEqual(['standard', 'flex', 'priority', 'fast']);
  expect(tiersOf('plain')).toBeUndefined();
  const quote = async (
    more: object,
  ): Promise<{ service_tiers?: string[]; hold_nano_usd: string; input_tokens_max: number }> => {
    const response = await fetch(`${program.url}/v1/quote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt', messages: MESSAGES, max_tokens: 20, ...more }),
    });
    return (await response.json()) as never;
  };
  const held = (tier: Tier, inputMax: number): string =>
    String(BigInt(inputMax) * RATES[tier][0]! + 20n * RATES[tier][1]!);
  for (const [asked, tiers, tier] of [
    ['auto', ['standard', 'priority'], 'priority'],
    ['default', ['standard'], 'standard'],
    ['flex', ['standard', 'flex'], 'standard'],
    ['priority', ['standard', 'priority'], 'priority'],
  ] as const) {
    const quoted = await quote({ service_tier: asked });
    expect(quoted.service_tiers).toEqual(tiers);
    expect(quoted.hold_nano_usd).toBe(held(tier, quoted.input_tokens_max));
  }
  expect(await quote({ model: 'plain' })).not.toHaveProperty('service_tiers');
});

test('prices and costs list their tiers, margins count them, and the ledger adds up', async () => {
  const { price } = await program.admin.showModel(tenant.workspaceId, 'gpt');
  expect(price.service_tiers.map(({ tier }) => tier)).toEqual(['flex', 'priority', 'fast']);
  expect(price.service_tiers[1]?.tiers[0]?.rates[0]).toMatchObject({ class: 'input', rate_usd: '2.00' });
  const { stdout } = await program.cli('catalogue', 'list');
  expect(stdout).toMatch(/^gpt +1 +priority +- +2\.00 +2\.00 +25\.00 /m);
  expect(stdout).toMatch(/^gpt +openai\/theirs +priority +- +0\.80 +0\.80 +8\.00 /m);
  const other = await program.createTenant();
  const client = new OpenAI({ baseURL: `${program.url}/v1`, apiKey: other.key, maxRetries: 0 });
  for (const tier of ['priority', 'default', 'flex'] as const) {
    script = answers(completion({ service_tier: tier }));
    await client.chat.completions.create({
      model: 'gpt',
      messages: MESSAGES,
      max_completion_tokens: 20,
      service_tier: tier,
    });
  }
  // What the provider asks for flex is not known, so that request has no margin.
  const { total } = await program.admin.showUsage(other.workspaceId, {});
  const costs = 100n * 800n + 10n * 8_000n + 100n * 400n + 10n * 4_000n;
  expect(total).toMatchObject({ requests: 3, costed_requests: 2, cost_nano_usd: String(costs) });
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
