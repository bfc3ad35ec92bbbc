import { REFUSALS, type Refusal } from '../../../domain/refusals.ts';
import { NO_USES, type ToolUses } from '../../../domain/uses.ts';
import { type ChunkFacts, inspectChunk } from '../../openai/chat-chunk.ts';
import { applySplices, type ObjectEdit, readObject, spliceObject } from '../../openai/json-edit.ts';
import type { JsonObject } from '../../openai/json-object.ts';
import { JsonScan } from '../../openai/json-scan.ts';
import { PING } from '../../openai/sse.ts';
import type { AnswerStream, EventFacts, KeptStream } from '../dialect.ts';
import { type NamedEvent, namedEvent, writtenEvent } from '../named-event.ts';
import { RESPONSES_USAGE, type Settled } from '../usage-cost.ts';
import { WithheldEvents } from '../withheld-events.ts';
import { ResponseStream, type ResponseContext } from './from-chat.ts';
import { type Echo, echoSplices, unkeptSplices } from './response-entry.ts';
import { responseObject, type Standing } from './response-object.ts';
import { inspectResponseEvent, type ResponseEventFacts } from './responses-facts.ts';
import { StreamedUses } from './tool-uses.ts';

// Streams of responses. Clients wait for data and ignore comments, so a silence is filled with a repeated
// `response.in_progress`; and they learn of a broken stream from `response.failed`, not from an error.

/** The event of a response that breaks off, after its first event if `number` is zero: SDKs need one. */
function failedEvent(refusal: Refusal, number: number, context: ResponseContext, model: string): string {
  const facts = { id: `resp_${context.key}`, model, createdAt: context.createdAt, completedAt: null };
  const responseWith = (standing: Standing): JsonObject =>
    responseObject({ ...facts, standing, output: [], usage: null }, context.settings);
  const begun = { type: 'response.created', sequence_number: 0, response: responseWith({ status: 'in_progress' }) };
  const response = responseWith({ status: 'failed', error: errorOf(refusal) });
  const head = number > 0 ? '' : writtenEvent(begun);
  return head + writtenEvent({ type: 'response.failed', sequence_number: Math.max(number, 1), response });
}

/**
 * The same for a response that a provider has begun; it keeps its id, because SDKs accept no other. Null if the
 * response isn't an object.
 */
function failedFrom(begun: Buffer, refusal: Refusal, number: number): string | null {
  const object = readObject(new JsonScan(begun), MAX_MEMBERS);
  if (object === null) return null;
  const values = { status: '"failed"', error: JSON.stringify(errorOf(refusal)) };
  const edits = Object.entries(values).map(([key, value]): ObjectEdit => {
    const member = object.members.find((each) => each.key === key);
    return member === undefined ? { kind: 'insert', key, value } : { kind: 'replace', member, value };
  });
  return responseEvent('response.failed', number, applySplices(begun, spliceObject(object, edits)));
}

/** An event about a provider's response. */
function responseEvent(type: string, number: number, response: Buffer): string {
  const head = Buffer.from(`{"type":"${type}","sequence_number":${number},"response":`);
  return namedEvent(type, Buffer.concat([head, response, CLOSE]));
}

const CLOSE = Buffer.from('}');

/** More than any response has. */
const MAX_MEMBERS = 256;

function errorOf({ code, message }: Refusal): JsonObject {
  return { code: 'server_error', message, details: { code, type: REFUSALS[code].type } };
}

/** A stream of a provider of this dialect: its events pass unchanged. */
export class NativeResponseStream implements AnswerStream, KeptStream {
  readonly #contextOf: () => ResponseContext;
  readonly #model: string;
  readonly #uses: StreamedUses | null;
  readonly #withheld = new WithheldEvents(RESPONSES_USAGE);
  #latest: ResponseEventFacts | null = null;
  #written = 0;
  readonly #echo: Echo;
  /** The response at its start; null until then. */
  #begun: Buffer | null = null;
  /** The last event, with the response at its end; null until then, and if it isn't kept. */
  #last: { readonly payload: Buffer; readonly facts: ResponseEventFacts; readonly text: string } | null = null;

