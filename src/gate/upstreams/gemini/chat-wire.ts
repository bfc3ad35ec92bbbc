import type { Writable } from '../json-text.ts';
import type { JsonView } from '../json-view.ts';
import type { CallDelta, Delta } from './choice.ts';

// The content of a choice in OpenAI's form, as deltas of a stream or as one message.

/** An empty delta. */
export const NOTHING: Delta = { text: '', reasoning: '', calls: [], signature: undefined };

type Members = Readonly<Record<string, Writable | undefined>>;

/** The delta of a chunk; `isFirst`: whether it is the choice's first. */
export function deltaOf(delta: Delta, isFirst: boolean): Members {
  return {
    role: isFirst ? 'assistant' : undefined,
    content: delta.text === '' && !isFirst ? undefined : delta.text,
    reasoning_content: delta.reasoning === '' ? undefined : delta.reasoning,
    tool_calls: delta.calls.length === 0 ? undefined : delta.calls.map(callDeltaOf),
    extra_content: extraContent(delta.signature),
  };
}

/** Whether a delta has any content. */
export function saysAnything({ text, reasoning, calls, signature }: Delta): boolean {
  return text !== '' || reasoning !== '' || calls.length > 0 || signature !== undefined;
}

function callDeltaOf({ index, begun, arguments: args }: CallDelta): Writable {
  if (begun === null) return { index, function: { arguments: args } };
  const { id, name, signature } = begun;
  const call = { name, arguments: args };
  return { index, id, type: 'function', function: call, extra_content: extraContent(signature) };
}

/** The message of a plain answer. */
export function messageOf({ text, reasoning, calls, signature }: Delta): Members {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    reasoning_content: reasoning === '' ? undefined : reasoning,
    tool_calls: calls.length === 0 ? undefined : wholeCalls(calls),
    extra_content: extraContent(signature),
  };
}

function wholeCalls(deltas: readonly CallDelta[]): Writable {
  return deltas.flatMap(({ index, begun }) => {
    if (begun === null) return [];
    const pieces = deltas.filter((delta) => delta.index === index).map((delta) => delta.arguments);
    const call = { name: begun.name, arguments: pieces.join('') };
    return [{ id: begun.id, type: 'function', function: call, extra_content: extraContent(begun.signature) }];
  });
}

/** The place of thought signatures in Google's own OpenAI endpoint, so that clients made for it return them. */
function extraContent(signature: JsonView | undefined): Writable | undefined {
  return signature && { google: { thought_signature: signature } };
}
