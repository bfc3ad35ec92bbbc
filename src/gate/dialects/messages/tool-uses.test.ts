import { expect, test } from 'vitest';
import { USES_MAX } from '../../../domain/uses.ts';
import { StreamedUses, usesInMessage } from './tool-uses.ts';

const inUsage = (counts: unknown) => ({ usage: { output_tokens: 1, server_tool_use: counts } });
const usesOf = (message: unknown) => usesInMessage(Buffer.from(JSON.stringify(message)));

function usesAfter(...events: unknown[]): object {
  const uses = new StreamedUses();
  for (const event of events) uses.add(Buffer.from(JSON.stringify(event)));
  return uses.total;
}

test.each([
  [
    { web_search_requests: 2, web_fetch_requests: 1 },
    { web_search: 2, web_fetch: 1 },
  ],
  [{ web_search_requests: USES_MAX, web_fetch_requests: USES_MAX + 1 }, { web_search: USES_MAX }],
  [{ web_search_requests: 0, web_fetch_requests: -1 }, {}],
  [{ web_search_requests: 1.5, web_fetch_requests: '3' }, {}],
  [{ of_next_year_requests: 4 }, {}],
  [null, {}],
  [7, {}],
])('a message’s uses of tools are those that its usage counts: %j', (counts, uses) => {
  expect(usesOf({ content: [{ usage: 1 }], ...inUsage(counts), type: 'message' })).toEqual(uses);
  expect(usesAfter({ type: 'message_delta', delta: {}, ...inUsage(counts) })).toEqual(uses);
});

test.each([{}, [], 'text', 7, { usage: null }, { usage: [] }, { usage: 'x' }, { usage: {} }])(
  'a message whose usage counts no uses has none: %j',
  (message) => {
    expect(usesOf(message)).toEqual({});
    expect(usesAfter(message)).toEqual({});
  },
);

const block = (type: string, content: unknown) => ({ type: 'content_block_start', content_block: { type, content } });

test('a stream that breaks off has used the tools whose results are there, but for those that failed', () => {
  const results = [
    block('web_search_tool_result', [{ type: 'web_search_result', error_code: 'of a page' }]),
    block('web_fetch_tool_result', { type: 'web_fetch_result', url: 'u' }),
    block('web_search_tool_result', []),
    block('web_search_tool_result', { type: 'web_search_tool_result_error', error_code: 'unavailable' }),
    block('web_fetch_tool_result', { error_code: 'unavailable', type: 'web_fetch_tool_result_error' }),
    block('server_tool_use', []),
    block('text', 'web_search_tool_result'),
    { type: 'content_block_start', content_block: 'web_search_tool_result' },
    { type: 'content_block_start', content_block: { type: 7, content: 'web_search_tool_result' } },
    { type: 'ping' },
    'web_search_tool_result',
  ];
  expect(usesAfter(...results)).toEqual({ web_search: 2, web_fetch: 1 });
});

test('what a stream reports at its end counts instead of its results, and only there', () => {
  const result = block('web_search_tool_result', []);
  const delta = (counts: unknown) => ({ type: 'message_delta', ...inUsage(counts) });
  expect(usesAfter(result, delta({ web_search_requests: 3 }))).toEqual({ web_search: 3 });
  expect(usesAfter(result, { ...inUsage({ web_search_requests: 3 }), type: 'message_delta' })).toEqual({
    web_search: 3,
  });
  expect(usesAfter(result, delta({ web_search_requests: 3 }), delta(null))).toEqual({ web_search: 3 });
  expect(usesAfter(result, delta(null))).toEqual({ web_search: 1 });
  expect(usesAfter(result, { type: 'message_start', ...inUsage({ web_search_requests: 3 }) })).toEqual({
    web_search: 1,
  });
  expect(usesAfter(result, { type: 7, ...inUsage({ web_search_requests: 3 }) })).toEqual({ web_search: 1 });
});

test('uses of a stream are found in any order of its members, and in no other member', () => {
  const result = { content: [{ a: 1 }], x: { y: [] }, type: 'web_search_tool_result' };
  expect(usesAfter({ content_block: result })).toEqual({ web_search: 1 });
  expect(usesAfter({ content_block: { content: 'a', type: 'web_fetch_tool_result' } })).toEqual({ web_fetch: 1 });
  expect(usesAfter({ content_block: { type: 'web_fetch_tool_result' } })).toEqual({ web_fetch: 1 });
  expect(usesAfter({ delta: result, content_block: { ...result, x: { error_code: 'a' } } })).toEqual({ web_search: 1 });
  const counted = inUsage({ web_search_requests: 3 });
  expect(usesAfter({ type: 'message_delta', x: 'y', ...counted })).toEqual({ web_search: 3 });
});
