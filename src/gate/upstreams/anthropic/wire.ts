// The parts of Anthropic's Messages API that are written here, by their names in the API.

export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

export interface Cacheable {
  readonly cache_control?: CacheControl;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock extends Cacheable {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
}

export interface DocumentBlock extends Cacheable {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string };
  readonly title?: string;
}

/** The content of users' messages and of tools' results. */
export type ContentBlock = TextBlock | ImageBlock | DocumentBlock;

export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[];
}

export interface ToolUseBlock extends Cacheable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The model's thought, signed; or `redacted`, which only the provider can read. Neither may be changed. */
export type ThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

export type AssistantBlock = ThinkingBlock | TextBlock | ToolUseBlock;

export type Turn =
  | { readonly role: 'user'; readonly content: readonly (ToolResultBlock | ContentBlock)[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] };

export interface Tool extends Cacheable {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: unknown;
  readonly strict?: true;
}

export type ToolChoice =
  | { readonly type: 'none' }
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: true }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: true };
