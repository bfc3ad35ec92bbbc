import { isObject, type JsonObject } from '../../openai/json-object.ts';

// Usage in Anthropic's counts: input excludes tokens read from or written to a cache, output includes thinking. The
// gate gets it in OpenAI's form: the prompt is all input, and its details show the cached part.

/** OpenAI's `usage`. Tokens written to an hour's cache are part of `cache_write_tokens`, and those of the prompt. */
export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens: number;
    readonly cache_write_1h_tokens?: number;
  };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Iterations that the totals exclude; they include all others. */
const ITERATIONS_BESIDES: readonly unknown[] = ['compaction', 'advisor_message'];

interface Counts {
  input: number;
  read: number;
  written: number;
  written1h: number;
  output: number;
}

/** Merges a later report into the usage so far: counts are cumulative, and a later report may omit some. */
export function laterUsage(earlier: JsonObject, later: unknown): JsonObject {
  if (!isObject(later)) return earlier;
  const said = Object.entries(later).filter(([, value]) => value !== undefined && value !== null);
  return { ...earlier, ...Object.fromEntries(said) };
}

/** The usage in OpenAI's form; null if a required count is missing or invalid. */
export function chatUsage(usage: JsonObject): ChatUsage | null {
  const counts = readCounts(usage);
  if (counts === null) return null;
  const iterations = Array.isArray(usage['iterations']) ? (usage['iterations'] as readonly unknown[]) : [];
  for (const iteration of iterations) {
    if (!isObject(iteration) || !ITERATIONS_BESIDES.includes(iteration['type'])) continue;
    const besides = readCounts(iteration);
    if (besides === null) return null;
    for (const name of Object.keys(counts) as (keyof Counts)[]) counts[name] += besides[name];
  }
  const { input, read, written, written1h, output } = counts;
  const prompt = input + read + written;
  const details = isObject(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: read,
      cache_write_tokens: written,
      ...(written1h === 0 ? {} : { cache_write_1h_tokens: written1h }),
    },
    completion_tokens_details: { reasoning_tokens: Math.min(count(details['thinking_tokens']) ?? 0, output) },
  };
}

/** The tier of a message as a field of a completion: of the names that both APIs have, the one that isn't the standard tier. */
export function chatTier(usage: JsonObject): JsonObject {
  return usage['service_tier'] === 'priority' ? { service_tier: 'priority' } : {};
}

function readCounts(usage: JsonObject): Counts | null {
  const creation = isObject(usage['cache_creation']) ? usage['cache_creation'] : {};
  const input = count(usage['input_tokens']);
  const output = count(usage['output_tokens']);
  const read = count(usage['cache_read_input_tokens'] ?? 0);
  const total = count(usage['cache_creation_input_tokens'] ?? 0);
  const written5m = count(creation['ephemeral_5m_input_tokens'] ?? 0);
  const written1h = count(creation['ephemeral_1h_input_tokens'] ?? 0);
  if (input === null || output === null || read === null) return null;
  if (total === null || written5m === null || written1h === null) return null;
  return { input, read, written: Math.max(total, written5m + written1h), written1h, output };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
