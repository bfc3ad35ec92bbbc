import Anthropic from '@anthropic-ai/sdk';
import type { ReceivedRequest } from '../support/scripted-upstream.ts';
import { type MessagesParams, readMessage, readMessagesAsked } from './anthropic-reading.ts';
import { wireErrorEvent, wireEvents, wireMessage, wireRefusal } from './anthropic-wire.ts';
import { OUTPUT_MAX } from './asked.ts';
import { CAP, IMAGE, QUESTION, SCHEMA, TIME, WEATHER } from './questions.ts';
import type { Vendor } from './vendor.ts';

/** The version that still lets callers say how to sample. */
const VERSION = '2023-06-01';

type Params = Omit<MessagesParams, 'model' | 'stream'>;
type UserContent = Anthropic.ContentBlockParam[];

const text = (said: string): Anthropic.TextBlockParam => ({ type: 'text', text: said });
const user = (...content: UserContent): Anthropic.MessageParam => ({ role: 'user', content });
const assistant = (...content: UserContent): Anthropic.MessageParam => ({ role: 'assistant', content });
const tool = ({ name, description, parameters }: typeof WEATHER | typeof TIME): Anthropic.Tool => ({
  name,
  description,
  input_schema: { ...parameters, type: 'object' },
});

const ASKED: Params = { max_tokens: OUTPUT_MAX, messages: [user(text(QUESTION))] };

/** How the API's users ask what a scenario asks, where that is more than the question. */
const PARAMS: Readonly<Record<string, Params>> = {
  settings: {
    ...ASKED,
    max_tokens: CAP,
    system: [text('Be brief.'), text('Be kind.')],
    temperature: 0.5,
    stop_sequences: ['END', '###'],
  },
  conversation: { ...ASKED, messages: [...ASKED.messages, assistant(text('Two dollars.')), user(text('And back?'))] },
  tool_call: { ...ASKED, tools: [tool(WEATHER), tool(TIME)], tool_choice: { type: 'auto' } },
  text_and_tool_call: { ...ASKED, tools: [tool(WEATHER)], tool_choice: { type: 'any' } },
  parallel_calls: { ...ASKED, tools: [tool(WEATHER), tool(TIME)], tool_choice: { type: 'tool', name: 'weather' } },
  tool_answers: {
    ...ASKED,
    messages: [
      ...ASKED.messages,
      assistant(
        { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
        { type: 'tool_use', id: 'call_2', name: 'time', input: { city: 'Rome' } },
      ),
      user(
        { type: 'tool_result', tool_use_id: 'call_1', content: 'clear' },
        { type: 'tool_result', tool_use_id: 'call_2', content: '{"hour":9}' },
      ),
    ],
    tools: [tool(WEATHER), tool(TIME)],
  },
  image: {
    ...ASKED,
    messages: [
      user(
        text('What is this?'),
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: IMAGE.slice(IMAGE.indexOf(',') + 1) },
        },
        text('Be precise.'),
      ),
    ],
  },
  json_mode: { ...ASKED, system: [text('Answer with a JSON object.')] },
  json_schema: { ...ASKED, output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
  length: { ...ASKED, max_tokens: CAP },
};

const bodyOf = ({ body }: ReceivedRequest): MessagesParams => JSON.parse(body.toString()) as MessagesParams;

/** Anthropic's own Messages API. */
export const anthropicVendor: Vendor = {
  kind: 'anthropic',
  // A refusal is a reason to stop, and counts as a content filter's.
  lacks: new Set(['embeddings', 'refusal_text']),
  providerSection: (origin) => `{ kind: anthropic, base_url: "${origin}", api_key: vendor-key, version: "${VERSION}" }`,
  headers: ['x-api-key', 'anthropic-version', 'content-type'],

  modelOf: (request) => bodyOf(request).model,
  isStreamed: (request) => bodyOf(request).stream === true,
  readAsked: (request) => readMessagesAsked(bodyOf(request)),

  plain: wireMessage,
  events: wireEvents,
  refusal: wireRefusal,
  errorEvent: wireErrorEvent,
  embeddings() {
    throw new Error('the API has no embeddings');
  },

  async callWithSdk(origin, { name }, streamed) {
    const headers = { 'x-api-key': 'vendor-key', 'anthropic-version': VERSION };
    const client = new Anthropic({
      apiKey: null,
      authToken: null,
      baseURL: origin,
      maxRetries: 0,
      defaultHeaders: headers,
    });
    const params = { ...(PARAMS[name] ?? ASKED), model: name };
    const message = streamed ? client.messages.stream(params).finalMessage() : client.messages.create(params);
    return readMessage(await message);
  },
};
