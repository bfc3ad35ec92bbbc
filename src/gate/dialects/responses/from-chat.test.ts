import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPEN_RESPONSES } from '../../../../test/support/open-responses.ts';
import { inspectChunk } from '../../openai/chat-chunk.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { carryTools } from './carried-tools.ts';
import { responseOf, ResponseStream, type ResponseContext } from './from-chat.ts';
import { sealCapsule } from './reasoning-capsule.ts';
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

test.each(['{"a":1}', '{"input":5}', 'null', '"text"', '*** Begin'])(
  'what a model writes for a custom tool in another form is its text as it stands: %s',
  (written) => {
    const events = eventsOf([call(0, 'call_a', 'apply_patch', written)]);
    expect(lastResponse(events)['output']).toMatchObject([{ type: 'custom_tool_call', input: written }]);
  },
);

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

test('every event of a response says where its piece belongs, word for word', () => {
  const events = eventsOf([
    { reasoning: 'H' },
    { reasoning_content: 'm.', reasoning: 'm.', content: null, refusal: null },
    { content: 'Well', refusal: '' },
    { content: [{ type: 'text', text: ', ' }, { type: 'reference' }, 5, { text: 'no' }] },
    { refusal: 'Sorry' },
    call(0, 'call_a', 'agents__spawn', '{}'),
    call(1, '', 'apply_patch', '{"input":"a"}'),
    { tool_calls: [null, { index: 2 }] },
  ]);
  const [reasoning, message, spawn, patch, last] = [
    'rs_0a1b2c0000',
    'msg_0a1b2c0001',
    'fc_0a1b2c0002',
    'ctc_0a1b2c0003',
    'fc_0a1b2c0004',
  ];
  const summary = { item_id: reasoning, output_index: 0, summary_index: 0 };
  const said = { item_id: message, output_index: 1, content_index: 0 };
  const refused = { ...said, content_index: 1 };
  const text = (words: string) => ({ type: 'output_text', text: words, annotations: [], logprobs: [] });
  const thought = {
    id: reasoning,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: sealCapsule({ isReasoning: true, thinking: [], message: undefined, calls: {} }),
  };
  const item = { id: message, type: 'message', role: 'assistant' };
  const content = [text('Well, no'), { type: 'refusal', refusal: 'Sorry' }];
  const whole = { ...item, status: 'completed', content };
  const spawned = { id: spawn, type: 'function_call', name: 'spawn', namespace: 'agents', call_id: 'call_a' };
  const patched = { id: patch, type: 'custom_tool_call', name: 'apply_patch', call_id: 'call_0a1b2c1' };
  const unnamed = { id: last, type: 'function_call', name: '', call_id: 'call_0a1b2c2' };
  const [running, done] = [{ status: 'in_progress' }, { status: 'completed' }];
  const output = [
    thought,
    whole,
    { ...spawned, ...done, arguments: '{}' },
    { ...patched, ...done, input: 'a' },
    { ...unnamed, ...done, arguments: '' },
  ];
  const expected = [
    ['output_item.added', { output_index: 0, item: { id: reasoning, type: 'reasoning', summary: [] } }],
    ['reasoning_summary_part.added', { ...summary, part: { type: 'summary_text', text: '' } }],
    ['reasoning_summary_text.delta', { ...summary, delta: 'H' }],
    ['reasoning_summary_text.delta', { ...summary, delta: 'm.' }],
    ['reasoning_summary_text.done', { ...summary, text: 'Hm.' }],
    ['reasoning_summary_part.done', { ...summary, part: { type: 'summary_text', text: 'Hm.' } }],
    ['output_item.done', { output_index: 0, item: thought }],
    ['output_item.added', { output_index: 1, item: { ...item, ...running, content: [] } }],
    ['content_part.added', { ...said, part: text('') }],
    ['output_text.delta', { ...said, delta: 'Well', logprobs: [] }],
    ['output_text.delta', { ...said, delta: ', no', logprobs: [] }],
    ['output_text.done', { ...said, text: 'Well, no', logprobs: [] }],
    ['content_part.done', { ...said, part: text('Well, no') }],
    ['content_part.added', { ...refused, part: { type: 'refusal', refusal: '' } }],
    ['refusal.delta', { ...refused, delta: 'Sorry' }],
    ['refusal.done', { ...refused, refusal: 'Sorry' }],
    ['content_part.done', { ...refused, part: { type: 'refusal', refusal: 'Sorry' } }],
    ['output_item.done', { output_index: 1, item: whole }],
    ['output_item.added', { output_index: 2, item: { ...spawned, ...running, arguments: '' } }],
    ['function_call_arguments.delta', { item_id: spawn, output_index: 2, delta: '{}' }],
    ['output_item.added', { output_index: 3, item: { ...patched, ...running, input: '' } }],
    ['output_item.added', { output_index: 4, item: { ...unnamed, ...running, arguments: '' } }],
    ['function_call_arguments.done', { item_id: spawn, output_index: 2, name: 'spawn', arguments: '{}' }],
    ['output_item.done', { output_index: 2, item: output[2] }],
    ['custom_tool_call_input.delta', { item_id: patch, output_index: 3, delta: 'a' }],
    ['custom_tool_call_input.done', { item_id: patch, output_index: 3, input: 'a' }],
    ['output_item.done', { output_index: 3, item: output[3] }],
    ['function_call_arguments.done', { item_id: last, output_index: 4, name: '', arguments: '' }],
    ['output_item.done', { output_index: 4, item: output[4] }],
  ] as const;
  expect(events.slice(2, -1)).toEqual(
    expected.map(([type, fields], at) => ({ type: `response.${type}`, sequence_number: at + 2, ...fields })),
  );
  expect(lastResponse(events)['output']).toEqual(output);
});

