import { type AudioFormat, faultOfAudio, readAudio, readModalities } from './chat-audio.ts';
import { fieldFault, type BodyFault, type BodyResult } from './body-fault.ts';
import { type ChatExtra, readExtra } from './chat-extras.ts';
import { FUNCTION_MEMBERS } from './chat-members.ts';
import { readMessages, type MessagesTally } from './chat-messages.ts';
import { CHAT_FIELDS } from './chat-fields.ts';
import { readResponseFormat, type SchemaFormat } from './chat-response-format.ts';
import { readTools } from './chat-tools.ts';
import type { JsonObject } from './json-edit.ts';
import type { JsonScan } from './json-scan.ts';
import type { PricedIn } from './known-fields.ts';
import { MemberReader } from './known-members.ts';
import { type NamedTier, readServiceTier } from './service-tier.ts';
import { findStray, readStreamOptions } from './stream-options.ts';
import { type UnknownField, UnknownFields } from './unknown-fields.ts';
import { BodyReader, type FieldReader, into, isFault, readFlag, readModel, readWhole } from './request-fields.ts';

// A chat request, parsed from its bytes: the few fields that the gate needs, and their positions, so that the rest
// passes through untouched.

/** An upper bound of the input without a tokenizer. */
export interface InputSize {
  /** UTF-8 bytes of the body without media payloads, tool definitions counted twice. */
  readonly textBytes: number;
  readonly messages: number;
  readonly images: number;
  readonly audios: number;
  readonly files: number;
  /** The number of separate prompts, each of which may fill the model's context; absent: one. */
  readonly prompts?: number;
}

export interface ChatRequest {
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  /** Whether the caller itself requested usage in the stream. */
  readonly includeUsage: boolean;
  readonly choices: number;
  /** The smaller of the caller's `max_tokens` and `max_completion_tokens`; null if neither is set. */
  readonly maxTokens: number | null;
  readonly size: InputSize;
  /** Fields that request more than text; only an upstream that supports them may be sent them. */
  readonly extras: readonly ChatExtra[];
  /** Bytes of a prediction of the answer, whose tokens may be billed as output in addition to the cap. */
  readonly predictionBytes: number;
  /** The format of an answer in audio; null if only text was requested. */
  readonly audioFormat: AudioFormat | null;
  readonly tier: NamedTier;
  /** The models that may answer if `model` can't, in order; null if it names none. */
  readonly models: readonly string[] | null;
  /** The JSON schema that the answer is to conform to; null if the caller gave none. */
  readonly schemaFormat: SchemaFormat | null;
  /** Fields unknown to the gateway: only a provider that is configured to accept them is sent the request. */
  readonly unknown: readonly UnknownField[];
  /** The positions of the body's members, for editing it. */
  readonly layout: JsonObject;
  /** The positions of the members of `stream_options`; null if it is absent or null. */
  readonly streamOptions: JsonObject | null;
}

const NO_EXTRAS: readonly ChatExtra[] = Object.freeze([]);

const MAX_CHOICES = 128;
const MAX_CAP = 2 ** 31;
const MODELS_MAX = 5;

/** The most additional input, other than the schema, for an upstream without schemas of its own: one message. */
export const INSTRUCTION_BYTES_MAX = 2_048;

/** The state of the reading. */
interface Draft {
  model: string;
  stream: boolean;
  includeUsage: boolean;
  choices: number;
  maxTokens: number | null;
  extras: readonly ChatExtra[];
  predictionBytes: number;
  asksForAudio: boolean;
  audioFormat: AudioFormat | null;
  tier: NamedTier;
  models: readonly string[] | null;
  streamOptions: JsonObject | null;
  schemaFormat: SchemaFormat | null;
  /** Bytes of what templates may render a second time. */
  renderedTwice: number;
  readonly tally: MessagesTally;
  readonly unknown: UnknownFields;
}

/** Some 300,000 values, or 12,000 messages. */
const STRUCTURE_MAX = 5_000_000;

const FUNCTION = new MemberReader(FUNCTION_MEMBERS);

const BODY = new BodyReader<Draft, PricedIn<typeof CHAT_FIELDS>>(STRUCTURE_MAX, CHAT_FIELDS, {
  model: into('model', readModel),
  messages: (scan, draft) => readMessages(scan, draft.tally),
  stream: into('stream', readFlag),
  stream_options: readStreamOptions,
  n: (scan, draft) => {
    const choices = readWhole(scan, 'n', 1, MAX_CHOICES);
    if (isFault(choices)) return choices;
    draft.choices = choices ?? 1;
    return null;
  },
  web_search_options: (scan, draft) => addExtra(scan, draft, 'web_search_options'),
  prediction: (scan, draft) => {
    const start = scan.at;
    const fault = addExtra(scan, draft, 'prediction');
    if (draft.extras.includes('prediction')) draft.predictionBytes = scan.at - start;
    return fault;
  },
  modalities: into('asksForAudio', readModalities),
  audio: into('audioFormat', readAudio),
  service_tier: into('tier', readServiceTier),
  models: readOtherModels,
  max_tokens: readCap,
  max_completion_tokens: readCap,
  tools: twice((scan, { unknown }) => readTools(scan, unknown)),
  functions: twice((scan, { unknown }) => FUNCTION.pass(scan, () => 'functions', unknown)),
  response_format: twice(readFormat),
});

