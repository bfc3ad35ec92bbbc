import type { ServerResponse } from 'node:http';
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OpenResponses, OPEN_RESPONSES } from '../support/open-responses.ts';
import { DIFFERENCES } from '../support/open-responses-differences.ts';
import { type Program, startProgram } from '../support/program.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Everything that a translated response can be, checked against Open Responses: however the model ends, whatever the request
// sets, plain, streamed and as it is kept.

type JsonObject = Readonly<Record<string, unknown>>;

const probable = { token: 'Hel', logprob: -0.5, bytes: [72], top_logprobs: [] };
const call = (index: number, id: string, name: string, args: string): object => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
});

/** What the model says, by its name, piece by piece, and its reason to stop; null: the connection breaks. */
const SAID: Readonly<Record<string, { readonly deltas: readonly object[]; readonly finish: string | null }>> = {
  text: { deltas: [{ content: 'Hel' }, { content: 'lo' }], finish: 'stop' },
  nothing: { deltas: [], finish: 'stop' },
  long: { deltas: [{ content: 'Hel' }], finish: 'length' },
  filtered: { deltas: [{ content: 'Hel' }], finish: 'content_filter' },
  refuses: { deltas: [{ content: 'Well. ' }, { refusal: 'I must ' }, { refusal: 'not.' }], finish: 'stop' },
  thinks: {
    deltas: [{ reasoning_content: 'Two ' }, { reasoning_content: 'plus two.' }, { content: '4' }],
    finish: 'stop',
  },
  calls: {
    deltas: [
      { reasoning_content: 'Look.' },
      { content: 'Let me look.' },
      { tool_calls: [call(0, 'call_a', 'weather', '{}')] },
      { tool_calls: [call(1, 'call_b', 'agents__spawn', '{}')] },
      { tool_calls: [call(2, 'call_c', 'apply_patch', '{"input":"*** Begin Patch"}')] },
    ],
    finish: 'tool_calls',
  },
  breaks: { deltas: [{ content: 'Hel' }], finish: null },
};

/** Every count that a provider of chat is known to report. */
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 3,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

const TOOLS = [
  { type: 'function', name: 'weather', parameters: { type: 'object' } },
  { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
  { type: 'custom', name: 'apply_patch' },
];

/** Settings that are not the default, all of which a response repeats. */
const SETTINGS = {
  instructions: 'Be brief.',
  max_output_tokens: 64,
  max_tool_calls: 3,
  metadata: { topic: 'weather' },
  parallel_tool_calls: false,
  prompt_cache_key: 'thread-1',
  safety_identifier: 'somebody',
  user: 'somebody',
  reasoning: { effort: 'minimal', summary: 'auto' },
  temperature: 0.5,
  top_p: 0.9,
  top_logprobs: 2,
  presence_penalty: 0.1,
  frequency_penalty: 0.2,
  text: { format: { type: 'text' }, verbosity: 'low' },
  tools: TOOLS,
  tool_choice: { type: 'function', name: 'weather' },
  truncation: 'disabled',
  include: ['message.output_text.logprobs'],
};

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

const REQUESTS: Readonly<Record<string, object>> = {
  'no settings': {},
  'every setting': SETTINGS,
  'every setting left to the gateway': Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, null])),
};

let program: Program;
let tenant: Tenant;
/** Every response and event that a test has received. */
const received: { readonly what: 'response' | 'event' | 'error'; readonly value: JsonObject }[] = [];

function answerChat(
  response: ServerResponse,
  { model, stream }: { readonly model: string; readonly stream?: boolean },
): void {
  const { deltas, finish } = SAID[model] ?? SAID['text']!;
  const common = { id: 'c', created: 1, model };
  if (stream !== true) {
    const calls = deltas.flatMap((delta) => ('tool_calls' in delta ? (delta.tool_calls as object[]) : []));
    const joined = (name: string): string =>
      deltas.map((delta) => (delta as Readonly<Record<string, string>>)[name] ?? '').join('');
    const message = {
      role: 'assistant',
      content: joined('content'),
      ...(joined('refusal') === '' ? {} : { refusal: joined('refusal') }),
      ...(joined('reasoning_content') === '' ? {} : { reasoning_content: joined('reasoning_content') }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const choice = { index: 0, message, finish_reason: finish, logprobs: { content: [probable] } };
    const answer = { ...common, object: 'chat.completion', choices: [choice], usage: USAGE };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    return;
  }
  const chunk = (rest: object): string =>
    `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...rest })}\n\n`;
  const pieces = deltas.map((delta) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: null, logprobs: { content: [probable] } }] }),
  );
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(pieces.join(''));
  if (finish === null) return void response.end();
  const end = [
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }),
    chunk({ choices: [], usage: USAGE }),
  ];
  response.end(`${end.join('')}data: [DONE]\n\n`);
}

