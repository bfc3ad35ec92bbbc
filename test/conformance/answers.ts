import type { Call } from './asked.ts';

// What a model says, and what a client makes of it, in terms that all kinds of providers share.

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** Tokens as the provider counts them. */
export interface UsageSaid {
  /** All input, what was read from and written to a cache included. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  /** All output, reasoning included. */
  readonly output: number;
  readonly reasoning: number;
}

/** What a client has understood of an answer. */
export interface Said {
  readonly text: string;
  readonly refusal: string | null;
  readonly calls: readonly Call[];
  readonly finish: Finish;
  readonly usage: UsageSaid;
}

/** What the stand-in says. */
export interface Answer {
  /** The pieces in which a stream brings the text. */
  readonly text: readonly string[];
  readonly refusal: string | null;
  /** The arguments in the pieces in which a stream brings them; together they are JSON. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: readonly string[] }[];
  readonly finish: Finish;
  readonly usage: UsageSaid;
}

/** What a client should have understood of an answer. */
export function saidOf(answer: Answer): Said {
  return {
    text: answer.text.join(''),
    refusal: answer.refusal,
    calls: answer.calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments.join('')) as unknown })),
    finish: answer.finish,
    usage: answer.usage,
  };
}
