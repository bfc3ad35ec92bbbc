import type { InputSize } from '../openai/chat-request.ts';
import type { ModelTerms } from '../../domain/model.ts';

/** A text's bytes for each token, and what an image or a file may come to where the model doesn't say. */
const BYTES_PER_TOKEN = 4;
const IMAGE_TOKENS = 1_600;
const FILE_TOKENS = 3_000;

/** The input tokens that a request most likely has, where no provider has counted them. */
export function estimateInput({ media, contextWindow }: ModelTerms, size: InputSize): number {
  const { imageTokens, fileTokens } = media;
  const ofMedia = size.images * (imageTokens ?? IMAGE_TOKENS) + size.files * (fileTokens ?? FILE_TOKENS);
  return Math.min(Math.ceil(size.textBytes / BYTES_PER_TOKEN) + ofMedia, contextWindow);
}
