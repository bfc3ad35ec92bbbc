// A chat request as its bytes say it: the few fields that the gate must know, and where they stand, so that the rest
// passes through untouched.

/** Why a body can't be served; `param` names the field at fault, null where the body as a whole is. */
export interface BodyFault {
  readonly message: string;
  readonly param: string | null;
}

/** What bounds the input from above without a tokenizer. */
export interface InputSize {
  /** UTF-8 bytes of the body without media payloads, tool definitions counted twice. */
  readonly textBytes: number;
  readonly messages: number;
  readonly images: number;
  readonly audios: number;
  readonly files: number;
}

export interface ChatRequest {
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  /** Whether the caller itself asked for usage in the stream. */
  readonly includeUsage: boolean;
  readonly choices: number;
  /** The smaller of `max_tokens` and `max_completion_tokens`, as the caller named them; null where it named none. */
  readonly maxTokens: number | null;
  readonly size: InputSize;
}
