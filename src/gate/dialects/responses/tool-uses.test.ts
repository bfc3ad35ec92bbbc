import { expect, test } from 'vitest';
import { StreamedUses, usesInResponse } from './tool-uses.ts';

const usesOf = (answer: unknown): object => usesInResponse(Buffer.from(JSON.stringify(answer)));

function usesAfter(...events: unknown[]): object {
  const uses = new StreamedUses();
  for (const event of events) uses.add(Buffer.from(JSON.stringify(event)));
  return uses.total;
}

test.each([
  [{ type: 'web_search_call' }, { web_search: 1 }],
  [{ type: 'web_search_call', action: { type: 'search', query: 'q' } }, { web_search: 1 }],
  [{ action: { query: 'q' }, type: 'web_search_call' }, { web_search: 1 }],
  [{ type: 'web_search_call', action: null }, { web_search: 1 }],
  [{ type: 'web_search_call', action: { type: 7 } }, { web_search: 1 }],
  [{ type: 'web_search_call', action: { type: 'open_page', url: 'u' } }, {}],
  [{ action: { url: 'u', type: 'find' }, type: 'web_search_call' }, {}],
  [{ type: 'code_interpreter_call', code: '1', action: { type: 'run' } }, { code_interpreter: 1 }],
  [{ type: 'image_generation_call' }, { image_generation: 1 }],
  [{ type: 'computer_call', action: { type: 'click' } }, { computer: 1 }],
  [{ type: 'mcp_call', name: 'search' }, { mcp: 1 }],
  [{ type: 'mcp_list_tools' }, {}],
  [{ type: 'function_call', name: 'web_search_call' }, {}],
  [{ type: ['mcp_call'] }, {}],
  [{ id: 'x' }, {}],
  ['mcp_call', {}],
])('an item of an answer is the use of a tool that has its fee, or none: %j', (item, uses) => {
  expect(usesOf({ id: 'r', output: [item], usage: {} })).toEqual(uses);
  expect(usesAfter({ type: 'response.output_item.done', item })).toEqual(uses);
  expect(usesAfter({ item, sequence_number: 4, type: 'response.output_item.done' })).toEqual(uses);
});

test('each use of a tool is counted once, when its item is done', () => {
  const item = { type: 'mcp_call' };
  const done = { type: 'response.output_item.done', item };
  expect(usesOf({ output: [item, { type: 'message' }, item, { type: 'computer_call' }] })).toEqual({
    mcp: 2,
    computer: 1,
  });
  expect(
    usesAfter({ type: 'response.output_item.added', item }, done, { type: 'response.mcp_call.completed' }),
  ).toEqual({
    mcp: 1,
  });
  expect(usesAfter(done, { type: 7, item }, { item }, [done], done)).toEqual({ mcp: 2 });
});

test.each([[], 'x', {}, { output: null }, { output: { type: 'mcp_call' } }, { outputs: [{ type: 'mcp_call' }] }])(
  'an answer without items has used no tool: %j',
  (answer) => {
    expect(usesOf(answer)).toEqual({});
  },
);

test('an item or an action whose type is no text is followed by others', () => {
  const call = { type: 'mcp_call' };
  expect(
    usesOf({ output: [{ type: 5 }, call, { ...call, action: { type: 5 } }, { ...call, action: 5 }, call] }),
  ).toEqual({
    mcp: 4,
  });
});

test('uses of an answer are found after items and members of any kind', () => {
  const search = { type: 'web_search_call', result: { type: 'open_page' } };
  expect(usesOf({ output: ['a', [1], search] })).toEqual({ web_search: 1 });
  expect(usesAfter({ type: 'response.output_item.done', x: 'y', item: search })).toEqual({ web_search: 1 });
});
