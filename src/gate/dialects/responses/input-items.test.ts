import { expect, test } from 'vitest';
import type { ListedInput } from '../dialect.ts';
import { listInputItems } from './input-items.ts';

function inputOf(requestId: string, ...items: unknown[]): ListedInput {
  const text = items.map((item) => JSON.stringify(item)).join(',');
  return { requestId, pieces: [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))] };
}

function list(inputs: readonly ListedInput[], query = '') {
  const result = listInputItems(inputs, new URLSearchParams(query));
  if (!result.ok) return `${result.fault.param}: ${result.fault.message}`;
  return JSON.parse(result.body.toString()) as { data: unknown[] };
}

const call = (n: number) => ({ type: 'function_call', id: `fc_${n}` });
const CALLS = [inputOf('a', ...[1, 2, 3].map(call)), inputOf('b'), inputOf('c', ...[4, 5].map(call))];

test.each([
  ['', [5, 4, 3, 2, 1], false],
  ['order=desc&limit=5', [5, 4, 3, 2, 1], false],
  ['limit=100&order=asc', [1, 2, 3, 4, 5], false],
  ['limit=1', [5], true],
  ['limit=4&order=asc', [1, 2, 3, 4], true],
  ['limit=2&order=asc&after=fc_1', [2, 3], true],
  ['limit=2&order=asc&after=fc_3', [4, 5], false],
  ['limit=2&after=fc_3', [2, 1], false],
  ['after=fc_1', [], false],
])('a page has what follows in its order: %s', (query, numbers, hasMore) => {
  const [first, last] = [numbers[0], numbers.at(-1)].map((n) => (n === undefined ? null : `fc_${n}`));
  const data = numbers.map(call);
  expect(list(CALLS, query)).toEqual({ object: 'list', data, first_id: first, last_id: last, has_more: hasMore });
});

test('a page has twenty items unless another number is named', () => {
  const many = [inputOf('a', ...Array.from({ length: 21 }, (_, n) => call(n)))];
  expect(list(many)).toMatchObject({ data: { length: 20 }, has_more: true });
  expect(list(many, 'limit=21')).toMatchObject({ data: { length: 21 }, has_more: false });
});

const LIMIT = "limit: 'limit' must be a whole number from 1 to 100.";
const AFTER = "after: 'after' must be the id of an item of this list.";

test.each([
  ['limit=0', LIMIT],
  ['limit=101', LIMIT],
  ['limit=1000', LIMIT],
  ['limit=1x', LIMIT],
  ['limit=x1', LIMIT],
  ['limit=', LIMIT],
  ['order=up', "order: 'order' must be asc or desc."],
  ['after=fc_9', AFTER],
  ['after=', AFTER],
])('a page that can’t be found is refused: %s', (query, message) => {
  expect(list(CALLS, query)).toBe(message);
});

test('an item without an id has one of its request and its place there, in every list', () => {
  const inputs = [
    inputOf('0a-1b-2c', { type: 'reasoning', id: 5 }, { type: 'reasoning', id: '' }, { type: 'reasoning' }),
    inputOf('3d', { type: 'reasoning', id: 'x'.repeat(2_000) }, { type: 'reasoning', x: { id: 'no' } }),
  ];
  const ids = ['item_0a1b2c_0', 'item_0a1b2c_1', 'item_0a1b2c_2', 'item_3d_0', 'item_3d_1'];
  expect(list(inputs, 'order=asc')).toMatchObject({ data: ids.map((id) => ({ id })) });
  expect(list(inputs, 'after=item_3d_0&limit=1')).toMatchObject({ data: [{ type: 'reasoning', id: ids[2] }] });
  expect(list([inputOf('a', 5)])).toMatchObject({ data: [5], first_id: 'item_a_0' });
});

test.each([
  [{ role: 'user', content: 'hi' }, { content: [{ type: 'input_text', text: 'hi' }] }],
  [
    { type: 'message', role: 'assistant', content: 'hi', status: 'incomplete' },
    { content: [{ type: 'output_text', text: 'hi', annotations: [], logprobs: [] }] },
  ],
  [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], id: 'msg_1' }, {}],
])('a message in a list has all of its members: %j', (item, expected) => {
  const id = { id: 'item_a_0' };
  expect(list([inputOf('a', item)])).toMatchObject({
    data: [{ type: 'message', status: 'completed', ...id, ...item, ...expected }],
  });
});
