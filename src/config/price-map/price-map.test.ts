import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUsd } from '../../domain/money.ts';
import { type MapEntry, type MapModel, readPriceMap } from './price-map.ts';

// Entries in the form of LiteLLM's model_prices_and_context_window.json, as its release 1.109.1 (November 2026) has them.

const CHAT = `"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 272000, "max_output_tokens": 128000`;
const PRICES = `"input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05`;

/** The one entry of a map that has these fields. */
function entryOf(fields: string, id = 'm'): MapEntry {
  const [entry] = readPriceMap(`{"sample_spec": {"litellm_provider": "one of many"}, "${id}": {${fields}}}`) ?? [];
  if (entry === undefined) throw new Error('the map has an entry');
  return entry;
}

function modelOf(fields: string, id?: string): MapModel {
  const entry = entryOf(fields, id);
  if (!entry.ok) throw new Error(entry.reason);
  return entry.model;
}

function reasonOf(fields: string, id?: string): string {
  const entry = entryOf(fields, id);
  return entry.ok ? 'none' : entry.reason;
}

test('a model of a price map has its exact prices, and room for what goes in and what comes out', () => {
  const fields = `${CHAT}, ${PRICES}, "cache_read_input_token_cost": 1.25e-07, "supports_reasoning": true`;
  expect(modelOf(fields, 'gpt-5')).toEqual({
    id: 'gpt-5',
    vendor: 'openai',
    upstreamModel: 'gpt-5',
    kind: 'chat',
    price: { input: '1.25', cached_input: '0.125', output: '10.00' },
    contextWindow: 400_000,
    maxOutput: 128_000,
    reasoning: true,
  });
});

test('a model of a price map has tiers, each with every price that differs from plain input and output', () => {
  const { price } = modelOf(`${CHAT},
      "input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05, "cache_read_input_token_cost": 3e-07,
      "cache_creation_input_token_cost": 3.75e-06, "cache_creation_input_token_cost_above_1hr": 6e-06,
      "input_cost_per_token_above_200k_tokens": 6e-06, "output_cost_per_token_above_200k_tokens": 2.25e-05,
      "cache_creation_input_token_cost_above_200k_tokens": 7.5e-06,
      "cache_creation_input_token_cost_above_1hr_above_200k_tokens": 1.2e-05,
      "input_cost_per_token_above_128k_tokens": 4e-06`);
  expect(price).toEqual({
    input: '3.00',
    cached_input: '0.30',
    cache_write_5m: '3.75',
    cache_write_1h: '6.00',
    output: '15.00',
    tiers: [
      {
        above_input_tokens: 128_000,
        input: '4.00',
        cached_input: '0.30',
        cache_write_5m: '3.75',
        cache_write_1h: '6.00',
        output: '15.00',
      },
      {
        above_input_tokens: 200_000,
        input: '6.00',
        cached_input: '0.30',
        cache_write_5m: '7.50',
        cache_write_1h: '12.00',
        output: '22.50',
      },
    ],
  });
});

test('a model of a price map may have its tiers as a list of ranges', () => {
  const { price } = modelOf(`${CHAT}, "tiered_pricing": [
      {"range": [32000, 128000], "input_cost_per_token": 2.4e-06, "output_cost_per_token": 1.2e-05},
      {"range": [0, 32000.0], "input_cost_per_token": 1.2e-06, "output_cost_per_token": 6e-06}]`);
  expect(price).toEqual({
    input: '1.20',
    output: '6.00',
    tiers: [{ above_input_tokens: 32_000, input: '2.40', output: '12.00' }],
  });
});

test('a model of a price map has audio apart, writes for an hour as others where unpriced, and no other speeds', () => {
  const { price } = modelOf(`${CHAT}, ${PRICES}, "input_cost_per_audio_token": 4e-05,
      "output_cost_per_audio_token": 8e-05, "cache_creation_input_token_cost": 1.25e-05,
      "input_cost_per_token_flex": 1, "input_cost_per_token_above_272k_tokens_priority": 2, "output_cost_per_token_batches": 3,
      "search_context_cost_per_query": {"search_context_size_low": 0.01}, "output_cost_per_reasoning_token": 1e-05`);
  expect(price).toEqual({
    input: '1.25',
    cache_write_5m: '12.50',
    cache_write_1h: '12.50',
    audio_input: '40.00',
    output: '10.00',
    audio_output: '80.00',
  });
});

test('a model of a price map for embeddings has no output', () => {
  const fields =
    '"litellm_provider": "openai", "mode": "embedding", "max_input_tokens": 8191, "input_cost_per_token": 2e-08, "output_cost_per_token": 0.0';
  expect(modelOf(fields)).toMatchObject({
    kind: 'embedding',
    price: { input: '0.02' },
    contextWindow: 8191,
    maxOutput: null,
  });
  expect(modelOf(fields).price).not.toHaveProperty('output');
});

test('a model of a price map is known to its vendor without the name of the vendor before it', () => {
  const fields = `${CHAT.replace('openai', 'together_ai')}, ${PRICES}`;
  expect(modelOf(fields, 'together_ai/org/model')).toMatchObject({ upstreamModel: 'org/model' });
  expect(modelOf(fields, 'org/model')).toMatchObject({ upstreamModel: 'org/model' });
});

