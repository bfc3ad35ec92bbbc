import { expect, test } from 'vitest';
import { echoIn, readKeptAnswer, type Echo } from './response-entry.ts';

const KEPT: Echo = { isKept: true, isWished: true, previous: 'resp_0' };
const PLAIN: Echo = { isKept: false, isWished: false, previous: null };
const MESSAGE = { type: 'message', id: 'msg_1', content: [] };

function entryOf(answer: unknown) {
  return readKeptAnswer(Buffer.from(JSON.stringify(answer)), [], PLAIN).entry;
}

/** The items that are kept of an answer, as a list. */
function keptOf(...output: unknown[]) {
  const entry = entryOf({ id: 'resp_1', output });
  const items = entry?.outputItems.map(({ id, start, length }) => {
    const text = entry.output.toString('utf8', start, start + length);
    return [id, text === '' ? null : (JSON.parse(text) as unknown)];
  });
  return { kept: JSON.parse(`[${entry?.output.toString()}]`) as unknown, items };
}

test('an answer is kept with what holds here, and what it says if it could not be kept is known', () => {
  const text = '{"id":"resp_1","store":false,"x":{"store":1},"previous_response_id":null,"output":[]}';
  const input = [Buffer.from('{"role":"user"}')];
  const sent = text.replace('"store":false', '"store":true').replace(':null', ':"resp_0"');
  const { answer, unkept, entry } = readKeptAnswer(Buffer.from(text), input, KEPT);
  expect([answer, unkept()].map(String)).toEqual([sent, text.replace(':null', ':"resp_0"')]);
  expect(entry).toEqual({
    responseId: 'resp_1',
    input,
    output: Buffer.from(''),
    outputItems: [],
    response: Buffer.from(sent),
  });
});

test.each([
  [PLAIN, '{"store":false,"previous_response_id":null}', null],
  [PLAIN, '{"store":true,"previous_response_id":"resp_up"}', null],
  [
    { ...PLAIN, isWished: true },
    '{"store":true,"previous_response_id":"resp_up"}',
    '{"store":false,"previous_response_id":"resp_up"}',
  ],
  [
    { ...PLAIN, previous: 'resp_0' },
    '{"store":true,"previous_response_id":null}',
    '{"store":true,"previous_response_id":"resp_0"}',
  ],
  [
    { ...KEPT, previous: null },
    '{"previous_response_id":null,"store":false}',
    '{"previous_response_id":null,"store":true}',
  ],
  [KEPT, '{"output":[]}', '{"store":true,"previous_response_id":"resp_0","output":[]}'],
  [KEPT, '{ "store":false}', '{"previous_response_id":"resp_0", "store":true}'],
  [KEPT, '{}', null],
  [PLAIN, '{"output":[]}', null],
  [{ ...PLAIN, isWished: true }, '{"output":[]}', null],
  [KEPT, '[{"store":false}]', null],
  [KEPT, '{"store":false', null],
])(
  'an answer says of its request what holds here, also where the provider says nothing of it: %j %s',
  (echo, text, expected) => {
    expect(echoIn(Buffer.from(text), echo).toString()).toBe(expected ?? text);
    const { unkept } = readKeptAnswer(Buffer.from(text), [], { ...echo, previous: null });
    const isRead = text.endsWith('}') && text.includes('"store"');
    expect(unkept().toString()).toBe(isRead ? text.replace('"store":true', '"store":false') : text);
  },
);

test.each([
  [{ output: [] }],
  [{ id: 'resp_1' }],
  [{ id: 'resp_1', output: {} }],
  [{ id: 5, output: [] }],
  [{ id: '', output: [] }],
  [{ id: 'resp 1', output: [] }],
  [{ id: 'résp', output: [] }],
  [{ id: 'a\n', output: [] }],
  [{ id: 'x'.repeat(257), output: [] }],
  [{ id: 'x'.repeat(2_000), output: [] }],
])('an answer that can’t be found again by an id is not kept: %j', (answer) => {
  expect(entryOf(answer)).toBeNull();
  expect(readKeptAnswer(Buffer.from('{"id":"resp_1","output":[]'), [], PLAIN).entry).toBeNull();
});

test('the longest id is kept', () => {
  expect(entryOf({ output: [], id: 'x'.repeat(256) })?.responseId).toBe('x'.repeat(256));
  expect(entryOf({ output: [], id: '!~' })?.responseId).toBe('!~');
});

test('items are kept one behind the other, each where it is said to stand', () => {
  const call = { type: 'function_call', id: 'fc_1', x: { id: 'no' } };
  const unnamed = { type: 'message', content: [], id: 'no id' };
  expect(keptOf(MESSAGE, unnamed, 5, call)).toEqual({
    kept: [MESSAGE, unnamed, 5, call],
    items: [
      ['msg_1', MESSAGE],
      ['fc_1', call],
    ],
  });
});

const reasoning = (fields: object) => ({ type: 'reasoning', id: 'rs_1', summary: ['a'], ...fields });

test.each([
  [reasoning({}), false],
  [reasoning({ content: [] }), false],
  [reasoning({ encrypted_content: null, content: null }), false],
  [reasoning({ content: {} }), false],
  [reasoning({ other: 'text' }), false],
  [reasoning({ encrypted_content: '' }), true],
  [reasoning({ encrypted_content: 'gAAAA', content: [] }), true],
  [reasoning({ content: [{}] }), true],
  [{ ...MESSAGE, content: null }, true],
  [{ id: 'rs_1', type: 5 }, true],
])('reasoning that its provider alone could look up is not sent again: %j', (item, isKept) => {
  const id = item.id;
  expect(keptOf(item)).toEqual({ kept: isKept ? [item] : [], items: [[id, isKept ? item : null]] });
  expect(keptOf(MESSAGE, item, MESSAGE)).toEqual({
    kept: isKept ? [MESSAGE, item, MESSAGE] : [MESSAGE, MESSAGE],
    items: [
      ['msg_1', MESSAGE],
      [id, isKept ? item : null],
      ['msg_1', MESSAGE],
    ],
  });
});
