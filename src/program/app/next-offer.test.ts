import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelConfig } from '../../config/config.ts';
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from '../../gate/upstreams/sandbox/models.ts';
import { keepingMost } from './next-offer.ts';
import type { Offer } from './offer.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const ids = fc.subarray(IDS);

/** Each at a provider of its own name. */
const [template] = SANDBOX_MODELS;
const model = (id: string): ModelConfig => ({
  ...(template as ModelConfig),
  id,
  routes: [{ provider: id, upstreamModel: id, weight: 1 }],
});

function offer(
  models: readonly string[],
  kept: readonly string[] = [],
  isConfigured = true,
  stored: readonly string[] = [],
): Offer {
  return {
    models: models.map(model),
    kept: kept.map(model),
    providers: [...models, ...kept].map((name) => ({ ...SANDBOX_PROVIDER, name })),
    isConfigured,
    file: { providers: [], models: [] },
    stored,
    problems: [],
    mark: '',
    found: { servers: [], unusedKeys: [] },
  };
}

const namesOf = (models: readonly { readonly id: string }[]): readonly string[] => models.map(({ id }) => id);

test('most of what is sold stays, with its providers, whatever is added; less than that goes', () => {
  fc.assert(
    fc.property(ids, ids, ids, ids, (before, keptBefore, after, active) => {
      const kept = keptBefore.filter((id) => !before.includes(id));
      const sold = [...before, ...kept].filter((id) => active.includes(id));
      const lost = sold.filter((id) => !after.includes(id));
      const next = keepingMost(offer(before, kept), offer([...after, 'new']), new Set(active));
      expect(namesOf(next.models)).toEqual([...after, 'new']);
      expect(namesOf(next.kept)).toEqual(lost.length > sold.length / 2 ? lost : []);
      const providers = next.providers.map(({ name }) => name);
      expect(providers).toEqual([...after, 'new', ...namesOf(next.kept)]);
    }),
  );
});

test('the sandbox that is sold without a file makes room for any file', () => {
  expect(keepingMost(offer(['a', 'b'], [], false), offer(['c']), new Set(['a', 'b'])).kept).toEqual([]);
});

test('a model that an operator has removed from the database is not kept, however few are left', () => {
  const running = offer(['a', 'b', 'c'], [], true, ['a', 'b']);
  expect(keepingMost(running, offer(['c']), new Set(['a', 'b', 'c'])).kept).toEqual([]);
  expect(namesOf(keepingMost(running, offer([]), new Set(['a', 'c'])).kept)).toEqual([]);
  expect(namesOf(keepingMost(running, offer([]), new Set(['c'])).kept)).toEqual(['c']);
});