  /**
   * `contextOf` is called if an event must be written here; `model` is the caller's name for it; `hasTools`: whether
   * uses of the provider's tools are charged.
   */
  constructor(contextOf: () => ResponseContext, model: string, echo: Echo, hasTools = false) {
    this.#contextOf = contextOf;
    this.#model = model;
    this.#echo = echo;
    this.#uses = hasTools ? new StreamedUses() : null;
  }

  inspect(payload: Buffer): EventFacts {
    this.#latest = inspectResponseEvent(payload);
    if (this.#latest.valid) this.#uses?.add(payload);
    return this.#latest;
  }

  get uses(): ToolUses {
    return this.#uses?.total ?? NO_USES;
  }

  write(payload: Buffer): string {
    const facts = this.#latest;
    if (facts === null) return '';
    const { type, response } = facts;
    this.#written++;
    if (response === null) return namedEvent(type, payload);
    const sent = applySplices(payload, echoSplices(response, this.#echo));
    this.#begun ??= Buffer.from(sent.subarray(response.start, response.end + sent.length - payload.length));
    const text = namedEvent(type, sent);
    if (facts.isLast && this.#echo.isKept) this.#last = { payload: Buffer.from(payload), facts, text };
    return text;
  }

  get kept(): KeptStream {
    return this;
  }

  whole(): Buffer | null {
    const response = this.#last?.facts.response;
    return response ? (this.#last?.payload.subarray(response.start, response.end) ?? null) : null;
  }

  unkept(): void {
    const { payload, facts, text = '' } = this.#last ?? {};
    if (payload === undefined || !facts?.response) return;
    const unkept = applySplices(payload, unkeptSplices(facts.response, this.#echo));
    this.#withheld.replace(text, namedEvent(facts.type, unkept));
  }

  withhold(payload: Buffer): void {
    this.#withheld.add(this.write(payload));
  }

  ping(): string {
    if (this.#begun === null) return PING;
    return responseEvent('response.in_progress', this.#written - 1, this.#begun);
  }

  end(settled: Settled): string {
    return this.#withheld.end(settled);
  }

  broken(refusal: Refusal): string {
    const failed = this.#begun === null ? null : failedFrom(this.#begun, refusal, this.#written);
    return failed ?? failedEvent(refusal, this.#written, this.#contextOf(), this.#model);
  }

  fromChat(): AnswerStream {
    return new CarriedResponseStream(this.#contextOf(), this.#model);
  }
}

/** A stream of chat chunks, written as the events of a response. */
class CarriedResponseStream implements AnswerStream, KeptStream {
  readonly uses = NO_USES;
  readonly #context: ResponseContext;
  readonly #model: string;
  readonly #response: ResponseStream;
  readonly #withheld = new WithheldEvents(RESPONSES_USAGE);
  #facts: ChunkFacts | null = null;
  #text = '';
  #latest: NamedEvent = { type: '' };
  #end: string | null = null;

  constructor(context: ResponseContext, model: string) {
    this.#context = context;
    this.#model = model;
    this.#response = new ResponseStream(context, model, (event) => {
      this.#text += writtenEvent(event);
      this.#latest = event;
    });
  }

  inspect(payload: Buffer): EventFacts {
    this.#facts = inspectChunk(payload);
    return this.#facts;
  }

  write(payload: Buffer): string {
    this.#response.chunk(payload, this.#facts?.deltaSpan ?? null);
    return this.#take();
  }

  withhold(payload: Buffer): void {
    this.#withheld.add(this.write(payload));
  }

  ping(): string {
    this.#response.ping();
    return this.#take();
  }

  end(settled: Settled): string {
    return this.#withheld.end(settled, this.#finish());
  }

  get kept(): KeptStream {
    return this;
  }

  whole(): Buffer {
    this.#finish();
    return Buffer.from(JSON.stringify(this.#latest['response']));
  }

  unkept(): void {
    const last = writtenEvent(this.#latest);
    const response = { ...(this.#latest['response'] as JsonObject), store: false };
    this.#end = this.#finish().slice(0, -last.length) + writtenEvent({ ...this.#latest, response });
  }

  /** The last event. */
  #finish(): string {
    if (this.#end === null) {
      this.#response.finish(Math.floor(Date.now() / 1_000));
      this.#end = this.#take();
    }
    return this.#end;
  }

  broken(refusal: Refusal): string {
    return failedEvent(refusal, this.#response.numbers, this.#context, this.#model);
  }

  fromChat(): this {
    return this;
  }

  #take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
