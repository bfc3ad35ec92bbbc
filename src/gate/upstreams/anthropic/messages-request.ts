import { createHash } from 'node:crypto';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { readCacheControl } from './cache-control.ts';
import { textBlock } from './content-blocks.ts';
import { liftMedia } from './lift-media.ts';
import { enforceableSchema } from './output-schema.ts';
import { thinkingSettings } from './thinking-settings.ts';
import { readTools, type ToolSettings } from './tools.ts';
import { readConversation, type Conversation } from './turns.ts';
import { refuseUnread, Untranslatable } from '../../openai/untranslatable.ts';
import { READ_FIELDS } from './read-fields.ts';

// The body of a request to the Messages API.

export interface MessagesCall {
  readonly model: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  /** The `anthropic-version` that the body is sent with. */
  readonly version: string;
}

/** From this version on, no model accepts sampling settings. */
const VERSION_WITHOUT_SAMPLING = '2026-10-21';

const ONLY_JSON = 'and nothing else: no text before or after it, no code fence.';

/** Numbers that control sampling, with their defaults. */
const SAMPLING: readonly { readonly field: string; readonly most: number; readonly usual: number | null }[] = [
  { field: 'temperature', most: 1, usual: 1 },
  { field: 'top_p', most: 1, usual: 1 },
  { field: 'top_k', most: Infinity, usual: null },
];

/** Many models accept no sampling settings at all, so settings without effect are left out. */
function readSampling(body: JsonObject, version: string): JsonObject {
  const settings: Record<string, number> = {};
  for (const { field, most, usual } of SAMPLING) {
    const value = body[field];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || value < 0)
      throw new Untranslatable(field, `'${field}' must be a number from 0 on.`);
    const clamped = Math.min(value, most);
    if (clamped === usual) continue;
    if (version >= VERSION_WITHOUT_SAMPLING) {
      throw new Untranslatable(field, `'${field}' is not supported by this model; leave it out.`);
    }
    settings[field] = clamped;
  }
  return settings;
}

function readStop(stop: unknown): readonly string[] {
  const sequences: readonly unknown[] = Array.isArray(stop) ? stop : stop === undefined || stop === null ? [] : [stop];
  return sequences
    .map((sequence) => {
      if (typeof sequence === 'string') return sequence;
      throw new Untranslatable('stop', "'stop' must be a string or an array of strings.");
    })
    .filter((sequence) => sequence !== '');
}

interface OutputFormat {
  readonly format: JsonObject | null;
  /** Instructions for a format that can't be enforced; empty if it can. */
  readonly instruction: string;
}

function readFormat(value: unknown): OutputFormat {
  if (value === undefined || value === null) return { format: null, instruction: '' };
  const type = isObject(value) ? value['type'] : undefined;
  if (type === 'text') return { format: null, instruction: '' };
  if (type === 'json_object') return { format: null, instruction: `Answer with one JSON object ${ONLY_JSON}` };
  const described = isObject(value) && type === 'json_schema' ? value['json_schema'] : undefined;
  const schema = isObject(described) ? described['schema'] : undefined;
  if (!isObject(described) || !isObject(schema)) {
    throw new Untranslatable(
      'response_format',
      "'response_format' must be of type text, json_object, or json_schema with a schema.",
    );
  }
  const { description } = described;
  const whole =
    typeof description === 'string' && schema['description'] === undefined ? { description, ...schema } : schema;
  const enforced = enforceableSchema(whole);
  if (enforced !== null) return { format: { type: 'json_schema', schema: enforced }, instruction: '' };
  return {
    format: null,
    instruction: `Answer with one JSON value that is valid by this JSON schema ${ONLY_JSON}\n\n${JSON.stringify(whole)}`,
  };
}

/** Anthropic requires an opaque id: a value that may be a person's name, address or number is hashed. */
function userId(body: JsonObject): string | null {
  const id = body['safety_identifier'] ?? body['user'];
  if (typeof id !== 'string' || id === '') return null;
  return /^(?=.*[A-Za-z])(?=.*\d)[\w.:-]{8,256}$/.test(id) ? id : createHash('sha256').update(id).digest('hex');
}

function readThinking(body: JsonObject, call: MessagesCall, { turns }: Conversation, { tool_choice }: ToolSettings) {
  const { thinking } = body;
  if (thinking !== undefined && thinking !== null) {
    if (!isObject(thinking)) throw new Untranslatable('thinking', "'thinking' must be an object.");
    return { thinking };
  }
  const answer = turns.findLast((turn) => turn.role === 'assistant');
  const hasCalled = answer?.content.some((block) => block.type === 'tool_use') ?? false;
  const hasThought = answer?.content.some((block) => block.type.endsWith('thinking')) ?? false;
  return thinkingSettings({
    effort: body['reasoning_effort'],
    model: call.model,
    maxTokens: call.maxTokens,
    isForced: tool_choice?.type === 'any' || tool_choice?.type === 'tool',
    hasLostThread: hasCalled && !hasThought,
  });
}

/** Translates a chat request's body, which has been checked as JSON. @throws Untranslatable */
export function messagesBody(chat: Buffer, call: MessagesCall): Buffer {
  const { json, restore } = liftMedia(chat);
  const body = parseExactly(json) as JsonObject;
  refuseUnread(body, READ_FIELDS);
  const cacheOptions = body['prompt_cache_options'];
  const conversation = readConversation(body['messages'], {
    cacheLivesLong: isObject(cacheOptions) && typeof cacheOptions['ttl'] === 'string',
  });
  const tools = readTools(body, conversation.turns);
  const { format, instruction } = readFormat(body['response_format']);
  const block = textBlock(instruction);
  const system = block === null ? conversation.system : [...conversation.system, block];
  const { thinking, effort } = readThinking(body, call, conversation, tools);
  const output = { ...(effort === undefined ? {} : { effort }), ...(format === null ? {} : { format }) };
  const stop = readStop(body['stop']);
  const user = userId(body);
  const cacheControl = readCacheControl(body['cache_control'], 'cache_control');
  return restore(
    JSON.stringify({
      model: call.model,
      max_tokens: call.maxTokens,
      ...(system.length === 0 ? {} : { system }),
      messages: conversation.turns,
      ...tools,
      ...(thinking === undefined ? {} : { thinking }),
      ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
      ...readSampling(body, call.version),
      ...(stop.length === 0 ? {} : { stop_sequences: stop }),
      ...(user === null ? {} : { metadata: { user_id: user } }),
      ...(cacheControl === null ? {} : { cache_control: cacheControl }),
      ...(call.stream ? { stream: true } : {}),
    }),
  );
}
