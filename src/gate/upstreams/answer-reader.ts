import { type GatherFault, GatheredBytes } from '../../lib/gathered-bytes.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import { passInPieces } from '../openai/json-pieces.ts';
import { isJson, type PassedValues } from '../openai/json-scan.ts';
import { SseDecoder } from '../openai/sse.ts';
import type { AnswerTranslator, StreamOutlet } from './answer-translator.ts';
import type { ExchangeHandler, HttpClient } from './http/http-client.ts';
import type { OutgoingRequest } from './http/request-text.ts';
import type { ResponseHeaders } from './http/response-head.ts';
import type { TransportFault } from './http/transport-fault.ts';
import type { AnswerSink, RunningAttempt, UpstreamFault, UsageSoFar } from './upstream.ts';
import { withoutSecret } from './without-secret.ts';

// Converts one HTTP answer, plain or a stream of server-sent events, to calls of an AnswerSink. A translator
// interprets the bodies and events of a kind of provider.

/** A larger event is checked before anything parses it; and more structure than any event has. */
const SMALL_EVENT_BYTES = 65_536;
const EVENT_STRUCTURE_MAX = 2_000_000;

/** More than any model writes; an error body needs far less. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ERROR_BYTES_MAX = 256 * 1024;

/** How long an upstream may take to end its answer after announcing the end. After that its connection is closed. */
const DRAIN_MS = 1_000;

const EMPTY = Buffer.alloc(0);

const SAYS: Readonly<Record<GatherFault, string>> = {
  too_large: 'the answer is too large',
  fragmented: 'the answer comes in too many small pieces',
  overloaded: 'there is no memory for the answer',
};

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function contentType(headers: ResponseHeaders): string {
  const value = headers['content-type'];
  return (typeof value === 'string' ? value : (value?.[0] ?? '')).toLowerCase();
}

/** Some servers give event streams no type, or a wrong one; these two are never event streams. */
function mayBeEvents(type: string): boolean {
  return !type.startsWith('application/json') && !type.startsWith('text/html');
}

/** A request, its sink and its translator. */
export interface ExpectedAnswer {
  readonly streamed: boolean;
  readonly sink: AnswerSink;
  /** The provider's key, which is masked in a server's error messages. */
  readonly secret: string | null;
  readonly translator: AnswerTranslator;
}

/**
 * Reads one answer.
 * - `head`: no status yet. Left by `start`.
 * - `events`: a stream's events are passed to the sink as they arrive. Left by the announced end, an error, or the
 *   end.
 * - `whole`: a plain answer, or an error, is gathered. Left by the end.
 * - `reading`: a large plain answer is complete, and is parsed in pieces. Left when it is parsed.
 * - `draining`: the sink has the end, and the upstream's further bytes are dropped, so that its connection can be
 *   reused. Left by the end, or after a moment by an abort.
 * - `over`: no further bytes and no further calls.
 */
class AnswerReader implements ExchangeHandler, RunningAttempt, StreamOutlet {
  readonly #streamed: boolean;
  readonly #sink: AnswerSink;
  readonly #secret: string | null;
  readonly #translator: AnswerTranslator;
  #exchange: RunningAttempt | null = null;
  #state: 'head' | 'events' | 'whole' | 'reading' | 'draining' | 'over' = 'head';
  #status = 0;
  #headers: ResponseHeaders = {};
  #body: GatheredBytes | null = null;
  #decoder: SseDecoder | null = null;
  #hasPassed = false;
  #drainTimer: NodeJS.Timeout | null = null;

  constructor({ streamed, sink, secret, translator }: ExpectedAnswer) {
    this.#streamed = streamed;
    this.#sink = sink;
    this.#secret = secret;
    this.#translator = translator;
  }

  /** Sets the exchange whose answer this reads, before any of it has arrived. */
  attach(exchange: RunningAttempt): void {
    this.#exchange = exchange;
  }

  start(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (isSuccess(status) && this.#streamed && mayBeEvents(contentType(headers))) {
      this.#state = 'events';
      this.#decoder = new SseDecoder(this.#translator.parsedLimits?.eventBytesMax);
    } else {
      this.#state = 'whole';
      const answerMax = this.#translator.parsedLimits?.bodyBytesMax ?? ANSWER_BYTES_MAX;
      this.#body = new GatheredBytes(isSuccess(status) ? answerMax : ERROR_BYTES_MAX);
    }
  }

  data(chunk: Buffer): void {
    if (this.#state === 'events') {
      const readable = this.#decoder?.push(chunk, this.#onEvent) ?? false;
      if (!readable) this.malformed('an event is too large');
    } else if (this.#state === 'whole') {
      const fault = this.#body?.add(chunk) ?? null;
      if (fault !== null) this.#fail(isSuccess(this.#status) ? this.#malformed(SAYS[fault]) : this.#refused(EMPTY));
    }
  }