/**
 * Reads a chat request: checks the whole body as JSON; refuses ambiguous keys, fields that change what is bought
 * (chat-fields.ts), and wrong values of the fields that the gate uses. Unknown fields are listed.
 */
export function readChatRequest(body: Buffer): BodyResult<ChatRequest> {
  const unknown = new UnknownFields();
  const draft: Draft = {
    model: '',
    stream: false,
    includeUsage: false,
    choices: 1,
    maxTokens: null,
    extras: NO_EXTRAS,
    predictionBytes: 0,
    asksForAudio: false,
    audioFormat: null,
    tier: null,
    models: null,
    streamOptions: null,
    schemaFormat: null,
    renderedTwice: 0,
    tally: { messages: 0, images: 0, audios: 0, files: 0, payloadBytes: 0, unknown },
    unknown,
  };
  const layout = BODY.read(body, draft);
  if (!('members' in layout)) return { ok: false, fault: layout };
  const fault = findMissing(draft);
  if (fault !== null) return { ok: false, fault };
  const { model, stream, includeUsage, choices, maxTokens, predictionBytes, audioFormat } = draft;
  const { streamOptions, schemaFormat, tier, models } = draft;
  const extras: readonly ChatExtra[] = audioFormat === null ? draft.extras : [...draft.extras, 'audio'];
  const { messages, images, audios, files, payloadBytes } = draft.tally;
  const instructed = schemaFormat === null ? 0 : INSTRUCTION_BYTES_MAX;
  const textBytes = body.length - payloadBytes + draft.renderedTwice + instructed;
  const size = { textBytes, messages, images, audios, files };
  // Written out: a spread of what was read costs more than reading it.
  const request: ChatRequest = {
    body,
    model,
    stream,
    includeUsage,
    choices,
    maxTokens,
    extras,
    predictionBytes,
    audioFormat,
    tier,
    models,
    streamOptions,
    schemaFormat,
    size,
    unknown: unknown.list,
    layout,
  };
  return { ok: true, request };
}

function findMissing(draft: Draft): BodyFault | null {
  if (draft.model === '') return fieldFault('model', "'model' is missing: name the model that shall answer.");
  if (draft.tally.messages === 0) return fieldFault('messages', "'messages' is missing: give at least one message.");
  return findStray(draft) ?? faultOfAudio(draft.asksForAudio, draft.audioFormat, draft.schemaFormat !== null);
}

function readCap(scan: JsonScan, draft: Draft, name: string): BodyFault | null {
  const cap = readWhole(scan, name, 1, MAX_CAP);
  if (isFault(cap)) return cap;
  if (cap !== null) draft.maxTokens = Math.min(cap, draft.maxTokens ?? cap);
  return null;
}

function addExtra(scan: JsonScan, draft: Draft, name: Exclude<ChatExtra, 'audio'>): BodyFault | null {
  const asks = readExtra(scan, name, draft.unknown);
  if (isFault(asks)) return asks;
  if (asks) draft.extras = [...draft.extras, name];
  return null;
}

/** Reads the ids of other models; an empty list names none. */
function readOtherModels(scan: JsonScan, draft: Draft): BodyFault | null {
  if (scan.kind() === 'null') {
    scan.skip();
    return null;
  }
  const fault = fieldFault('models', `'models' must be a list of at most ${MODELS_MAX} ids of models.`);
  if (!scan.enterArray()) return fault;
  const models: string[] = [];
  while (scan.nextElement()) {
    const id = readModel(scan);
    if (isFault(id) || models.length === MODELS_MAX) return fault;
    models.push(id);
  }
  draft.models = models.length === 0 ? null : models;
  return null;
}

function readFormat(scan: JsonScan, draft: Draft): BodyFault | null {
  const format = readResponseFormat(scan, draft.unknown);
  if (format !== null && 'message' in format) return format;
  draft.schemaFormat = format;
  return null;
}

/** Wraps a reader so that the bytes of its value count once more. */
function twice(read: (scan: JsonScan, draft: Draft) => BodyFault | null): FieldReader<Draft> {
  return (scan, draft) => {
    const start = scan.at;
    const fault = read(scan, draft);
    draft.renderedTwice += scan.at - start;
    return fault;
  };
}
