import { type JsonObject, splicedPieces, spliceObject } from '../openai/json-edit.ts';
import type { UnknownField } from '../openai/unknown-fields.ts';
import type { CompletionRequest, Dialect, NativeFacet, RequestInput } from './dialect.ts';

// Requests of dialects without streams and without a chat form: sent unchanged to providers that speak the dialect.

/** What a dialect lacks whose requests are sent unchanged or not at all. */
export const NATIVE_ALONE = {
  fieldNames: {},
  counting: null,
  listInput: null,
  answerFromChat: null,
  choiceReading: null,
} as const satisfies Partial<Dialect>;

/** The parsed body of such a request. */
export interface NativeBody {
  readonly body: Buffer;
  readonly model: string;
  /** Fields unknown to the gateway: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** The positions of the body's members, for editing it. */
  readonly layout: JsonObject;
}

const NOTHING: readonly never[] = Object.freeze([]);

/** A request with a native form and no other facet. `editAnswer`: see `NativeFacet`. */
export function nativeRequest(
  dialect: Dialect,
  read: NativeBody,
  input: RequestInput,
  editAnswer: NativeFacet['editAnswer'],
): CompletionRequest {
  return {
    dialect,
    body: read.body,
    model: read.model,
    input,
    unknown: read.unknown,
    leftOut: NOTHING,
    text: null,
    chat: null,
    tools: null,
    kept: null,
    native: {
      stream: false,
      headers: {},
      unknownBetas: NOTHING,
      body: ({ upstreamModel }) => renamed(read, upstreamModel),
      countBody: (upstreamModel) => renamed(read, upstreamModel),
      editAnswer,
    },
    audio: null,
    tier: null,
    models: null,
  };
}

/** The caller's body with the upstream's name of the model, in pieces. */
function renamed({ body, model, layout }: NativeBody, upstreamModel: string): readonly Buffer[] {
  const member = layout.members.find((each) => each.key === 'model');
  if (member === undefined || model === upstreamModel) return [body];
  const value = JSON.stringify(upstreamModel);
  return splicedPieces(body, spliceObject(layout, [{ kind: 'replace', member, value }]));
}
