import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPEN_RESPONSES } from '../../../test/support/open-responses.ts';
import { inspectChunk } from '../../openai/chat-chunk.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { carryTools } from './carried-tools.ts';
import { responseOf, ResponseStream, type ResponseContext } from './from-chat.ts';
import { settingsOf } from './response-object.ts';
import { carryToChat } from './to-chat.ts';

const TOOLS = [
  { type: 'function', name: 'weather', parameters: { type: 'object' } },
  { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
  { type: 'custom', name: 'apply_patch' },
];

const CONTEXT: ResponseContext = {
  key: '0a1b2c',
  createdAt: 1_700_000_000,
  settings: settingsOf({ tools: TOOLS }),
  tools: carryTools([{ tools: TOOLS, where: 'tools' }]).byName,
};

const COMMON = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'small' };

function take(stream: ResponseStream, chunk: JsonObject): void {
  const payload = Buffer.from(JSON.stringify(chunk));
  stream.chunk(payload, inspectChunk(payload).deltaSpan);
}

/** The events of a stream of these deltas. */
function eventsOf(deltas: readonly JsonObject[], finish = 'stop'): JsonObject[] {
  const events: JsonObject[] = [];
  const stream = new ResponseStream(CONTEXT, 'small', (event) =>
    events.push(JSON.parse(JSON.stringify(event)) as JsonObject),
  );
  const chunk = (rest: JsonObject): void => take(stream, { ...COMMON, ...rest });
  for (const delta of deltas) chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  chunk({ choices: [], usage: USAGE });
  stream.finish(1_700_000_009);
  return events;
}

const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

const typesOf = (events: readonly JsonObject[]): unknown[] => events.map(({ type }) => type);

const faultsOf = (events: readonly JsonObject[]): readonly string[] =>
  events.flatMap((event) => OPEN_RESPONSES.eventFaults(event));

function lastResponse(events: readonly JsonObject[]): JsonObject {
  return events.at(-1)?.['response'] as JsonObject;
}

const call = (index: number, id: string, name: string, args: string): JsonObject => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
});

test('a streamed text begins, grows and ends in the order of the standard, numbered from zero', () => {
  const events = eventsOf([{ role: 'assistant', content: '' }, { content: 'Hel' }, { content: 'lo' }]);
  expect(typesOf(events)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  expect(faultsOf(events)).toEqual([]);
  expect(lastResponse(events)).toMatchObject({
    id: 'resp_0a1b2c',
    status: 'completed',
    completed_at: 1_700_000_009,
    output: [{ type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Hello' }] }],
    usage: {
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 29,
    },
  });
});

test('pieces of two calls that come in turn make two whole calls', () => {
  const events = eventsOf(
    [
      call(0, 'call_a', 'weather', '{"city":'),
      call(1, 'call_b', 'agents__spawn', '{'),
      { tool_calls: [{ index: 0, function: { arguments: '"Bern"}' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '}' } }] },
    ],
    'tool_calls',
  );
  expect(faultsOf(events)).toEqual([]);
  expect(lastResponse(events)['output']).toMatchObject([
    { type: 'function_call', call_id: 'call_a', name: 'weather', arguments: '{"city":"Bern"}', status: 'completed' },
    { type: 'function_call', call_id: 'call_b', namespace: 'agents', name: 'spawn', arguments: '{}' },
  ]);
});

test('a call of a custom tool gives its text, not the JSON that carried it', () => {
  const events = eventsOf([call(0, 'call_a', 'apply_patch', '{"input":"*** Begin'), call(0, '', '', ' Patch\\n"}')]);
  expect(lastResponse(events)['output']).toMatchObject([
    { type: 'custom_tool_call', call_id: 'call_a', name: 'apply_patch', input: '*** Begin Patch\n' },
  ]);
  expect(typesOf(events)).toContain('response.custom_tool_call_input.done');
});

test('an answer that ends at its cap is incomplete, with the reason', () => {
  const events = eventsOf([{ content: 'Hel' }], 'length');
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete' });
  expect(lastResponse(events)).toMatchObject({
    status: 'incomplete',
    completed_at: null,
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ type: 'message', status: 'incomplete' }],
  });
  expect(faultsOf(events)).toEqual([]);
});

test('a refusal is a part of its own', () => {
  const events = eventsOf([{ content: 'Well.' }, { refusal: 'I must not' }], 'content_filter');
  expect(lastResponse(events)['output']).toMatchObject([
    {
      content: [
        { type: 'output_text', text: 'Well.' },
        { type: 'refusal', refusal: 'I must not' },
      ],
    },
  ]);
  expect(faultsOf(events)).toEqual([]);
});

test('log probabilities come with the pieces that they belong to, and all of them at the end', () => {
  const probable = (token: string) => ({ token, logprob: -0.5, bytes: [], top_logprobs: [] });
  const pieces = ['Hel', 'lo'].map((content) => ({
    index: 0,
    delta: { content },
    logprobs: { content: [probable(content)] },
  }));
  const events: JsonObject[] = [];
  const stream = new ResponseStream(CONTEXT, 'small', (event) => events.push(event));
  for (const choice of pieces) take(stream, { ...COMMON, choices: [choice] });
  take(stream, { ...COMMON, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE });
  stream.finish(1_700_000_009);
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
  expect(deltas.map(({ logprobs }) => logprobs)).toEqual([[probable('Hel')], [probable('lo')]]);
  expect(lastResponse(events)).toMatchObject({
    output: [{ content: [{ text: 'Hello', logprobs: [probable('Hel'), probable('lo')] }] }],
    usage: { total_tokens: 29 },
  });
});

test('an answer that says nothing has no output', () => {
  const events = eventsOf([]);
  expect(typesOf(events)).toEqual(['response.created', 'response.in_progress', 'response.completed']);
  expect(lastResponse(events)['output']).toEqual([]);
});

test('a stream that ends without a reason to stop is a whole response', () => {
  const types: unknown[] = [];
  const stream = new ResponseStream(CONTEXT, 'small', ({ type }) => types.push(type));
  take(stream, { ...COMMON, choices: [{ index: 0, delta: { content: 'Hel' } }] });
  stream.finish(1);
  expect(types.at(-1)).toBe('response.completed');
});

const text = fc.string({ minLength: 1, maxLength: 12 });
const thinkingBlock = fc.record({
  index: fc.constant(0),
  type: fc.constant('thinking'),
  thinking: text,
  signature: text,
});

/** What a model may say in one answer, in the order in which providers say it. */
const said = fc.record({
  reasoning: fc.array(text, { maxLength: 3 }),
  thinking: fc.array(thinkingBlock, { maxLength: 2 }),
  content: fc.array(text, { maxLength: 4 }),
  calls: fc.array(
    fc.record({ tool: fc.constantFrom('weather', 'agents__spawn', 'apply_patch'), text, signature: fc.option(text) }),
    { maxLength: 3 },
  ),
});

type Said = typeof said extends fc.Arbitrary<infer Value> ? Value : never;

function callsOf({ calls }: Said): JsonObject[] {
  return calls.map(({ tool, text: input, signature }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify({ input }) },
    ...(signature === null ? {} : { extra_content: { google: { thought_signature: signature } } }),
  }));
}