test('any price comes out as it went in, to the last nano-USD, and nothing is rounded', () => {
  const nanoPerMillion = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(nanoPerMillion, fc.integer({ min: 0, max: 6 }), fc.boolean(), (nano, below, asDecimal) => {
      // The price in USD per token is nano × 1e-15; digits below that can't be charged.
      const digits = `${nano}${'3'.repeat(below)}`;
      const scientific = `${digits}e-${15 + below}`;
      const padded = digits.padStart(16 + below, '0');
      const decimal = `${padded.slice(0, -15 - below).replace(/^0+(?=\d)/, '')}.${padded.slice(-15 - below)}`;
      const entry = entryOf(
        `${CHAT}, "input_cost_per_token": ${asDecimal ? decimal : scientific}, "output_cost_per_token": 1e-05`,
      );
      if (below > 0) expect(entry).toMatchObject({ ok: false, reason: expect.stringContaining('is not exact') });
      else expect(entry).toMatchObject({ ok: true, model: { price: { input: formatUsd(nano) } } });
    }),
  );
});

test.each([
  [`${CHAT}, "output_cost_per_token": 1e-05`, 'its price for input is not known'],
  [`${CHAT}, "input_cost_per_token": 1e-05`, 'its price for output is not known'],
  [
    `${CHAT}, "input_cost_per_token": 0.0, "output_cost_per_token": 0`,
    expect.stringMatching(/^it costs nothing there/),
  ],
  [`${CHAT}, ${PRICES.replace('1e-05', '"1e-05"')}`, 'output_cost_per_token is not a number'],
  [`${CHAT}, ${PRICES.replace('1e-05', '-1e-05')}`, 'output_cost_per_token is out of range'],
  [`${CHAT}, ${PRICES.replace('1e-05', '1e3')}`, 'output_cost_per_token is out of range'],
  [
    `${CHAT}, ${PRICES.replace('1e-05', '2.0999999999999998e-07')}`,
    'output_cost_per_token is 2.0999999999999998e-07, which is not exact to the nano-USD per million',
  ],
  [
    `${CHAT}, ${PRICES}, "output_cost_per_reasoning_token": 4e-05`,
    "it has a price that the config file can't say (output_cost_per_reasoning_token)",
  ],
  [
    `${CHAT}, ${PRICES}, "input_cost_per_request": 0.005`,
    "it has a price that the config file can't say (input_cost_per_request)",
  ],
  [
    `${CHAT}, ${PRICES}, "cache_read_input_token_cost": 1e-07, "input_cost_per_token_cache_hit": 2e-07`,
    'it says two prices for the same tokens',
  ],
  [
    `${CHAT}, ${PRICES}, "cache_creation_input_token_cost": 1e-06, "cache_creation_input_token_cost_above_1hr": 2e-06, "cache_creation_input_token_cost_above_200k_tokens": 3e-06`,
    'its price for an hour in the cache is not known for long input',
  ],
  [`${CHAT}, "tiered_pricing": [{"range": ["0", 9], "input_cost_per_token": 1}]`, 'its price tiers are unreadable'],
  [`${CHAT.replace('"max_input_tokens": 272000,', '')}, ${PRICES}`, 'its max_input_tokens is not known'],
  [`${CHAT.replace('128000', '"many"')}, ${PRICES}`, 'its max_output_tokens is not known'],
  [`${CHAT.replace('"chat"', '"responses"')}, ${PRICES}`, 'it is for "responses", not chat or embeddings'],
  ['"litellm_provider": "openai"', 'it is for nothing that it names, not chat or embeddings'],
])('what can not be said exactly is not said, and why it is not: %s', (fields, reason) => {
  expect(reasonOf(fields)).toEqual(reason);
});

test('a model that can not be said exactly by its name is left out, and why is said', () => {
  const fields = `${CHAT}, ${PRICES}, "search_context_cost_per_query": {"search_context_size_low": 0.005}`;
  expect(reasonOf(fields, 'perplexity/sonar-pro')).toBe('it charges for searches too');
  expect(reasonOf(fields, 'gpt-5')).toBe('none');
  expect(reasonOf(`${CHAT}, ${PRICES}`, 'a model with blanks')).toBe('its name is no id of a model here');
});

test('prices of zero do not keep a model out', () => {
  expect(reasonOf(`${CHAT}, ${PRICES}, "input_cost_per_request": 0.0, "output_cost_per_image": null`)).toBe('none');
});

test.each(['', 'no JSON', '[]', '{}', '{"m": 1}', '{"m": {"input_cost_per_token": 1}}'])(
  'JSON that is no price map is refused: %j',
  (text) => {
    expect(readPriceMap(text)).toBeNull();
  },
);

test('no JSON whatever makes anything but entries with a model or a reason', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (fields, price) => {
      const entry = {
        litellm_provider: 'x',
        mode: 'chat',
        ...fields,
        input_cost_per_token: price,
        tiered_pricing: price,
      };
      for (const read of readPriceMap(JSON.stringify({ entry })) ?? []) {
        expect(read.ok || read.reason.length > 0).toBe(true);
      }
    }),
  );
});
