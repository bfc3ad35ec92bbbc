import { expect, test } from 'vitest';
import { saleOf } from './hosted-tools.ts';
import { type MessagesRequest, readMessagesRequest } from './messages-request.ts';

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

test.each([{ type: 'ephemeral' }, { type: 'ephemeral', ttl: '5m' }, { type: 'ephemeral', ttl: '1h' }, null])(
  'a cache of a usual lifetime passes: %j',
  (control) => {
    const block = { type: 'text', text: 'a', cache_control: control };
    expect(read({ ...BODY, ...content(block), cache_control: control, system: [block] }).unknown).toEqual([]);
  },
);

test('a lifetime that is given twice is refused, since readers differ in which of them counts', () => {
  const text = JSON.stringify({ ...BODY, cache_control: {} }).replace('{}', '{"ttl":"5m","ttl":"24h"}');
  expect(paramOf(text)).toBe('cache_control');
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
