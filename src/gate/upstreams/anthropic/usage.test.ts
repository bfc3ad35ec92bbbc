import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUsage } from '../../openai/usage.ts';
import { chatUsage, laterUsage } from './usage.ts';

const count = fc.nat(1_000_000);

/** Usage as the API reports it, with the expected classes of tokens. */
const reported = fc
  .record({
    input: count,
    read: count,
    written5m: count,
    written1h: count,
    output: count,
    thinking: count,
    isSplit: fc.boolean(),
  })
  .map((counts) => ({
    counts,
    usage: {
      input_tokens: counts.input,
      cache_read_input_tokens: counts.read,
      cache_creation_input_tokens: counts.written5m + counts.written1h,
      cache_creation: counts.isSplit
        ? { ephemeral_5m_input_tokens: counts.written5m, ephemeral_1h_input_tokens: counts.written1h }
        : null,
      output_tokens: counts.output,
      output_tokens_details: { thinking_tokens: Math.min(counts.thinking, counts.output) },
    },
  }));

test('every token of Anthropic’s usage is in exactly one class, and the totals are their sums', () => {
  fc.assert(
    fc.property(reported, ({ counts, usage }) => {
      const chat = chatUsage(usage);
      const { input, read, written5m, written1h, output, isSplit } = counts;
      const written = written5m + written1h;
      fc.pre(input + read + written + output > 0);
      expect(chat?.prompt_tokens).toBe(input + read + written);
      expect(chat?.total_tokens).toBe(input + read + written + output);
      expect(chat?.completion_tokens_details.reasoning_tokens).toBeLessThanOrEqual(output);
      expect(readUsage(chat)).toEqual({
        input,
        cached_input: read,
        cache_write_5m: isSplit ? written5m : written,
        cache_write_1h: isSplit ? written1h : 0,
        audio_input: 0,
        output,
        audio_output: 0,
      });
    }),
  );
});

test('work besides the answer counts, work within it is in the totals already', () => {
  const iteration = (type: string, input: number, output: number) => ({
    type,
    input_tokens: input,
    output_tokens: output,
  });
  const usage = {
    input_tokens: 682,
    output_tokens: 1_320,
    iterations: [
      iteration('compaction', 60_385, 592),
      iteration('advisor_message', 100, 10),
      iteration('message', 682, 1_320),
    ],
  };
  expect(chatUsage(usage)).toMatchObject({ prompt_tokens: 61_167, completion_tokens: 1_922 });
  const fallback = [iteration('message', 408, 0), iteration('fallback_message', 412, 264)];
  expect(chatUsage({ input_tokens: 412, output_tokens: 264, iterations: fallback })).toMatchObject({
    prompt_tokens: 412,
  });
});

test('a later report of usage takes the place of what it names, and leaves the rest', () => {
  const start = {
    input_tokens: 43,
    output_tokens: 1,
    cache_read_input_tokens: 7,
    cache_creation: { ephemeral_1h_input_tokens: 3 },
  };
  const later = laterUsage(start, { input_tokens: 61, output_tokens: 9, cache_read_input_tokens: null });
  expect(chatUsage(later)).toMatchObject({
    prompt_tokens: 61 + 7 + 3,
    completion_tokens: 9,
    prompt_tokens_details: { cached_tokens: 7, cache_write_tokens: 3, cache_write_1h_tokens: 3 },
  });
  expect(laterUsage(start, undefined)).toBe(start);
});

test.each<[string, object]>([
  ['no counts', {}],
  ['no output', { input_tokens: 1 }],
  ['a negative count', { input_tokens: -1, output_tokens: 1 }],
  ['a fraction', { input_tokens: 1, output_tokens: 0.5 }],
  ['a text', { input_tokens: '1', output_tokens: 1 }],
  ['a wrong count besides', { input_tokens: 1, output_tokens: 1, iterations: [{ type: 'compaction' }] }],
])('a report that is no usage is estimated: %s', (_case, usage) => {
  expect(chatUsage(usage as Record<string, unknown>)).toBeNull();
});
