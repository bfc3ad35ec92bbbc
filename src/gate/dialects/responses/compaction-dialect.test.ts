import { expect, test } from 'vitest';
import type { CompletionRequest } from '../dialect.ts';
import { COMPACTION_DIALECT } from './compaction-dialect.ts';
import { sealCapsule } from './reasoning-capsule.ts';

const bodyOf = (fields: object): Buffer => Buffer.from(JSON.stringify({ model: 'm', input: 'hi', ...fields }));

function read(fields: object): CompletionRequest {
  const result = COMPACTION_DIALECT.read(bodyOf(fields), {});
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

const sent = (pieces: readonly Buffer[] = []): unknown => JSON.parse(Buffer.concat(pieces).toString());
const EDIT = { upstreamModel: 'big', cap: 5, reasoning: true };

test('a compaction is one whole answer that no field bounds, for providers of the dialect alone', () => {
  const request = read({ of_2030: 1, store: false, stream: false });
  expect(COMPACTION_DIALECT).toMatchObject({
    endpoint: 'compact',
    nativeOnly: {
      message:
        "The providers of this model don't compact conversations; have a model write a summary by POST /v1/responses.",
      param: 'model',
    },
  });
  expect(request).toMatchObject({
    dialect: COMPACTION_DIALECT,
    body: bodyOf({ of_2030: 1, store: false, stream: false }),
    model: 'm',
    unknown: [{ name: 'of_2030' }],
    leftOut: [],
    text: {
      stream: false,
      choices: 1,
      maxTokens: null,
      isCeiling: false,
      isUncapped: true,
      size: { messages: 2 },
      schemaSpan: null,
    },
    chat: null,
    tools: null,
    native: { stream: false, headers: {} },
  });
  expect(() => request.text!.openStream('r')).toThrow('a compaction is never streamed');
});

test.each([
  [{ input: [] }, 'input', "'input' must hold at least one item."],
  [{ stream: true }, 'stream', "'stream' can't be true here: a compaction is answered as a whole."],
  [
    { max_output_tokens: 9 },
    'max_output_tokens',
    "'max_output_tokens' can't be set here: no provider bounds a compaction by it. Leave it out.",
  ],
  [{ store: true }, 'store', "'store' can't be true here: compactions are not kept. Send their output as input."],
])('a field that promises what a compaction can’t be is refused: %j', (fields, param, message) => {
  expect(COMPACTION_DIALECT.read(bodyOf(fields), {})).toEqual({ ok: false, fault: { param, message } });
});

test('a compaction is sent without what its provider would run, or could not read', () => {
  const encrypted = sealCapsule({ isReasoning: true, thinking: [], message: undefined, calls: {} });
  const said = { role: 'user', content: 'hi' };
  const input = [said, { type: 'reasoning', summary: [], encrypted_content: encrypted }];
  const request = read({ tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }], input });
  expect(request).toMatchObject({ tools: { bound: null }, leftOut: ['web_search', 'reasoning'] });
  const expected = { model: 'big', input: [said], tools: [{ type: 'function', name: 'f' }] };
  expect(sent(request.native?.body(EDIT))).toEqual(expected);
  expect(sent(request.native?.countBody('big'))).toEqual(expected);
  expect(request.tools?.sell({})).toMatchObject({ ok: true, request: { body: request.body } });
  expect(read({ tool_choice: { type: 'web_search' } }).tools?.sell({})).toMatchObject({
    ok: false,
    fault: { param: 'tool_choice' },
  });
});

test('a compaction of what is kept holds it in the place of its id, and is not kept itself', () => {
  const chain = [Buffer.from('{"role":"user","content":"a","id":"msg_1"}')];
  const own = { type: 'item_reference', id: 'msg_2' };
  const request = read({ previous_response_id: 'resp_1', input: [own] });
  const { kept } = request;
  expect(kept).toMatchObject({
    mayBeKept: false,
    references: { previous: 'resp_1', items: [{ id: 'msg_2', param: 'input[0]' }] },
  });
  const found = { chain, items: new Map([['msg_2', Buffer.from('{"type":"of_2030","file_id":"f"}')]]) };
  const resolved = kept?.resolve(found, true);
  if (resolved?.ok !== true) throw new Error('it was not read');
  expect(sent(resolved.request.native?.body(EDIT))).toEqual({
    model: 'big',
    input: [
      { role: 'user', content: 'a', id: 'msg_1' },
      { type: 'of_2030', file_id: 'f' },
    ],
  });
  expect(read({}).kept?.references).toBeNull();
  const plain = read({}).kept?.resolve(null, false);
  expect(plain).toMatchObject({ ok: true, request: { body: bodyOf({}) } });
  const alone = COMPACTION_DIALECT.read(Buffer.from('{"model":"m","previous_response_id":"resp_1"}'), {});
  expect(alone.ok && alone.request.kept?.resolve({ chain, items: new Map() }, false)).toMatchObject({ ok: true });
});
