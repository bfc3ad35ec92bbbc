// What a model has said so far, put together from the chunks of its stream.

export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

export interface Answer {
  readonly text: string;
  /** What it thought before, where its provider shows that. */
  readonly thoughts: string;
  /** Why it does not answer. */
  readonly refusal: string;
  readonly toolCalls: readonly ToolCall[];
  /** Why it ended, in the provider's word; null while it is streaming. */
  readonly finish: string | null;
}

export const NO_ANSWER: Answer = { text: '', thoughts: '', refusal: '', toolCalls: [], finish: null };

interface ToolDelta {
  readonly index?: number;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null };
}

/** A chunk of a stream, as far as it is shown; or the error with which the stream ends. */
export interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string | null;
      readonly refusal?: string | null;
      readonly tool_calls?: readonly ToolDelta[] | null;
    };
    readonly finish_reason?: string | null;
  }[];
  readonly error?: { readonly message: string; readonly code: string; readonly param: string | null };
}

/** The answer with one more chunk. */
export function withChunk(answer: Answer, { choices = [] }: Chunk): Answer {
  const [choice] = choices;
  if (choice === undefined) return answer;
  const { delta = {}, finish_reason: finish } = choice;
  return {
    text: answer.text + (delta.content ?? ''),
    thoughts: answer.thoughts + (delta.reasoning_content ?? ''),
    refusal: answer.refusal + (delta.refusal ?? ''),
    toolCalls: (delta.tool_calls ?? []).reduce(withToolDelta, answer.toolCalls),
    finish: finish ?? answer.finish,
  };
}

function withToolDelta(calls: readonly ToolCall[], { index = 0, function: part = {} }: ToolDelta): readonly ToolCall[] {
  const known = calls[index] ?? { name: '', arguments: '' };
  const next = { name: known.name + (part.name ?? ''), arguments: known.arguments + (part.arguments ?? '') };
  return index < calls.length ? calls.with(index, next) : [...calls, next];
}
