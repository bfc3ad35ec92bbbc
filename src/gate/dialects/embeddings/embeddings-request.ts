import { EMBEDDINGS_FIELDS } from './embeddings-fields.ts';
import { fieldFault, type BodyResult } from '../../openai/body-fault.ts';
import type { PricedIn } from '../../openai/known-fields.ts';
import { BodyReader, into, isFault, readModel, readWhole } from '../../openai/request-fields.ts';
import { readTextInputs, TEXTS_STRUCTURE_MAX } from '../../openai/text-inputs.ts';
import { UnknownFields } from '../../openai/unknown-fields.ts';
import type { NativeBody } from '../native-request.ts';

/** An embeddings request, parsed from its bytes. */
export interface EmbeddingsRequest extends NativeBody {
  /** The requested encoding, `float` if it named none. */
  readonly encodingFormat: 'float' | 'base64';
  /** For each input: its UTF-8 bytes, or its number of tokens if given as a token array. */
  readonly inputSizes: readonly number[];
}

const MAX_DIMENSIONS = 2 ** 31;
const MAX_FORMAT_BYTES = 64;

interface Draft {
  model: string;
  encodingFormat: 'float' | 'base64';
  inputSizes: number[];
  readonly unknown: UnknownFields;
}

const BODY = new BodyReader<Draft, PricedIn<typeof EMBEDDINGS_FIELDS>>(TEXTS_STRUCTURE_MAX, EMBEDDINGS_FIELDS, {
  model: into('model', readModel),
  input: (scan, draft) => readTextInputs(scan, 'input', draft.inputSizes),
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

/** Reads an embeddings request; unknown fields are listed. */
export function readEmbeddingsRequest(body: Buffer): BodyResult<EmbeddingsRequest> {
  const draft: Draft = { model: '', encodingFormat: 'float', inputSizes: [], unknown: new UnknownFields() };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  if (draft.model === '')
    return { ok: false, fault: fieldFault('model', "'model' is missing: name an embedding model.") };
  if (draft.inputSizes.length === 0)
    return { ok: false, fault: fieldFault('input', "'input' is missing: give a text.") };
  return { ok: true, request: { body, ...draft, unknown: draft.unknown.list, layout } };
}
