import type { RequestInput } from '../dialect.ts';

// Bounds of what a provider may bill for a query and documents. Jina and vLLM bill tokens, the query with each document;
// Cohere bills search units, one for each hundred parts of documents.

/** Tokens that a model's prompt template adds, once and for each document. */
const TOKENS_PER_TEMPLATE = 1_024;
const TOKENS_PER_DOCUMENT = 128;

/** Tokens of query and document in one part; a longer document is split into several. */
const TOKENS_PER_PART = 500;
/** The most that the query takes of a part. Cohere doesn't document how it bills longer queries. */
const QUERY_TOKENS_MAX = 250;
const PARTS_PER_UNIT = 100;

/** A query, and documents that a model reads one by one, each with the query. */
export class RerankInput implements RequestInput {
  readonly bytes: number;
  readonly requestsMax: number;
  readonly #tokensMax: number;

  /** Sizes are bytes of UTF-8; a token has at least one. */
  constructor(querySize: number, documentSizes: readonly number[]) {
    const documents = documentSizes.length;
    const roomOfPart = TOKENS_PER_PART - Math.min(querySize, QUERY_TOKENS_MAX);
    let bytes = querySize * documents;
    let parts = 0;
    for (const size of documentSizes) {
      bytes += size;
      parts += Math.max(1, Math.ceil(size / roomOfPart));
    }
    this.bytes = bytes;
    this.requestsMax = Math.ceil(parts / PARTS_PER_UNIT);
    this.#tokensMax = bytes + documents * TOKENS_PER_DOCUMENT + TOKENS_PER_TEMPLATE;
  }

  /** The context window is no bound: a provider may read a long document in parts. */
  tokensMax(): number {
    return this.#tokensMax;
  }
}
