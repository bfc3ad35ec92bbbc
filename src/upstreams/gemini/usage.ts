import type { JsonView } from '../json-view.ts';

// Gemini's `usageMetadata` as OpenAI's `usage`. What was read from the cache is inside the prompt on both sides; thoughts
// and the prompts of tools stand beside Gemini's other counts, and inside OpenAI's.

/** OpenAI's usage object. */
export interface OpenAiUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number; readonly audio_tokens: number };
  readonly completion_tokens_details: { readonly reasoning_tokens: number; readonly audio_tokens: number };
}

/** The usage that `metadata` reports; null where it counts nothing, as in the earlier events of some streams. */
export function usageOf(metadata: JsonView | undefined): OpenAiUsage | null {
  const counts = metadata?.get('promptTokenCount') ?? metadata?.get('totalTokenCount');
  if (metadata === undefined || counts === undefined) return null;
  const thoughts = countAt(metadata, 'thoughtsTokenCount');
  const prompt = countAt(metadata, 'promptTokenCount') + countAt(metadata, 'toolUsePromptTokenCount');
  const counted = countAt(metadata, 'candidatesTokenCount') + thoughts;
  // A total that says more counts output of a sort that has no count of its own here.
  const completion = Math.max(counted, countAt(metadata, 'totalTokenCount') - prompt);
  const cached = countAt(metadata, 'cachedContentTokenCount');
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

function countAt(metadata: JsonView, name: string): number {
  return countOf(metadata.get(name));
}

function countOf(view: JsonView | undefined): number {
  const count = view?.parsed();
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

function audioIn(details: JsonView | undefined): number {
  return (details?.elements() ?? [])
    .filter((detail) => detail.get('modality')?.text() === 'AUDIO')
    .reduce((sum, detail) => sum + countOf(detail.get('tokenCount')), 0);
}
