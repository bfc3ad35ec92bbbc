import { readAnswer } from '../../openai/chat-answer.ts';
import { NameTable } from '../../openai/json-names.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import { assert } from '../../../lib/assert.ts';
import type { AnswerResult } from '../answer-translator.ts';
import { toJson, type Writable } from '../json-text.ts';
import { JsonView } from '../json-view.ts';
import type { TranslatedRequest } from '../translated-request.ts';
import { refuseUnknownFields } from './chat-request.ts';
import { elementsAt, numberAt, stringAt, translateOrFault, unfit } from './unfit-request.ts';

// Embeddings with `batchEmbedContents`, even for a single text.

const TAKEN_FIELDS: ReadonlySet<string> = new Set(['model', 'input', 'encoding_format', 'dimensions', 'user']);

/** Google's limit for one call. */
const INPUTS_MAX = 100;

/**
 * The body of `batchEmbedContents` for an OpenAI embeddings request; `resource` is the provider's path of the model.
 */
export function translateEmbeddings(request: { readonly body: Buffer }, resource: string): TranslatedRequest {
  const body = JsonView.of(request.body);
  assert(body !== null, 'a request is valid JSON');
  return translateOrFault(() => {
    refuseUnknownFields(body, TAKEN_FIELDS);
    const dimensions = body.get('dimensions');
    const outputDimensionality = dimensions && numberAt(dimensions, 'dimensions');
    const requests = textsOf(body.get('input')).map((text) => ({
      model: resource,
      content: { parts: [{ text }] },
      outputDimensionality,
    }));
    return toJson({ requests });
  });
}

function textsOf(input: JsonView | undefined): readonly JsonView[] {
  assert(input !== undefined, 'an embeddings request has an input');
  if (input.kind === 'string') return [input];
  const inputs = elementsAt(input, 'input');
  if (inputs.length > INPUTS_MAX && inputs[0]?.kind === 'string') {
    unfit('input', `'input' must hold at most ${INPUTS_MAX} texts: this model's provider takes no more in one call.`);
  }
  if (inputs[0]?.kind !== 'string') {
    unfit('input', "'input' must be text: this model's provider takes no token numbers.");
  }
  return inputs.map((each, index) => stringAt(each, `input[${index}]`));
}

const ITEM_NAMES = new NameTable(['values']);

/** Converts an answer of `batchEmbedContents` to OpenAI's list; the digits of its vectors are unchanged. */
export function readEmbeddings(view: JsonView, status: number, upstreamModel: string): AnswerResult {
  const vectors = vectorsOf(view.get('embeddings'));
  if (vectors === null) {
    return { ok: false, fault: { kind: 'malformed', status, message: 'the answer has no embeddings' } };
  }
  const data: Writable = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const tokens = view.get('usageMetadata')?.get('promptTokenCount');
  const usage: Writable | undefined = tokens && { prompt_tokens: tokens, total_tokens: tokens };
  const body = toJson({ object: 'list', data, model: upstreamModel, usage });
  // The facts don't depend on the vectors, which were checked before.
  return { ok: true, body, facts: readAnswer(toJson({ usage })) };
}

/**
 * The JSON of each vector. Null if there are none, or an embedding has none. Numbers get no views: there are too many.
 */
function vectorsOf(embeddings: JsonView | undefined): readonly Buffer[] | null {
  if (embeddings === undefined) return null;
  const vectors: Buffer[] = [];
  const scan = embeddings.scan();
  if (!scan.enterArray()) return null;
  while (scan.nextElement()) {
    const vector = vectorAt(scan);
    if (vector === null) return null;
    vectors.push(vector);
  }
  return vectors.length === 0 ? null : vectors;
}

function vectorAt(scan: JsonScan): Buffer | null {
  let vector: Buffer | null = null;
  if (!scan.enterObject()) return null;
  while (scan.nextMember()) {
    const isVector = scan.keyIn(ITEM_NAMES) !== undefined && scan.kind() === 'array';
    const start = scan.at;
    scan.skip();
    if (isVector) vector = scan.bytes.subarray(start, scan.at);
  }
  return vector;
}
