import OpenAI, { BadRequestError } from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';

// What only Anthropic's models have, as a program on OpenAI's SDK gets at it: signed thoughts, caches of two lifetimes,
// and a count of the input before anything is said.

/** USD per million tokens. */
const PRICE = '{ input: "1", cached_input: "0.1", cache_write_5m: "1.25", cache_write_1h: "2", output: "8" }';
const THOUGHTS = [
  { type: 'thinking', thinking: 'The weather, then.', signature: 'EqoBCkgIARABGAIi+/==' },
  { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix' },
];
const USE = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Paris' } };
const TEXT = { type: 'text', text: 'Clear.' };
const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5', stop_sequence: null };
const USAGE = { input_tokens: 10, output_tokens: 20 };
const CACHED = {
  ...USAGE,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 700,
  cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 400 },
};
const WEATHER: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'weather', parameters: {} } };
const QUESTION: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'What is the weather in Paris?' };

interface Sent {
  readonly model: string;
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: readonly object[] }[];
}

const sentIn = ({ body }: { body: Buffer }): Sent => JSON.parse(body.toString()) as Sent;
const event = (value: { type: string }): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const asEvents = (blocks: readonly object[]): string =>
  blocks
    .flatMap((block, index) => [
      event({ type: 'content_block_start', index, content_block: block } as { type: string }),
      event({ type: 'content_block_stop', index } as { type: string }),
    ])
    .join('');

/** The model's own way with a conversation: it thinks, calls a tool, and answers once the tool has. */
function answerTo({ messages }: Sent): { readonly content: readonly object[]; readonly stop_reason: string } {
  return messages.length > 1
    ? { content: [TEXT], stop_reason: 'end_turn' }
    : { content: [...THOUGHTS, USE], stop_reason: 'tool_use' };
}

let program: Program;
let upstream: ScriptedUpstream;
let client: OpenAI;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => {
    const sent = sentIn(request);
    const { content, stop_reason: reason } = answerTo(sent);
    const usage = sent.model === 'cached' || sent.model === 'cut' ? CACHED : USAGE;
    if (sent.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...HEAD, content, stop_reason: reason, usage }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      event({ type: 'message_start', message: { ...HEAD, content: [], usage: { ...usage, output_tokens: 1 } } } as {
        type: string;
      }),
    );
    if (sent.model === 'cut') {
      response.write(asEvents([{ ...TEXT, text: 'Four' }]), () => response.destroy());
      return;
    }
    const stop = { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 20 } };
    response.end(`${asEvents(content)}${event(stop)}${event({ type: 'message_stop' })}`);
  });
  program = await startProgram({
    beside: [upstream],
    config: [
      'providers:',
      `  claude: { kind: anthropic, base_url: "${upstream.origin}", api_key: k }`,
      'models:',
      ...['claude-opus-5', 'cached', 'cut'].map(
        (name) =>
          `  - { id: ${name}, routes: [{ provider: claude, model: ${name} }], price: ${PRICE}, ` +
          'context_window: 200000, max_output: 16000 }',
      ),
    ].join('\n'),
  });
  client = new OpenAI({ apiKey: program.key, baseURL: `${program.url}/v1`, maxRetries: 0 });
});

afterAll(() => program.dispose());

type Thoughtful = OpenAI.ChatCompletionAssistantMessageParam & {
  thinking_blocks?: object[];
  reasoning_content?: string;
};

const answerOfTool: OpenAI.ChatCompletionMessageParam = { role: 'tool', tool_call_id: USE.id, content: 'clear' };

test('thoughts come back to the model signed as they were, when the client sends its message back', async () => {
  const params = { model: 'claude-opus-5', tools: [WEATHER], reasoning_effort: 'high' as const };
  const first = await client.chat.completions.create({ ...params, messages: [QUESTION] });
  const message = first.choices[0]?.message as Thoughtful;
  expect(message.reasoning_content).toBe('The weather, then.');
  const second = await client.chat.completions.create({ ...params, messages: [QUESTION, message, answerOfTool] });
  expect(second.choices[0]?.message.content).toBe(TEXT.text);
  const sent = upstream.requests.slice(-2).map(sentIn);
  expect(sent[0]).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
  expect(sent[1]?.messages[1]?.content).toEqual([...THOUGHTS, USE]);
});

