import { fieldFault, type BodyFault, type BodyResult } from '../../openai/body-fault.ts';
import type { RequestedTier } from '../../../domain/service-tier.ts';
import { USES_MAX } from '../../../domain/uses.ts';
import { INSTRUCTION_BYTES_MAX, type InputSize } from '../../openai/chat-request.ts';
import type { JsonObject } from '../../openai/json-edit.ts';
import { readMembers } from '../../openai/json-members.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import type { PricedIn } from '../../openai/known-fields.ts';
import { isMemberFault, MemberReader } from '../../openai/known-members.ts';
import { BodyReader, into, isFault, readFlag, readModel, whole } from '../../openai/request-fields.ts';
import { readServiceTier } from '../../openai/service-tier.ts';
import { type UnknownField, UnknownFields } from '../../openai/unknown-fields.ts';
import { FORMAT_MEMBERS, TEXT_MEMBERS } from './response-members.ts';
import { RESPONSES_FIELDS } from './responses-fields.ts';
import { type ItemReference, readInput, type InputTally } from './responses-input.ts';
import { FREE_CHOICE, readTools, readToolChoice, type ToolChoice, type ToolPlace } from './responses-tools.ts';

// A Responses request, parsed from its bytes: the few fields that the gate needs, and their positions, so that the
// rest passes through untouched.

export interface ResponsesRequest {
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  /** `max_output_tokens`; null if not set. */
  readonly maxTokens: number | null;
  readonly size: InputSize;
  /** The number of its own items; a text counts as one. */
  readonly items: number;
  /** The span of the schema in `text.format`; null if there is none. */
  readonly schema: { readonly schemaStart: number; readonly schemaEnd: number } | null;
  /** Whether the caller allows the answer to be kept; true by default. */
  readonly mayBeKept: boolean;
  /** The id of the response that it continues; null if it names none. */
  readonly previous: string | null;
  readonly references: readonly ItemReference[];
  /** Positions of input items with the reasoning of a translated answer. */
  readonly capsules: readonly number[];
  readonly tools: readonly ToolPlace[];
  readonly toolChoice: ToolChoice;
  /** `max_tool_calls`; null if not set. */
  readonly maxToolCalls: number | null;
  readonly tier: RequestedTier;
  /** Fields unknown to the gateway: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** The positions of the body's members, for editing it. */
  readonly layout: JsonObject;
}

const MAX_CAP = 2 ** 31;

/** More than any id. */
const ID_BYTES_MAX = 1_024;

/** Some 300,000 values. */
const STRUCTURE_MAX = 5_000_000;

/** The largest format, which is read more than once: more than any accepted schema. */
const FORMAT_BYTES_MAX = 288 * 1_024;

const OPENING_BRACE = 0x7b;

interface Draft {
  model: string;
  stream: boolean;
  maxTokens: number | null;
  hasInput: boolean;
  mayBeKept: boolean;
  previous: string | null;
  renderedTwice: number;
  schema: ResponsesRequest['schema'];
  tools: readonly ToolPlace[];
  toolChoice: ToolChoice;
  maxToolCalls: number | null;
  tier: RequestedTier;
  readonly tally: InputTally;
  readonly unknown: UnknownFields;
}

const BODY = new BodyReader<Draft, PricedIn<typeof RESPONSES_FIELDS>>(STRUCTURE_MAX, RESPONSES_FIELDS, {
  model: into('model', readModel),
  input: (scan, draft) => {
    if (scan.kind() === 'null') {
      scan.skip();
      return null;
    }
    draft.hasInput = true;
    return readInput(scan, draft.tally);
  },
  stream: into('stream', readFlag),
  store: (scan, draft) => {
    const isNull = scan.kind() === 'null';
    const store = readFlag(scan, 'store');
    if (isFault(store)) return store;
    draft.mayBeKept = store || isNull;
    return null;
  },
  previous_response_id: (scan, draft) => {
    const isId = scan.kind() === 'string' && !scan.exceeds(ID_BYTES_MAX);
    if (isId) draft.previous = scan.string();
    else if (scan.kind() === 'null') scan.skip();
    else return fieldFault('previous_response_id', "'previous_response_id' must be the id of a response.");
    return null;
  },
  max_output_tokens: into('maxTokens', whole(1, MAX_CAP)),
  tools: (scan, draft) => {
    const start = scan.at;
    const tools = readTools(scan, draft.unknown);
    if ('message' in tools) return tools;
    draft.tools = tools;
    draft.renderedTwice += scan.at - start;
    return null;
  },
  tool_choice: (scan, draft) => {
    const choice = readToolChoice(scan, draft.unknown);
    if ('message' in choice) return choice;
    draft.toolChoice = choice;
    return null;
  },
  max_tool_calls: into('maxToolCalls', whole(0, USES_MAX)),
  service_tier: into('tier', readServiceTier),
  text: readText,
});

