import fc from 'fast-check';
import { expect, test } from 'vitest';
import { preferUsage, readTimings, readUsage, type ReportedUsage } from './usage.ts';

const NOTHING: ReportedUsage = {
  input: 0,
  cached_input: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  audio_input: 0,
  output: 0,
  audio_output: 0,
};

test.each<[string, object, Partial<ReportedUsage>]>([
  ['the bare counts', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }, { input: 10, output: 5 }],
  [
    'details that are null',
    { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: null, completion_tokens_details: null },
    { input: 10, output: 5 },
  ],
  ['embeddings', { prompt_tokens: 8, total_tokens: 8 }, { input: 8 }],
  ['a total alone', { total_tokens: 8 }, { input: 8 }],
  [
    'cache reads inside the prompt',
    { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4 } },
    { input: 6, cached_input: 4, output: 5 },
  ],
  [
    'cache writes inside the prompt',
    { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 } },
    { input: 1, cached_input: 4, cache_write_5m: 5, output: 5 },
  ],
  [
    "an hour's share of the cache writes",
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 1, cache_write_tokens: 7, cache_write_1h_tokens: 4 },
    },
    { input: 2, cached_input: 1, cache_write_5m: 3, cache_write_1h: 4, output: 5 },
  ],
  [
    'sound inside prompt and completion',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { audio_tokens: 7 },
      completion_tokens_details: { audio_tokens: 4 },
    },
    { input: 3, audio_input: 7, output: 1, audio_output: 4 },
  ],
  [
    'DeepSeek',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_cache_hit_tokens: 8,
      prompt_cache_miss_tokens: 2,
    },
    { input: 2, cached_input: 8, output: 5 },
  ],
  [
    'Moonshot',
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 8 },
    { input: 2, cached_input: 8, output: 5 },
  ],
  [
    'xAI: reasoning beside the completion',
    {
      prompt_tokens: 12,
      completion_tokens: 2,
      total_tokens: 354,
      completion_tokens_details: { reasoning_tokens: 340 },
    },
    { input: 12, output: 342 },
  ],
  [
    'xAI: cache reads beside the prompt',
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_tokens_details: { cached_tokens: 40 } },
    { input: 10, cached_input: 40, output: 5 },
  ],
  [
    'the same, the total with them',
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 55, prompt_tokens_details: { cached_tokens: 40 } },
    { input: 10, cached_input: 40, output: 5 },
  ],
  [
    'the same, reasoning beside the completion',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 22,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 7 },
    },
    { input: 10, cached_input: 40, output: 12 },
  ],
  [
    'the same, the total with all of it',
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 62, prompt_tokens_details: { cached_tokens: 40 } },
    { input: 10, cached_input: 40, output: 12 },
  ],
  [
    'reasoning inside the completion',
    {
      prompt_tokens: 10,
      completion_tokens: 50,
      total_tokens: 60,
      completion_tokens_details: { reasoning_tokens: 40 },
    },
    { input: 10, output: 50 },
  ],
  ['a total that is too small', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 3 }, { input: 10, output: 5 }],
  [
    'Groq, with its times',
    {
      queue_time: 0.1,
      prompt_tokens: 10,
      prompt_time: 0.002,
      completion_tokens: 5,
      total_tokens: 15,
      total_time: 0.4,
    },
    { input: 10, output: 5 },
  ],
])('usage in disjoint classes: %s', (_what, reported, expected) => {
  expect(readUsage(reported)).toEqual({ ...NOTHING, ...expected });
});

test.each([
  null,
  undefined,
  [],
  'usage',
  {},
  { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  { prompt_tokens: -1, completion_tokens: 5 },
  { prompt_tokens: 1.5, completion_tokens: 5 },
  { prompt_tokens: '10', completion_tokens: 5 },
  { prompt_tokens: 10, completion_tokens: 400_000_001 },
  { prompt_tokens: 2 ** 31, completion_tokens: 5 },
  { prompt_tokens: 10, completion_tokens: 5, total_tokens: 1e300 },
  { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: -4 } },
  { completion_tokens: 5 },
  { completion_tokens: 5, total_tokens: 3 },
])('usage in disjoint classes is none where nothing credible was reported: %j', (reported) => {
  expect(readUsage(reported)).toBeNull();
});

test('usage in disjoint classes is never negative, and counts no token of prompt or completion twice', () => {
  const count = fc.option(fc.nat(1000), { nil: undefined });
  const usage = fc.record({
    prompt_tokens: fc.nat(1000),
    completion_tokens: fc.nat(1000),
    total_tokens: count,
    prompt_tokens_details: fc.record({ cached_tokens: count, cache_write_tokens: count, audio_tokens: count }),
    completion_tokens_details: fc.record({ reasoning_tokens: count, audio_tokens: count }),
  });
  fc.assert(
    fc.property(usage, (reported) => {
      const read = readUsage(reported) ?? NOTHING;
      for (const tokens of Object.values(read)) expect(tokens).toBeGreaterThanOrEqual(0);
      const { prompt_tokens: prompt, total_tokens: total = 0, completion_tokens: completion } = reported;
      const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = reported.prompt_tokens_details;
      const input = read.input + read.cached_input + read.cache_write_5m + read.audio_input;
      expect(input).toBe(cached + written > prompt ? prompt + cached + written : prompt);
      expect(read.output + read.audio_output).toBeGreaterThanOrEqual(completion);
      expect(read.output + read.audio_output).toBeLessThanOrEqual(Math.max(completion, total - prompt));
    }),
  );
});

test('an hour’s cache writes are a part of all writes, whatever is said of them', () => {
  const details = { cached_tokens: 0, cache_write_tokens: 30, cache_write_1h_tokens: 50 };
  expect(readUsage({ prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: details })).toMatchObject({
    input: 70,
    cache_write_5m: 0,
    cache_write_1h: 30,
  });
});

test('llama.cpp’s timings of nothing report nothing', () => {
  expect(readTimings({ prompt_n: 0, cache_n: 0, predicted_n: 0 })).toBeNull();
});

test('llama.cpp’s timings stand in for usage', () => {
  expect(readTimings({ cache_n: 236, prompt_n: 1, predicted_n: 35, prompt_ms: 30.9 })).toEqual({
    ...NOTHING,
    input: 1,
    cached_input: 236,
    output: 35,
  });
  expect(readTimings({ prompt_n: 3, predicted_n: 35 })).toEqual({ ...NOTHING, input: 3, output: 35 });
  expect([readTimings({ prompt_n: -1, predicted_n: 3 }), readTimings({ prompt_n: 1 }), readTimings(null)]).toEqual([
    null,
    null,
    null,
  ]);
});

const small = { ...NOTHING, input: 5, output: 1 };
const large = { ...NOTHING, input: 5, output: 9 };

test('of several reports of usage the later one counts, unless it says less', () => {
  expect(preferUsage(null, small, false)).toBe(small);
  expect(preferUsage(small, large, false)).toBe(large);
  expect(preferUsage(large, small, false)).toBe(large);
  const asLarge = { ...large, input: 4, cached_input: 1 };
  expect(preferUsage(large, asLarge, false)).toBe(asLarge);
  expect(preferUsage(large, null, false)).toBe(large);
});

test('of several reports of usage a usage-only chunk has the last word', () => {
  expect(preferUsage(large, small, true)).toBe(small);
});
