import type { RequestedTier } from '../../../domain/service-tier.ts';
import { type BodyFault, type BodyResult, fieldFault } from '../../openai/body-fault.ts';
import { type InputSize, INSTRUCTION_BYTES_MAX } from '../../openai/chat-request.ts';
import type { JsonObject } from '../../openai/json-edit.ts';
import { readMembers, scanOf } from '../../openai/json-members.ts';
import { isObject } from '../../openai/json-object.ts';
import type { JsonScan } from '../../openai/json-scan.ts';
import type { PricedIn } from '../../openai/known-fields.ts';
import { isMemberFault, MemberReader } from '../../openai/known-members.ts';
import { BodyReader, into, readFlag, readModel, whole } from '../../openai/request-fields.ts';
import { readMessagesTier, readSpeed } from '../../openai/service-tier.ts';
import { type UnknownField, UnknownFields } from '../../openai/unknown-fields.ts';
import type { SchemaSpan } from '../dialect.ts';
import { type BlocksTally, readBlocks } from './message-blocks.ts';
import { FREE_CHOICE, readToolChoice, readTools, type ToolChoice, type ToolPlace } from './message-tools.ts';
import { readContextManagement } from './context-edits.ts';
import { FORMAT_MEMBERS, MESSAGE_MEMBERS, OUTPUT_MEMBERS, THINKING_MEMBERS } from './message-members.ts';
import { MESSAGES_FIELDS } from './messages-fields.ts';

// A message request, parsed from its bytes: the few fields that the gate needs, and their positions, so that the rest
// passes through untouched, including unknown roles.

export interface MessagesRequest {
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  readonly maxTokens: number;
  readonly size: InputSize;
  readonly schemaSpan: SchemaSpan | null;
  readonly tier: RequestedTier;
  /** Fields unknown to the gateway: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** The positions of the body's members, for editing it. */
  readonly layout: JsonObject;
  readonly tools: readonly ToolPlace[];
  readonly toolChoice: ToolChoice;
  /** The maximum of thinking tokens; null unless the caller sets it. */
  readonly thinkingBudget: number | null;
  /** Positions of blocks that are thoughts of translated answers. */
  readonly carriedThoughts: readonly number[];
}

const MAX_CAP = 2 ** 31;
/** Some 300,000 values, or 12,000 messages. */
const STRUCTURE_MAX = 5_000_000;
/** More than any value that is parsed here. */
const PARSED_BYTES_MAX = 16_384;
/** The largest output format, which is read more than once: more than any accepted schema. */
const FORMAT_BYTES_MAX = 288 * 1_024;

const MESSAGE = new MemberReader(MESSAGE_MEMBERS);
const THINKING = new MemberReader(THINKING_MEMBERS);
const OUTPUT = new MemberReader(OUTPUT_MEMBERS);
const FORMAT = new MemberReader(FORMAT_MEMBERS);

/** The state of the reading. */
interface Draft {
  model: string;
  stream: boolean;
  maxTokens: number | null;
  schemaSpan: SchemaSpan | null;
  tier: RequestedTier;
  /** `speed`, which is a tier of its own. */
  speed: RequestedTier;
  tools: readonly ToolPlace[];
  toolChoice: ToolChoice;
  thinkingBudget: number | null;
  /** Bytes of what templates may render a second time. */
  renderedTwice: number;
  readonly tally: BlocksTally;
  readonly unknown: UnknownFields;
}

const BODY = new BodyReader<Draft, PricedIn<typeof MESSAGES_FIELDS>>(STRUCTURE_MAX, MESSAGES_FIELDS, {
  model: into('model', readModel),
  max_tokens: into('maxTokens', whole(1, MAX_CAP)),
  stream: into('stream', readFlag),
  service_tier: into('tier', readMessagesTier),
  speed: into('speed', readSpeed),
  system: (scan, draft) => readBlocks(scan, draft.tally, () => 'system'),
  messages: (scan, draft) => readMessages(scan, draft.tally),
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
  thinking: readThinking,
  context_management: (scan, { unknown }) => readContextManagement(scan, unknown),
  output_config: readOutputConfig,
  output_format: (scan, draft) => readFormat(scan, 'output_format', draft),
});

/**
 * Reads a message request: checks the whole body as JSON; refuses ambiguous keys, fields that change what is bought
 * (messages-fields.ts), and wrong values of the fields that the gate uses. Unknown fields are listed.
 */
export function readMessagesRequest(body: Buffer): BodyResult<MessagesRequest> {
  const reading = readDraft(body);
  if (!reading.ok) return reading;
  const { layout, draft } = reading.request;
  if (draft.maxTokens === null) return missing('max_tokens', 'say how many tokens the answer may have at most');
  return { ok: true, request: requestOf(body, layout, { ...draft, maxTokens: draft.maxTokens }) };
}

/** Reads a request whose tokens are to be counted: it has no maximum, and may have tools of any kind. */
export function readCountedRequest(body: Buffer): BodyResult<MessagesRequest> {
  const reading = readDraft(body);
  if (!reading.ok) return reading;
  const { layout, draft } = reading.request;
  return { ok: true, request: requestOf(body, layout, { ...draft, maxTokens: draft.maxTokens ?? 1 }) };
}

