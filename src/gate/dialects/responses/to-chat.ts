import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { namesOf } from '../../openai/known-fields.ts';
import { type ReadFields, refuseUnread, Untranslatable } from '../../openai/untranslatable.ts';
import type { ChatExtensions } from '../dialect.ts';
import { carryInput } from './carried-input.ts';
import { settingsOf } from './response-object.ts';
import { RESPONSES_FIELDS } from './responses-fields.ts';
import { carryToolChoice, carryTools, type CarriedTool } from './carried-tools.ts';

// Converts a Responses request to a chat request, for providers without Responses. Fields without a chat equivalent
// are refused by name, except those that don't affect the answer.

/** What the translation of the answer needs to know of the request. */
export interface CarriedNotes {
  /** The caller's tools for functions of the chat request, by name. */
  readonly tools: ReadonlyMap<string, CarriedTool>;
  /** The settings that the answer repeats. */
  readonly settings: JsonObject;
}

/** A chat request's body, and the notes for translating its answer back. */
export interface CarriedRequest {
  readonly body: Buffer;
  readonly notes: CarriedNotes;
  /** Left-out parts, to be reported to the caller: types of tools, `reasoning`. */
  readonly leftOut: readonly string[];
}

/** Fields that chat has under the same name, or that don't affect the answer there. */
const SAME_FIELDS = [...namesOf(RESPONSES_FIELDS, ({ inChat }) => inChat === 'same')];

/** Fields with a reader of their own, and those without meaning for the model. */
const READ: ReadFields = {
  names: namesOf(RESPONSES_FIELDS, ({ inChat }) => inChat !== undefined),
  saysNothing: {
    truncation: (value) => value === 'disabled',
    background: (value) => value === false,
  },
};

const LOGPROBS = 'message.output_text.logprobs';

/** What an answer may include; other values belong to tools that run at the provider. */
const INCLUDABLE: readonly string[] = ['reasoning.encrypted_content', LOGPROBS];

/** Translates a body, checked as JSON, for a provider with these extensions of chat. @throws Untranslatable */
export function carryToChat(body: Buffer, extensions: ChatExtensions): CarriedRequest {
  const request = parseExactly(body.toString()) as JsonObject;
  refuseUnread(request, READ);
  const include = readInclude(request['include']);
  const input = carryInput(request['instructions'], request['input'], extensions);
  const tools = carryTools([{ tools: request['tools'], where: 'tools' }, ...input.tools]);
  const choice = carryToolChoice(request['tool_choice'], tools);
  const { max_output_tokens: cap, top_logprobs: topLogprobs, stream } = request;
  const chat = {
    model: request['model'],
    messages: input.messages,
    ...(tools.functions.length === 0 ? {} : { tools: tools.functions }),
    tool_choice: choice,
    ...sameFields(request, tools.functions.length > 0),
    ...readReasoning(request['reasoning']),
    ...readText(request['text']),
    ...(include.includes(LOGPROBS) ? { logprobs: true } : {}),
    ...(typeof topLogprobs === 'number' && topLogprobs > 0 ? { logprobs: true, top_logprobs: topLogprobs } : {}),
    ...(typeof cap === 'number' ? { max_completion_tokens: cap } : {}),
    ...(stream === true ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
  const leftOut = [...tools.leftOut, ...(input.losesReasoning ? ['reasoning'] : [])];
  const notes = { tools: tools.byName, settings: settingsOf(request) };
  return { body: Buffer.from(JSON.stringify(chat)), notes, leftOut };
}

function readInclude(include: unknown): readonly unknown[] {
  if (include === undefined || include === null) return [];
  const wanted = Array.isArray(include) ? (include as readonly unknown[]) : [include];
  const unknown = wanted.findIndex((each) => !INCLUDABLE.includes(String(each)));
  if (unknown < 0) return wanted;
  const param = `include[${unknown}]`;
  throw new Untranslatable(param, `'${param}' must be ${INCLUDABLE.join(' or ')} for this model.`);
}

/** `parallel_tool_calls` is only allowed together with tools. */
function sameFields(request: JsonObject, hasTools: boolean): JsonObject {
  const names = SAME_FIELDS.filter((name) => request[name] !== undefined && request[name] !== null);
  const kept = names.filter((name) => hasTools || name !== 'parallel_tool_calls');
  return Object.fromEntries(kept.map((name) => [name, request[name]]));
}

/** Other members of `reasoning` set how much of it is shown; everything that the provider shows is passed on. */
function readReasoning(reasoning: unknown): JsonObject {
  const effort = isObject(reasoning) ? reasoning['effort'] : undefined;
  return typeof effort === 'string' ? { reasoning_effort: effort } : {};
}

function readText(text: unknown): JsonObject {
  if (!isObject(text)) return {};
  const { format, verbosity } = text;
  return {
    ...(typeof verbosity === 'string' ? { verbosity } : {}),
    ...(isObject(format) ? readFormat(format) : {}),
  };
}

function readFormat({ type, name, schema, strict, description }: JsonObject): JsonObject {
  if (type === 'text') return {};
  if (type === 'json_object') return { response_format: { type } };
  if (type !== 'json_schema') {
    throw new Untranslatable('text.format.type', "'text.format.type' must be text, json_object or json_schema.");
  }
  const described = {
    name,
    schema,
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
  return { response_format: { type, json_schema: described } };
}
