import { finishReasonOf } from '../../dialects/messages/finish-reason.ts';
import { isJson } from '../../openai/json-scan.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { refusalOf } from './refusal.ts';
import { thinkingOf, type IndexedThinking } from './thinking-blocks.ts';
import { chatTier, chatUsage } from './usage.ts';

// A whole message as a chat completion.

/** The parsed body of a whole answer; null if it is no JSON object. */
export function parseMessage(body: Buffer): JsonObject | null {
  if (!isJson(body)) return null;
  const message = parseExactly(body.toString());
  return isObject(message) ? message : null;
}

interface Content {
  text: string | null;
  reasoning: string;
  readonly thinking: IndexedThinking[];
  readonly calls: object[];
}

function readContent(blocks: readonly unknown[]): Content {
  const content: Content = { text: null, reasoning: '', thinking: [], calls: [] };
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block)) continue;
    const thinking = thinkingOf(block, index);
    if (thinking !== null) {
      content.thinking.push(thinking);
      if (thinking.type === 'thinking') content.reasoning += thinking.thinking;
    } else if (block['type'] === 'text' && typeof block['text'] === 'string') {
      content.text = (content.text ?? '') + block['text'];
    } else if (block['type'] === 'tool_use') {
      const called = { name: block['name'], arguments: JSON.stringify(block['input'] ?? {}) };
      content.calls.push({ id: block['id'], type: 'function', function: called });
    }
  }
  return content;
}

/** OpenAI's JSON of a message; null if it isn't one. `created` is in seconds since the epoch. */
export function completionOf(message: JsonObject, created: number): Buffer | null {
  const { id, model, content: blocks, stop_reason: stopReason, stop_details: stopDetails, usage } = message;
  if (!Array.isArray(blocks)) return null;
  const { text, reasoning, thinking, calls } = readContent(blocks);
  const counted = isObject(usage) ? chatUsage(usage) : null;
  const completion = {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text,
          refusal: refusalOf(stopDetails),
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(thinking.length === 0 ? {} : { thinking_blocks: thinking }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReasonOf(typeof stopReason === 'string' ? stopReason : ''),
      },
    ],
    ...(counted === null ? {} : { usage: counted }),
    ...(isObject(usage) ? chatTier(usage) : {}),
  };
  return Buffer.from(JSON.stringify(completion));
}
