import { isObject } from '../../openai/json-object.ts';
import { embed } from './embedding.ts';
import { tokensOf } from './tokens.ts';

// Orders documents by the words that they share with a query, compared by the sandbox's embeddings.

const DIMENSIONS = 256;
const SCORE_DIGITS = 6;

/** A parsed rerank body. */
export interface RerankPrompt {
  readonly query: string;
  readonly documents: readonly string[];
  /** The number of results to return. */
  readonly top: number;
  readonly returnsDocuments: boolean;
}

/** Parses a rerank body; null if the sandbox can't answer it. */
export function readRerankPrompt(bytes: Buffer): RerankPrompt | null {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return null;
  }
  if (!isObject(body) || typeof body['query'] !== 'string' || !Array.isArray(body['documents'])) return null;
  const documents = (body['documents'] as readonly unknown[]).map(textOf);
  if (!documents.every((text) => text !== null)) return null;
  const top = typeof body['top_n'] === 'number' && body['top_n'] > 0 ? body['top_n'] : documents.length;
  return { query: body['query'], documents, top, returnsDocuments: body['return_documents'] === true };
}

function textOf(document: unknown): string | null {
  const text = isObject(document) ? document['text'] : document;
  return typeof text === 'string' ? text : null;
}

/** The answer in Jina's form, the best document first. Each counts together with the query. */
export function rerankAnswer(prompt: RerankPrompt, model: string, requestId: string): Buffer {
  const { query, documents, top, returnsDocuments } = prompt;
  const wanted = embed(query, DIMENSIONS);
  const results = documents
    .map((text, index) => ({
      index,
      relevance_score: likeness(wanted, embed(text, DIMENSIONS)),
      ...(returnsDocuments && { document: { text } }),
    }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, top);
  const queryBytes = Buffer.byteLength(query);
  const tokens = documents.reduce((sum, text) => sum + tokensOf(queryBytes + Buffer.byteLength(text)), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return Buffer.from(JSON.stringify({ id: `rerank-${requestId}`, model, usage, results }));
}

/** The cosine of two unit vectors, from 0 to 1. */
function likeness(one: Float32Array, other: Float32Array): number {
  const product = one.reduce((sum, component, place) => sum + component * (other[place] ?? 0), 0);
  return Number(Math.min(Math.max(product, 0), 1).toFixed(SCORE_DIGITS));
}
