import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ReportedUsage, readTimings, readUsage } from '../openai/usage.ts';
import { chatUsage } from './anthropic/usage.ts';
import { usageOf } from './gemini/usage.ts';
import { JsonView } from './json-view.ts';

// Whatever a provider of any kind reports, the charged counts are whole, never negative, and never more than reported.

/** A count as any server may send it: mostly one, of any size, or something that is none. */
const count = fc.oneof(
  { weight: 6, arbitrary: fc.nat(50) },
  { weight: 2, arbitrary: fc.nat(2 ** 32) },
  { weight: 1, arbitrary: fc.constantFrom(400_000_000, 400_000_001, 2 ** 31 - 1, 2 ** 31) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 0.5, 1e21, 2 ** 53, -(2 ** 31), '7', '', null, true, [], {}, [3]) },
);

/** An object with some of these names, each with a count. */
function some(...names: string[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(names.map((name) => [name, count])), { requiredKeys: [] });
}

/** Values that may be sent instead of an object of details. */
const noObject = fc.constantFrom(null, undefined, 3, 'x', [], [{}]);

const openAi = fc
  .tuple(
    some('prompt_tokens', 'completion_tokens', 'total_tokens', 'prompt_cache_hit_tokens', 'cached_tokens'),
    fc.oneof(some('cached_tokens', 'cache_write_tokens', 'cache_write_1h_tokens', 'audio_tokens'), noObject),
    fc.oneof(some('reasoning_tokens', 'audio_tokens'), noObject),
  )
  .map(([counts, input, output]) => ({ ...counts, prompt_tokens_details: input, completion_tokens_details: output }));

const cacheCreation = some('ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens');
const anthropicCounts = fc
  .tuple(
    some('input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'),
    fc.oneof(cacheCreation, noObject),
  )
  .map(([counts, creation]) => ({ ...counts, cache_creation: creation }));
const iteration = fc
  .tuple(fc.constantFrom('compaction', 'advisor_message', 'message'), anthropicCounts)
  .map(([type, counts]) => ({ type, ...counts }));
const anthropic = fc
  .tuple(anthropicCounts, fc.oneof(fc.array(iteration, { maxLength: 3 }), noObject), some('thinking_tokens'))
  .map(([counts, iterations, details]) => ({ ...counts, iterations, output_tokens_details: details }));

const modalities = fc.array(
  fc.tuple(fc.constantFrom('AUDIO', 'TEXT', 3), count).map(([modality, tokenCount]) => ({ modality, tokenCount })),
  { maxLength: 3 },
);
const gemini = fc
  .tuple(
    some(
      'promptTokenCount',
      'candidatesTokenCount',
      'thoughtsTokenCount',
      'toolUsePromptTokenCount',
      'totalTokenCount',
      'cachedContentTokenCount',
    ),
    fc.oneof(modalities, noObject),
    fc.oneof(modalities, noObject),
    fc.oneof(modalities, noObject),
  )
  .map(([counts, prompt, cache, candidates]) => ({
    ...counts,
    promptTokensDetails: prompt,
    cacheTokensDetails: cache,
    candidatesTokensDetails: candidates,
  }));

interface Reader {
  readonly reports: fc.Arbitrary<object>;
  readonly read: (report: object) => ReportedUsage | null;
  /** The most input and output that a report can be understood as. */
  readonly most: (counted: (...path: string[]) => number) => { input: number; output: number };
}

const READERS: Readonly<Record<string, Reader>> = {
  'OpenAI’s usage': {
    reports: openAi,
    read: readUsage,
    most: (counted) => {
      const cached = Math.max(
        counted('prompt_tokens_details', 'cached_tokens'),
        counted('prompt_cache_hit_tokens'),
        counted('cached_tokens'),
      );
      const prompt = Math.max(counted('prompt_tokens'), counted('total_tokens'));
      const reasoned = counted('completion_tokens') + counted('completion_tokens_details', 'reasoning_tokens');
      return {
        input: prompt + cached + counted('prompt_tokens_details', 'cache_write_tokens'),
        output: Math.max(reasoned, counted('total_tokens')),
      };
    },
  },
  'llama.cpp’s timings': {
    reports: some('prompt_n', 'cache_n', 'predicted_n'),
    read: readTimings,
    most: (counted) => ({ input: counted('prompt_n') + counted('cache_n'), output: counted('predicted_n') }),
  },
  'Anthropic’s usage': {
    reports: anthropic,
    read: (report) => readUsage(chatUsage(report as Record<string, unknown>)),
    most: (counted) => {
      const all = ['', 'iterations.0', 'iterations.1', 'iterations.2'].map((place) => {
        const at = (...path: string[]): number => counted(...(place === '' ? [] : place.split('.')), ...path);
        const written =
          at('cache_creation', 'ephemeral_5m_input_tokens') + at('cache_creation', 'ephemeral_1h_input_tokens');
        const read = at('input_tokens') + at('cache_read_input_tokens');
        return { input: read + Math.max(at('cache_creation_input_tokens'), written), output: at('output_tokens') };
      });
      return {
        input: all.reduce((sum, { input }) => sum + input, 0),
        output: all.reduce((sum, { output }) => sum + output, 0),
      };
    },
  },
  'Gemini’s usageMetadata': {
    reports: gemini,
    read: (report) => readUsage(usageOf(JsonView.of(Buffer.from(JSON.stringify(report))) ?? undefined)),
    most: (counted) => {
      const output = counted('candidatesTokenCount') + counted('thoughtsTokenCount');
      return {
        input: counted('promptTokenCount') + counted('toolUsePromptTokenCount'),
        output: Math.max(output, counted('totalTokenCount')),
      };
    },
  },
};

/** The count at a path of the report; 0 if there is none. */
function countedIn(report: object): (...path: string[]) => number {
  return (...path) => {
    const value = path.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name],
      report,
    );
    return typeof value === 'number' && value > 0 ? value : 0;
  };
}

describe.each(Object.entries(READERS))('%s', (_name, { reports, read, most }) => {
  test('reported usage is in whole classes, none negative or too large to store, and together no more than reported', () => {
    let readable = 0;
    fc.assert(
      fc.property(reports, (report) => {
        const usage = read(report);
        if (usage === null) return;
        readable += 1;
        // A request is charged for five answers at most, and a column takes less than 2^31.
        for (const tokens of Object.values(usage)) {
          expect(Number.isSafeInteger(tokens) && tokens >= 0 && 5 * tokens < 2 ** 31).toBe(true);
        }
        const { input, output } = most(countedIn(report));
        expect(usage.output + usage.audio_output).toBeLessThanOrEqual(output);
        const { cached_input: cached, cache_write_5m: written5m, cache_write_1h: written1h } = usage;
        expect(usage.input + usage.audio_input + cached + written5m + written1h).toBeLessThanOrEqual(input);
      }),
      { numRuns: 3_000 },
    );
    expect(readable).toBeGreaterThan(100);
  });
});
