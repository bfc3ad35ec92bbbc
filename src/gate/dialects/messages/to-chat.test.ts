import { expect, test } from 'vitest';
import type { JsonObject } from '../../openai/json-object.ts';
import type { ChatTarget } from '../dialect.ts';
import { signatureOf } from './carried-thoughts.ts';
import { readMessagesRequest } from './messages-request.ts';
import { messagesToChat } from './to-chat.ts';

const NONE: ChatTarget = { extensions: 'none', reasoning: false };
const ANTHROPIC: ChatTarget = { extensions: 'anthropic', reasoning: false };
const GEMINI: ChatTarget = { extensions: 'gemini', reasoning: true };
const READING: ChatTarget = { extensions: 'reasoning', reasoning: true };
const HI = { role: 'user', content: 'hi' };

function formOf(fields: object, target: ChatTarget) {
  const body = { model: 'm', max_tokens: 9, messages: [HI], ...fields };
  const reading = readMessagesRequest(Buffer.from(JSON.stringify(body)));
  if (!reading.ok) throw new Error(`${reading.fault.param}: ${reading.fault.message}`);
  return messagesToChat(reading.request, target);
}

/** The chat request, and what it leaves out. */
function translated(fields: object, target = NONE): { chat: JsonObject; leftOut: readonly string[] } {
  const form = formOf(fields, target);
  if (!form.ok) throw new Error(`${form.fault.param}: ${form.fault.message}`);
  return { chat: JSON.parse(form.chat.body.toString()) as JsonObject, leftOut: form.leftOut };
}

const BASE = { model: 'm', max_tokens: 9, messages: [HI] };
const CACHED = { cache_control: { type: 'ephemeral' } };
const SCHEMA = { type: 'object' };
const FORMAT = { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: SCHEMA } };

test.each([
  [{}, {}],
  [
    { stream: true, temperature: 0, top_p: 0.5, metadata: { user_id: 'u' } },
    { stream: true, temperature: 0, top_p: 0.5 },
  ],
  [{ stream: false, temperature: null, top_p: null, stop_sequences: [], of_2030: null }, {}],
  [{ stop_sequences: ['a', 'b'] }, { stop: ['a', 'b'] }],
  [{ stop_sequences: null, system: null, tools: null, output_config: {}, thinking: null }, {}],
  [{ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }, { response_format: FORMAT }],
  [{ output_format: { type: 'json_schema', schema: SCHEMA } }, { response_format: FORMAT }],
  [{ output_config: { format: null }, output_format: null }, {}],
  [{ service_tier: 'auto', context_management: null }, {}],
])('a setting is in the chat request if chat has a word for it, and only then: %j', (fields, expected) => {
  expect(translated(fields)).toEqual({ chat: { ...BASE, ...expected }, leftOut: [] });
});

test('what only some providers read goes to them alone', () => {
  expect(translated({ top_k: 5 }, ANTHROPIC).chat).toEqual({ ...BASE, top_k: 5 });
  expect(translated({ top_k: 5 }, GEMINI).chat).toEqual({ ...BASE, top_k: 5 });
  expect(formOf({ top_k: 5 }, READING)).toMatchObject({ ok: false, fault: { param: 'top_k' } });
  expect(translated({ top_k: null }).chat).toEqual(BASE);
  expect(translated(CACHED, ANTHROPIC)).toEqual({ chat: { ...BASE, ...CACHED }, leftOut: [] });
  expect(translated(CACHED, GEMINI)).toEqual({ chat: BASE, leftOut: ['cache_control'] });
  expect(translated({ cache_control: null })).toEqual({ chat: BASE, leftOut: [] });
  const edits = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
  expect(translated(edits)).toEqual({ chat: BASE, leftOut: ['context_management'] });
});

const effort = (word: string) => ({ reasoning_effort: word });
const budget = (tokens: number) => ({ thinking: { type: 'enabled', budget_tokens: tokens } });

