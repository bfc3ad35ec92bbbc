import { expect, test } from 'vitest';
import { faultOfSale, saleOf } from './hosted-tools.ts';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';

function read(fields: object | string): ResponsesRequest {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ model: 'small', input: 'hi', ...fields });
  const result = readResponsesRequest(Buffer.from(body));
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

/** The value, nested in this many lists. */
function nested(levels: number, value: unknown): unknown {
  return levels === 0 ? value : [nested(levels - 1, value)];
}

const SOLD = {
  web_search: { maxUses: 3, inputTokens: null },
  code_interpreter: { maxUses: 7, inputTokens: null },
  mcp: { maxUses: 1, inputTokens: null },
};

test('tools that are not for sale are taken out, and the others keep their bytes', () => {
  const request = read(
    '{"model":"small","input":"hi","tools":[ {"type":"web_search"} ,{"type":"function", "name":"a"},{"type":"mcp"} ]}',
  );
  expect(saleOf(request, {})).toMatchObject({ leftOut: ['web_search', 'mcp'], bound: null });
  expect(saleOf(request, {}).rest?.toString()).toBe('[{"type":"function", "name":"a"}]');
  const { leftOut, rest } = saleOf(request, { web_search: SOLD.web_search });
  expect([leftOut, rest?.toString()]).toEqual([['mcp'], '[{"type":"web_search"},{"type":"function", "name":"a"}]']);
  expect(saleOf(read({ tools: [{ type: 'web_search' }] }), {})).toEqual({
    leftOut: ['web_search'],
    rest: null,
    bound: null,
  });
});

test.each([
  ['web_search', ['web_search']],
  ['web_search_preview', ['web_search']],
  ['web_search_2025_08_26', ['web_search']],
  ['web_search_preview_2025_03_11', ['web_search']],
  ['web_search_of_next_year', []],
  ['file_search', []],
  ['shell', []],
  ['constructor', []],
])('a tool of the type %s is sold as %j', (type, names) => {
  expect(Object.keys(saleOf(read({ tools: [{ type }] }), SOLD).bound?.each ?? {})).toEqual(names);
});

test('all tools together may be used as often as the caller says, else as the largest of their maxima', () => {
  const tools = [{ type: 'web_search' }, { type: 'code_interpreter', container: { type: 'auto' } }];
  expect(saleOf(read({ tools }), SOLD).bound).toEqual({ total: 7, each: { web_search: 7, code_interpreter: 7 } });
  expect(saleOf(read({ tools, max_tool_calls: 2 }), SOLD).bound?.total).toBe(2);
  expect(saleOf(read({ tools: [{ type: 'function', name: 'a' }] }), SOLD).bound).toBeNull();
});

test.each([
  [{ tool_choice: { type: 'file_search' } }, 'tool_choice'],
  [{ tool_choice: { type: 'image_generation' } }, 'tool_choice'],
  [
    { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp' }, { type: 'shell' }] } },
    'tool_choice.tools[1]',
  ],
  [{ tools: [{ type: 'file_search' }], tool_choice: 'required' }, 'tools[0]'],
  [{ tools: [{ type: 'code_interpreter', container: 'cntr_of_another' }] }, 'tools[0].container'],
  [{ tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }] }, 'tools[0].file_ids'],
  [{ tools: [{ type: 'mcp', connector_id: 'connector_mail' }] }, 'tools[0].connector_id'],
  [{ tools: [{ type: 'web_search', x: [{ File_ID: 'f' }] }] }, 'tools[0].file_id'],
  [{ tools: [{ type: 'web_search', x: ['a', [{ b: 'c' }, { file_id: 'f' }]], y: 1 }] }, 'tools[0].file_id'],
  [{ tools: [{ type: 'web_search', x: nested(100, { skills: ['f'] }) }] }, 'tools[0].skills'],
])('a request that demands what is not for sale, or what is kept elsewhere, is refused: %j', (fields, param) => {
  const { param: at, message } = faultOfSale(read(fields), SOLD) ?? {};
  expect(at).toBe(param);
  expect(message).toContain(`'${param}' `);
  expect(message).toMatch(/it is not for sale here\.$|names something kept at the provider, .* leave it out\.$/);
});

test.each([
  { tools: [{ type: 'file_search', vector_store_ids: ['vs'] }] },
  { tools: [{ type: 'web_search' }], tool_choice: 'required' },
  { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
  { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }] },
  { tools: [{ type: 'web_search', file_ids: null, x: [{ container: null }, ['file_id']] }] },
  { tool_choice: 'required' },
])('a request that demands nothing but what is for sale may run: %j', (fields) => {
  expect(faultOfSale(read(fields), SOLD)).toBeNull();
});
