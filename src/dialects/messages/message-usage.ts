import type { ReportedUsage } from '../../openai/usage.ts';

/** Usage as this API counts it: input leaves out what was read from a cache or written to one. */
export function messageUsage(usage: ReportedUsage | null): object {
  const write5m = usage?.cache_write_5m ?? 0;
  const write1h = usage?.cache_write_1h ?? 0;
  return {
    input_tokens: (usage?.input ?? 0) + (usage?.audio_input ?? 0),
    cache_creation_input_tokens: write5m + write1h,
    cache_read_input_tokens: usage?.cached_input ?? 0,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens: (usage?.output ?? 0) + (usage?.audio_output ?? 0),
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};

/** The reason to stop that a `finish_reason` stands for; some say `stop` although the model calls tools. */
export function stopReasonOf(finishReason: string, hasCalls: boolean): string {
  if (finishReason === 'stop' && hasCalls) return 'tool_use';
  return STOP_REASONS[finishReason] ?? 'end_turn';
}

/** The id of a message that is made here. */
export function messageId(requestId: string): string {
  return `msg_${requestId.replaceAll('-', '')}`;
}
