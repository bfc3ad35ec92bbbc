import { isObject } from '../../openai/json-object.ts';
import type { ReportedUsage } from '../../openai/usage.ts';

// Parts of a message written by the gateway. Unknown values are left out, as Anthropic does: not all clients accept
// null for them, although the types of Anthropic's SDK do.

/** Tokens of reasoning in a chat answer's `usage`; null if it has no such count. */
export function thinkingTokens(usage: unknown): number | null {
  const details = isObject(usage) ? usage['completion_tokens_details'] : undefined;
  const tokens = isObject(details) ? details['reasoning_tokens'] : undefined;
  return typeof tokens === 'number' ? tokens : null;
}

/**
 * Usage in this API's counts, as written at a stream's end: input excludes tokens read from a cache or written to one.
 * `thinking`: the part of the output tokens that is reasoning; null if unknown.
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

/** The usage of a whole message. */
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

/** The end of a model's output, in chat's terms. */
interface Ending {
  /** The `finish_reason`; empty if there was none. */
  readonly finishReason: string;
  readonly hasCalls: boolean;
  /** Whether it has a refusal text, which chat keeps apart from the content. */
  readonly hasRefused: boolean;
}

/** The members of a message that give its stop reason; some providers say `stop` although the model calls tools. */
export function stopOf({ finishReason, hasCalls, hasRefused }: Ending): object {
  const usual = finishReason === 'stop' && hasCalls ? 'tool_use' : (STOP_REASONS[finishReason] ?? 'end_turn');
  const reason = hasRefused && usual === 'end_turn' ? 'refusal' : usual;
  return {
    stop_reason: reason,
    stop_sequence: null,
    ...(reason === 'refusal' ? { stop_details: { type: 'refusal', category: null, explanation: null } } : {}),
  };
}

/** Members of every message written by the gateway. */
export const MESSAGE_HEAD = { type: 'message', role: 'assistant' };

/** A block of text without sources. */
export function textBlock(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

/** The members of a call that the model made by itself. */
export const CALL_HEAD = { type: 'tool_use', caller: { type: 'direct' } };

/** The id of a message written by the gateway. */
export function messageId(requestId: string): string {
  return `msg_${requestId.replaceAll('-', '')}`;
}