test.each([
  [budget(1_024), READING, effort('low'), []],
  [budget(4_096), READING, effort('low'), []],
  [budget(4_097), READING, effort('medium'), []],
  [budget(16_384), READING, effort('medium'), []],
  [budget(16_385), READING, effort('high'), []],
  [{ thinking: { type: 'enabled', budget_tokens: 'many' } }, READING, {}, ['thinking']],
  [{ thinking: { type: 'adaptive' } }, READING, {}, ['thinking']],
  [{ thinking: { type: 'disabled' } }, READING, effort('none'), []],
  [{ thinking: { type: 'disabled' }, output_config: { effort: 'low' } }, READING, effort('none'), []],
  [{ thinking: { type: 'disabled' } }, NONE, {}, []],
  [{ thinking: {} }, READING, {}, []],
  [{ output_config: { effort: 'low' } }, READING, effort('low'), []],
  [{ output_config: { effort: 'medium' } }, READING, effort('medium'), []],
  [{ output_config: { effort: 'high' } }, READING, effort('high'), []],
  [{ output_config: { effort: 'xhigh' } }, READING, effort('xhigh'), []],
  [{ output_config: { effort: 'max' } }, READING, effort('xhigh'), []],
  [{ output_config: { effort: 'of_2030' } }, READING, {}, ['output_config.effort']],
  [{ output_config: { effort: 5 } }, READING, {}, ['output_config.effort']],
  [{ ...budget(1_024), output_config: { effort: 'high' } }, READING, effort('high'), []],
  [{ ...budget(1_024), output_config: { effort: 'high' } }, NONE, {}, ['thinking', 'output_config.effort']],
  [budget(1_024), ANTHROPIC, budget(1_024), []],
  [{ output_config: { effort: 'max' } }, ANTHROPIC, effort('xhigh'), []],
])('how much a model thinks is said to one that thinks: %j to %j', (fields, target, expected, leftOut) => {
  expect(translated(fields, target)).toEqual({ chat: { ...BASE, ...expected }, leftOut });
});

const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

test.each([
  ['Be kind.', NONE, 'Be kind.', []],
  [[text('Be kind.'), text('Be brief.')], NONE, 'Be kind.\n\nBe brief.', []],
  [[text('x-anthropic-billing-header: a'), text('Be kind.')], NONE, 'Be kind.', ['x-anthropic-billing-header']],
  [[text('no x-anthropic-billing-header: a')], NONE, 'no x-anthropic-billing-header: a', []],
  [[text('x-anthropic-billing-header: a')], NONE, null, ['x-anthropic-billing-header']],
  [[], NONE, null, []],
  [[text('Be kind.', CACHED), text('Be brief.')], NONE, 'Be kind.\n\nBe brief.', ['cache_control']],
  [[text('Be kind.', CACHED), text('!')], ANTHROPIC, [text('Be kind.', CACHED), text('!')], []],
])('the system’s instructions are one message: %j', (system, target, content, leftOut) => {
  const messages = content === null ? [HI] : [{ role: 'system', content }, HI];
  expect(translated({ system }, target)).toEqual({ chat: { ...BASE, messages }, leftOut });
});

/** The messages that these become, after the first. */
function messagesOf(messages: readonly object[], target = NONE) {
  const { chat, leftOut } = translated({ messages: [HI, ...messages] }, target);
  return [(chat['messages'] as unknown[]).slice(1), leftOut];
}

const user = (...content: unknown[]) => ({ role: 'user', content });
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const SHOWN = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more });
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' };
const file = (filename: string) => ({
  type: 'file',
  file: { filename, file_data: 'data:application/pdf;base64,AAAA' },
});

