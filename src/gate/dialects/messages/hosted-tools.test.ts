import { expect, test } from 'vitest';
import type { SoldTools } from '../../../domain/model.ts';
import { USES_MAX } from '../../../domain/uses.ts';
import { faultOfSale, saleOf } from './hosted-tools.ts';
import { type MessagesRequest, readMessagesRequest } from './messages-request.ts';
import { nativeMessagesBody } from './native-body.ts';

const BODY = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

function result(fields: object | string) {
  const text = typeof fields === 'string' ? `${JSON.stringify(BODY).slice(0, -1)},${fields}}` : null;
  return readMessagesRequest(Buffer.from(text ?? JSON.stringify({ ...BODY, ...Object(fields) })));
}

function read(fields: object | string): MessagesRequest {
  const reading = result(fields);
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

/** The value of `tools` that a provider is sent. */
function toolsSent(fields: object | string, sold: SoldTools): string | null {
  const request = read(fields);
  const sent = nativeMessagesBody(request, saleOf(request, sold), { upstreamModel: 'm', cap: null });
  return /"tools":\s*(\[.*\])/.exec(Buffer.concat(sent).toString())?.[1] ?? null;
}

const SOLD = { web_search: { maxUses: 5, inputTokens: null } };
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const FETCH = { type: 'web_fetch_20250910', name: 'web_fetch' };
const OWN = { name: 'f', input_schema: {} };

test.each([
  ['custom', null],
  ['bash_20250124', null],
  ['text_editor_20250728', null],
  ['computer_20250124', null],
  ['memory_20250818', null],
  ['computer_toolset_20260101', null],
  ['browser_toolset_20260101', null],
  ['tool_search_tool_regex_20251119', null],
  ['bash_', 'bash_'],
  ['bash_1x', 'bash_1x'],
  ['xbash_1', 'xbash_1'],
  ['text_editor_', 'text_editor_'],
  ['computer_x', 'computer_x'],
  ['memory_x', 'memory_x'],
  ['computer_toolset_x', 'computer_toolset_x'],
  ['tool_search_tool_-', 'unknown'],
  ['customs', 'customs'],
  ['web_search_20250305', 'web_search_20250305'],
  ['code_execution_20260521', 'code_execution_20260521'],
  ['w'.repeat(64), 'w'.repeat(64)],
  ['w'.repeat(65), 'unknown'],
  ['web search', 'unknown'],
  ['<b>', 'unknown'],
  ['', 'unknown'],
])('a tool of a type that the caller isn’t known to run is the provider’s: %s', (type, hosted) => {
  expect(read({ tools: [{ type, name: 'n' }] }).tools).toMatchObject([{ hosted, name: 'n', maxUses: null }]);
});

test('a tool without a type is the caller’s, and where each tool stands is known', () => {
  const { body, tools } = read(`"tools": [ ${JSON.stringify(OWN)} , {"type":"web_search_1","max_uses":3} ]`);
  expect(tools).toMatchObject([
    { hosted: null, name: 'f', maxUses: null, nullUses: null },
    { hosted: 'web_search_1', name: null, maxUses: 3, nullUses: null },
  ]);
  expect(tools.map(({ start, end }) => body.toString('utf8', start, end))).toEqual([
    JSON.stringify(OWN),
    '{"type":"web_search_1","max_uses":3}',
  ]);
});

test.each([
  ['"tools":[5]', "tools[0]: 'tools[0]' must be an object."],
  ['"tools":[{"name":"a","name":"b"}]', "tools[0]: 'tools[0].name' is given twice."],
  ['"tools":[{},{"type":"a","type":"b"}]', "tools[1]: 'tools[1].type' is given twice."],
  ['"tools":[{"type":5}]', "tools[0].type: 'tools[0].type' must be a short string."],
  ['"tools":[{"name":null}]', "tools[0].name: 'tools[0].name' must be a short string."],
  [`"tools":[{"name":"${'n'.repeat(1_024)}"}]`, "tools[0].name: 'tools[0].name' must be a short string."],
  ['"tools":[{"Type":"web_search_1"}]', "tools[0].type: 'tools[0]' has a key that some read as 'type'; write it so."],
  ['"tools":[{"Max_Uses":9}]', "tools[0].max_uses: 'tools[0]' has a key that some read as 'max_uses'; write it so."],
  ['"tools":[{"max_uses":1,"max_uses":9}]', "tools[0]: 'tools[0].max_uses' is given twice."],
  ['"tools":[{"max_uses":null,"max_uses":9}]', "tools[0]: 'tools[0].max_uses' is given twice."],
  ['"tools":[{"max_uses":0}]', "tools[0].max_uses: 'tools[0].max_uses' must be a whole number from 1 to 10000."],
  [`"tools":[{"max_uses":${USES_MAX + 1}}]`, "tools[0].max_uses: 'tools[0].max_uses' must be a whole number"],
])('a tool whose kind or maximum of uses could be read in two ways is refused: %s', (fields, message) => {
  const reading = result(fields);
  expect(reading.ok ? null : `${reading.fault.param}: ${reading.fault.message}`).toContain(message);
});

test.each([
  [[OWN], {}, [], [OWN], null],
  [[SEARCH], {}, ['web_search_20250305'], null, null],
  [[OWN, SEARCH], {}, ['web_search_20250305'], [OWN], null],
  [[SEARCH, FETCH, OWN], {}, [SEARCH.type, FETCH.type], [OWN], null],
  [[OWN, SEARCH, OWN, FETCH], {}, [SEARCH.type, FETCH.type], [OWN, OWN], null],
  [[SEARCH], SOLD, [], [{ max_uses: 5, ...SEARCH }], { each: { web_search: 5 }, total: 5 }],
  [[{ ...SEARCH, max_uses: null }], SOLD, [], [{ ...SEARCH, max_uses: 5 }], { each: { web_search: 5 }, total: 5 }],
  [[{ ...SEARCH, max_uses: 2 }], SOLD, [], [{ ...SEARCH, max_uses: 2 }], { each: { web_search: 2 }, total: 2 }],
  [[{ ...SEARCH, max_uses: 9 }], SOLD, [], [{ ...SEARCH, max_uses: 9 }], { each: { web_search: 9 }, total: 9 }],
  [[FETCH, SEARCH], SOLD, [FETCH.type], [{ max_uses: 5, ...SEARCH }], { each: { web_search: 5 }, total: 5 }],
  [
    [{ ...OWN, max_uses: 3 }, SEARCH],
    SOLD,
    [],
    [
      { ...OWN, max_uses: 3 },
      { max_uses: 5, ...SEARCH },
    ],
    { each: { web_search: 5 }, total: 5 },
  ],
  [[{ ...FETCH, max_uses: 3 }], SOLD, [FETCH.type], null, null],
  [[{ type: 'web_search_x' }], SOLD, ['web_search_x'], null, null],
  [[{ type: 'xweb_search_1' }], SOLD, ['xweb_search_1'], null, null],
  [[{ type: 'web_search_1x' }], SOLD, ['web_search_1x'], null, null],
  [[{ type: 'mcp_toolset' }, OWN], SOLD, ['mcp_toolset'], [OWN], null],
])(
  'of the tools %j a provider is sent those that are sold, each with a maximum',
  (tools, sold, leftOut, sent, bound) => {
    expect(saleOf(read({ tools }), sold)).toMatchObject({ leftOut, bound, isNoneLeft: sent === null });
    const text = toolsSent({ tools }, sold);
    expect(text === null ? null : (JSON.parse(text) as unknown)).toEqual(sent);
  },
);

test('of web_fetch too a version is sold, and nothing that is only called like it', () => {
  const sold = { web_fetch: { maxUses: 2, inputTokens: null } };
  const boundOf = (type: string) => saleOf(read({ tools: [{ type }] }), sold).bound;
  expect(boundOf('web_fetch_20250910')).toEqual({ each: { web_fetch: 2 }, total: 2 });
  expect(['web_fetch_x', 'web_fetch_1x', 'xweb_fetch_1'].map(boundOf)).toEqual([null, null, null]);
});

test('tools that stay keep their bytes', () => {
  const bounded = '[ {"max_uses":2 ,"type":"web_search_1"} ]';
  expect(toolsSent(`"tools":${bounded}`, SOLD)).toBe(bounded);
  expect(toolsSent('"tools":[],"tool_choice":{"type":"auto"}', SOLD)).toBe('[]');
  expect(toolsSent('"tools":[ {"type":"mcp_toolset"} ,{"name" : "a"} ,\n{"type":"x"}, {"name":"b"} ]', {})).toBe(
    '[ {"name" : "a"}, {"name":"b"} ]',
  );
});

const named = (name: string) => ({ type: 'tool', name });

test.each([
  [{ tools: [SEARCH], tool_choice: named('web_search') }, {}, 'web_search_20250305'],
  [{ tools: [OWN, FETCH], tool_choice: named('web_fetch') }, SOLD, 'web_fetch_20250910'],
  [{ tools: [SEARCH, FETCH], tool_choice: { type: 'any' } }, {}, 'web_search_20250305'],
])('a request that demands a tool that isn’t sold is refused: %j', (fields, sold, type) => {
  const fault = faultOfSale(read(fields), sold);
  expect(fault?.param).toBe('tool_choice');
  expect(fault?.message).toContain(`'tool_choice' demands a tool of type ${type}, which the provider would run itself`);
});

test.each([
  [{ tools: [SEARCH], tool_choice: named('web_search') }, SOLD],
  [{ tools: [SEARCH, OWN], tool_choice: named('f') }, {}],
  [{ tools: [SEARCH, OWN], tool_choice: { type: 'any' } }, {}],
  [{ tools: [SEARCH], tool_choice: { type: 'auto' } }, {}],
  [{ tools: [{ type: 'mcp_toolset' }], tool_choice: { type: 'tool' } }, {}],
  [{ tools: [{ type: 'mcp_toolset' }], tool_choice: { type: 'tool', name: 7 } }, {}],
  [{ tools: [SEARCH], tool_choice: 'any' }, {}],
  [{ tools: [SEARCH], tool_choice: null }, SOLD],
  [{ tool_choice: { type: 'any' } }, {}],
])('a request that can be answered without what isn’t sold may run: %j', (fields, sold) => {
  expect(faultOfSale(read(fields), sold)).toBeNull();
});
