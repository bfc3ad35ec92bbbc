import { isObject } from './json-object.ts';

// Usage as upstreams report it, converted to disjoint classes: a token is counted in exactly one of them. Upstreams
// differ in the contents of their totals; each rule below names the provider that needs it.

export interface ReportedUsage {
  readonly input: number;
  readonly cached_input: number;
  readonly cache_write_5m: number;
  readonly cache_write_1h: number;
  readonly audio_input: number;
  readonly output: number;
  readonly audio_output: number;
}

/**
 * No answer has this many tokens: a larger count is a server's bug. The sum of a request's five answers fits 31 bits.
 */
const MAX_COUNT = 400_000_000;

/** Signals an invalid count. */
class WrongCount extends Error {}

/**
 * Normalises a `usage` object. Null if there is none, if any count in it is negative, fractional or absurd, or if all
 * are zero, as placeholders are: then nothing was reported.
 */
export function readUsage(value: unknown): ReportedUsage | null {
  if (!isObject(value)) return null;
  try {
    return normalise(value);
  } catch (error) {
    if (error instanceof WrongCount) return null;
    throw error;
  }
}

function normalise(usage: Record<string, unknown>): ReportedUsage | null {
  const inputDetails = isObject(usage['prompt_tokens_details']) ? usage['prompt_tokens_details'] : {};
  const outputDetails = isObject(usage['completion_tokens_details']) ? usage['completion_tokens_details'] : {};
  const total = count(usage['total_tokens']);
  const completion = count(usage['completion_tokens']) ?? 0;
  // Some embedding servers report nothing but the total.
  const prompt = count(usage['prompt_tokens']) ?? (total === null ? null : total - completion);
  if (prompt === null || prompt < 0) return null;
  // DeepSeek and Moonshot count cache reads outside of the details.
  const cached =
    count(inputDetails['cached_tokens']) ??
    count(usage['prompt_cache_hit_tokens']) ??
    count(usage['cached_tokens']) ??
    0;
  const written = count(inputDetails['cache_write_tokens']) ?? 0;
  // The part of it that an hour's cache took: Anthropic counts it separately, and OpenAI has no name for it.
  const written1h = Math.min(count(inputDetails['cache_write_1h_tokens']) ?? 0, written);
  const reasoning = count(outputDetails['reasoning_tokens']) ?? 0;
  // xAI has reported prompts without the tokens read from the cache.
  const isPromptUncached = cached + written > prompt;
  const input = isPromptUncached ? prompt : prompt - cached - written;
  const output = outputOf({ prompt, completion, total, reasoning, besides: isPromptUncached ? cached + written : 0 });
  const audioInput = Math.min(count(inputDetails['audio_tokens']) ?? 0, input);
  const audioOutput = Math.min(count(outputDetails['audio_tokens']) ?? 0, output);
  if (input + cached + written + output === 0) return null;
  return {
    input: input - audioInput,
    cached_input: cached,
    cache_write_5m: written - written1h,
    cache_write_1h: written1h,
    audio_input: audioInput,
    output: output - audioOutput,
    audio_output: audioOutput,
  };
}

interface Totals {
  readonly prompt: number;
  readonly completion: number;
  readonly total: number | null;
  readonly reasoning: number;
  /** Input that the prompt's count leaves out, and the total may or may not. */
  readonly besides: number;
}

/** xAI and Gemini leave reasoning out of the completion's count; it shows in the total. */
function outputOf({ prompt, completion, total, reasoning, besides }: Totals): number {
  if (total === null) return completion;
  if (total > prompt + besides + completion) return total - prompt - besides;
  if (besides > 0 && total === prompt + completion + reasoning) return completion + reasoning;
  return completion;
}

/**
 * Usage from llama.cpp's `timings`, which its last chunk has whether or not usage was requested. Null if a count is
 * invalid, or all are zero.
 */
export function readTimings(value: unknown): ReportedUsage | null {
  if (!isObject(value)) return null;
  const { prompt_n: prompt, cache_n: cached, predicted_n: predicted } = value;
  if (!isCount(prompt) || !isCount(predicted) || !(isCount(cached) || cached === undefined)) return null;
  if (prompt + predicted + (cached ?? 0) === 0) return null;
  return {
    input: prompt,
    cached_input: cached ?? 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    audio_input: 0,
    output: predicted,
    audio_output: 0,
  };
}

/**
 * Chooses between two reports: a usage-only chunk, which is the stream's last report, wins; else the later one, unless
 * it is lower. Reports only grow, so a lower one counts a single choice.
 */
export function preferUsage<Previous extends ReportedUsage | null>(
  previous: Previous,
  next: ReportedUsage | null,
  fromUsageOnlyChunk: boolean,
): ReportedUsage | Previous {
  if (next === null) return previous;
  if (previous === null || fromUsageOnlyChunk) return next;
  return sum(next) >= sum(previous) ? next : previous;
}

function sum(usage: ReportedUsage): number {
  const { input, cached_input, cache_write_5m, cache_write_1h, audio_input, output, audio_output } = usage;
  return input + cached_input + cache_write_5m + cache_write_1h + audio_input + output + audio_output;
}

/** A count, or null if it is absent or null. @throws WrongCount */
function count(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (!isCount(value)) throw new WrongCount();
  return value;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;
}

/** The usage of an answer that has no output: tokens that only the server's total counts are input too. */
export function inputAlone(usage: ReportedUsage | null): ReportedUsage | null {
  if (usage === null) return null;
  return { ...usage, input: usage.input + usage.output + usage.audio_output, output: 0, audio_output: 0 };
}