test.each([
  [[text('a')], 'a', []],
  [[text('a'), text('b')], [text('a'), text('b')], []],
  [[text('a', CACHED)], 'a', ['cache_control']],
  [[IMAGE], [SHOWN], []],
  [[{ ...IMAGE, ...CACHED }], [SHOWN], ['cache_control']],
  [
    [{ type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }],
    [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }],
    [],
  ],
  [[document(PDF)], [file('document.pdf')], []],
  [[document(PDF, { title: 'T', context: 'C', ...CACHED })], [text('C'), file('T')], ['cache_control']],
  [[document({ type: 'text', data: 'words' })], 'words', []],
  [
    [document({ type: 'text', data: 'words' }, { title: 'T', context: 'C', citations: { enabled: true } })],
    [text('T\nC'), text('words')],
    ['citations'],
  ],
  [
    [document({ type: 'content', content: [text('a'), IMAGE] }, { title: 'T', citations: { enabled: false } })],
    [text('T'), text('a'), SHOWN],
    [],
  ],
  [[document({ type: 'content', content: 'words' }, { title: 5, context: 5, citations: null })], 'words', []],
  [
    [{ type: 'search_result', title: 'T', source: 'https://a', content: [text('a')] }],
    [text('T\nhttps://a'), text('a')],
    [],
  ],
  [[{ type: 'search_result', title: 5, source: 'S', content: [] }], 'S', []],
  [[{ type: 'tool_reference', tool_name: 'f' }], 'The tool f can be called now.', []],
])('what a user says is said in chat: %j', (content, expected, leftOut) => {
  expect(messagesOf([user(...content)])).toEqual([[{ role: 'user', content: expected }], leftOut]);
});

test('marks for the cache go with their parts to a provider that has such marks', () => {
  const blocks = [
    text('a', CACHED),
    { ...IMAGE, ...CACHED },
    document(PDF, CACHED),
    document({ type: 'text', data: 'b' }, CACHED),
  ];
  const content = [
    text('a', CACHED),
    { ...SHOWN, ...CACHED },
    { ...file('document.pdf'), ...CACHED },
    text('b', CACHED),
  ];
  expect(messagesOf([user(...blocks)], ANTHROPIC)).toEqual([[{ role: 'user', content }], []]);
  expect(messagesOf([user(text('a', CACHED))], ANTHROPIC)).toEqual([
    [{ role: 'user', content: [text('a', CACHED)] }],
    [],
  ]);
});

const result = (content: unknown, more: object = {}) => ({ type: 'tool_result', tool_use_id: 't1', content, ...more });
const tool = (content: unknown) => ({ role: 'tool', tool_call_id: 't1', content });

test.each([
  [result('r'), [tool('r')], []],
  [result(undefined), [tool('')], []],
  [result([text('a'), text('b')], CACHED), [tool('a\n\nb')], ['cache_control']],
  [result([text('a')], { is_error: true }), [tool('The tool failed.\n\na')], []],
  [result('a', { is_error: false }), [tool('a')], []],
  [
    result([text('a'), IMAGE]),
    [tool('a'), { role: 'user', content: [text('The result of the tool call t1:'), SHOWN] }],
    [],
  ],
  [
    result([IMAGE]),
    [tool('See below.'), { role: 'user', content: [text('The result of the tool call t1:'), SHOWN] }],
    [],
  ],
])('a tool’s result is a message of the tool, and media of it the user’s: %j', (block, expected, leftOut) => {
  expect(messagesOf([user(block)])).toEqual([expected, leftOut]);
});

test('a provider that takes media from tools is sent results as they are, ahead of what else the turn says', () => {
  const blocks = [text('and'), result([IMAGE], { is_error: true }), text('so')];
  expect(messagesOf([user(...blocks)], ANTHROPIC)).toEqual([
    [tool([text('The tool failed.'), SHOWN]), { role: 'user', content: [text('and'), text('so')] }],
    [],
  ]);
});

const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const USE = { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } };
const call = (args: string, more: object = {}) => ({
  tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: args }, ...more }],
});
const said = (content: unknown, more: object = {}) => [{ role: 'assistant', content, ...more }];
const thought = (carried: Parameters<typeof signatureOf>[0]) => ({
  type: 'thinking',
  thinking: 'Hm.',
  signature: signatureOf(carried),
});
const SIGNED = { type: 'thinking', thinking: 'Hm.', signature: 'own' };
const FOREIGN = ['thoughts of another provider'];

