import { expect, test } from 'vitest';
import { saleOf } from './hosted-tools.ts';
import { type MessagesRequest, readCountedRequest, readMessagesRequest } from './messages-request.ts';

const BODY = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

function read(fields: object | string): MessagesRequest {
  const result = readMessagesRequest(Buffer.from(typeof fields === 'string' ? fields : JSON.stringify(fields)));
  if (!result.ok) throw new Error(`${result.fault.param}: ${result.fault.message}`);
  return result.request;
}

function paramOf(fields: object | string): string | null {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ ...BODY, ...fields });
  const result = readMessagesRequest(Buffer.from(body));
  if (result.ok) throw new Error('the request was read');
  return result.fault.param;
}

function faultOf(fields: object | string): string {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ ...BODY, ...fields });
  const result = readMessagesRequest(Buffer.from(body));
  if (result.ok) throw new Error('the request was read');
  return `${result.fault.param}: ${result.fault.message}`;
}

const content = (...blocks: object[]) => ({ messages: [{ role: 'user', content: blocks }] });
const added = (definition: object) => content({ type: 'tool_addition', tool: { type: 'tool_definition', definition } });

const FOREVER = { type: 'ephemeral', ttl: '24h' };

test.each([
  [{ cache_control: FOREVER }, 'cache_control.ttl'],
  [content({ type: 'text', text: 'a', cache_control: FOREVER }), 'messages[0].content[0].cache_control.ttl'],
  [{ system: [{ type: 'text', text: 'a', cache_control: FOREVER }] }, 'system[0].cache_control.ttl'],
  [{ tools: [{ name: 'f', input_schema: {}, cache_control: FOREVER }] }, 'tools[0].cache_control.ttl'],
  [
    content({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a', cache_control: FOREVER }] }),
    'messages[0].content[0].content[0].cache_control.ttl',
  ],
])('a cache may only live for a time that has a price: %j', (fields, param) => {
  expect(paramOf(fields)).toBe(param);
});

test.each([
  [{ TTL: '24h' }, "cache_control.ttl: 'cache_control' has a key that some read as 'ttl'; write it so."],
  [
    { type: 'ephemeral', Ttl: '5m' },
    "cache_control.ttl: 'cache_control' has a key that some read as 'ttl'; write it so.",
  ],
  [
    { ttl: '24h' },
    'cache_control.ttl: \'cache_control.ttl\' can only be "5m" or "1h" here: anything else would be a lifetime without a price.',
  ],
  [
    { ttl: 5 },
    'cache_control.ttl: \'cache_control.ttl\' can only be "5m" or "1h" here: anything else would be a lifetime without a price.',
  ],
  [
    { ttl: ['5m'] },
    'cache_control.ttl: \'cache_control.ttl\' can only be "5m" or "1h" here: anything else would be a lifetime without a price.',
  ],
])('a lifetime of a cache that some would read otherwise is refused: %j', (control, message) => {
  expect(faultOf({ cache_control: control })).toBe(message);
});

test.each([
  { type: 'ephemeral' },
  { type: 'ephemeral', ttl: '5m' },
  { type: 'ephemeral', ttl: '1h' },
  { type: 'ephemeral', ttl: null },
  { of_2030: null },
  null,
])('a cache of a usual lifetime passes: %j', (control) => {
  const block = { type: 'text', text: 'a', cache_control: control };
  const tools = [{ name: 'f', input_schema: {}, cache_control: control }];
  expect(read({ ...BODY, ...content(block), cache_control: control, system: [block], tools }).unknown).toEqual([]);
});

test('of a lifetime that is given twice, each has a price, since readers differ in which of them counts', () => {
  for (const twice of ['"ttl":"5m","ttl":"24h"', '"ttl":"24h","ttl":"5m"']) {
    const text = JSON.stringify({ ...BODY, cache_control: {} }).replace('{}', `{${twice}}`);
    expect(paramOf(text)).toBe('cache_control.ttl');
  }
});

test.each([
  ['web_search_20250305', 'messages[0].content[0].tool.definition'],
  ['code_execution_20260521', 'messages[0].content[0].tool.definition'],
  ['mcp_toolset', 'messages[0].content[0].tool.definition'],
])(
  'a tool that the provider runs can’t be added within a conversation, where nothing bounds its uses: %s',
  (type, param) => {
    expect(paramOf(added({ type, name: 'web_search' }))).toBe(param);
    const changes = [{ type: 'tool_addition', tool: { type: 'tool_definition', definition: { type } } }];
    expect(paramOf(content({ type: 'compaction', content: 's', tool_changes: changes }))).toBe(
      'messages[0].content[0].tool_changes[0].tool.definition',
    );
  },
);

test('the caller’s own tools may be added, and count twice as those of the request do', () => {
  const tool = { name: 'f', description: 'd'.repeat(1_000), input_schema: {} };
  const size = (fields: object) => read({ ...BODY, ...fields }).size.textBytes;
  const reference = content({ type: 'tool_addition', tool: { type: 'tool_reference', name: 'f' } });
  expect(size(added(tool)) - size(reference)).toBeGreaterThan(2_000);
});

test.each([
  [{ context_management: { edits: [{ type: 'compact_20260112' }] } }, 'context_management.edits[0].type'],
  [{ context_management: { edits: [{ type: 'clear_and_summarize_20270101' }] } }, 'context_management.edits[0].type'],
  [{ context_management: { summarize: true } }, 'context_management'],
])('of a context only edits are known that clear: %j', (fields, param) => {
  expect(paramOf(fields)).toBe(param);
});

test.each([
  [
    '{"edits":[],"edits":[{"type":"compact_20260112"}]}',
    "context_management: 'context_management' can only hold 'edits' here, once.",
  ],
  ['{"Edits":[]}', "context_management: 'context_management' can only hold 'edits' here, once."],
  [
    `{"edits":[{"type":"clear_thinking_1","x":"${'x'.repeat(16_384)}"}]}`,
    "context_management: 'context_management' is too long.",
  ],
  [
    '{"edits":[{"type":"clear_thinking_1"},5]}',
    "context_management.edits[1].type: 'context_management.edits[1].type' can only be an edit that clears",
  ],
  ['{"edits":[{"type":"xclear_thinking_1"}]}', 'context_management.edits[0].type: '],
  ['{"edits":[{"type":"clear_thinking_x"}]}', 'context_management.edits[0].type: '],
  ['{"edits":[{"type":"clear_thinking_1x"}]}', 'context_management.edits[0].type: '],
])('edits of a context that could be read in two ways, or would write, are refused: %s', (value, message) => {
  expect(faultOf(JSON.stringify({ ...BODY, context_management: 0 }).replace(/0}$/, `${value}}`))).toContain(message);
});

test.each([null, 'x', {}, { edits: null }, { edits: [] }])('a context without edits passes: %j', (management) => {
  expect(read({ ...BODY, context_management: management }).unknown).toEqual([]);
});

test('of a context edits may clear what tools and thoughts have said', () => {
  const edits = [
    { type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 3 } },
    { type: 'clear_thinking_20251015' },
  ];
  expect(read({ ...BODY, context_management: { edits } }).unknown).toEqual([]);
});

