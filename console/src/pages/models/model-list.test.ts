import { expect, test } from 'vitest';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { listedModels, type ModelSearch } from './model-list.ts';

// Which models the list shows.

const model = (id: string, inputNano: string, given: Partial<ModelJson> = {}): ModelJson => ({
  id,
  kind: 'chat',
  context_window: 1_000,
  max_output: 100,
  media: { image_tokens: null, audio_tokens: null, file_tokens: null },
  reasoning: false,
  sells_audio: false,
  on_sale: true,
  retired_at: null,
  price: {
    version: 1,
    tiers: [
      {
        above_input_tokens: 0,
        rates: [
          { class: 'input', rate_nano_usd: inputNano, rate_usd: '' },
          { class: 'cached_input', rate_nano_usd: '5', rate_usd: '' },
        ],
      },
    ],
    service_tiers: [],
    fees: [],
    adjustment: null,
    from: '2026-11-01T00:00:00.000Z',
    to: null,
  },
  history: [],
  ...given,
});

const MODELS = [
  model('big/chat', '9007199254740993'),
  model('small/chat', '5', { context_window: 9_000, sells_audio: true }),
  model('big/thinker', '9007199254740992', { reasoning: true }),
  model('small/embedding', '4', { kind: 'embedding' }),
  model('big/former', '7', { on_sale: false, reasoning: null }),
];

const listed = (search: ModelSearch): readonly string[] => listedModels(MODELS, search).map(({ id }) => id);

test('models on sale stand in the order of their ids, and those that were on sale apart', () => {
  expect(listed({})).toEqual(['big/chat', 'big/thinker', 'small/chat', 'small/embedding']);
  expect(listed({ former: 'true' })).toEqual(['big/former']);
});

test('a search finds every model that has each typed word in its id, in any case', () => {
  expect(listed({ search: 'CHAT big' })).toEqual(['big/chat']);
  expect(listed({ search: 'nothing' })).toEqual([]);
});

test('kinds and capabilities narrow the list together', () => {
  expect(listed({ kind: 'embedding' })).toEqual(['small/embedding']);
  expect(listed({ capability: 'reasoning' })).toEqual(['big/thinker']);
  expect(listed({ capability: 'caching' })).toEqual(['big/chat', 'big/thinker']);
  expect(listed({ capability: 'audio' })).toEqual(['small/chat']);
  expect(listed({ capability: 'reasoning', kind: 'embedding' })).toEqual([]);
});

test('prices are ordered to the nano-dollar, and context windows by size', () => {
  expect(listed({ sort: 'input', direction: 'desc' })).toEqual([
    'big/chat',
    'big/thinker',
    'small/chat',
    'small/embedding',
  ]);
  expect(listed({ sort: 'input' }).at(-1)).toBe('big/chat');
  expect(listed({ sort: 'context', direction: 'desc' })[0]).toBe('small/chat');
});
