import { isObject } from '../../openai/json-object.ts';
import type { ReportedUsage } from '../../openai/usage.ts';

// Parts of a message that is made here. What isn't known is left out, as Anthropic does: not all clients take a null for it,
// although the types of Anthropic's SDK have one.

/** Tokens of reasoning in a chat answer's `usage`; null if it doesn't say. */
export function thinkingTokens(usage: unknown): number | null {
  const details = isObject(usage) ? usage['completion_tokens_details'] : undefined;
  const tokens = isObject(details) ? details['reasoning_tokens'] : undefined;
  return typeof tokens === 'number' ? tokens : null;
}

/**
 * Usage as this API counts it, and says it at a stream's end: input leaves out what was read from a cache or written to one.
 * `thinking`: how many of the output tokens are reasoning; null if that isn't known.
 */
export function endUsage(usage: ReportedUsage | null, thinking: number | null): object {
  return {
    input_tokens: (usage?.input ?? 0) + (usage?.audio_input ?? 0),
    cache_creation_input_tokens: (usage?.cache_write_5m ?? 0) + (usage?.cache_write_1h ?? 0),
    cache_read_input_tokens: usage?.cached_input ?? 0,
    output_tokens: (usage?.output ?? 0) + (usage?.audio_output ?? 0),
    ...(thinking === null ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
  };
}

/** The same in a message. */
export function messageUsage(usage: ReportedUsage | null, thinking: number | null): object {
  const { cache_write_5m: write5m = 0, cache_write_1h: write1h = 0 } = usage ?? {};
  return {
    ...endUsage(usage, thinking),
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};

/** How a model ended, as chat says it. */
interface Ending {
  /** The `finish_reason`; empty if there was none. */
  readonly finishReason: string;
  readonly hasCalls: boolean;
  /** Whether it refused in words, which chat keeps apart from the content. */
  readonly hasRefused: boolean;
}

/** The members of a message that say why it ended; some providers say `stop` although the model calls tools. */
export function stopOf({ finishReason, hasCalls, hasRefused }: Ending): object {
  const usual = finishReason === 'stop' && hasCalls ? 'tool_use' : (STOP_REASONS[finishReason] ?? 'end_turn');
  const reason = hasRefused && usual === 'end_turn' ? 'refusal' : usual;
  return {
    stop_reason: reason,
    stop_sequence: null,
    ...(reason === 'refusal' ? { stop_details: { type: 'refusal', category: null, explanation: null } } : {}),
  };
}

/** The members of every message that is made here. */
export const MESSAGE_HEAD = { type: 'message', role: 'assistant' };

/** A block of text without sources. */
export function textBlock(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

/** The members of a call that the model made by itself. */
export const CALL_HEAD = { type: 'tool_use', caller: { type: 'direct' } };

/** The id of a message that is made here. */
export function messageId(requestId: string): string {
  return `msg_${requestId.replaceAll('-', '')}`;
}
