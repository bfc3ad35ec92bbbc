/** An embeddings request as its bytes say it. */
export interface EmbeddingsRequest {
  readonly body: Buffer;
  readonly model: string;
  /** What the caller asked for, `float` where it named none. */
  readonly encodingFormat: 'float' | 'base64';
  /** For each input: its UTF-8 bytes, or its number of tokens where it came as a token array. */
  readonly inputSizes: readonly number[];
}
