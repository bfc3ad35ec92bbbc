import type { Span } from '../../openai/chat-chunk.ts';
import { parseExactly } from '../../openai/exact-json.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import type { CarriedTool } from './carried-tools.ts';
import { responseObject, responseUsage, type Standing } from './response-object.ts';
import type { NamedEvent } from '../named-event.ts';
import { ResponseWriter } from './response-writer.ts';

// A chat answer as a response, whole or event by event.

/** What the translation of a response needs to know of its request. */
export interface ResponseContext {
  /** The id of the response, without its prefix: letters and digits. */
  readonly key: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  /** The settings that the response repeats (response-object.ts). */
  readonly settings: JsonObject;
  readonly tools: ReadonlyMap<string, CarriedTool>;
}

const FINISHED: Readonly<Record<string, Standing>> = {
  length: { status: 'incomplete', reason: 'max_output_tokens' },
  content_filter: { status: 'incomplete', reason: 'content_filter' },
};

const COMPLETED: Standing = { status: 'completed' };
const IN_PROGRESS: Standing = { status: 'in_progress' };

function standingOf(reason: unknown): Standing {
  return (typeof reason === 'string' && Object.hasOwn(FINISHED, reason) ? FINISHED[reason] : undefined) ?? COMPLETED;
}

/** Translates a whole chat answer; null if it has no choice. `completedAt` is in seconds since the epoch. */
export function responseOf(answer: Buffer, context: ResponseContext, completedAt: number): Buffer | null {
  const chat = parseExactly(answer.toString());
  if (!isObject(chat)) return null;
  const { choices, usage, model } = chat;
  const choice = Array.isArray(choices) ? choices.find(isObject) : undefined;
  if (choice === undefined) return null;
  const { message, logprobs } = choice;
  const writer = new ResponseWriter(context.key, context.tools, () => undefined);
  // A filtered choice may have no message.
  if (isObject(message)) writer.add({ delta: message, logprobs });
  const standing = standingOf(choice['finish_reason']);
  writer.finish(standing.status === 'completed');
  const response = responseObject(
    {
      id: `resp_${context.key}`,
      model: typeof model === 'string' ? model : '',
      createdAt: context.createdAt,
      completedAt: standing.status === 'completed' ? completedAt : null,
      standing,
      output: writer.output,
      usage: isObject(usage) ? responseUsage(usage) : null,
    },
    context.settings,
  );
  return Buffer.from(JSON.stringify(response));
}

/**
 * Converts a stream of chat chunks.
 * - nothing is passed before the first chunk, so that a failure until then counts as one before the answer has begun.
 * - the last choice's end is withheld until usage has arrived or the stream ends.
 */
export class ResponseStream {
  readonly #context: ResponseContext;
  #model: string;
  readonly #pass: (event: NamedEvent) => void;
  readonly #writer: ResponseWriter;
  #numbers = 0;
  #hasBegun = false;
  #standing: Standing | null = null;
  #usage: JsonObject | null = null;

  /** `model`: the caller's name of the model, until a chunk gives the provider's; `pass` is called with the events. */
  constructor(context: ResponseContext, model: string, pass: (event: NamedEvent) => void) {
    this.#context = context;
    this.#model = model;
    this.#pass = pass;
    this.#writer = new ResponseWriter(context.key, context.tools, (type, fields) => this.#emit(type, fields));
  }

  /** Takes the payload of a chat chunk, which has been checked as JSON; `deltaSpan` as inspectChunk found it. */
  chunk(payload: Buffer, deltaSpan: Span | null): void {
    if (deltaSpan !== null && this.#hasBegun) {
      const delta = parseExactly(payload.toString('utf8', deltaSpan.start, deltaSpan.end));
      if (isObject(delta)) this.#writer.add({ delta, logprobs: undefined });
      return;
    }
    const chunk = parseExactly(payload.toString());
    if (!isObject(chunk)) return;
    if (!this.#hasBegun) {
      if (typeof chunk['model'] === 'string') this.#model = chunk['model'];
      this.#begin();
    }
    const { choices, usage } = chunk;
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (isObject(choice)) this.#take(choice);
    if (isObject(usage)) this.#usage = responseUsage(usage);
  }

  /** The number of events so far. */
  get numbers(): number {
    return this.#numbers;
  }

  /** Passes an event that only says that the response continues. */
  ping(): void {
    if (this.#hasBegun) this.#emitResponse('response.in_progress', IN_PROGRESS, null);
    else this.#begin();
  }

  /**
   * Passes the end of an answer that is whole: the model has given its reason to stop, or the provider has announced the
   * end without one. `completedAt` is in seconds since the epoch.
   */
  finish(completedAt: number): void {
    const standing = this.#standing ?? COMPLETED;
    this.#writer.finish(standing.status === 'completed');
    this.#emitResponse(`response.${standing.status}`, standing, completedAt);
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#emitResponse('response.created', IN_PROGRESS, null);
    this.#emitResponse('response.in_progress', IN_PROGRESS, null);
  }

  #take(choice: JsonObject): void {
    const { delta, logprobs, finish_reason: reason } = choice;
    if (isObject(delta)) this.#writer.add({ delta, logprobs });
    if (typeof reason === 'string' && reason !== '') this.#standing = standingOf(reason);
  }

  #emitResponse(type: string, standing: Standing, completedAt: number | null): void {
    const { key, createdAt, settings } = this.#context;
    const facts = {
      id: `resp_${key}`,
      model: this.#model,
      createdAt,
      completedAt: standing.status === 'completed' ? completedAt : null,
      standing,
      output: this.#writer.output,
      usage: this.#usage,
    };
    this.#emit(type, { response: responseObject(facts, settings) });
  }

  #emit(type: string, fields: JsonObject): void {
    this.#pass({ type, sequence_number: this.#numbers++, ...fields });
  }
}
