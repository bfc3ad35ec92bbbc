import type { JsonView } from '../json-view.ts';

// Converts Gemini's `usageMetadata` to OpenAI's `usage`. Tokens read from the cache are part of the prompt in both;
// thoughts and the prompts of tools are separate from Gemini's other counts, and included in OpenAI's.

/** OpenAI's usage object. */
export interface OpenAiUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly audio_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number; readonly audio_tokens: number };
}

const NO_COUNTS = {
  promptTokenCount: 0,
  toolUsePromptTokenCount: 0,
  candidatesTokenCount: 0,
  thoughtsTokenCount: 0,
  totalTokenCount: 0,
  cachedContentTokenCount: 0,
};

type Counts = Readonly<typeof NO_COUNTS>;

/**
 * The usage in `metadata`; null if it has no count, as in the earlier events of some streams, or if a count is
 * invalid.
 */
export function usageOf(metadata: JsonView | undefined): OpenAiUsage | null {
  const hasAny = metadata?.get('promptTokenCount') ?? metadata?.get('totalTokenCount');
  const counts = metadata === undefined || hasAny === undefined ? null : countsIn(metadata);
  if (metadata === undefined || counts === null) return null;
  const thoughts = counts.thoughtsTokenCount;
  const prompt = counts.promptTokenCount + counts.toolUsePromptTokenCount;
  // A larger total includes output of a kind without a count of its own.
  const completion = Math.max(counts.candidatesTokenCount + thoughts, counts.totalTokenCount - prompt);
  // It is a part of the prompt.
  const cached = Math.min(counts.cachedContentTokenCount, prompt);
  const audio = audioIn(metadata.get('promptTokensDetails')) - audioIn(metadata.get('cacheTokensDetails'));
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    // Sound that was read from the cache counts as read from the cache.
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: Math.max(audio, 0) },
    completion_tokens_details: {
      reasoning_tokens: thoughts,
      audio_tokens: audioIn(metadata.get('candidatesTokensDetails')),
    },
  };
}

function countsIn(metadata: JsonView): Counts | null {
  const counts = { ...NO_COUNTS };
  for (const name of Object.keys(NO_COUNTS) as (keyof Counts)[]) {
    const count = countOf(metadata.get(name));
    if (count === null) return null;
    counts[name] = count;
  }
  return counts;
}

/** A missing count is zero; null if it is invalid. */
function countOf(view: JsonView | undefined): number | null {
  const count = view?.parsed() ?? 0;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function audioIn(details: JsonView | undefined): number {
  return (details?.elements() ?? [])
    .filter((detail) => detail.get('modality')?.text() === 'AUDIO')
    .reduce((sum, detail) => sum + (countOf(detail.get('tokenCount')) ?? 0), 0);
}