test.each([
  [{ role: 'assistant', content: 'a' }, NONE, said('a'), []],
  [assistant(text('a'), text(''), text('b')), NONE, said('ab'), []],
  [assistant(text('')), NONE, [], []],
  [assistant(text('a', CACHED), text('b')), NONE, said('ab'), ['cache_control']],
  [assistant(text('a', CACHED), text('b')), ANTHROPIC, said([text('a', CACHED), text('b')]), []],
  [assistant(text('a'), { ...USE, ...CACHED }), NONE, said('a', call('{"a":1}')), ['cache_control']],
  [assistant({ ...USE, input: null }), NONE, said(null, call('{}')), []],
  [assistant(SIGNED, text('a')), NONE, said('a'), FOREIGN],
  [assistant(SIGNED, text('a')), ANTHROPIC, said('a', { thinking_blocks: [{ ...SIGNED, index: 0 }] }), []],
  [
    assistant(text('a'), { type: 'redacted_thinking', data: 'x' }),
    ANTHROPIC,
    said('a', { thinking_blocks: [{ type: 'redacted_thinking', data: 'x', index: 1 }] }),
    [],
  ],
  [assistant(SIGNED), ANTHROPIC, said(null, { thinking_blocks: [{ ...SIGNED, index: 0 }] }), []],
  [assistant(SIGNED), NONE, [], FOREIGN],
  [assistant(thought({ isReasoning: true }), text('a')), NONE, said('a'), FOREIGN],
  [assistant(thought({ isReasoning: false }), text('a')), NONE, said('a'), []],
  [assistant(thought({ isReasoning: true }), text('a')), ANTHROPIC, said('a'), FOREIGN],
  [assistant(thought({ isReasoning: true }), text('a')), GEMINI, said('a'), []],
  [
    assistant(thought({ isReasoning: true }), thought({ isReasoning: true }), text('a')),
    READING,
    said('a', { reasoning_content: 'Hm.Hm.' }),
    [],
  ],
  [assistant({ ...thought({ isReasoning: true }), thinking: 5 }, text('a')), READING, said('a'), []],
  [assistant(thought({ isReasoning: false, message: { g: 1 } }), text('a')), READING, said('a'), []],
  [
    assistant(thought({ isReasoning: false, message: { g: 1 } }), text('a')),
    GEMINI,
    said('a', { extra_content: { g: 1 } }),
    [],
  ],
  [
    assistant(
      thought({ isReasoning: false, calls: { t1: { g: 1 } } }),
      thought({ isReasoning: false, calls: { t2: {} } }),
      USE,
    ),
    GEMINI,
    said(null, call('{"a":1}', { extra_content: { g: 1 } })),
    [],
  ],
  [{ role: 'assistant', content: 'a', output_config: {} }, NONE, said('a'), ['output_config']],
  [{ role: 'system', content: [text('a'), text('b')] }, NONE, [{ role: 'system', content: 'a\n\nb' }], []],
  [{ role: 'system', content: [] }, NONE, [], []],
  [user(), NONE, [], []],
])('a turn of a conversation is one of chat: %j to %j', (turn, target, expected, leftOut) => {
  expect(messagesOf([turn], target)).toEqual([expected, leftOut]);
});

const TOOL = { name: 'f', description: 'Does.', input_schema: SCHEMA, strict: false };
const FUNCTION = { type: 'function', function: { name: 'f', description: 'Does.', parameters: SCHEMA, strict: false } };
const SEARCH = { type: 'web_search_20250305', name: 's' };

