import type { Finish, Said } from '../../conformance/answers.ts';
import type { Asked, Part } from '../../conformance/asked.ts';
import { framesOf } from '../../support/event-frames.ts';
import { OPEN_RESPONSES } from '../../support/open-responses.ts';
import { type Caller, type Heard, identified, type IdentifiedTurn, RESULT } from './caller.ts';

// A program that speaks Responses, whose answers and events must be as Open Responses says, release 2.4.

/** Throws with what is wrong with a value by the standard. */
function check(faults: readonly string[], value: unknown): void {
  if (faults.length > 0) throw new Error(`not by the standard: ${faults.join('; ')} in ${JSON.stringify(value)}`);
}

interface Item {
  readonly id?: string;
  readonly type: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string; readonly refusal?: string }[];
  readonly summary?: readonly { readonly text: string }[];
}

interface Response {
  readonly status: string;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly output: readonly Item[];
  readonly usage: {
    readonly input_tokens: number;
    readonly input_tokens_details: { readonly cached_tokens: number; readonly cache_write_tokens?: number };
    readonly output_tokens: number;
    readonly output_tokens_details: { readonly reasoning_tokens: number };
    readonly total_tokens: number;
  };
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly content_index?: number;
  readonly delta?: string;
  readonly item?: Item;
  readonly response?: Response;
}

function finishOf({ status, incomplete_details: details, output }: Response): Finish {
  if (status === 'completed') return output.some(({ type }) => type === 'function_call') ? 'tool_calls' : 'stop';
  if (details?.reason === 'max_output_tokens') return 'length';
  if (details?.reason === 'content_filter') return 'content_filter';
  throw new Error(`a response that is ${status}`);
}

function heardOf(response: Response): Heard {
  const { output, usage } = response;
  const parts = output.flatMap(({ type, content = [] }) => (type === 'message' ? content : []));
  const refusals = parts.filter(({ type }) => type === 'refusal').map(({ refusal }) => refusal ?? '');
  const calls = output.filter(({ type }) => type === 'function_call');
  const { cached_tokens: cached, cache_write_tokens: written = 0 } = usage.input_tokens_details;
  const said: Said = {
    text: parts.map(({ text = '' }) => text).join(''),
    refusal: refusals.length === 0 ? null : refusals.join(''),
    calls: calls.map((call) => ({ name: call.name ?? '', arguments: JSON.parse(call.arguments ?? '') as unknown })),
    finish: finishOf(response),
    usage: {
      input: usage.input_tokens,
      cached,
      written,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    },
  };
  if (usage.total_tokens !== usage.input_tokens + usage.output_tokens) throw new Error('a total that is not the sum');
  const reasoning = output.flatMap(({ summary = [] }) => summary.map(({ text }) => text)).join('');
  return { said, reasoning, callIds: calls.map((call) => call.call_id ?? ''), turn: output };
}

/** Reads the events, each by the standard and under its name, numbered from zero. */
function eventsOf(text: string): readonly Event[] {
  const events = framesOf(text).map(({ name, data }) => {
    const event = JSON.parse(data) as Event;
    if (name !== event.type) throw new Error(`an event of type ${event.type} is called ${name}`);
    check(OPEN_RESPONSES.eventFaults({ ...event }), event);
    return event;
  });
  const numbers = events.map(({ sequence_number: number }) => number);
  if (numbers.some((number, index) => number !== index)) throw new Error(`events numbered ${numbers.join(' ')}`);
  return events;
}

const TYPES_IN_ITEM = /^response\.(content_part|output_text|refusal|function_call_arguments|reasoning_summary)/;