interface ReadingOptions {
  /** Whether a request that continues a response may have no items of its own. */
  readonly mayOmitInput?: boolean;
  /**
   * The request before its references were replaced. Its own items were checked in it; the others were written by the
   * provider, or checked when they arrived.
   */
  readonly before?: ResponsesRequest;
}

/**
 * Reads a Responses request: checks the whole body as JSON; refuses ambiguous keys, fields that change what is bought,
 * references to something stored elsewhere, and wrong values of the fields that the gate uses. Unknown fields are
 * listed.
 */
export function readResponsesRequest(
  body: Buffer,
  { mayOmitInput = false, before }: ReadingOptions = {},
): BodyResult<ResponsesRequest> {
  const unknown = new UnknownFields();
  const tally: InputTally = {
    items: 0,
    images: 0,
    audios: 0,
    files: 0,
    payloadBytes: 0,
    toolBytes: 0,
    references: [],
    capsules: [],
    mayNameKept: before !== undefined,
    unknown,
  };
  const draft: Draft = {
    model: '',
    stream: false,
    maxTokens: null,
    hasInput: false,
    mayBeKept: true,
    previous: null,
    renderedTwice: 0,
    schema: null,
    tools: [],
    toolChoice: FREE_CHOICE,
    maxToolCalls: null,
    tier: null,
    tally,
    unknown,
  };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  const fault = findMissing(draft, mayOmitInput);
  if (fault !== null) return { ok: false, fault };
  const { mayBeKept, previous, model, stream, maxTokens, schema, tools, toolChoice, maxToolCalls, tier } = draft;
  const { items, images, audios, files, payloadBytes, toolBytes, references, capsules } = tally;
  const instructed = schema === null ? 0 : INSTRUCTION_BYTES_MAX;
  const textBytes = body.length - payloadBytes + draft.renderedTwice + toolBytes + instructed;
  // The instructions are a message too.
  const size = { textBytes, messages: items + 1, images, audios, files };
  const kept = { mayBeKept, previous, references, capsules };
  const ofTools = { tools, toolChoice, maxToolCalls };
  const asked = { body, model, stream, maxTokens, size, items, schema, tier, ...kept, ...ofTools };
  return { ok: true, request: { ...asked, unknown: before?.unknown ?? unknown.list, layout } };
}

function findMissing({ model, hasInput, previous, tally }: Draft, mayOmitInput: boolean): BodyFault | null {
  if (model === '') return fieldFault('model', "'model' is missing: name the model that shall answer.");
  if (mayOmitInput && previous !== null) return null;
  if (!hasInput) return fieldFault('input', "'input' is missing: give a text or at least one item.");
  return tally.items > 0 ? null : fieldFault('input', "'input' must hold at least one item.");
}

const TEXT = new MemberReader(TEXT_MEMBERS);
const FORMAT = new MemberReader(FORMAT_MEMBERS);

/** Reads `text`, for the place of its schema. */
function readText(scan: JsonScan, draft: Draft): BodyFault | null {
  if (!scan.enterObject()) {
    scan.skip();
    return null;
  }
  let hasFormat = false;
  while (scan.nextMember()) {
    const name = TEXT.judge(scan, () => 'text', draft.unknown);
    if (isMemberFault(name)) return name;
    if (name === null) continue;
    if (hasFormat) return fieldFault('text.format', "'text.format' is given twice.");
    hasFormat = true;
    const fault = readFormat(scan, draft);
    if (fault !== null) return fault;
  }
  return null;
}

function readFormat(scan: JsonScan, draft: Draft): BodyFault | null {
  if (scan.kind() !== 'object') {
    scan.skip();
    return null;
  }
  if (scan.exceeds(FORMAT_BYTES_MAX)) {
    return fieldFault('text.format', `'text.format' must not be larger than ${FORMAT_BYTES_MAX} bytes.`);
  }
  const format = readMembers(scan, 'text.format', FORMAT, draft.unknown);
  if ('message' in format) return format;
  const [type, schema] = [format.get('type'), format.get('schema')];
  if (type === undefined || JSON.parse(scan.bytes.toString('utf8', type.valueStart, type.valueEnd)) !== 'json_schema') {
    return null;
  }
  if (schema === undefined || scan.bytes[schema.valueStart] !== OPENING_BRACE) {
    return fieldFault('text.format.schema', "'text.format.schema' must be a JSON schema that is an object.");
  }
  draft.schema = { schemaStart: schema.valueStart, schemaEnd: schema.valueEnd };
  return null;
}