test.each([
  [[TOOL], [FUNCTION], []],
  [
    [{ ...TOOL, type: 'custom', eager_input_streaming: true, input_examples: [{}], defer_loading: false }],
    [FUNCTION],
    [],
  ],
  [[{ name: 'f' }], [{ type: 'function', function: { name: 'f' } }], []],
  [[{ name: 'f', description: 5, input_schema: 5, strict: 5 }], [{ type: 'function', function: { name: 'f' } }], []],
  [[{ ...TOOL, ...CACHED, of_2030: 1, 'of 2031': 1 }], [FUNCTION], ['tool of_2030', 'tools[0]', 'cache_control']],
  [[SEARCH, TOOL], [FUNCTION], ['web_search_20250305']],
  [[TOOL, { name: 'g', defer_loading: true }], [FUNCTION], ['tool g']],
  [[TOOL, { name: 'no name', defer_loading: true }], [FUNCTION], ['tools[1]']],
  [[TOOL, { name: 'x'.repeat(65), defer_loading: true }], [FUNCTION], ['tools[1]']],
])('a tool is a function with what chat can say of it: %j', (tools, expected, leftOut) => {
  expect(translated({ tools })).toEqual({ chat: { ...BASE, tools: expected }, leftOut });
});

test('no tools are none, and a mark for the cache goes with its tool', () => {
  expect(translated({ tools: [SEARCH], tool_choice: { type: 'auto' } }).chat).toEqual(BASE);
  expect(translated({ tools: [{ ...TOOL, ...CACHED }] }, ANTHROPIC).chat).toEqual({
    ...BASE,
    tools: [{ ...FUNCTION, ...CACHED }],
  });
});

test('a tool whose definition is loaded later is on offer once a search has found it', () => {
  const tools = [
    { name: 'f', defer_loading: true },
    { name: 'g', defer_loading: true },
  ];
  const found = result([{ type: 'tool_reference', tool_name: 'g' }]);
  const messages = [HI, assistant({ ...USE, name: 'search' }), user(found)];
  const { chat, leftOut } = translated({ tools, messages });
  expect(chat['tools']).toEqual([{ type: 'function', function: { name: 'g' } }]);
  expect(leftOut).toEqual(['tool f']);
});

test.each([
  [{ type: 'auto' }, { tool_choice: 'auto' }],
  [
    { type: 'auto', disable_parallel_tool_use: true },
    { tool_choice: 'auto', parallel_tool_calls: false },
  ],
  [{ type: 'auto', disable_parallel_tool_use: false }, { tool_choice: 'auto' }],
  [{ type: 'any' }, { tool_choice: 'required' }],
  [
    { type: 'any', disable_parallel_tool_use: true },
    { tool_choice: 'required', parallel_tool_calls: false },
  ],
  [{ type: 'none', disable_parallel_tool_use: true }, { tool_choice: 'none' }],
  [{ type: 'tool', name: 'f' }, { tool_choice: { type: 'function', function: { name: 'f' } } }],
  [null, {}],
])('a choice of tools is one of functions: %j', (choice, expected) => {
  expect(translated({ tools: [TOOL], tool_choice: choice }).chat).toEqual({ ...BASE, tools: [FUNCTION], ...expected });
});

const ONLY = ', which only a model takes whose provider speaks this API. Leave it out, or call such a model.';
const block = (value: unknown) => ({ messages: [user(value)] });
const spoken = (...content: unknown[]) => ({ messages: [HI, assistant(...content)] });