/** Throws unless items come one after the other, each piece in its item, and what was begun is ended. */
function checkOrder(events: readonly Event[]): void {
  const types = events.map(({ type }) => type);
  if (types[0] !== 'response.created' || types[1] !== 'response.in_progress') throw new Error(`begins ${types[0]}`);
  const open = new Set<number>();
  let added = 0;
  for (const { type, output_index: index } of events) {
    if (type === 'response.output_item.added') {
      if (index !== added++) throw new Error('an item whose index is not the next');
      open.add(index);
    } else if (index !== undefined && !open.has(index)) throw new Error(`${type} outside of its item`);
    if (TYPES_IN_ITEM.test(type) && index === undefined) throw new Error(`${type} without an item`);
    if (type === 'response.output_item.done') open.delete(index ?? -1);
  }
  if (open.size > 0) throw new Error('an item that was begun and not ended');
}

function partOf(part: Part): object {
  if (!part.startsWith('image:')) return { type: 'input_text', text: part };
  return { type: 'input_image', detail: 'auto', image_url: part.slice('image:'.length) };
}

function itemsOf(turn: IdentifiedTurn): readonly object[] {
  if (turn.role === 'user') return [{ type: 'message', role: 'user', content: turn.parts.map(partOf) }];
  if (turn.role === 'tool') return [{ type: 'function_call_output', call_id: turn.id, output: turn.text }];
  const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
  const calls = turn.calls.map(({ id, name, arguments: input }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  }));
  return [...(turn.text === '' ? [] : [{ type: 'message', role: 'assistant', content }]), ...calls];
}

const inputOf = ({ turns }: Asked): readonly object[] => identified(turns).flatMap(itemsOf);

function fieldsOf({ system, tools, toolChoice, cap, temperature, format }: Asked): object {
  const choice =
    typeof toolChoice === 'object' && toolChoice !== null ? { type: 'function', name: toolChoice.name } : toolChoice;
  return {
    instructions: system.join('\n\n'),
    include: ['reasoning.encrypted_content'],
    ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', strict: false, ...tool })) } : {}),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(cap === null ? {} : { max_output_tokens: cap }),
    ...(temperature === null ? {} : { temperature }),
    ...(typeof format === 'string'
      ? {}
      : { text: { format: { type: 'json_schema', name: 'price', strict: true, ...format } } }),
  };
}

export const responsesCaller: Caller = {
  endpoint: 'responses',
  path: '/v1/responses',
  headers: {},
  lacks: ['stop_sequences'],

  body: (asked, model, stream) => ({
    model,
    input: inputOf(asked),
    ...fieldsOf(asked),
    store: false,
    ...(stream ? { stream } : {}),
  }),
  next: (asked, { turn, callIds }, model) => ({
    model,
    input: [
      ...inputOf(asked),
      ...turn,
      ...callIds.map((id) => ({ type: 'function_call_output', call_id: id, output: RESULT })),
    ],
    ...fieldsOf({ ...asked, toolChoice: null }),
    store: false,
  }),

  readPlain(answer) {
    check(OPEN_RESPONSES.responseFaults(answer), answer);
    return heardOf(answer as Response);
  },
  readStream(text) {
    const events = eventsOf(text);
    checkOrder(events);
    const response = events.at(-1)?.response;
    if (response === undefined) throw new Error('a stream that ends without its response');
    const heard = heardOf(response);
    const deltas = events.filter(({ type }) => /^response\.(output_text|refusal)\.delta$/.test(type));
    const spoken = deltas.map(({ delta }) => delta).join('');
    if (spoken !== heard.said.text + (heard.said.refusal ?? '')) throw new Error(`pieces that say "${spoken}"`);
    return heard;
  },
  readBroken(text) {
    const events = eventsOf(text);
    const last = events.at(-1) as unknown as { type: string; response: { error: { details: { code: string } } } };
    if (last.type !== 'response.failed') throw new Error(`a stream that breaks off with ${last.type}`);
    const spoken = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
    return { text: spoken.join(''), code: last.response.error.details.code };
  },
  readError(body) {
    const { error } = body as { error: { code: string; message: string; details?: { code?: string } } };
    check(OPEN_RESPONSES.errorFaults(error), error);
    return { code: error.details?.code ?? error.code, message: error.message };
  },
};
