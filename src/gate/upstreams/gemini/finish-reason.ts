/** OpenAI's reasons for the end of a choice. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Gemini's reasons. All others are failures: the model has not answered. */
const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  LANGUAGE: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
};

/** OpenAI's reason for Gemini's, which is STOP for calls too; null if the reason is a failure. */
export function finishReasonOf(reason: string, hasCalls: boolean): FinishReason | null {
  const known = Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : undefined;
  return known === 'stop' && hasCalls ? 'tool_calls' : (known ?? null);
}
