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

/** OpenAI's finish reason for a stop reason; `stop` for unknown ones. */
export function finishReasonOf(stopReason: string): FinishReason {
  return Object.hasOwn(FINISH_REASONS, stopReason) ? (FINISH_REASONS[stopReason] ?? 'stop') : 'stop';
}
