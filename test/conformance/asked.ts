// The terms that all kinds of providers share for what they are asked.

/** The most output tokens of every model of the suite: what a vendor's server is told that must be told something. */
export const OUTPUT_MAX = 16_384;

/** What not every vendor can do. A scenario that needs it is left out for those who can't. */
export type Ability = 'embeddings' | 'json_mode' | 'json_schema' | 'refusal_text' | 'prompt_block' | 'cache_write';

/** Content of a user's turn: a text, or an image as `image:` and its data URL. */
export type Part = string;

/** One turn of a conversation. A tool's answer names the tool that was called. */
export type Turn =
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly Call[] }
  | { readonly role: 'tool'; readonly tool: string; readonly text: string };

export interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

/** What a vendor's server was asked for, as far as the scenarios speak of it. */
export interface Asked {
  /** All of the system's texts, in order. */
  readonly system: readonly string[];
  readonly turns: readonly Turn[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[];
  /** Null where the request says nothing about it. */
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string } | null;
  /** The most output tokens; null where the request names none, or no more than the model's own maximum. */
  readonly cap: number | null;
  readonly stop: readonly string[];
  readonly temperature: number | null;
  readonly format: 'text' | 'json' | { readonly schema: unknown };
}