test.each([
  [{ of_2030: 1 }, 'of_2030', `'of_2030' is a field${ONLY}`],
  [{ 'of 2030': 1 }, null, 'A field of the body has no equivalent for this model; leave it out.'],
  [{ top_k: 5 }, 'top_k', `'top_k' is a field${ONLY}`],
  [
    { tools: [SEARCH], tool_choice: { type: 'any' } },
    'tool_choice',
    "'tool_choice' demands a tool of type web_search_20250305, which the provider would run itself: it would cost more than its tokens, and has no price here.",
  ],
  [{ output_format: { type: 'xml' } }, 'output_format', `'output_format' is a format of a type${ONLY}`],
  [
    { output_config: { format: { type: 'xml' } } },
    'output_config.format',
    `'output_config.format' is a format of a type${ONLY}`,
  ],
  [{ messages: [{ role: 'critic', content: 'a' }] }, 'messages[0].role', `'messages[0].role' is a role${ONLY}`],
  [{ system: 5 }, 'system', "'system' must be a string or an array of blocks."],
  [{ system: [IMAGE] }, 'system', `'system' holds more than text${ONLY}`],
  [
    { messages: [HI, { role: 'system', content: [IMAGE] }] },
    'messages[1].content',
    `'messages[1].content' holds more than text${ONLY}`,
  ],
  [
    { messages: [HI, { role: 'system', content: 5 }] },
    'messages[1].content',
    "'messages[1].content' must be a string or an array of blocks.",
  ],
  [block(5), 'messages[0].content[0]', "'messages[0].content[0]' must be a block with a type."],
  [block({ type: 'text' }), 'messages[0].content[0].text', "'messages[0].content[0].text' must be a string."],
  [
    block({ type: 'of_2030' }),
    'messages[0].content[0].type',
    `'messages[0].content[0].type' is a block of a type${ONLY}`,
  ],
  [block({ type: 'image' }), 'messages[0].content[0].source', "'messages[0].content[0].source' must be an object."],
  ...[
    { type: 'of_2030', url: 'a' },
    { ...IMAGE.source, type: 'of_2030' },
    { type: 'url' },
    { type: 'base64', data: 'A' },
    { type: 'base64', media_type: 'image/png' },
  ].map((source): [object, string, string] => [
    block({ type: 'image', source }),
    'messages[0].content[0].source',
    `'messages[0].content[0].source' is an image from a source of a type${ONLY}`,
  ]),
  ...[
    { type: 'url', url: 'a' },
    { ...PDF, data: 5 },
    { ...PDF, media_type: 5 },
    { type: 'text', data: 5 },
  ].map((source): [object, string, string] => [
    block(document(source)),
    'messages[0].content[0].source',
    `'messages[0].content[0].source' is a document from a source of a type${ONLY}`,
  ]),
  [
    block({ type: 'search_result', content: 5 }),
    'messages[0].content[0].content',
    "'messages[0].content[0].content' must be a string or an array of blocks.",
  ],
  [
    block(result('r', { tool_use_id: 5 })),
    'messages[0].content[0].tool_use_id',
    "'messages[0].content[0].tool_use_id' must be a string.",
  ],
  [
    block(result([5])),
    'messages[0].content[0].content[0]',
    "'messages[0].content[0].content[0]' must be a block with a type.",
  ],
  [spoken({ type: 'text' }), 'messages[1].content[0].text', "'messages[1].content[0].text' must be a string."],
  [
    spoken(text('a'), IMAGE),
    'messages[1].content[1].type',
    `'messages[1].content[1].type' is a block of a type${ONLY}`,
  ],
  [spoken(5), 'messages[1].content[0].type', `'messages[1].content[0].type' is a block of a type${ONLY}`],
  [
    { messages: [HI, { role: 'assistant' }] },
    'messages[1].content',
    "'messages[1].content' must be a string or an array of blocks.",
  ],
  [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type', `'tools[0].type' is a tool of a type${ONLY}`],
  [{ tools: [{ type: 'custom' }] }, 'tools[0].name', "'tools[0].name' must be a string."],
  [{ tools: [TOOL], tool_choice: { type: 'of_2030' } }, 'tool_choice.type', `'tool_choice.type' is a choice${ONLY}`],
])('what chat has no place for is refused by its name: %j', (fields, param, message) => {
  expect(formOf(fields, NONE)).toEqual({ ok: false, fault: { param, message } });
});

test('a request whose chat form would be refused is refused by what is wrong with that', () => {
  expect(formOf({ stop_sequences: ['a'], messages: [user()] }, NONE)).toMatchObject({
    ok: false,
    fault: { param: 'messages' },
  });
});
