import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import { readMessage } from '../../conformance/anthropic-reading.ts';
import { type Asked, OUTPUT_MAX, type Part } from '../../conformance/asked.ts';
import { type Caller, framesOf, type Heard, identified, type IdentifiedTurn, RESULT } from './caller.ts';

// A program that speaks Anthropic's Messages, whose answers and events must be as the types of Anthropic's SDK say.

const DETAILS = z.object({ thinking_tokens: z.int() }).nullable();
const COUNT = z.int().nullable();

const USAGE = z.object({
  cache_creation: z.object({ ephemeral_5m_input_tokens: z.int(), ephemeral_1h_input_tokens: z.int() }).nullable(),
  cache_creation_input_tokens: COUNT,
  cache_read_input_tokens: COUNT,
  inference_geo: z.string().nullable(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  output_tokens_details: DETAILS,
  server_tool_use: z.null(),
  service_tier: z.enum(['standard', 'priority', 'batch']).nullable(),
  speed: z.enum(['standard', 'fast']).nullable(),
}) satisfies z.ZodType<Anthropic.Usage>;

const DELTA_USAGE = z.object({
  cache_creation_input_tokens: COUNT,
  cache_read_input_tokens: COUNT,
  input_tokens: COUNT,
  output_tokens: z.int(),
  output_tokens_details: DETAILS,
  server_tool_use: z.null(),
}) satisfies z.ZodType<Anthropic.MessageDeltaUsage>;

const BLOCK = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), citations: z.null() }),
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.unknown(),
    caller: z.object({ type: z.literal('direct') }),
  }),
]) satisfies z.ZodType<Anthropic.ContentBlock>;

const STOP_REASON = z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal']);
const STOP_DETAILS = z
  .object({ type: z.literal('refusal'), category: z.null(), explanation: z.string().nullable() })
  .nullable();

const MESSAGE = z.object({
  id: z.string().startsWith('msg_'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  container: z.null(),
  diagnostics: z.null(),
  content: z.array(BLOCK),
  stop_reason: STOP_REASON.nullable(),
  stop_sequence: z.string().nullable(),
  stop_details: STOP_DETAILS,
  usage: USAGE,
}) satisfies z.ZodType<Anthropic.Message>;

const EVENTS = {
  message_start: z.object({ type: z.literal('message_start'), message: MESSAGE }),
  content_block_start: z.object({
    type: z.literal('content_block_start'),
    index: z.int(),
    content_block: BLOCK,
  }) satisfies z.ZodType<Anthropic.RawContentBlockStartEvent>,
  content_block_delta: z.object({
    type: z.literal('content_block_delta'),
    index: z.int(),
    delta: z.discriminatedUnion('type', [
      z.object({ type: z.literal('text_delta'), text: z.string() }),
      z.object({ type: z.literal('thinking_delta'), thinking: z.string() }),
      z.object({ type: z.literal('signature_delta'), signature: z.string() }),
      z.object({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ]),
  }),
  content_block_stop: z.object({
    type: z.literal('content_block_stop'),
    index: z.int(),
  }) satisfies z.ZodType<Anthropic.RawContentBlockStopEvent>,
  message_delta: z.object({
    type: z.literal('message_delta'),
    delta: z.object({
      container: z.null(),
      stop_reason: STOP_REASON,
      stop_sequence: z.string().nullable(),
      stop_details: STOP_DETAILS,
    }),
    usage: DELTA_USAGE,
  }) satisfies z.ZodType<Anthropic.RawMessageDeltaEvent>,
  message_stop: z.object({ type: z.literal('message_stop') }) satisfies z.ZodType<Anthropic.RawMessageStopEvent>,
  ping: z.object({ type: z.literal('ping') }),
} as const;

const ERROR = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string(), code: z.string() }),
  request_id: z.string(),
});

type Event = z.infer<(typeof EVENTS)[keyof typeof EVENTS]>;

function readEvent({ name, data }: { readonly name: string | null; readonly data: string }): Event {
  const payload = JSON.parse(data) as { type: string };
  if (name !== payload.type) throw new Error(`an event of type ${payload.type} is called ${name}`);
  if (!Object.hasOwn(EVENTS, payload.type)) throw new Error(`${payload.type} is no event of this API`);
  return EVENTS[payload.type as keyof typeof EVENTS].parse(payload);
}

type Block = z.infer<typeof BLOCK>;

/** Puts blocks together, one after the other, as clients do: pieces count for the block that is open. */
class Blocks {
  readonly blocks: Block[] = [];
  #json = '';
  #isOpen = false;

