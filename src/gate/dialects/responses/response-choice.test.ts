import { expect, test } from 'vitest';
import type { Choice } from '../../openai/chat-choices.ts';
import { RESPONSE_CHOICE } from './response-choice.ts';

// The choice of a response in chat's terms: whole, and in each way that clients read its stream.

const part = (text: string) => ({ annotations: [], text, type: 'output_text' });
const message = (...content: readonly object[]) => ({ type: 'message', role: 'assistant', content });
const SAID: Choice = { content: '{}', isInParts: false, calls: [], isRefusal: false, finishReason: 'stop' };

const ofAnswer = (output: readonly object[], more: object = {}): Choice =>
  RESPONSE_CHOICE.ofAnswer(Buffer.from(JSON.stringify({ status: 'completed', ...more, output })));

function ofStream(...events: readonly object[]): readonly Choice[] {
  const gatherer = RESPONSE_CHOICE.ofStream();
  for (const event of events) gatherer.add(Buffer.from(JSON.stringify(event)));
  return gatherer.choices();
}

test.each<[string, readonly object[], object, Partial<Choice>]>([
  ['its text', [message(part('{}'))], {}, {}],
  [
    'its text alone beside what it thought and searched',
    [
      {
        type: 'reasoning',
        content: [{ type: 'reasoning_text', text: 'hm' }],
        summary: [{ type: 'summary_text', text: 'hm' }],
      },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      message(part('{}')),
    ],
    {},
    {},
  ],
  [
    'texts of several items together, and that they are several',
    [message(part('{')), message(part('}'))],
    {},
    { isInParts: true },
  ],
  ['texts of several parts likewise', [message(part('{'), part('}'))], {}, { isInParts: true }],
  [
    'a text that is null as one of several',
    [message({ type: 'output_text', text: null }, part('{}'))],
    {},
    { isInParts: true },
  ],
  ['nothing', [{ type: 'reasoning', summary: [] }], {}, { content: null }],
  [
    'that it was cut off',
    [message(part('{}'))],
    { status: 'incomplete', incomplete_details: { reason: 'x' } },
    { finishReason: 'length' },
  ],
  ['that it refuses', [message({ type: 'refusal', refusal: 'No.' })], {}, { content: null, isRefusal: true }],
  [
    'a call',
    [{ type: 'function_call', name: 'f', arguments: '{"a":1}' }],
    {},
    { content: null, calls: [{ name: 'f', arguments: '{"a":1}' }] },
  ],
  [
    'a call of a tool of another kind',
    [{ type: 'custom_tool_call', name: 'p', input: 'x' }],
    {},
    { content: null, calls: [{ name: 'p', arguments: '' }] },
  ],
  [
    'no call of a tool that its provider has run',
    [{ type: 'mcp_call', name: 'm', arguments: '{}' }],
    {},
    { content: null },
  ],
  ['no text of what is no message', [{ type: 'of_next_year', content: [part('{}')] }], {}, { content: null }],
])('a whole response says %s', (_what, output, more, said) => {
  expect(ofAnswer(output, more)).toEqual({ ...SAID, ...said });
});

const delta = (text: string) => ({ type: 'response.output_text.delta', delta: text });
const done = (item: object) => ({ type: 'response.output_item.done', item });
const end = (output: readonly object[], status = 'completed') => ({
  type: `response.${status}`,
  response: { status, output },
});

test.each<[string, readonly object[]]>([
  ['pieces, items and end', [delta('{'), delta('}'), done(message(part('{}'))), end([message(part('{}'))])]],
  ['an end that is empty', [delta('{}'), done(message(part('{}'))), end([])]],
  ['pieces alone', [delta('{'), delta('}'), end([])]],
  ['its end alone', [end([message(part('{}'))])]],
  ['events whose type stands last', [{ item: message(part('{}')), type: 'response.output_item.done' }, end([])]],
])('a stream that agrees with itself says one thing: %s', (_what, events) => {
  expect(ofStream(...events)).toEqual([SAID]);
});

