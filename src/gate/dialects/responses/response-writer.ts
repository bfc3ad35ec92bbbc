import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { customInput, type CarriedTool } from './carried-tools.ts';
import { sealCapsule } from './reasoning-capsule.ts';

// Writes the output of a response piece by piece from a chat model's output, with the events that describe it. A plain
// answer is written the same way, with its events ignored.

/** Called with the type and the fields of each event. */
export type EventSink = (type: string, fields: JsonObject) => void;

/** A piece of a model's output: a chat chunk's `delta`, or a whole answer's `message`. */
export interface SaidPiece {
  readonly delta: JsonObject;
  /** The piece's log probabilities, as chat has them; undefined if there are none. */
  readonly logprobs: unknown;
}

interface OpenReasoning {
  readonly kind: 'reasoning';
  readonly at: number;
  readonly id: string;
  text: string;
  readonly thinking: unknown[];
  readonly calls: Record<string, unknown>;
  message: unknown;
}

interface MessagePart {
  readonly type: 'output_text' | 'refusal';
  readonly index: number;
  text: string;
  readonly logprobs: unknown[];
}

interface OpenMessage {
  readonly kind: 'message';
  readonly at: number;
  readonly id: string;
  readonly parts: MessagePart[];
}

interface OpenCall {
  readonly at: number;
  readonly id: string;
  readonly callId: string;
  readonly tool: CarriedTool;
  arguments: string;
}

/**
 * - Reasoning and a message are open one at a time: any later item ends them.
 * - Calls stay open until the answer ends, since pieces of several may alternate.
 */
export class ResponseWriter {
  readonly #key: string;
  readonly #tools: ReadonlyMap<string, CarriedTool>;
  readonly #emit: EventSink;
  readonly #output: (JsonObject | undefined)[] = [];
  readonly #calls = new Map<unknown, OpenCall>();
  #open: OpenReasoning | OpenMessage | null = null;

  /** `key` makes the items' ids unique. */
  constructor(key: string, tools: ReadonlyMap<string, CarriedTool>, emit: EventSink) {
    this.#key = key;
    this.#tools = tools;
    this.#emit = emit;
  }

  /** The items that have ended, in order. */
  get output(): readonly JsonObject[] {
    return this.#output.filter((item) => item !== undefined);
  }

  /** Adds a piece. */
  add({ delta, logprobs }: SaidPiece): void {
    const { content, refusal, tool_calls: calls, thinking_blocks: thinking, extra_content: extra } = delta;
    // Some send the same reasoning under both of its names.
    const reasoning = delta['reasoning_content'] ?? delta['reasoning'];
    if (typeof reasoning === 'string' && reasoning !== '') this.#reason(reasoning);
    if (Array.isArray(thinking)) this.#reasoning.thinking.push(...(thinking as readonly unknown[]));
    if (typeof content === 'string' && content !== '') this.#say('output_text', content, logprobs);
    if (Array.isArray(content)) this.#say('output_text', joinedTexts(content), logprobs);
    if (typeof refusal === 'string' && refusal !== '') this.#say('refusal', refusal, undefined);
    if (extra !== undefined) this.#reasoning.message = extra;
    if (Array.isArray(calls)) {
      for (const [position, call] of calls.entries()) if (isObject(call)) this.#call(call, position);
    }
  }

  /** Ends all items; `isWhole`: whether the model has finished its output. */
  finish(isWhole: boolean): void {
    const status = isWhole ? 'completed' : 'incomplete';
    this.#closeOpen(status);
    for (const call of this.#calls.values()) this.#closeCall(call, status);
  }

  get #reasoning(): OpenReasoning {
    if (this.#open?.kind === 'reasoning') return this.#open;
    this.#closeOpen('completed');
    const { at, id } = this.#place('rs');
    const open: OpenReasoning = { kind: 'reasoning', at, id, text: '', thinking: [], calls: {}, message: undefined };
    this.#open = open;
    this.#emitItem('response.output_item.added', at, { id, type: 'reasoning', summary: [] });
    return open;
  }

  get #message(): OpenMessage {
    if (this.#open?.kind === 'message') return this.#open;
    this.#closeOpen('completed');
    const { at, id } = this.#place('msg');
    const open: OpenMessage = { kind: 'message', at, id, parts: [] };
    this.#open = open;
    this.#emitItem('response.output_item.added', at, messageItem(open, 'in_progress'));
    return open;
  }

  #reason(text: string): void {
    const open = this.#reasoning;
    const place = { item_id: open.id, output_index: open.at, summary_index: 0 };
    if (open.text === '') {
      this.#emit('response.reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } });
    }
    open.text += text;
    this.#emit('response.reasoning_summary_text.delta', { ...place, delta: text });
  }

