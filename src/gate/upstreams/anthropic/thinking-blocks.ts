import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { AssistantBlock, ThinkingBlock } from './wire.ts';

// The model's thinking in OpenAI-shaped messages. `reasoning_content` is its text, for reading. `thinking_blocks` has
// the blocks as the provider signed them; a caller that returns them with the message lets the model continue its
// thoughts after a tool call. Each has the `index` of its block in the provider's message.

export type IndexedThinking = ThinkingBlock & { readonly index: number };

/** A block as the provider sends it, if it is one of thinking. */
export function thinkingOf(block: JsonObject, index: number): IndexedThinking | null {
  const { type, thinking, signature, data } = block;
  if (type === 'thinking') {
    const text = typeof thinking === 'string' ? thinking : '';
    return { index, type, thinking: text, signature: typeof signature === 'string' ? signature : '' };
  }
  return type === 'redacted_thinking' && typeof data === 'string' ? { index, type, data } : null;
}

interface PlacedBlock {
  readonly block: ThinkingBlock;
  /** Null if the caller's message has none. */
  readonly index: number | null;
}

function readBlock(value: unknown, where: string): PlacedBlock {
  const { type, thinking, signature, data, index: at } = isObject(value) ? value : {};
  const index = typeof at === 'number' ? at : null;
  if (type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string') {
    return { index, block: { type, thinking, signature } };
  }
  if (type === 'redacted_thinking' && typeof data === 'string') return { index, block: { type, data } };
  throw new Untranslatable(where, `'${where}' must be a block of thinking as it came in an answer.`);
}

/**
 * The blocks of an assistant's message with its `thinking_blocks` at their original positions; those without an index
 * come first. @throws Untranslatable
 */
export function withThinking(
  others: readonly AssistantBlock[],
  thinking: unknown,
  where: string,
): readonly AssistantBlock[] {
  if (thinking === undefined || thinking === null) return others;
  if (!Array.isArray(thinking)) throw new Untranslatable(where, `'${where}' must be an array.`);
  const rest = [...others];
  const blocks: AssistantBlock[] = [];
  for (const [position, value] of thinking.entries()) {
    const { block, index } = readBlock(value, `${where}[${position}]`);
    if (index !== null) blocks.push(...rest.splice(0, Math.max(0, index - blocks.length)));
    blocks.push(block);
  }
  return [...blocks, ...rest];
}