function messageOf(value: Said): JsonObject {
  const calls = callsOf(value);
  return {
    role: 'assistant',
    content: value.content.length === 0 ? null : value.content.join(''),
    ...(value.reasoning.length === 0 ? {} : { reasoning_content: value.reasoning.join('') }),
    ...(value.thinking.length === 0 ? {} : { thinking_blocks: value.thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function deltasOf(value: Said): JsonObject[] {
  return [
    ...value.reasoning.map((piece) => ({ reasoning_content: piece })),
    ...value.thinking.map((block) => ({ thinking_blocks: [block] })),
    ...value.content.map((piece) => ({ content: piece })),
    ...callsOf(value).map((each, index) => ({ tool_calls: [{ index, ...each }] })),
  ];
}

function plainResponse(message: JsonObject): JsonObject {
  const answer = {
    ...COMMON,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: USAGE,
  };
  const response = responseOf(Buffer.from(JSON.stringify(answer)), CONTEXT, 1_700_000_009);
  return JSON.parse(String(response)) as JsonObject;
}

test('a plain answer and a stream of the same pieces end in the same response, by the standard', () => {
  fc.assert(
    fc.property(said, (value) => {
      const events = eventsOf(deltasOf(value));
      const plain = plainResponse(messageOf(value));
      expect(lastResponse(events)).toEqual(plain);
      expect(faultsOf(events)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test.each(['anthropic', 'gemini', 'reasoning', 'none'] as const)(
  'an answer that is sent back is the message that the model gave, with the reasoning that a provider of kind %s reads',
  (extensions) => {
    fc.assert(
      fc.property(said, (value) => {
        fc.pre(value.content.length + value.calls.length > 0);
        const understood = {
          ...value,
          thinking: extensions === 'anthropic' ? value.thinking : [],
          calls: value.calls.map((each) => (extensions === 'gemini' ? each : { ...each, signature: null })),
        };
        const { output } = plainResponse(messageOf(value)) as { output: JsonObject[] };
        const input = [{ role: 'user', content: 'hi' }, ...output, { role: 'user', content: 'go on' }];
        const request = Buffer.from(JSON.stringify({ model: 'small', input, tools: TOOLS }));
        const chat = JSON.parse(carryToChat(request, extensions).body.toString()) as { messages: JsonObject[] };
        const { reasoning_content: shown, ...expected } = messageOf(understood);
        // Thoughts that are signed are their signer's alone.
        const isRead = extensions === 'reasoning' && shown !== undefined && value.thinking.length === 0;
        expect(chat.messages[1]).toEqual(isRead ? { ...expected, reasoning_content: shown } : expected);
      }),
    );
  },
);
