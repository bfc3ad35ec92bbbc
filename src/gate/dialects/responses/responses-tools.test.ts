import { expect, test } from 'vitest';
import { readResponsesRequest } from './responses-request.ts';

function readText(fields: string) {
  return readResponsesRequest(Buffer.from(`{"model":"m","input":"hi",${fields}}`));
}

function read(fields: object) {
  const result = readText(JSON.stringify(fields).slice(1, -1));
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

test.each([
  ['function', null],
  ['custom', null],
  ['namespace', null],
  ['tool_search', null],
  ['local_shell', null],
  ['apply_patch', null],
  ['functions', 'functions'],
  ['web_search', 'web_search'],
  ['w'.repeat(80), 'w'.repeat(64)],
  ['a b', 'unknown'],
  ['<b>', 'unknown'],
  ['', 'unknown'],
])('a tool of a response whose type no caller is known to run is the provider’s: %s', (type, hosted) => {
  expect(read({ tools: [{ name: 'a', type }] }).tools).toMatchObject([{ hosted }]);
});

test('where each tool stands is known', () => {
  const result = readText('"tools":[ {"type":"function"} ,{"type":"mcp","x":{"type":"a"}}]');
  if (!result.ok) throw new Error(result.fault.message);
  const { body, tools } = result.request;
  expect(tools.map(({ start, end }) => body.toString('utf8', start, end))).toEqual([
    '{"type":"function"}',
    '{"type":"mcp","x":{"type":"a"}}',
  ]);
  expect(read({ tools: null }).tools).toEqual([]);
});

const RUN_BY_PROVIDER = 'is a tool that the provider runs, which costs more than its tokens; it is not for sale here.';
const ONE_TYPE = 'must be given once, as a string.';
const ANY_CHOICE = 'must be none, auto, required, or an object with the type of a tool.';

test.each([
  ['"tools":{}', 'tools', 'must be an array of tools.'],
  ['"tools":[5]', 'tools[0]', 'must be an object with a type.'],
  ['"tools":[{"type":"function"},{}]', 'tools[1].type', ONE_TYPE],
  ['"tools":[{"type":null}]', 'tools[0].type', ONE_TYPE],
  ['"tools":[{"type":"function","type":"mcp"}]', 'tools[0].type', ONE_TYPE],
  ['"tools":[{"type":"mcp","type":"function"}]', 'tools[0].type', ONE_TYPE],
  ['"tools":[{"type":"namespace","tools":5}]', 'tools[0].tools', 'must be an array of tools.'],
  ['"tools":[{"type":"namespace","tools":[{"type":"custom"},{"type":"mcp"}]}]', 'tools[0].tools[1]', RUN_BY_PROVIDER],
  ['"tool_choice":"any"', 'tool_choice', ANY_CHOICE],
  ['"tool_choice":5', 'tool_choice', ANY_CHOICE],
  ['"tool_choice":{}', 'tool_choice', ANY_CHOICE],
  ['"tool_choice":{"type":5}', 'tool_choice', ANY_CHOICE],
  ['"tool_choice":{"type":"function","type":"mcp"}', 'tool_choice', ANY_CHOICE],
  ['"tool_choice":{"type":"allowed_tools","tools":[{"type":"mcp"},5]}', 'tool_choice.tools[1]', ANY_CHOICE],
  ['"max_tool_calls":-1', 'max_tool_calls', 'must be a whole number from 0 to 10000.'],
  ['"max_tool_calls":10001', 'max_tool_calls', 'must be a whole number from 0 to 10000.'],
])('tools that could be read in two ways are refused: %s', (fields, param, problem) => {
  expect(readText(fields)).toEqual({ ok: false, fault: { param, message: `'${param}' ${problem}` } });
});

test('an unknown field of a tool is named where the tool is sent, and none of a tool that is never sold', () => {
  const unknownOf = (type: string) => read({ tools: [{ type, of_2031: 1 }] }).unknown;
  expect(['function', 'web_search', 'unheard_of'].map((type) => unknownOf(type).length)).toEqual([1, 1, 0]);
});

test('a tool whose type some read elsewhere is refused', () => {
  const message = "'tools[0]' has a key that some read as 'type'; write it so.";
  expect(readText('"tools":[{"type":"function","Type":"mcp"}]')).toEqual({
    ok: false,
    fault: { param: 'tools[0].type', message },
  });
});

test.each([
  [null, { hosted: [], isRequired: false }],
  ['none', { hosted: [], isRequired: false }],
  ['auto', { hosted: [], isRequired: false }],
  ['required', { hosted: [], isRequired: true }],
  [
    { type: 'function', name: 'f' },
    { hosted: [], isRequired: false },
  ],
  [{ type: 'custom' }, { hosted: [], isRequired: false }],
  [{ type: 'namespace' }, { hosted: [], isRequired: false }],
  [{ type: 'local_shell' }, { hosted: [], isRequired: false }],
  [{ type: 'apply_patch' }, { hosted: [], isRequired: false }],
  [
    { type: 'allowed_tools', tools: null },
    { hosted: [], isRequired: false },
  ],
  [
    { type: 'mcp', name: 'f' },
    { hosted: [{ type: 'mcp', where: 'tool_choice' }], isRequired: false },
  ],
  [
    { tools: [{ type: 'function' }, { type: 'mcp' }], type: 'allowed_tools', mode: 'required' },
    { hosted: [{ type: 'mcp', where: 'tool_choice.tools[1]' }], isRequired: false },
  ],
])('a choice of tools names those that a provider would run: %j', (choice, expected) => {
  expect(read({ tool_choice: choice }).toolChoice).toEqual(expected);
});

test('a request says how often tools may be called, from not at all', () => {
  expect(read({ max_tool_calls: 0 }).maxToolCalls).toBe(0);
  expect(read({ max_tool_calls: 10_000 }).maxToolCalls).toBe(10_000);
  expect(read({ max_tool_calls: null }).maxToolCalls).toBeNull();
});
