import { isObject } from '../../openai/json-object.ts';
import { tokensOf } from './tokens.ts';

// Embeddings by feature hashing: every word and every three letters move one dimension up or down. Texts that share
// words get similar vectors, and the same text always gets the same.

const DIMENSIONS_DEFAULT = 256;
const DIMENSIONS_MAX = 4_096;

/** FNV-1a over UTF-16 code units, then mixed so that both its low bits and its top bit are fit for use. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}

function* featuresOf(input: unknown): Generator<string> {
  if (Array.isArray(input)) {
    for (const token of input) yield `token ${String(token)}`;
    return;
  }
  const text = String(input).toLowerCase();
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) yield word;
  for (let index = 0; index + 3 <= text.length; index++) yield `… ${text.slice(index, index + 3)}`;
}

/** The unit vector of one input: a text, or an array of token numbers. */
export function embed(input: unknown, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const feature of featuresOf(input)) {
    const value = hash(feature);
    const place = value % dimensions;
    vector[place] = (vector[place] as number) + (value >>> 31 === 1 ? 1 : -1);
  }
  let squares = 0;
  for (const component of vector) squares += component * component;
  if (squares === 0) {
    vector[0] = 1;
    return vector;
  }
  const length = Math.sqrt(squares);
  return vector.map((component) => component / length);
}

function isTokenArray(input: unknown): boolean {
  return Array.isArray(input) && typeof input[0] === 'number';
}

function tokensIn(input: unknown): number {
  return Array.isArray(input) ? input.length : tokensOf(Buffer.byteLength(String(input)));
}

/** The fields of an embeddings body. */
export interface EmbeddingsPrompt {
  /** Texts, or arrays of token numbers. */
  readonly inputs: readonly unknown[];
  readonly dimensions: number;
  readonly base64: boolean;
}

/** Reads an embeddings body; null if it isn't one that the sandbox can embed. */
export function readEmbeddingsPrompt(bytes: Buffer): EmbeddingsPrompt | null {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return null;
  }
  if (!isObject(body)) return null;
  const input = body['input'];
  const dimensions = body['dimensions'] ?? DIMENSIONS_DEFAULT;
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions)) return null;
  if (dimensions < 1 || dimensions > DIMENSIONS_MAX) return null;
  if (typeof input !== 'string' && !Array.isArray(input)) return null;
  const inputs: readonly unknown[] = Array.isArray(input) && !isTokenArray(input) ? input : [input];
  return { inputs, dimensions, base64: body['encoding_format'] === 'base64' };
}

function encode(vector: Float32Array, base64: boolean): string | readonly number[] {
  if (!base64) return [...vector];
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((component, index) => bytes.writeFloatLE(component, index * 4));
  return bytes.toString('base64');
}

/** The answer as OpenAI's embeddings list. */
export function embeddingsAnswer(prompt: EmbeddingsPrompt, model: string): Buffer {
  const tokens = prompt.inputs.reduce<number>((sum, input) => sum + tokensIn(input), 0);
  return Buffer.from(
    JSON.stringify({
      object: 'list',
      data: prompt.inputs.map((input, index) => ({
        object: 'embedding',
        index,
        embedding: encode(embed(input, prompt.dimensions), prompt.base64),
      })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}
