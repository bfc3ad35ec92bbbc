import type OpenAI from 'openai';
import type { Finish, Said, UsageSaid } from './answers.ts';

// What a program that uses OpenAI's SDK makes of an answer.

function usageSaid(usage: OpenAI.CompletionUsage | null | undefined): UsageSaid {
  if (usage === null || usage === undefined) throw new Error('the answer came without usage');
  return {
    input: usage.prompt_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    written: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    output: usage.completion_tokens,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}

function finishOf(reason: string | null | undefined): Finish {
  if (reason === 'stop' || reason === 'length' || reason === 'tool_calls' || reason === 'content_filter') return reason;
  throw new Error(`an answer that ends with ${String(reason)}`);
}

interface CallParts {
  name: string;
  arguments: string;
}

function callsOf(calls: readonly CallParts[]): Said['calls'] {
  return calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown }));
}

/** Reads a plain answer. */
export function readCompletion(completion: OpenAI.ChatCompletion): Said {
  const choice = completion.choices[0];
  if (choice === undefined) throw new Error('an answer without choices');
  const calls = (choice.message.tool_calls ?? []).map((call) => {
    if (call.type !== 'function' || call.id === '') throw new Error('a call that is none of a function, or has no id');
    return call.function;
  });
  return {
    text: choice.message.content ?? '',
    refusal: choice.message.refusal ?? null,
    calls: callsOf(calls),
    finish: finishOf(choice.finish_reason),
    usage: usageSaid(completion.usage),
  };
}

/** Reads a stream's chunks, as a program does that follows the protocol to the letter. */
export function readChunks(chunks: readonly OpenAI.ChatCompletionChunk[]): Said {
  let text = '';
  let refusal: string | null = null;
  let finish: string | null = null;
  let usage: OpenAI.CompletionUsage | null = null;
  const calls: CallParts[] = [];
  for (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    for (const { delta, finish_reason: reason, index } of chunk.choices) {
      if (index !== 0) throw new Error('more choices than were asked for');
      text += delta.content ?? '';
      if (typeof delta.refusal === 'string') refusal = (refusal ?? '') + delta.refusal;
      for (const piece of delta.tool_calls ?? []) addPiece(calls, piece);
      if (reason !== null && finish !== null) throw new Error('an answer that ends twice');
      finish = reason ?? finish;
    }
  }
  return { text, refusal, calls: callsOf(calls), finish: finishOf(finish), usage: usageSaid(usage) };
}

/** A call's first piece has its id and its name, and no piece leaves out an index. */
function addPiece(calls: CallParts[], piece: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): void {
  const begun = calls[piece.index];
  if (begun === undefined) {
    if (piece.index !== calls.length) throw new Error('a call whose index is not the next');
    if (!piece.id || !piece.function?.name) throw new Error('a call that begins without an id or a name');
    calls.push({ name: piece.function.name, arguments: piece.function.arguments ?? '' });
  } else {
    begun.arguments += piece.function?.arguments ?? '';
  }
}