test('two tools of one kind may each be used as often as they say', () => {
  const tools = [
    { type: 'web_search_20250305', name: 'a', max_uses: 3 },
    { type: 'web_search_20260209', name: 'b', max_uses: 4 },
    { type: 'web_fetch_20250910', name: 'c' },
  ];
  const sold = { web_search: { maxUses: 9, inputTokens: null }, web_fetch: { maxUses: 2, inputTokens: null } };
  expect(saleOf(read({ ...BODY, tools }), sold).bound).toEqual({ each: { web_search: 7, web_fetch: 2 }, total: 9 });
});

test('a message request is read for what the gate goes by', () => {
  expect(read(BODY)).toMatchObject({ model: 'm', stream: false, maxTokens: 9, schemaSpan: null, thinkingBudget: null });
  expect(read(BODY)).toMatchObject({ tools: [], toolChoice: { name: null, isRequired: false }, carriedThoughts: [] });
  const text = { textBytes: JSON.stringify(BODY).length, messages: 1, images: 0, audios: 0, files: 0 };
  expect(read(BODY).size).toEqual(text);
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  expect(read({ ...BODY, stream: true, thinking, of_2030: 1 })).toMatchObject({
    stream: true,
    thinkingBudget: 2_000,
    unknown: [{ name: 'of_2030' }],
  });
  expect(read({ ...BODY, thinking: { budget_tokens: '9' } }).thinkingBudget).toBeNull();
  expect(read({ ...BODY, thinking: null }).thinkingBudget).toBeNull();
  expect(read({ ...BODY, max_tokens: 2 ** 31, messages: [...BODY.messages, ...BODY.messages] })).toMatchObject({
    maxTokens: 2 ** 31,
    size: { messages: 2 },
  });
});