function readDraft(body: Buffer): BodyResult<{ readonly layout: JsonObject; readonly draft: Draft }> {
  const unknown = new UnknownFields();
  const draft: Draft = {
    model: '',
    stream: false,
    maxTokens: null,
    schemaSpan: null,
    tier: null,
    speed: null,
    tools: [],
    toolChoice: FREE_CHOICE,
    thinkingBudget: null,
    renderedTwice: 0,
    tally: { messages: 0, images: 0, audios: 0, files: 0, payloadBytes: 0, carriedThoughts: [], toolBytes: 0, unknown },
    unknown,
  };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  if (draft.model === '') return missing('model', 'name the model that shall answer');
  if (draft.tally.messages === 0) return missing('messages', 'give at least one message');
  return { ok: true, request: { layout, draft } };
}

function requestOf(body: Buffer, layout: JsonObject, draft: Draft & { readonly maxTokens: number }): MessagesRequest {
  const { model, stream, maxTokens, schemaSpan, tools, toolChoice, thinkingBudget, renderedTwice } = draft;
  const { messages, images, audios, files, payloadBytes, carriedThoughts, toolBytes } = draft.tally;
  const instructed = schemaSpan === null ? 0 : INSTRUCTION_BYTES_MAX;
  const textBytes = body.length - payloadBytes + renderedTwice + toolBytes + instructed;
  const size = { textBytes, messages, images, audios, files };
  return {
    body,
    model,
    stream,
    maxTokens,
    size,
    schemaSpan,
    tier: draft.speed ?? draft.tier,
    unknown: draft.unknown.list,
    layout,
    tools,
    toolChoice,
    thinkingBudget,
    carriedThoughts,
  };
}

function missing(param: string, remedy: string): { readonly ok: false; readonly fault: BodyFault } {
  return { ok: false, fault: fieldFault(param, `'${param}' is missing: ${remedy}.`) };
}

function readMessages(scan: JsonScan, tally: BlocksTally): BodyFault | null {
  if (!scan.enterArray()) return fieldFault('messages', "'messages' must be a non-empty array of messages.");
  let count = 0;
  for (; scan.nextElement(); count++) {
    const where = `messages[${count}]`;
    if (!scan.enterObject()) return fieldFault(where, `'${where}' must be an object with a role.`);
    let [hasRole, hasContent] = [false, false];
    while (scan.nextMember()) {
      const name = MESSAGE.judge(scan, () => where, tally.unknown);
      if (isMemberFault(name)) return name;
      if (name === 'content') {
        if (hasContent) return fieldFault(`${where}.content`, `'${where}.content' is given twice.`);
        hasContent = true;
        const fault = readBlocks(scan, tally, () => `${where}.content`);
        if (fault !== null) return fault;
      } else if (name === 'role') {
        hasRole = scan.kind() === 'string';
        scan.skip();
      }
    }
    if (!hasRole && scan.fault === null) return fieldFault(`${where}.role`, `'${where}.role' must be a string.`);
  }
  tally.messages += count;
  return null;
}

/** Reads the maximum of thinking tokens, if set. */
function readThinking(scan: JsonScan, draft: Draft): BodyFault | null {
  if (scan.exceeds(PARSED_BYTES_MAX)) return fieldFault('thinking', "'thinking' is too long.");
  const start = scan.at;
  const value = scan.parsed();
  const budget = isObject(value) ? value['budget_tokens'] : null;
  draft.thinkingBudget = typeof budget === 'number' ? budget : null;
  scan.at = start;
  return THINKING.pass(scan, () => 'thinking', draft.unknown);
}

const OPENING_BRACE = 0x7b;

/** Records the position of a schema; the provider checks the rest. */
function readOutputConfig(scan: JsonScan, draft: Draft): BodyFault | null {
  const name = 'output_config';
  if (scan.kind() !== 'object') {
    scan.skip();
    return null;
  }
  const fault = faultOfSize(scan, name);
  if (fault !== null) return fault;
  const members = readMembers(scan, name, OUTPUT, draft.unknown);
  if ('message' in members) return members;
  const format = members.get('format');
  if (scan.fault !== null || format === undefined) return null;
  return readFormat(scanOf(scan, format), `${name}.format`, draft);
}

/** Reads a format, which older clients send as a field of its own. */
function readFormat(scan: JsonScan, where: string, draft: Draft): BodyFault | null {
  if (scan.kind() !== 'object') {
    scan.skip();
    return null;
  }
  const fault = faultOfSize(scan, where);
  if (fault !== null) return fault;
  const parts = readMembers(scan, where, FORMAT, draft.unknown);
  if ('message' in parts) return parts;
  const [type, schema] = [parts.get('type'), parts.get('schema')];
  if (type === undefined || scanOf(scan, type).parsed(PARSED_BYTES_MAX) !== 'json_schema') return null;
  const param = `${where}.schema`;
  if (schema === undefined || scan.bytes[schema.valueStart] !== OPENING_BRACE) {
    return fieldFault(param, `'${param}' must be a JSON schema that is an object.`);
  }
  if (draft.schemaSpan !== null) {
    return fieldFault(where, `'output_format' and 'output_config.format' say the same; give one of them.`);
  }
  draft.schemaSpan = { param, schemaStart: schema.valueStart, schemaEnd: schema.valueEnd };
  return null;
}

function faultOfSize(scan: JsonScan, where: string): BodyFault | null {
  if (!scan.exceeds(FORMAT_BYTES_MAX)) return null;
  return fieldFault(where, `'${where}' must not be larger than ${FORMAT_BYTES_MAX} bytes.`);
}
