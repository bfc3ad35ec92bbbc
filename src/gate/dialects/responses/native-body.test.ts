import { expect, test } from 'vitest';
import { saleOf } from './hosted-tools.ts';
import { compactionBody, countedBody, nativeBody } from './native-body.ts';
import { sealCapsule } from './reasoning-capsule.ts';
import { readResponsesRequest } from './responses-request.ts';

const BODY = { model: 'm', input: 'hi' };
const EDIT = { upstreamModel: 'm', cap: null, reasoning: false };
const SOLD = { web_search: { maxUses: 3, inputTokens: null } };
const SEARCH = { type: 'web_search' };
const OWN = { type: 'function', name: 'f' };
const ENCRYPTED = 'reasoning.encrypted_content';

function read(fields: object) {
  const result = readResponsesRequest(Buffer.from(JSON.stringify({ ...BODY, ...fields })));
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

const parsed = (pieces: readonly Buffer[]): unknown => JSON.parse(Buffer.concat(pieces).toString());

function sent(
  fields: object,
  edit: Partial<typeof EDIT> | { cap: number },
  isKept = false,
  sold: object = {},
): unknown {
  const request = read(fields);
  return parsed(nativeBody(request, { ...EDIT, ...edit }, { isKept, sale: saleOf(request, sold) }));
}

test.each([
  [{}, {}, {}],
  [{ store: true, of_2030: 1 }, {}, { of_2030: 1 }],
  [{}, { upstreamModel: 'big' }, { model: 'big' }],
  [{}, { cap: 50 }, { max_output_tokens: 50 }],
  [{ max_output_tokens: 99 }, { cap: 50 }, { max_output_tokens: 50 }],
  [{ max_output_tokens: 99 }, {}, { max_output_tokens: 99 }],
])('a provider is sent its name of the model and the cap, and keeps nothing: %j with %j', (fields, edit, expected) => {
  expect(sent(fields, edit)).toEqual({ ...BODY, ...fields, store: false, ...expected });
});

test.each([
  [{}, [ENCRYPTED]],
  [{ include: null }, [ENCRYPTED]],
  [{ include: [] }, [ENCRYPTED]],
  [{ include: ['a'] }, ['a', ENCRYPTED]],
  [{ include: ['a', ENCRYPTED] }, ['a', ENCRYPTED]],
  [{ include: 'a' }, 'a'],
  [{ include: ['x'.repeat(4_096)] }, ['x'.repeat(4_096)]],
  [{ include: ['x'.repeat(4_092)] }, ['x'.repeat(4_092), ENCRYPTED]],
  [{ instructions: 'x'.repeat(5_000), include: [] }, [ENCRYPTED]],
])('reasoning that a later request must bring back is asked for where the answer is kept: %j', (fields, include) => {
  expect(sent(fields, { reasoning: true }, true)).toEqual({ ...BODY, ...fields, store: false, include });
  expect(sent(fields, { reasoning: true }, false)).toEqual({ ...BODY, ...fields, store: false });
  expect(sent(fields, { reasoning: false }, true)).toEqual({ ...BODY, ...fields, store: false });
});

test.each([
  [{ tools: [SEARCH] }, {}, {}],
  [{ tools: [OWN, SEARCH] }, {}, { tools: [OWN] }],
  [{ tools: [OWN] }, SOLD, { tools: [OWN] }],
  [{ tools: [SEARCH] }, SOLD, { tools: [SEARCH], max_tool_calls: 3 }],
  [{ tools: [SEARCH], max_tool_calls: 2 }, SOLD, { tools: [SEARCH], max_tool_calls: 2 }],
  [{ tools: [SEARCH], max_tool_calls: null }, SOLD, { tools: [SEARCH], max_tool_calls: 3 }],
])('a provider is sent the tools that are sold, and how often they may be called: %j', (fields, sold, expected) => {
  expect(sent(fields, {}, false, sold)).toEqual({ ...BODY, store: false, ...expected });
});

test('what is counted is what the model reads, without tools that aren’t sold', () => {
  const fields = { instructions: 'a', tools: [OWN, SEARCH], max_output_tokens: 5, metadata: { a: 'b' } };
  const counted = (request = read(fields), sold = {}) => parsed(countedBody(request, 'big', saleOf(request, sold)));
  expect(counted()).toEqual({ model: 'big', input: 'hi', instructions: 'a', tools: [OWN] });
  expect(counted(read(fields), SOLD)).toEqual({ model: 'big', input: 'hi', instructions: 'a', tools: [OWN, SEARCH] });
  expect(counted(read({ tools: [SEARCH] }))).toEqual({ model: 'big', input: 'hi' });
});

test('a compaction is sent with its provider’s name of the model, and nothing that it has no field for', () => {
  const compacted = (fields: object, upstreamModel: string): string => {
    const request = read(fields);
    return Buffer.concat(compactionBody(request, { upstreamModel }, saleOf(request, {}))).toString();
  };
  expect(compacted({}, 'm')).toBe(JSON.stringify(BODY));
  expect(compacted({ tools: [SEARCH] }, 'big')).toBe('{"model":"big","input":"hi"}');
});

test('a model whose name its provider knows stays as it is written', () => {
  const body = '{"model":"\\u006d","input":"hi","store":false}';
  const result = readResponsesRequest(Buffer.from(body));
  if (!result.ok) throw new Error(result.fault.message);
  const { request } = result;
  const sale = saleOf(request, {});
  expect(Buffer.concat(nativeBody(request, EDIT, { isKept: false, sale })).toString()).toBe(body);
  expect(Buffer.concat(compactionBody(request, EDIT, sale)).toString()).toBe(body);
});

test('reasoning of translated answers goes to no provider that could not read it', () => {
  const encrypted_content = sealCapsule({ isReasoning: true, thinking: [], message: undefined, calls: {} });
  const own = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
  const said = { role: 'user', content: 'hi' };
  const input = [{ ...own, encrypted_content }, own, said, { ...own, encrypted_content }];
  const expected = { model: 'm', input: [own, said] };
  const request = read({ input });
  expect(sent({ input }, {})).toEqual({ ...expected, store: false });
  expect(parsed(countedBody(request, 'm', saleOf(request, {})))).toEqual(expected);
  expect(parsed(compactionBody(request, { upstreamModel: 'm' }, saleOf(request, {})))).toEqual(expected);
});