  end(): void {
    const state = this.#state;
    if (state === 'events') {
      this.#decoder?.end(this.#onEvent);
      if (this.#state === 'events') this.#translator.end(this);
      if (this.#state === 'events') this.#finishEvents();
      this.#leave();
    } else if (state === 'whole') {
      const body = this.#body?.whole() ?? EMPTY;
      if (body.length > LARGE_BYTES) return this.#readLarge(body);
      this.#leave();
      this.#finishWhole(body, null);
    } else {
      this.#leave();
    }
  }

  fail(fault: TransportFault): void {
    const isReported = this.#state !== 'draining' && this.#state !== 'over';
    this.#leave();
    if (isReported) this.#sink.fault(fault);
  }

  pause(): void {
    if (this.#isReceiving) this.#exchange?.pause();
  }

  resume(): void {
    if (this.#isReceiving) this.#exchange?.resume();
  }

  abort(): void {
    const isReceiving = this.#isReceiving;
    if (this.#state === 'reading') this.#leave();
    if (!isReceiving) return;
    this.#leave();
    this.#exchange?.abort();
  }

  /** Whether further input is still needed. */
  get #isReceiving(): boolean {
    return this.#state === 'head' || this.#state === 'events' || this.#state === 'whole';
  }

  usageSoFar(): UsageSoFar | null {
    return this.#translator.usageSoFar?.() ?? null;
  }

  pass(payload: Buffer): void {
    if (this.#state !== 'events') return;
    this.#hasPassed = true;
    // The sink may have aborted from within.
    if (!this.#sink.event(payload)) this.pause();
  }

  done(): void {
    if (this.#state !== 'events') return;
    this.#drain();
    this.#sink.end(true);
  }

  error(fault: UpstreamFault): void {
    if (this.#state !== 'events') return;
    this.#fail(this.#hasPassed ? { kind: 'broken', message: `an error within the stream: ${fault.message}` } : fault);
  }

  malformed(message: string): void {
    if (this.#state === 'events') this.#fail(this.#malformed(message));
  }

  readonly #onEvent = (payload: Buffer): void => {
    if (this.#state !== 'events') return;
    if (payload.length > SMALL_EVENT_BYTES && !isJson(payload, EVENT_STRUCTURE_MAX)) {
      this.malformed('a large event is no JSON, or has more values than any');
    } else this.#translator.event(payload, this);
  };

  #finishEvents(): void {
    const isEvents = contentType(this.#headers).startsWith('text/event-stream');
    this.#leave();
    if (!this.#hasPassed && !isEvents) this.#sink.fault(this.#malformed('the answer is not a stream of events'));
    else this.#sink.end(false);
  }

  /** Parses a large answer in pieces, so that others are served in between. */
  #readLarge(body: Buffer): void {
    this.#state = 'reading';
    const finish = (fault: UpstreamFault | null, passed: PassedValues | null): void => {
      if (this.#state !== 'reading') return;
      this.#leave();
      if (fault === null) this.#finishWhole(body, passed);
      else this.#sink.fault(fault);
    };
    this.#passLarge(body).then(
      (passed) =>
        finish(passed === null ? this.#malformed('the answer is no JSON, or has more values than any') : null, passed),
      (cause: unknown) => finish(this.#malformed(`the answer could not be read: ${String(cause)}`), null),
    );
  }

  async #passLarge(body: Buffer): Promise<PassedValues | null> {
    const passed = await passInPieces(body, this.#translator.parsedLimits?.structureMax);
    await ownTurn();
    return passed;
  }

  #finishWhole(body: Buffer, passed: PassedValues | null): void {
    if (!isSuccess(this.#status)) {
      this.#sink.fault(this.#refused(body));
      return;
    }
    const reading = this.#translator.answer(this.#status, body, passed);
    if (!reading.ok) this.#sink.fault(reading.fault);
    else if (this.#streamed) this.#sink.fault(this.#malformed('a stream was requested, but a plain answer came'));
    else this.#sink.answer(reading.body, reading.facts);
  }

  #malformed(message: string): UpstreamFault {
    return { kind: 'malformed', status: this.#status, message };
  }

  #refused(body: Buffer): UpstreamFault {
    return this.#translator.refused(this.#status, this.#headers, withoutSecret(body, this.#secret));
  }

  #fail(fault: UpstreamFault): void {
    this.#leave();
    this.#exchange?.abort();
    this.#sink.fault(fault);
  }

  /** Bytes after the announced end are dropped; mostly the end itself follows, in the same packet. */
  #drain(): void {
    this.#state = 'draining';
    this.#exchange?.resume();
    this.#drainTimer = setTimeout(() => {
      this.#leave();
      this.#exchange?.abort();
    }, DRAIN_MS);
    this.#drainTimer.unref();
  }

  #leave(): void {
    this.#state = 'over';
    if (this.#drainTimer !== null) clearTimeout(this.#drainTimer);
    this.#drainTimer = null;
  }
}

/** Sends a request and reads its answer. */
export function runExchange(client: HttpClient, request: OutgoingRequest, expected: ExpectedAnswer): RunningAttempt {
  const reader = new AnswerReader(expected);
  reader.attach(client.send(request, reader));
  return reader;
}