  take(event: Event): void {
    if (event.type === 'content_block_start') {
      if (this.#isOpen || event.index !== this.blocks.length) throw new Error('a block that starts in another');
      this.#isOpen = true;
      this.#json = '';
      this.blocks.push({ ...event.content_block });
    } else if (event.type === 'content_block_delta') this.#piece(event);
    else if (event.type === 'content_block_stop') {
      if (!this.#isOpen || event.index !== this.blocks.length - 1) throw new Error('a block that ends twice');
      this.#isOpen = false;
      const block = this.blocks.at(-1);
      if (block?.type === 'tool_use') block.input = JSON.parse(this.#json === '' ? '{}' : this.#json) as unknown;
    } else if (event.type !== 'ping' && this.#isOpen) throw new Error(`${event.type} within a block`);
  }

  #piece({ index, delta }: Extract<Event, { type: 'content_block_delta' }>): void {
    const block = this.blocks.at(-1);
    if (!this.#isOpen || index !== this.blocks.length - 1) throw new Error('a piece of a block that is not open');
    if (delta.type === 'text_delta' && block?.type === 'text') block.text += delta.text;
    else if (delta.type === 'thinking_delta' && block?.type === 'thinking') block.thinking += delta.thinking;
    else if (delta.type === 'signature_delta' && block?.type === 'thinking') block.signature += delta.signature;
    else if (delta.type === 'input_json_delta' && block?.type === 'tool_use') this.#json += delta.partial_json;
    else throw new Error(`a ${delta.type} in a block of ${block?.type}`);
  }
}

function gathered(events: readonly Event[]): Anthropic.Message {
  const [start, ...rest] = events;
  const [delta, stop] = events.slice(-2);
  if (start?.type !== 'message_start' || delta?.type !== 'message_delta' || stop?.type !== 'message_stop') {
    throw new Error(`a stream of ${events.map(({ type }) => type).join(' ')}`);
  }
  const blocks = new Blocks();
  for (const event of rest) blocks.take(event);
  const message = {
    ...start.message,
    ...delta.delta,
    content: blocks.blocks,
    usage: { ...start.message.usage, ...delta.usage },
  };
  return MESSAGE.parse(message);
}

function heardOf(message: Anthropic.Message): Heard {
  const { content } = message;
  const thoughts = content.map((block) => (block.type === 'thinking' ? block.thinking : ''));
  return {
    said: readMessage(message),
    reasoning: thoughts.join(''),
    callIds: content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    turn: [{ role: 'assistant', content }],
  };
}

function blockOf(part: Part): object {
  if (!part.startsWith('image:')) return { type: 'text', text: part };
  const [head = '', data] = part.slice('image:data:'.length).split(',');
  return { type: 'image', source: { type: 'base64', media_type: head.split(';')[0], data } };
}

function messageOf(turn: IdentifiedTurn): object {
  if (turn.role === 'user') return { role: 'user', content: turn.parts.map(blockOf) };
  if (turn.role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: turn.id, content: turn.text }] };
  }
  const calls = turn.calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input }));
  return { role: 'assistant', content: [...(turn.text === '' ? [] : [blockOf(turn.text)]), ...calls] };
}

const messagesOf = ({ turns }: Asked): readonly object[] => identified(turns).map(messageOf);

function choiceOf(choice: Asked['toolChoice']): object | null {
  if (choice === null) return null;
  if (typeof choice === 'object') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}

function fieldsOf({ system, tools, toolChoice, cap, stop, temperature, format }: Asked): object {
  const choice = choiceOf(toolChoice);
  return {
    max_tokens: cap ?? OUTPUT_MAX,
    system: system.join('\n\n'),
    ...(tools.length > 0
      ? { tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })) }
      : {}),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(stop.length > 0 ? { stop_sequences: stop } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(typeof format === 'string' ? {} : { output_config: { format: { type: 'json_schema', ...format } } }),
  };
}

export const messagesCaller: Caller = {
  endpoint: 'messages',
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  lacks: [],

  body: (asked, model, stream) => ({
    model,
    messages: messagesOf(asked),
    ...fieldsOf(asked),
    ...(stream ? { stream } : {}),
  }),
  next: (asked, { turn, callIds }, model) => ({
    model,
    messages: [
      ...messagesOf(asked),
      ...turn,
      {
        role: 'user',
        content: callIds.map((id) => ({ type: 'tool_result', tool_use_id: id, content: RESULT })),
      },
    ],
    ...fieldsOf({ ...asked, toolChoice: null }),
  }),

  readPlain: (answer) => heardOf(MESSAGE.parse(answer)),
  readStream: (text) => heardOf(gathered(framesOf(text).map(readEvent))),
  readBroken(text) {
    const frames = framesOf(text);
    const last = frames.at(-1);
    if (last?.name !== 'error') throw new Error(`a stream that breaks off with ${last?.name}`);
    const blocks = new Blocks();
    for (const event of frames.slice(0, -1).map(readEvent).slice(1)) blocks.take(event);
    const said = blocks.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { text: said, code: this.readError(JSON.parse(last.data)).code };
  },
  readError: (body) => ERROR.parse(body).error,
};
