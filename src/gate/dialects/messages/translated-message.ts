import { contentOf } from '../../openai/chat-choices.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { readUsage } from '../../openai/usage.ts';
import { signatureOf } from './carried-thoughts.ts';
import {
  CALL_HEAD,
  MESSAGE_HEAD,
  messageId,
  messageUsage,
  stopOf,
  textBlock,
  thinkingTokens,
} from './message-parts.ts';

// A whole chat completion as a message.

type Block = Readonly<Record<string, unknown>>;

/** Converts a completion to a message. */
export function messageOf(completion: Buffer, requestId: string): Buffer {
  const body = parseExactly(completion.toString());
  const fields = isObject(body) ? body : {};
  const choices: readonly unknown[] = Array.isArray(fields['choices']) ? fields['choices'] : [];
  const choice = choices.find(isObject) ?? {};
  const said = isObject(choice['message']) ? choice['message'] : {};
  const calls = callsOf(said);
  const finishReason = typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : '';
  const hasRefused = typeof said['refusal'] === 'string' && said['refusal'] !== '';
  const message = {
    id: messageId(requestId),
    ...MESSAGE_HEAD,
    model: typeof fields['model'] === 'string' ? fields['model'] : '',
    content: blocksOf(said, calls),
    ...stopOf({ finishReason, hasCalls: calls.length > 0, hasRefused }),
    usage: messageUsage(readUsage(fields['usage']), thinkingTokens(fields['usage'])),
  };
  return Buffer.from(JSON.stringify(message));
}

/** The reasoning of a message or a delta, under either of its names. */
export function reasoningOf(said: JsonObject): string {
  const { reasoning_content: content, reasoning } = said;
  if (typeof content === 'string' && content !== '') return content;
  return typeof reasoning === 'string' ? reasoning : '';
}

function callsOf(said: JsonObject): readonly JsonObject[] {
  return Array.isArray(said['tool_calls']) ? said['tool_calls'].filter(isObject) : [];
}

function blocksOf(said: JsonObject, calls: readonly JsonObject[]): readonly Block[] {
  const text = contentOf(said['content']) ?? '';
  const refusal = typeof said['refusal'] === 'string' ? said['refusal'] : '';
  const spoken: Block[] = [text, refusal].filter((each) => each !== '').map(textBlock);
  const called = calls.map((call, index) => toolUse(call, index));
  const signed = Array.isArray(said['thinking_blocks']) ? said['thinking_blocks'].filter(isObject) : [];
  if (signed.length > 0) return withSigned([...spoken, ...called], signed);
  return [...thoughts(said, calls, called), ...spoken, ...called];
}

/** Inserts thoughts signed by Anthropic at their original positions. */
function withSigned(others: readonly Block[], signed: readonly JsonObject[]): readonly Block[] {
  const blocks = [...others];
  for (const { index, ...block } of signed) blocks.splice(typeof index === 'number' ? index : 0, 0, block);
  return blocks;
}

/** The reasoning of a model, and what its provider needs back with the message and its calls. */
function thoughts(said: JsonObject, calls: readonly JsonObject[], called: readonly Block[]): readonly Block[] {
  const reasoning = reasoningOf(said);
  const extras = calls.flatMap((call, index) =>
    call['extra_content'] === undefined ? [] : [[String(called[index]?.['id']), call['extra_content']]],
  );
  const message = said['extra_content'];
  if (reasoning === '' && extras.length === 0 && message === undefined) return [];
  const signature = signatureOf({
    isReasoning: reasoning !== '',
    ...(message === undefined ? {} : { message }),
    ...(extras.length === 0 ? {} : { calls: Object.fromEntries(extras) as JsonObject }),
  });
  return [{ type: 'thinking', thinking: reasoning, signature }];
}

function toolUse(call: JsonObject, index: number): Block {
  const called = isObject(call['function']) ? call['function'] : {};
  const id = typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `toolu_${index}`;
  return { ...CALL_HEAD, id, name: called['name'], input: inputOf(called['arguments']) };
}

/** Arguments are an object in this API; other text of a model is wrapped in one. */
function inputOf(written: unknown): unknown {
  if (isObject(written)) return written;
  const text = typeof written === 'string' ? written : '';
  if (text.trim() === '') return {};
  try {
    const input = parseExactly(text);
    if (isObject(input)) return input;
  } catch {
    // Invalid JSON is kept as text.
  }
  return { raw_arguments: text };
}
