import { readMessage } from '../../conformance/anthropic-reading.ts';
import { type Asked, OUTPUT_MAX, type Part } from '../../conformance/asked.ts';
import {
  ANTHROPIC_ERROR,
  ANTHROPIC_MESSAGE,
  type Block,
  type MessageEvent,
  readMessageEvent,
  type TranslatedMessage,
} from '../../support/anthropic-messages.ts';
import { type EventFrame, framesOf } from '../../support/event-frames.ts';
import { type Caller, type Heard, identified, type IdentifiedTurn, RESULT } from './caller.ts';

// A program that speaks Anthropic's Messages, whose answers and events must be as the types of Anthropic's SDK say.

/** Puts blocks together, one after the other, as clients do: pieces count for the block that is open. */
class Blocks {
  readonly blocks: Block[] = [];
  #json = '';
  #isOpen = false;

  take(event: MessageEvent): void {
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

  #piece({ index, delta }: Extract<MessageEvent, { type: 'content_block_delta' }>): void {
    const block = this.blocks.at(-1);
    if (!this.#isOpen || index !== this.blocks.length - 1) throw new Error('a piece of a block that is not open');
    if (delta.type === 'text_delta' && block?.type === 'text') block.text += delta.text;
    else if (delta.type === 'thinking_delta' && block?.type === 'thinking') block.thinking += delta.thinking;
    else if (delta.type === 'signature_delta' && block?.type === 'thinking') block.signature += delta.signature;
    else if (delta.type === 'input_json_delta' && block?.type === 'tool_use') this.#json += delta.partial_json;
    else throw new Error(`a ${delta.type} in a block of ${block?.type}`);
  }
}

/** Members for which a provider of this API may write null, as the types of its SDK have it. */
const NULLABLE = new Set([
  'citations',
  'container',
  'diagnostics',
  'output_tokens_details',
  'server_tool_use',
  'speed',
  'stop_details',
]);

/** The value of a JSON text, without those. */
function sparse(json: string): unknown {
  return JSON.parse(json, (name, value: unknown) => (value === null && NULLABLE.has(name) ? undefined : value));
}

const readSparseEvent = ({ name, data }: EventFrame): MessageEvent =>
  readMessageEvent({ name, data: JSON.stringify(sparse(data)) });

function gathered(events: readonly MessageEvent[]): TranslatedMessage {
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
  return ANTHROPIC_MESSAGE.parse(message);
}

function heardOf(message: TranslatedMessage): Heard {
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

  readPlain: (answer) => heardOf(ANTHROPIC_MESSAGE.parse(sparse(JSON.stringify(answer)))),
  readStream: (text) => heardOf(gathered(framesOf(text).map(readSparseEvent))),
  readBroken(text) {
    const frames = framesOf(text);
    const last = frames.at(-1);
    if (last?.name !== 'error') throw new Error(`a stream that breaks off with ${last?.name}`);
    const blocks = new Blocks();
    for (const event of frames.slice(0, -1).map(readSparseEvent).slice(1)) blocks.take(event);
    const said = blocks.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { text: said, code: this.readError(JSON.parse(last.data)).code };
  },
  readError: (body) => ANTHROPIC_ERROR.parse(body).error,
};