test('reasoning that its caller is not shown has no summary', () => {
  const block = { type: 'thinking', thinking: '', signature: 's' };
  const signed = { ...call(0, 'call_a', 'weather', '{}') };
  const capsule = { isReasoning: false, thinking: [], message: undefined, calls: {} };
  const first = (delta: JsonObject) => (lastResponse(eventsOf([delta]))['output'] as JsonObject[])[0];
  expect(first({ thinking_blocks: [block] })).toMatchObject({
    summary: [],
    encrypted_content: sealCapsule({ ...capsule, thinking: [block] }),
  });
  expect(first({ extra_content: { g: 1 }, ...signed })).toMatchObject({
    summary: [],
    encrypted_content: sealCapsule({ ...capsule, message: { g: 1 } }),
  });
});

/** The response that a whole answer of chat is. */
function responseTo(answer: unknown): JsonObject | null {
  const response = responseOf(Buffer.from(JSON.stringify(answer)), CONTEXT, 1_700_000_009);
  return response && (JSON.parse(response.toString()) as JsonObject);
}

test.each([
  ['stop', 'completed', null],
  ['tool_calls', 'completed', null],
  ['toString', 'completed', null],
  ['', 'completed', null],
  [null, 'completed', null],
  ['length', 'incomplete', { reason: 'max_output_tokens' }],
  ['content_filter', 'incomplete', { reason: 'content_filter' }],
])('an answer that ends by %j is %s, whole or streamed', (finish, status, details) => {
  const completedAt = status === 'completed' ? 1_700_000_009 : null;
  const expected = { status, incomplete_details: details, completed_at: completedAt, model: 'theirs', error: null };
  const calls = [{ id: 'a', type: 'function', function: { name: 'weather', arguments: '{' } }];
  const message = { content: 'Hel', tool_calls: calls };
  const whole = responseTo({ model: 'theirs', choices: [5, { index: 0, message, finish_reason: finish }] });
  expect(whole).toMatchObject({ ...expected, usage: null, output: [{ status: 'completed' }, { status }] });
  const events: JsonObject[] = [];
  const stream = new ResponseStream(CONTEXT, 'small', (event) => events.push(event));
  take(stream, { model: 'theirs', choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: finish }] });
  take(stream, { model: 'others', choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: '' }] });
  stream.finish(1_700_000_009);
  expect(events.at(-1)?.['type']).toBe(`response.${status}`);
  expect(lastResponse(events)).toEqual(whole);
});

test('an answer without a choice is none, and one without a message, a model or a usage says nothing of them', () => {
  const none = [5, null, {}, { choices: {} }, { choices: [] }, { choices: [null] }];
  expect(none.map(responseTo)).toEqual(none.map(() => null));
  expect(responseTo({ model: 5, usage: [], choices: [{}] })).toMatchObject({ model: '', usage: null, output: [] });
  const events: JsonObject[] = [];
  const stream = new ResponseStream(CONTEXT, 'small', (event) => events.push(event));
  for (const chunk of [5, { choices: 5, model: 5 }, { choices: [5] }, { choices: [{ delta: 5 }], usage: 5 }]) {
    stream.chunk(Buffer.from(JSON.stringify(chunk)), null);
  }
  const five = { start: 0, end: 1 };
  stream.chunk(Buffer.from('5'), five);
  expect(typesOf(events)).toEqual(['response.created', 'response.in_progress']);
  stream.finish(1_700_000_009);
  expect([stream.numbers, lastResponse(events)]).toMatchObject([3, { model: 'small', usage: null, output: [] }]);
});

