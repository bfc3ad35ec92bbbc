import type { ModelTerms } from '../../domain/model.ts';
import { promptTokensMax, separateTokensMax } from '../../domain/quote.ts';
import type { InputSize } from '../openai/chat-request.ts';
import type { RequestInput } from './dialect.ts';

/** The input of a request for text: a conversation, or texts that are continued. */
export class PromptInput implements RequestInput {
  readonly bytes: number;
  readonly requestsMax = 1;
  readonly #size: InputSize;

  constructor(size: InputSize) {
    this.bytes = size.textBytes;
    this.#size = size;
  }

  tokensMax(terms: ModelTerms): number {
    return promptTokensMax(terms, this.#size);
  }
}

/** Texts that the model reads one by one. */
export class SeparateInputs implements RequestInput {
  readonly bytes: number;
  readonly requestsMax = 1;
  readonly #sizes: readonly number[];

  /** `sizes`: for each text its UTF-8 bytes, or its number of tokens if given as token ids. */
  constructor(sizes: readonly number[]) {
    this.bytes = sizes.reduce((sum, size) => sum + size, 0);
    this.#sizes = sizes;
  }

  tokensMax(terms: ModelTerms): number {
    return separateTokensMax(terms, this.#sizes);
  }
}
