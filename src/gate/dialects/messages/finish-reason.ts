export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** OpenAI's word for a stop reason; one that isn't known yet says no more than that the answer ended. */
export function finishReasonOf(stopReason: string): FinishReason {
  return Object.hasOwn(FINISH_REASONS, stopReason) ? (FINISH_REASONS[stopReason] ?? 'stop') : 'stop';
}