test('thoughts come back to the model from a stream too, where they come in pieces to be put together by their index', async () => {
  const params = { model: 'claude-opus-5', tools: [WEATHER] };
  const stream = await client.chat.completions.create({ ...params, messages: [QUESTION], stream: true });
  const message: Thoughtful & { thinking_blocks: object[] } = {
    role: 'assistant',
    thinking_blocks: [],
    tool_calls: [],
  };
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta as (OpenAI.ChatCompletionChunk.Choice.Delta & Thoughtful) | undefined;
    message.thinking_blocks.push(...(delta?.thinking_blocks ?? []));
    for (const { id, function: called } of delta?.tool_calls ?? []) {
      if (id !== undefined)
        message.tool_calls?.push({ id, type: 'function', function: { name: called?.name ?? '', arguments: '' } });
      else {
        const begun = message.tool_calls?.at(-1);
        if (begun?.type === 'function') begun.function.arguments += called?.arguments ?? '';
      }
    }
  }
  await client.chat.completions.create({ ...params, messages: [QUESTION, message, answerOfTool] });
  expect(sentIn(upstream.requests.at(-1) ?? { body: Buffer.of() }).messages[1]?.content).toEqual([...THOUGHTS, USE]);
});

test('what is written to each cache is paid at its own price, and held for before', async () => {
  const long = { type: 'text', text: 'long', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } } as const;
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: [long] }];
  const { data, request_id: id } = await client.chat.completions
    .create({ model: 'cached', messages, max_completion_tokens: 100 })
    .withResponse();
  const sent = sentIn(upstream.requests.at(-1) ?? { body: Buffer.of() });
  expect(sent.messages[0]?.content).toEqual([
    { type: 'text', text: 'long', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ]);
  expect(sent.max_tokens).toBe(100);
  expect(data.usage).toMatchObject({
    prompt_tokens: 1_710,
    prompt_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 700, cache_write_1h_tokens: 400 },
  });
  const receipt = await program.admin.showReceipt(id ?? '');
  expect(receipt.usage.tokens).toMatchObject({
    input: 10,
    cached_input: 1_000,
    cache_write_5m: 300,
    cache_write_1h: 400,
    output: 20,
  });
  const charge = 10 * 1_000 + 1_000 * 100 + 300 * 1_250 + 400 * 2_000 + 20 * 8_000;
  expect(receipt).toMatchObject({ charge_nano_usd: String(charge), write_off_nano_usd: '0' });
  // All input at the highest of its prices: nothing that the caller asks of the cache can cost more than is held.
  expect(BigInt(receipt.hold_nano_usd)).toBeGreaterThanOrEqual(1_024n * 2_000n + 100n * 8_000n);
});

test('a stream that breaks off is charged for the input that was counted, and a guess of what was said', async () => {
  const { data, request_id: id } = await client.chat.completions
    .create({ model: 'cut', messages: [QUESTION, { role: 'assistant', content: 'x' }, QUESTION], stream: true })
    .withResponse();
  await expect(Array.fromAsync(data)).rejects.toThrow('broke off');
  const receipt = await vi.waitUntil(() => program.admin.showReceipt(id ?? '').catch(() => null), { timeout: 10_000 });
  const output = Math.ceil('Four'.length / 4);
  expect(receipt).toMatchObject({
    outcome: 'interrupted',
    usage: {
      certainty: 'estimated',
      tokens: { input: 10, cached_input: 1_000, cache_write_5m: 300, cache_write_1h: 400, output },
    },
    charge_nano_usd: String(10 * 1_000 + 1_000 * 100 + 300 * 1_250 + 400 * 2_000 + output * 8_000),
  });
});

test.each([
  [{ n: 2 }, 'n'],
  [{ logprobs: true }, 'logprobs'],
  [{ presence_penalty: 1 }, 'presence_penalty'],
])('what these models can’t do (%j) is refused by its name, free, and never asked for', async (fields, param) => {
  const asked = upstream.requests.length;
  const error = await client.chat.completions.create({ model: 'claude-opus-5', messages: [QUESTION], ...fields }).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({ code: 'INVALID_REQUEST', param });
  expect(upstream.requests).toHaveLength(asked);
  const id = (error as BadRequestError).requestID ?? '';
  const receipt = await vi.waitUntil(() => program.admin.showReceipt(id).catch(() => null), { timeout: 10_000 });
  expect(receipt).toMatchObject({ outcome: 'failed', charge_nano_usd: '0' });
});
