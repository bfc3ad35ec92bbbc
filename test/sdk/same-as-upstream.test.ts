import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, startStage } from './stage.ts';

// A client that changes its base URL and its key sees what it saw before: the same calls, straight to the upstream and
// through the gateway, give the same objects.

const MODEL = 'vendor/chat';
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'hello there, gate 👋' },
];
const TOOLS: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
];
const ANSWERED: OpenAI.ChatCompletionMessageParam[] = [
  ...MESSAGES,
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'clear' },
];

let stage: Stage;
let direct: OpenAI;
let scripted: OpenAI;
let through: OpenAI;

beforeAll(async () => {
  stage = await startStage();
  direct = new OpenAI({ apiKey: 'mock', baseURL: stage.mock.baseUrl, maxRetries: 0 });
  scripted = new OpenAI({ apiKey: 'mock', baseURL: `${stage.scripted.origin}/v1`, maxRetries: 0 });
  through = new OpenAI({ apiKey: stage.tenant.key, baseURL: stage.baseURL, maxRetries: 0 });
});

afterAll(() => stage.program.dispose());

/** The same thing without what an upstream makes up anew for every answer. */
function withoutChance(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => {
      if (key === 'id' && typeof each === 'string') return each.replace(/[-_].*$/, '');
      return key === 'created' ? 0 : each;
    }),
  );
}

type Call = (client: OpenAI) => Promise<unknown>;

const chat =
  (more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}): Call =>
  async (client) =>
    await client.chat.completions.create({ model: MODEL, messages: MESSAGES, ...more });

const stream =
  (more: Partial<OpenAI.ChatCompletionCreateParamsStreaming> = {}): Call =>
  async (client) =>
    await Array.fromAsync(
      await client.chat.completions.create({ model: MODEL, messages: MESSAGES, ...more, stream: true }),
    );

const cases: readonly (readonly [string, Call])[] = [
  ['a plain call', chat()],
  ['a plain call with a cap', chat({ max_completion_tokens: 2 })],
  ['a plain call with tools', chat({ tools: TOOLS })],
  ["a plain call with a tool's answer", chat({ tools: TOOLS, messages: ANSWERED })],
  ['JSON mode', chat({ response_format: { type: 'json_object' } })],
  ['a stream', stream()],
  ['a stream with usage', stream({ stream_options: { include_usage: true } })],
  ['a stream that declines usage', stream({ stream_options: { include_usage: false } })],
  ['a stream with a cap', stream({ max_completion_tokens: 2 })],
  ['a stream with tools', stream({ tools: TOOLS })],
  ["a stream with a tool's answer", stream({ tools: TOOLS, messages: ANSWERED })],
  ['a stream in JSON mode', stream({ response_format: { type: 'json_object' } })],
  [
    'a stream that the SDK puts together',
    async (client) => client.chat.completions.stream({ model: MODEL, messages: MESSAGES }).finalChatCompletion(),
  ],
  [
    'embeddings',
    async (client) =>
      await client.embeddings.create({ model: 'embed', input: ['one', 'two'], encoding_format: 'float' }),
  ],
];

test.each(cases)('a client gets the same through the gateway and without it: %s', async (_name, call) => {
  const [with_, without] = [await call(through), await call(direct)].map(withoutChance);
  expect(with_).toEqual(without);
  expect(JSON.stringify(without)).toContain('"');
});

/** The chunks that came before a stream's end, and what the error said that ended it, if one did. */
async function heard(client: OpenAI, model: string): Promise<{ chunks: unknown[]; error: unknown }> {
  const chunks: unknown[] = [];
  try {
    const more = { stream: true, stream_options: { include_usage: true } } as const;
    for await (const chunk of await client.chat.completions.create({ model, messages: MESSAGES, ...more })) {
      chunks.push(chunk);
    }
    return { chunks, error: null };
  } catch (error) {
    return { chunks, error };
  }
}

test('through the gateway, a plain answer is the same, fields that nobody knows included', async () => {
  const call = chat({ model: 'recorded' });
  expect(await call(through)).toEqual(await call(scripted));
});

test('through the gateway, a stream is the same, chunk for chunk', async () => {
  const [with_, without] = [await heard(through, 'recorded'), await heard(scripted, 'recorded')];
  expect(with_).toEqual(without);
  expect(without.chunks.length).toBeGreaterThan(3);
});

test.each([
  ['plain', (client: OpenAI) => client.chat.completions.create({ model: 'rejecting', messages: MESSAGES })],
  [
    'streamed',
    (client: OpenAI) => client.chat.completions.create({ model: 'rejecting', messages: MESSAGES, stream: true }),
  ],
])('through the gateway, a rejected %s call fails the same way', async (_mode, call) => {
  const facts = async (client: OpenAI): Promise<unknown> => {
    const error: unknown = await call(client).then(
      () => null,
      (fault: unknown) => fault,
    );
    if (!(error instanceof APIError)) throw new Error('an error of the API was to come', { cause: error });
    // The code is the gateway's own, so that it is the same whoever rejects.
    return {
      name: error.constructor.name,
      status: error.status as unknown,
      message: error.message,
      type: error.type,
      param: error.param,
    };
  };
  expect(await facts(through)).toEqual(await facts(scripted));
});

test('through the gateway, a stream that ends with an error ends with one, after the same chunks', async () => {
  const [with_, without] = [await heard(through, 'erring'), await heard(scripted, 'erring')];
  expect(with_.chunks).toEqual(without.chunks);
  expect(without.chunks).toHaveLength(2);
  expect(without.error).toBeInstanceOf(APIError);
  expect(with_.error).toBeInstanceOf(APIError);
});
