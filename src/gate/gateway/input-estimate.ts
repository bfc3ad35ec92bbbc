import type { InputSize } from '../openai/chat-request.ts';
import type { ModelTerms } from '../../domain/model.ts';

/** Bytes per token of text, and tokens of an image and a file if the model doesn't define them. */
const BYTES_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_600;
const FILE_TOKENS = 3_000;

/** The likely number of input tokens, if no provider has counted them. */
export function estimateInput({ media, contextWindow }: ModelTerms, size: InputSize): number {
  const { imageTokens, fileTokens } = media;
  const ofMedia = size.images * (imageTokens ?? IMAGE_TOKENS) + size.files * (fileTokens ?? FILE_TOKENS);
  return Math.min(Math.ceil(size.textBytes / BYTES_PER_TOKEN) + ofMedia, contextWindow);
}
