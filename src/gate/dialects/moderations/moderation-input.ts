import type { ModelTerms } from '../../../domain/model.ts';
import { separateTokensMax } from '../../../domain/quote.ts';
import type { RequestInput } from '../dialect.ts';

/** Texts and images that a model judges one by one. */
export class ModerationInput implements RequestInput {
  readonly bytes: number;
  readonly requestsMax = 1;
  readonly #textSizes: readonly number[];
  readonly #images: number;

  /** `textSizes`: the UTF-8 bytes of each text. */
  constructor(textSizes: readonly number[], images: number) {
    this.bytes = textSizes.reduce((sum, size) => sum + size, 0);
    this.#textSizes = textSizes;
    this.#images = images;
  }

  tokensMax(terms: ModelTerms): number {
    const { imageTokens } = terms.media;
    return separateTokensMax(terms, this.#textSizes) + this.#images * (imageTokens ?? terms.contextWindow);
  }
}
