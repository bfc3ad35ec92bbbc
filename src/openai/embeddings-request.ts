import { fieldFault, type BodyFault, type BodyResult } from './body-fault.ts';
import { type JsonObject, splicedPieces, spliceObject } from './json-edit.ts';
import type { JsonScan } from './json-scan.ts';
import { BodyReader, isFault, readModel, readWhole } from './request-fields.ts';

/** An embeddings request as its bytes say it. */
export interface EmbeddingsRequest {
  readonly body: Buffer;
  readonly model: string;
  /** The requested encoding, `float` if it named none. */
  readonly encodingFormat: 'float' | 'base64';
  /** For each input: its UTF-8 bytes, or its number of tokens where it came as a token array. */
  readonly inputSizes: readonly number[];
  /** The positions of the body's members, for editing it. */
  readonly layout: JsonObject;
}

const MAX_INPUTS = 2048;
const MAX_DIMENSIONS = 2 ** 31;
export const TOKEN_DIGITS_MAX = 10;
const MAX_FORMAT_BYTES = 64;

interface Draft {
  model: string;
  encodingFormat: 'float' | 'base64';
  inputSizes: number[];
}

/** The size of a million tokens, and a little more. */
export const EMBEDDINGS_STRUCTURE_MAX = 10_000_000;

const BODY = new BodyReader<Draft>(EMBEDDINGS_STRUCTURE_MAX, {
  model: (scan, draft) => {
    const model = readModel(scan);
    if (isFault(model)) return model;
    draft.model = model;
    return null;
  },
  input: (scan, draft) => readInput(scan, draft.inputSizes),
  encoding_format: (scan, draft) => {
    const kind = scan.exceeds(MAX_FORMAT_BYTES) ? 'none' : scan.kind();
    const format = kind === 'string' || kind === 'null' ? (scan.parsed() ?? 'float') : undefined;
    if (format !== 'float' && format !== 'base64') {
      return fieldFault('encoding_format', "'encoding_format' must be 'float' or 'base64'.");
    }
    draft.encodingFormat = format;
    return null;
  },
  dimensions: (scan) => {
    const dimensions = readWhole(scan, 'dimensions', 1, MAX_DIMENSIONS);
    return isFault(dimensions) ? dimensions : null;
  },
});

/** Reads an embeddings request; unknown fields pass. */
export function readEmbeddingsRequest(body: Buffer): BodyResult<EmbeddingsRequest> {
  const draft: Draft = { model: '', encodingFormat: 'float', inputSizes: [] };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  if (draft.model === '')
    return { ok: false, fault: fieldFault('model', "'model' is missing: name an embedding model.") };
  if (draft.inputSizes.length === 0)
    return { ok: false, fault: fieldFault('input', "'input' is missing: give a text.") };
  return { ok: true, request: { body, ...draft, layout } };
}

/** The body to send upstream, in pieces: the caller's with the upstream's name of the model. */
export function editEmbeddingsBody(
  request: EmbeddingsRequest,
  edit: { readonly upstreamModel: string },
): readonly Buffer[] {
  const member = request.layout.members.find((each) => each.key === 'model');
  if (member === undefined || request.model === edit.upstreamModel) return [request.body];
  const value = JSON.stringify(edit.upstreamModel);
  return splicedPieces(request.body, spliceObject(request.layout, [{ kind: 'replace', member, value }]));
}

const WRONG_INPUT = fieldFault(
  'input',
  `'input' must be a string, an array of token numbers, or an array of 1 to ${MAX_INPUTS} of either, none of them empty.`,
);

/** Reads the value of `input` in any of its four shapes. */
function readInput(scan: JsonScan, sizes: number[]): BodyFault | null {
  if (scan.kind() === 'string') return readText(scan, sizes);
  if (!scan.enterArray() || !scan.nextElement()) return WRONG_INPUT;
  const kind = scan.kind();
  if (kind === 'number') return readTokens(scan, sizes);
  do {
    if (scan.kind() !== kind || sizes.length === MAX_INPUTS) return WRONG_INPUT;
    if (kind === 'string') {
      if (readText(scan, sizes) !== null) return WRONG_INPUT;
    } else if (!scan.enterArray() || !scan.nextElement() || readTokens(scan, sizes) !== null) {
      return WRONG_INPUT;
    }
  } while (scan.nextElement());
  return null;
}

function readText(scan: JsonScan, sizes: number[]): BodyFault | null {
  const size = scan.decodedBytes();
  if (scan.fault !== null) return null;
  sizes.push(size);
  return size > 0 ? null : WRONG_INPUT;
}

/** Counts the tokens of an array whose first element the scan stands at, to its end. */
function readTokens(scan: JsonScan, sizes: number[]): BodyFault | null {
  const tokens = scan.wholeNumbers(TOKEN_DIGITS_MAX);
  if (tokens === null) return WRONG_INPUT;
  sizes.push(tokens);
  return null;
}
