import { expect, test } from 'vitest';
import type { Model } from '../../../domain/model.ts';
import { messagesModels } from './models-list.ts';

const model = (id: string): Model =>
  ({ id, createdAtMs: 1_700_000_000_000, terms: { contextWindow: 100, maxOutput: 40 } }) as Model;
const listed = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2023-11-14T22:13:20.000Z',
  max_input_tokens: 100,
  max_tokens: 40,
});

test.each([
  [[], null, null],
  [['a'], 'a', 'a'],
  [['a', 'b', 'c'], 'a', 'c'],
])('models are listed in one page, as Anthropic’s API lists them: %j', (ids, first, last) => {
  expect(messagesModels(ids.map(model))).toEqual({
    data: ids.map(listed),
    has_more: false,
    first_id: first,
    last_id: last,
  });
});
