import { ownTurn } from '../../../lib/own-turn.ts';
import { applySplices, type Splice } from '../../openai/json-edit.ts';
import { NameTable } from '../../openai/json-names.ts';
import { JsonScan } from '../../openai/json-scan.ts';

// OpenAI's Node SDK asks for base64 and decodes every answer as base64: an array of floats silently becomes a quarter
// as many numbers near zero. So vectors are converted if the upstream didn't send the requested encoding.

const ANSWER_NAMES = new NameTable(['data']);
const ITEM_NAMES = new NameTable(['embedding']);

const FLOAT_BYTES = 4;
/** Enough digits to distinguish any two 32-bit floats. */
const FLOAT_DIGITS = 9;

/** A longer vector is left unchanged: more than any model's. */
const VECTOR_BYTES_MAX = 2 ** 20;
/** The bytes that are converted in one piece. */
const PIECE_BYTES = 2 ** 20;

/**
 * The answer with every vector in the `wanted` encoding: a JSON array of floats, or base64 of little-endian 32-bit
 * floats. Returns the same buffer if nothing needs to change, or if it isn't an embeddings answer; a vector that can't
 * be read as either is left unchanged.
 */
export function convertEmbeddings(answer: Buffer, wanted: 'float' | 'base64'): Buffer {
  const conversion = convert(answer, wanted);
  for (;;) {
    const step = conversion.next();
    if (step.done === true) return step.value;
  }
}

/** The same for a large answer, in turns of the event loop. */
export async function convertEmbeddingsInPieces(answer: Buffer, wanted: 'float' | 'base64'): Promise<Buffer> {
  const conversion = convert(answer, wanted);
  for (;;) {
    await ownTurn();
    const step = conversion.next();
    if (step.done === true) return step.value;
  }
}

/** Pauses after each piece. */
function* convert(answer: Buffer, wanted: 'float' | 'base64'): Generator<void, Buffer> {
  const scan = new JsonScan(answer);
  const splices: Splice[] = [];
  let pieceEnd = PIECE_BYTES;
  if (!scan.enterObject()) return answer;
  while (scan.nextMember()) {
    if (scan.keyIn(ANSWER_NAMES) === 'data' && scan.enterArray()) {
      while (scan.nextElement()) {
        convertItem(scan, wanted, splices);
        if (scan.at < pieceEnd) continue;
        yield;
        pieceEnd = scan.at + PIECE_BYTES;
      }
    } else {
      scan.skip();
    }
  }
  return scan.finish() ? applySplices(answer, splices) : answer;
}

function convertItem(scan: JsonScan, wanted: 'float' | 'base64', splices: Splice[]): void {
  if (!scan.enterObject()) return scan.skip();
  while (scan.nextMember()) {
    const kind = scan.kind();
    const isOther = kind === (wanted === 'base64' ? 'array' : 'string');
    if (!isOther || scan.keyIn(ITEM_NAMES) === undefined || scan.exceeds(VECTOR_BYTES_MAX)) {
      scan.skip();
      continue;
    }
    const start = scan.at;
    const vector = scan.parsed();
    const text = wanted === 'base64' ? toBase64(vector) : toFloats(vector);
    if (text !== null) splices.push({ start, end: scan.at, text });
  }
}

function toBase64(vector: unknown): string | null {
  if (!Array.isArray(vector)) return null;
  const bytes = Buffer.allocUnsafe(vector.length * FLOAT_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let index = 0; index < vector.length; index++) {
    const value: unknown = vector[index];
    if (typeof value !== 'number') return null;
    view.setFloat32(index * FLOAT_BYTES, value, true);
  }
  return `"${bytes.toString('base64')}"`;
}

function toFloats(vector: unknown): string | null {
  if (typeof vector !== 'string') return null;
  const bytes = Buffer.from(vector, 'base64');
  if (bytes.length % FLOAT_BYTES !== 0 || bytes.toString('base64') !== vector) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const floats: number[] = [];
  for (let at = 0; at < bytes.length; at += FLOAT_BYTES) {
    const value = view.getFloat32(at, true);
    if (!Number.isFinite(value)) return null;
    floats.push(Number(value.toPrecision(FLOAT_DIGITS)));
  }
  return JSON.stringify(floats);
}