test('a request whose tokens are counted needs no maximum, and is as large as if its answer were requested', () => {
  const { max_tokens: _, ...counted } = BODY;
  const result = readCountedRequest(Buffer.from(JSON.stringify(counted)));
  expect(result).toMatchObject({ ok: true, request: { model: 'm', maxTokens: 1, size: { messages: 1 } } });
  expect(readCountedRequest(Buffer.from('{}'))).toMatchObject({ ok: false, fault: { param: 'model' } });
});

function sizeOf(fields: object, former = 0): number {
  const body = { ...BODY, ...fields };
  return read(body).size.textBytes - JSON.stringify(body).length - former;
}

test('the bytes that templates may write a second time count twice, and no others', () => {
  const tools = [{ name: 'f', description: 'd'.repeat(500), input_schema: {} }];
  expect(sizeOf({ tools })).toBe(JSON.stringify(tools).length);
  expect(sizeOf({ tools: null })).toBe('null'.length);
  expect(sizeOf({ system: 'be brief', metadata: { user_id: 'u' } })).toBe(0);
  const tool = { type: 'tool_definition', definition: { name: 'f', input_schema: {} } };
  expect(sizeOf(content({ type: 'tool_addition', tool }))).toBe(JSON.stringify(tool).length);
});

const SCHEMA = { type: 'object', properties: {} };
const FORMAT = { type: 'json_schema', schema: SCHEMA };

test.each([
  [{ output_config: { effort: 'low', format: FORMAT } }, 'output_config.format.schema'],
  [{ output_format: FORMAT }, 'output_format.schema'],
  [{ output_format: { schema: SCHEMA, type: 'json_schema' }, output_config: { format: null } }, 'output_format.schema'],
])('a schema is found where it stands, and has room for what a provider is told of it: %j', (fields, param) => {
  const { body, schemaSpan } = read({ ...BODY, ...fields });
  if (schemaSpan === null) throw new Error('no schema was found');
  expect(schemaSpan.param).toBe(param);
  expect(JSON.parse(body.toString('utf8', schemaSpan.schemaStart, schemaSpan.schemaEnd))).toEqual(SCHEMA);
  expect(sizeOf(fields)).toBe(2_048);
});

test.each([
  { output_format: null },
  { output_format: 'text' },
  { output_format: {} },
  { output_format: { type: 'text', schema: SCHEMA } },
  { output_config: null },
  { output_config: 'low' },
  { output_config: { effort: 'low' } },
  { output_config: { format: [] } },
  { output_config: { format: { type: 'text' } } },
  { output_config: { format: FORMAT.type } },
])('a request that asks for no schema has none: %j', (fields) => {
  expect(read({ ...BODY, ...fields }).schemaSpan).toBeNull();
  expect(sizeOf(fields)).toBe(0);
});

const LARGE = 'x'.repeat(288 * 1_024);

