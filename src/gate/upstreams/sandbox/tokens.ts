// The sandbox's tokens: four UTF-8 bytes each, the last one maybe fewer. The bill can be checked by counting.

const BYTES_PER_TOKEN = 4;

/** The number of tokens of this many UTF-8 bytes. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

export interface CutText {
  readonly text: string;
  readonly tokens: number;
  /** Whether something was cut off. */
  readonly cut: boolean;
}

/** Truncates a text to at most this many tokens, never inside a character. */
export function cutToTokens(text: string, tokensMax: number): CutText {
  const bytes = Buffer.from(text);
  const bytesMax = tokensMax * BYTES_PER_TOKEN;
  if (bytes.length <= bytesMax) return { text, tokens: tokensOf(bytes.length), cut: false };
  let end = bytesMax;
  // Continuation bytes (10xxxxxx) belong to the character before them.
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), tokens: tokensOf(end), cut: true };
}
