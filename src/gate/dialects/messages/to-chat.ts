import { shownName } from '../../openai/body-fault.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { namesOf } from '../../openai/known-fields.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';
import type { ChatForm, ChatTarget } from '../dialect.ts';
import { chatMessages, systemMessages } from './chat-messages.ts';
import { untranslatable } from './chat-parts.ts';
import { chatTools } from './chat-tools.ts';
import { faultOfSale, saleOf } from './hosted-tools.ts';
import { MESSAGES_FIELDS } from './messages-fields.ts';
import type { MessagesRequest } from './messages-request.ts';
import { Notes } from './translation-notes.ts';

// Converts a message request to a chat request. Fields without a chat equivalent are refused by name; optional ones,
// whose loss leaves a usable answer, are left out and reported.

/** Fields that are read below, and fields without meaning for a model. */
const TAKEN = namesOf(MESSAGES_FIELDS, ({ inChat }) => inChat !== undefined);

/** The efforts that chat supports. */
const EFFORTS: Readonly<Record<string, string>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
};

/** The effort for a budget of thinking tokens: the first whose tokens are not exceeded. */
const BUDGETS: readonly (readonly [tokens: number, effort: string])[] = [
  [4_096, 'low'],
  [16_384, 'medium'],
  [Infinity, 'high'],
];

/** Translates a request whose body has been checked as JSON. */
export function messagesToChat(request: MessagesRequest, target: ChatTarget): ChatForm {
  const fault = faultOfSale(request, {});
  if (fault !== null) return { ok: false, fault };
  const notes = new Notes(target, saleOf(request, {}).leftOut);
  try {
    const body = parseExactly(request.body.toString()) as JsonObject;
    const reading = readChatRequest(Buffer.from(JSON.stringify(chatBody(request, body, notes))));
    if (!reading.ok) return reading;
    return { ok: true, chat: reading.request, leftOut: notes.leftOut };
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    return { ok: false, fault: { message: error.message, param: error.param } };
  }
}

function chatBody(request: MessagesRequest, body: JsonObject, notes: Notes): JsonObject {
  for (const [field, value] of Object.entries(body)) {
    if (TAKEN.has(field) || value === null) continue;
    if (shownName(field) !== null) throw untranslatable(field, 'is a field');
    throw new Untranslatable(null, 'A field of the body has no equivalent for this model; leave it out.');
  }
  if (request.tier === 'fast') throw untranslatable('speed', 'is a field');
  // The reader has refused messages that aren't a list of objects.
  const turns = body['messages'] as readonly JsonObject[];
  const messages = [...systemMessages(body['system'], notes), ...chatMessages(turns, notes)];
  const { model, stream, maxTokens } = request;
  if (isObject(body['context_management'])) notes.leaveOut('context_management');
  const stops = body['stop_sequences'];
  return {
    model,
    messages,
    max_tokens: maxTokens,
    ...(stream ? { stream: true } : {}),
    ...(Array.isArray(stops) && stops.length > 0 ? { stop: stops } : {}),
    ...present(body, 'temperature'),
    ...present(body, 'top_p'),
    ...topK(body, notes),
    ...chatTools(body, notes),
    ...thinking(body, notes),
    ...responseFormat(body),
    ...notes.cacheMark(body),
  };
}

function present(body: JsonObject, name: string): JsonObject {
  return body[name] === undefined || body[name] === null ? {} : { [name]: body[name] };
}

/** OpenAI itself refuses this field. */
function topK(body: JsonObject, notes: Notes): JsonObject {
  const field = present(body, 'top_k');
  const isKnown = ['anthropic', 'gemini'].includes(notes.target.extensions);
  if (!isKnown && field['top_k'] !== undefined) throw untranslatable('top_k', 'is a field');
  return field;
}

/** How much a reasoning model should think. */
function thinking(body: JsonObject, notes: Notes): JsonObject {
  const wish = isObject(body['thinking']) ? body['thinking'] : {};
  const config = isObject(body['output_config']) ? body['output_config'] : {};
  const { extensions, reasoning } = notes.target;
  if (extensions === 'anthropic' && wish['type'] !== undefined) return { thinking: wish };
  const budget = typeof wish['budget_tokens'] === 'number' ? wish['budget_tokens'] : null;
  const asked = typeof config['effort'] === 'string' ? EFFORTS[config['effort']] : undefined;
  const effort = asked ?? (budget === null ? undefined : BUDGETS.find(([tokens]) => budget <= tokens)?.[1]);
  if (wish['type'] === 'disabled') return reasoning ? { reasoning_effort: 'none' } : {};
  if (effort !== undefined && (reasoning || extensions === 'anthropic')) return { reasoning_effort: effort };
  if (wish['type'] !== undefined) notes.leaveOut('thinking');
  if (config['effort'] !== undefined) notes.leaveOut('output_config.effort');
  return {};
}

function responseFormat(body: JsonObject): JsonObject {
  const config = isObject(body['output_config']) ? body['output_config'] : {};
  const isOlder = config['format'] === undefined || config['format'] === null;
  const format = isOlder ? body['output_format'] : config['format'];
  if (format === undefined || format === null) return {};
  if (!isObject(format) || format['type'] !== 'json_schema') {
    throw untranslatable(isOlder ? 'output_format' : 'output_config.format', 'is a format of a type');
  }
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: format['schema'] } },
  };
}