beforeAll(async () => {
  const upstream = await startScriptedUpstream((response, { body }) =>
    answerChat(response, JSON.parse(body.toString()) as { model: string }),
  );
  const model = (id: string): string =>
    `  - { id: ${id}, routes: [{ provider: chat, model: ${id} }], price: { input: "1", output: "10" }, ` +
    'context_window: 128000, max_output: 4096 }';
  program = await startProgram({
    beside: [upstream],
    config: `
routing: { results_min: 1000000 }
providers:
  chat: { kind: openai, base_url: "${upstream.origin}/v1" }
  sandbox: { kind: sandbox }
models:
${Object.keys(SAID).map(model).join('\n')}
  - { id: json, routes: [{ provider: sandbox, model: json }], price: { input: "1", output: "10" }, context_window: 128000, max_output: 4096 }
`,
  });
  tenant = await program.createTenant({ credit: '100' });
});
afterAll(() => program.dispose());

function send(body: object | null, path = '/v1/responses'): Promise<Response> {
  return fetch(`${program.url}${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
}

function expectResponse(value: JsonObject): void {
  received.push({ what: 'response', value });
  expect(OPEN_RESPONSES.responseFaults(value)).toEqual([]);
}

/** The answer, and the same as it is kept. */
async function expectPlain(body: object): Promise<JsonObject> {
  const answer = await send(body);
  const response = (await answer.json()) as JsonObject;
  expect([answer.status, response]).toEqual([200, expect.objectContaining({ object: 'response' })]);
  expectResponse(response);
  const kept = await send(null, `/v1/responses/${String(response['id'])}`);
  expect(await kept.json()).toEqual(response);
  return response;
}

/** The types of the events, of which each with a response has a valid one. */
async function expectStreamed(body: object): Promise<readonly string[]> {
  const answer = await send({ ...body, stream: true });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as JsonObject);
  for (const value of events) {
    received.push({ what: 'event', value });
    expect(OPEN_RESPONSES.eventFaults(value)).toEqual([]);
  }
  return events.map(({ type }) => String(type));
}

const STATUS: Readonly<Record<string, string>> = { long: 'incomplete', filtered: 'incomplete' };
const WHOLE = Object.keys(SAID).filter((model) => SAID[model]?.finish !== null);

describe.each(Object.keys(REQUESTS))('with %s', (settings) => {
  const fields = REQUESTS[settings];

  test.each(WHOLE)(
    'an answer of a model that says %s is a response of the standard, and so is what is kept of it',
    async (model) => {
      const { status } = await expectPlain({ model, input: 'hi', ...fields });
      expect(status).toBe(STATUS[model] ?? 'completed');
    },
  );

  test.each(WHOLE)('a stream of a model that says %s is of events of the standard', async (model) => {
    const types = await expectStreamed({ model, input: 'hi', ...fields });
    expect(types.at(-1)).toBe(`response.${STATUS[model] ?? 'completed'}`);
  });
});

test('a stream that breaks off ends with an event of the standard, that of a response that failed', async () => {
  expect((await expectStreamed({ model: 'breaks', input: 'hi' })).at(-1)).toBe('response.failed');
});

test.each([{ strict: true }, { strict: null }, { description: 'A trip.' }])(
  'an answer by a schema is a response of the standard, which repeats its format: %j',
  async (more) => {
    const text = { format: { type: 'json_schema', name: 'trip', schema: SCHEMA, ...more } };
    await expectPlain({ model: 'json', input: 'plan', text });
    await expectStreamed({ model: 'json', input: 'plan', text });
  },
);

test.each([
  ['an unknown model', 404, { model: 'nobody', input: 'hi' }],
  ['a field of the wrong type', 400, { model: 'text', input: 'hi', max_output_tokens: 'many' }],
  ['an unknown response to go on from', 404, { model: 'text', input: 'hi', previous_response_id: 'resp_0' }],
  ['more money than there is', 402, { model: 'text', input: 'hi'.repeat(50_000), max_output_tokens: 4096 }],
])('the error for %s is one of the standard', async (_what, status, body) => {
  const poor = status === 402 ? await program.createTenant({ credit: '0.000001' }) : tenant;
  const answer = await fetch(`${program.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${poor.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(status);
  const { error } = (await answer.json()) as { error: JsonObject };
  received.push({ what: 'error', value: error });
  expect(OPEN_RESPONSES.errorFaults(error)).toEqual([]);
});

test('a count of input tokens is the object that OpenAI’s SDK reads', async () => {
  const answer = await send({ model: 'text', input: 'hi' }, '/v1/responses/input_tokens');
  expect(await answer.json()).toEqual({
    object: 'response.input_tokens',
    input_tokens: expect.any(Number) as number,
  } satisfies OpenAI.Responses.InputTokenCountResponse);
});

test('a difference from the standard is listed only if answers have it', () => {
  const unused = DIFFERENCES.filter((difference) => {
    const without = new OpenResponses(DIFFERENCES.filter((other) => other !== difference));
    return received.every(({ what, value }) => {
      if (what === 'event') return without.eventFaults(value).length === 0;
      return (what === 'error' ? without.errorFaults(value) : without.responseFaults(value)).length === 0;
    });
  });
  expect(unused).toEqual([]);
});