test.each([
  [{}, [0, 0, 0], { cached_tokens: 0, cache_write_tokens: 0 }, { reasoning_tokens: 0 }],
  [
    { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: null, completion_tokens_details: 5 },
    [5, 2, 7],
    { cached_tokens: 0, cache_write_tokens: 0 },
    { reasoning_tokens: 0 },
  ],
  [
    {
      prompt_tokens: 5,
      completion_tokens: 2,
      total_tokens: 9,
      prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: 3, audio_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 6, audio_tokens: 8 },
    },
    [5, 2, 9],
    { cached_tokens: 1, cache_write_tokens: 3, audio_tokens: 4 },
    { reasoning_tokens: 6, audio_tokens: 8 },
  ],
])('usage has the words of Responses, and chat’s for what Responses has none: %j', (usage, counts, inputs, outputs) => {
  const [input, output, total] = counts;
  expect(responseTo({ choices: [{}], usage })).toMatchObject({
    usage: {
      input_tokens: input,
      input_tokens_details: inputs,
      output_tokens: output,
      output_tokens_details: outputs,
      total_tokens: total,
    },
  });
});

const UNSET = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: false,
  background: false,
  temperature: 1,
  top_p: 1,
  top_logprobs: 0,
  presence_penalty: 0,
  frequency_penalty: 0,
  text: { format: { type: 'text' } },
  tools: [],
  tool_choice: 'auto',
  truncation: 'disabled',
};

const SCHEMA_FORMAT = { type: 'json_schema', name: 'a', schema: {} };

test.each([
  [{ metadata: null, reasoning: 5, text: null, tools: null, tool_choice: null, user: 5, store: true }, {}],
  [{ user: 'u', temperature: 0, tool_choice: 'none' }, null],
  [
    { instructions: 'a', max_output_tokens: 1, max_tool_calls: 2, metadata: { a: 'b' }, parallel_tool_calls: false },
    null,
  ],
  [{ previous_response_id: 'r', prompt_cache_key: 'k', safety_identifier: 's', top_p: 0.5, top_logprobs: 3 }, null],
  [{ presence_penalty: 1, frequency_penalty: 2 }, null],
  [{ reasoning: { effort: 'low' } }, { reasoning: { effort: 'low', summary: null } }],
  [{ text: { verbosity: 'low' } }, { text: { verbosity: 'low', format: { type: 'text' } } }],
  [{ text: { format: { type: 'json_object' }, verbosity: 'low' } }, null],
  [
    { text: { format: SCHEMA_FORMAT, verbosity: 'low' } },
    { text: { format: { ...SCHEMA_FORMAT, description: null, strict: false }, verbosity: 'low' } },
  ],
  [{ text: { format: { ...SCHEMA_FORMAT, description: 'd', strict: true } } }, null],
  [
    { tools: [{ type: 'function', name: 'f', strict: true }, { type: 'custom', name: 'c' }, 5] },
    {
      tools: [
        { type: 'function', name: 'f', strict: true, description: null, parameters: null },
        { type: 'custom', name: 'c' },
        5,
      ],
    },
  ],
])(
  'a response repeats the settings of its request, and what stands for those that it left out: %j',
  (request, expected) => {
    expect(settingsOf(request)).toEqual({ ...UNSET, ...(expected ?? request) });
  },
);

test('a silence is filled by what the response has until then', () => {
  const events: JsonObject[] = [];
  const stream = new ResponseStream(CONTEXT, 'small', (event) =>
    events.push(JSON.parse(JSON.stringify(event)) as JsonObject),
  );
  take(stream, { model: 'theirs', choices: [{ delta: { reasoning: 'Hm.' } }] });
  take(stream, { choices: [{ delta: { content: 'Hi' }, finish_reason: 'length' }] });
  stream.ping();
  expect(lastResponse(events)).toMatchObject({
    status: 'in_progress',
    model: 'theirs',
    completed_at: null,
    output: [{ type: 'reasoning' }],
  });
  expect(typesOf(events).at(-1)).toBe('response.in_progress');
});

const text = fc.string({ minLength: 1, maxLength: 12 });
const thinkingBlock = fc.record({
  index: fc.constant(0),
  type: fc.constant('thinking'),
  thinking: text,
  signature: text,
});

/** The parts of one answer, in the order in which providers send them. */
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
  'an answer that is sent back is the message that the model gave, with the reasoning that kind %s reads',
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
        // Signed thoughts belong to their signer.
        const isRead = extensions === 'reasoning' && shown !== undefined && value.thinking.length === 0;
        expect(chat.messages[1]).toEqual(isRead ? { ...expected, reasoning_content: shown } : expected);
      }),
    );
  },
);