test('a stream that says it in several ways says each of them', () => {
  const said = ofStream(delta('{"a":1}'), done(message(part('{"a":2}'))), end([message(part('{"a":3}'))]));
  expect(said.map(({ content }) => content)).toEqual(['{"a":1}', '{"a":2}', '{"a":3}']);
});

test.each<[string, object]>([
  ['text', { type: 'response.output_text.done', text: '{"a":2}' }],
  ['part', { type: 'response.content_part.done', part: part('{"a":2}') }],
])('a %s as it is done is something that a stream says', (_what, event) => {
  const said = ofStream(delta('{}'), event, done(message(part('{}'))), end([message(part('{}'))]));
  expect(said.map(({ content }) => content)).toEqual(['{}', '{"a":2}']);
});

test('a stream says how its response ended, what it calls, and that it refuses', () => {
  expect(ofStream(delta('{'), end([message(part('{'))], 'incomplete'))).toMatchObject([{ finishReason: 'length' }]);
  expect(ofStream(done({ type: 'function_call', name: 'f', arguments: '' }), end([]))).toMatchObject([
    { content: null, calls: [{ name: 'f' }] },
  ]);
  expect(ofStream({ type: 'response.refusal.delta', delta: 'No.' }, end([]))).toMatchObject([{ isRefusal: true }]);
  expect(ofStream(done(message(part('{'), part('}'))), end([]))).toMatchObject([{ content: '{}', isInParts: true }]);
});

test.each([
  ['function_call', 1],
  ['custom_tool_call', 1],
  ['computer_call', 1],
  ['local_shell_call', 1],
  ['shell_call', 1],
  ['apply_patch_call', 1],
  ['mcp_approval_request', 1],
  ['web_search_call', 0],
])('an item of the type %s that its caller must answer is a call: %d', (type, calls) => {
  expect(
    ofAnswer([
      { type, name: 'f' },
      { type, name: 5 },
    ]).calls,
  ).toEqual(
    [
      { name: 'f', arguments: '' },
      { name: '', arguments: '' },
    ].slice(0, 2 * calls),
  );
});

test('what is no part, no item or no response says nothing', () => {
  const refused = message({ type: 'refusal', refusal: '' }, { type: 'refusal', refusal: null });
  const odd = [5, { type: 5, content: [part('a')] }, { type: 'message', content: 5 }, refused] as object[];
  expect(ofAnswer([...odd, message(5 as never, { type: 5, text: 'a' }, { text: 'b' })])).toEqual({
    ...SAID,
    content: null,
  });
  expect(ofAnswer([message(part('{}'))], { status: 5 })).toEqual(SAID);
  for (const body of ['5', '[]', '{"output":5}', '{"output":[{"type":"message","content":[{"type":"output_text"']) {
    expect(RESPONSE_CHOICE.ofAnswer(Buffer.from(body))).toEqual({ ...SAID, content: null });
  }
  const nothing = [5, [], { type: 5 }, { type: 'response.output_text.delta', delta: 5 }, { delta: 'a', text: 'b' }];
  const events = [...nothing, { type: 'response.output_item.done', item: 5 }, { type: 'response.completed' }];
  expect(
    ofStream(...(events as object[]), { type: 'response.created', response: { output: [message(part('a'))] } }),
  ).toEqual([{ ...SAID, content: null }]);
});

test('a refusal of one item is a refusal of the answer, however it ends', () => {
  const output = [message({ type: 'refusal', refusal: 'No.' }), message(part('{}'))];
  expect(ofAnswer(output)).toMatchObject({ isRefusal: true, content: '{}' });
  expect(ofStream(end(output))).toMatchObject([{ isRefusal: true }]);
  expect(ofStream(...output.map(done))).toMatchObject([{ isRefusal: true, finishReason: 'stop' }]);
});

test('calls of items and of the end are calls, and several texts of the end are several', () => {
  const call = (name: string) => ({ type: 'function_call', name, arguments: '{}' });
  const said = ofStream(done(call('f')), end([call('g'), message(part('{'), part('}'))]));
  expect(said).toEqual([
    {
      ...SAID,
      isInParts: true,
      calls: ['f', 'g'].map((name) => ({ name, arguments: '{}' })),
    },
  ]);
});