  #say(type: MessagePart['type'], text: string, logprobs: unknown): void {
    const open = this.#message;
    const last = open.parts.at(-1);
    const part = last?.type === type ? last : this.#beginPart(open, type);
    const pieces = logprobsOf(logprobs);
    part.text += text;
    part.logprobs.push(...pieces);
    const rest = type === 'output_text' ? { logprobs: pieces } : {};
    this.#emit(`response.${type}.delta`, { ...placeOf(open, part), delta: text, ...rest });
  }

  #beginPart(open: OpenMessage, type: MessagePart['type']): MessagePart {
    this.#closeLastPart(open);
    const part: MessagePart = { type, index: open.parts.length, text: '', logprobs: [] };
    open.parts.push(part);
    this.#emit('response.content_part.added', { ...placeOf(open, part), part: partOf(part) });
    return part;
  }

  #call(call: JsonObject, position: number): void {
    const key = call['index'] ?? position;
    const called = isObject(call['function']) ? call['function'] : {};
    const args = typeof called['arguments'] === 'string' ? called['arguments'] : '';
    const open = this.#calls.get(key) ?? this.#beginCall(key, call, called);
    if (args === '') return;
    open.arguments += args;
    if (open.tool.kind === 'custom') return;
    const place = { item_id: open.id, output_index: open.at };
    this.#emit('response.function_call_arguments.delta', { ...place, delta: args });
  }

  #beginCall(key: unknown, call: JsonObject, called: JsonObject): OpenCall {
    const name = typeof called['name'] === 'string' ? called['name'] : '';
    const tool = this.#tools.get(name) ?? { kind: 'function', name, namespace: null };
    const callId =
      typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call_${this.#key}${this.#calls.size}`;
    if (call['extra_content'] !== undefined) this.#reasoning.calls[callId] = call['extra_content'];
    this.#closeOpen('completed');
    const open: OpenCall = { ...this.#place(tool.kind === 'custom' ? 'ctc' : 'fc'), callId, tool, arguments: '' };
    this.#calls.set(key, open);
    this.#emitItem('response.output_item.added', open.at, callItem(open, 'in_progress'));
    return open;
  }

  #place(prefix: string): { readonly at: number; readonly id: string } {
    const at = this.#output.push(undefined) - 1;
    return { at, id: `${prefix}_${this.#key}${at.toString(16).padStart(4, '0')}` };
  }

  #closeOpen(status: 'completed' | 'incomplete'): void {
    const open = this.#open;
    this.#open = null;
    if (open?.kind === 'reasoning') this.#closeReasoning(open);
    else if (open !== null) this.#closeMessage(open, status);
  }

  #closeReasoning(open: OpenReasoning): void {
    const { at, id, text, thinking, calls, message } = open;
    const summary = text === '' ? [] : [{ type: 'summary_text', text }];
    if (text !== '') {
      const place = { item_id: id, output_index: at, summary_index: 0 };
      this.#emit('response.reasoning_summary_text.done', { ...place, text });
      this.#emit('response.reasoning_summary_part.done', { ...place, part: summary[0] });
    }
    // Signed thoughts hold the text themselves.
    const isReasoning = text !== '' && thinking.length === 0;
    const encrypted = sealCapsule({ isReasoning, thinking, message, calls });
    this.#end(at, { id, type: 'reasoning', summary, encrypted_content: encrypted });
  }

  #closeMessage(open: OpenMessage, status: 'completed' | 'incomplete'): void {
    this.#closeLastPart(open);
    this.#end(open.at, messageItem(open, status));
  }

  #closeLastPart(open: OpenMessage): void {
    const part = open.parts.at(-1);
    if (part === undefined) return;
    const place = placeOf(open, part);
    const said = part.type === 'refusal' ? { refusal: part.text } : { text: part.text, logprobs: part.logprobs };
    this.#emit(`response.${part.type}.done`, { ...place, ...said });
    this.#emit('response.content_part.done', { ...place, part: partOf(part) });
  }

  #closeCall(open: OpenCall, status: 'completed' | 'incomplete'): void {
    const place = { item_id: open.id, output_index: open.at };
    if (open.tool.kind === 'custom') {
      const input = customInput(open.arguments);
      this.#emit('response.custom_tool_call_input.delta', { ...place, delta: input });
      this.#emit('response.custom_tool_call_input.done', { ...place, input });
    } else {
      const said = { name: open.tool.name, arguments: open.arguments };
      this.#emit('response.function_call_arguments.done', { ...place, ...said });
    }
    this.#end(open.at, callItem(open, status));
  }

  #end(at: number, item: JsonObject): void {
    this.#output[at] = item;
    this.#emitItem('response.output_item.done', at, item);
  }

  #emitItem(type: string, at: number, item: JsonObject): void {
    this.#emit(type, { output_index: at, item });
  }
}

function placeOf({ id, at }: OpenMessage, { index }: MessagePart): JsonObject {
  return { item_id: id, output_index: at, content_index: index };
}

function partOf({ type, text, logprobs }: MessagePart): JsonObject {
  return type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [], logprobs: [...logprobs] };
}

function messageItem({ id, parts }: OpenMessage, status: string): JsonObject {
  return { id, type: 'message', role: 'assistant', status, content: parts.map(partOf) };
}

function callItem({ id, callId, tool, arguments: args }: OpenCall, status: string): JsonObject {
  const { kind, name, namespace } = tool;
  const rest = { name, ...(namespace === null ? {} : { namespace }), call_id: callId, status };
  if (kind === 'custom') return { id, type: 'custom_tool_call', ...rest, input: customInput(args) };
  return { id, type: 'function_call', ...rest, arguments: args };
}

function logprobsOf(logprobs: unknown): readonly unknown[] {
  const content = isObject(logprobs) ? logprobs['content'] : undefined;
  return Array.isArray(content) ? (content as readonly unknown[]) : [];
}

/** The text of a content in parts, as Mistral writes it. */
function joinedTexts(parts: readonly unknown[]): string {
  return parts.map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('');
}