test.each([
  ['{}', "model: 'model' is missing: name the model that shall answer."],
  ['{"model":"m","max_tokens":1}', "messages: 'messages' is missing: give at least one message."],
  ['{"model":"m","messages":[{"role":"user","content":"a"}]}', "max_tokens: 'max_tokens' is missing: say how many"],
  [{ messages: [] }, "messages: 'messages' is missing: give at least one message."],
  [{ messages: 'hi' }, "messages: 'messages' must be a non-empty array of messages."],
  [{ messages: ['hi'] }, "messages[0]: 'messages[0]' must be an object with a role."],
  [{ messages: [BODY.messages[0], { content: 'a' }] }, "messages[1].role: 'messages[1].role' must be a string."],
  [{ messages: [{ role: 7, content: 'a' }] }, "messages[0].role: 'messages[0].role' must be a string."],
  [
    { messages: [{ role: 'user', Content: 'a' }] },
    "messages[0].content: 'messages[0]' has a key that some read as 'content'; write it so.",
  ],
  [
    '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a","content":"b"}]}',
    "messages[0].content: 'messages[0].content' is given twice.",
  ],
  [{ max_tokens: 0 }, "max_tokens: 'max_tokens' must be a whole number from 1 to 2147483648."],
  [{ max_tokens: 2 ** 31 + 1 }, "max_tokens: 'max_tokens' must be a whole number"],
  [{ max_tokens: null }, "max_tokens: 'max_tokens' is missing"],
  [{ stream: 1 }, "stream: 'stream' must be true or false."],
  [{ tools: {} }, "tools: 'tools' must be an array of tools."],
  [{ tool_choice: { type: 'tool', name: 'n'.repeat(4_096) } }, "tool_choice: 'tool_choice' is too long."],
  [{ thinking: { of_2030: 'x'.repeat(16_384) } }, "thinking: 'thinking' is too long."],
  [{ output_config: { of_2030: LARGE } }, "output_config: 'output_config' must not be larger than 294912 bytes."],
  [{ output_format: { of_2030: LARGE } }, "output_format: 'output_format' must not be larger than 294912 bytes."],
  [
    { output_format: { type: 'json_schema' } },
    "output_format.schema: 'output_format.schema' must be a JSON schema that is an object.",
  ],
  [
    { output_format: { type: 'json_schema', schema: [] } },
    "output_format.schema: 'output_format.schema' must be a JSON schema",
  ],
  [
    { output_format: { Type: 'json_schema', schema: SCHEMA } },
    "output_format.type: 'output_format' has a key that some read as 'type'; write it so.",
  ],
  [
    { output_format: { type: 'json_schema', Schema: SCHEMA } },
    "output_format.schema: 'output_format' has a key that some read as 'schema'",
  ],
  [{ output_config: { Format: FORMAT } }, "output_config.format: 'output_config' has a key that some read as 'format'"],
  [
    { output_format: FORMAT, output_config: { format: FORMAT } },
    "output_config.format: 'output_format' and 'output_config.format' say the same; give one of them.",
  ],
  ['{"model":"m","messages":[{"role":"user"}', 'null: The body is not valid JSON'],
  ['{"model":"m","messages":[{"content":"a"', 'null: The body is not valid JSON'],
  ['{"model":"m","output_config":{"format":', 'null: The body is not valid JSON'],
])('a message request that the gate can’t go by is refused by its field: %j', (fields, message) => {
  expect(faultOf(fields)).toContain(message);
});

test('what is large alone is read: thoughts, formats and choices of nearly their largest size', () => {
  const fields = { thinking: { budget_tokens: 5, x: 'x'.repeat(16_000) }, output_config: { x: 'x'.repeat(280_000) } };
  expect(read({ ...BODY, ...fields, tool_choice: { type: 'any', x: 'x'.repeat(4_000) } })).toMatchObject({
    thinkingBudget: 5,
    toolChoice: { name: null, isRequired: true },
  });
});
