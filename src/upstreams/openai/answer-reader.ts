import { readAnswer } from '../../openai/chat-answer.ts';
import { isJson } from '../../openai/json-scan.ts';
import { isDone, SseDecoder } from '../../openai/sse.ts';
import { CappedBody } from '../capped-body.ts';
import type { ExchangeHandler, ResponseHeaders } from '../http-client.ts';
import type { TransportFault } from '../transport-fault.ts';
import type { AnswerSink, RunningAttempt, UpstreamFault } from '../upstream.ts';
import { readErrorPayload, withoutSecret } from './error-payload.ts';
import { faultOfErrorPayload, faultOfResponse } from './fault.ts';

// Turns one HTTP answer of an OpenAI-compatible server into what an AnswerSink hears.

/** More than any model writes; an error body needs far less. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
const ERROR_BYTES_MAX = 256 * 1024;

/** How long an upstream may take to end its answer after `[DONE]` before its connection is closed. */
const DRAIN_MS = 1_000;

const OPENING_BRACE = 0x7b;

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

function isJsonObject(body: Buffer): boolean {
  // DeepSeek sends blank lines ahead of the JSON while it thinks.
  let at = 0;
  while (at < body.length && (body[at] as number) <= 0x20) at++;
  return body[at] === OPENING_BRACE && isJson(body);
}

/**
 * Reads one answer.
 * - `head`: no status yet. Left by `start`.
 * - `events`: a stream's events go to the sink as they come. Left by `[DONE]`, an error event, or the end.
 * - `whole`: a plain answer, or an error, is gathered. Left by the end.
 * - `draining`: the sink has heard the end, and what the upstream still sends is thrown away, so that its connection
 *   can be used again. Left by the end, or after a moment by an abort.
 * - `over`: nothing more is heard or said.
 */
export class AnswerReader implements ExchangeHandler, RunningAttempt {
  readonly #streamed: boolean;
  readonly #sink: AnswerSink;
  readonly #secret: string | null;
  #exchange: RunningAttempt | null = null;
  #state: 'head' | 'events' | 'whole' | 'draining' | 'over' = 'head';
  #status = 0;
  #headers: ResponseHeaders = {};
  #body: CappedBody | null = null;
  #decoder: SseDecoder | null = null;
  #events = 0;
  #drainTimer: NodeJS.Timeout | null = null;

  /** `secret` is the provider's key, which no fault repeats. */
  constructor(streamed: boolean, sink: AnswerSink, secret: string | null) {
    this.#streamed = streamed;
    this.#sink = sink;
    this.#secret = secret;
  }

  /** Names the exchange whose answer this reads; called before anything of it is heard. */
  attach(exchange: RunningAttempt): void {
    this.#exchange = exchange;
  }

  start(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (isSuccess(status) && this.#streamed && mayBeEvents(contentType(headers))) {
      this.#state = 'events';
      this.#decoder = new SseDecoder();
    } else {
      this.#state = 'whole';
      this.#body = new CappedBody(isSuccess(status) ? ANSWER_BYTES_MAX : ERROR_BYTES_MAX);
    }
  }

  data(chunk: Buffer): void {
    if (this.#state === 'events') {
      const readable = this.#decoder?.push(chunk, this.#onEvent) ?? false;
      if (!readable && this.#state === 'events') this.#fail(this.#malformed('an event is too large'));
    } else if (this.#state === 'whole' && this.#body?.add(chunk) === false) {
      this.#fail(isSuccess(this.#status) ? this.#malformed('the answer is too large') : this.#refused(Buffer.alloc(0)));
    }
  }

  end(): void {
    const state = this.#state;
    if (state === 'events') {
      this.#decoder?.end(this.#onEvent);
      if (this.#state === 'events') this.#finishEvents();
      this.#leave();
    } else if (state === 'whole') {
      this.#leave();
      this.#finishWhole(this.#body?.bytes() ?? Buffer.alloc(0));
    } else {
      this.#leave();
    }
  }

  fail(fault: TransportFault): void {
    const isHeard = this.#state !== 'draining' && this.#state !== 'over';
    this.#leave();
    if (isHeard) this.#sink.fault(fault);
  }

  pause(): void {
    if (this.#state !== 'draining' && this.#state !== 'over') this.#exchange?.pause();
  }

  resume(): void {
    if (this.#state !== 'draining' && this.#state !== 'over') this.#exchange?.resume();
  }

  abort(): void {
    if (this.#state === 'draining' || this.#state === 'over') return;
    this.#leave();
    this.#exchange?.abort();
  }

  readonly #onEvent = (payload: Buffer): void => {
    if (this.#state !== 'events') return;
    if (isDone(payload)) {
      this.#drain();
      this.#sink.end(true);
      return;
    }
    const isFirst = this.#events++ === 0;
    const error = readErrorPayload(payload, this.#secret);
    if (error !== null) {
      const fault = faultOfErrorPayload(error);
      this.#fail(isFirst ? fault : { kind: 'broken', message: `an error within the stream: ${fault.message}` });
      return;
    }
    if (isFirst && !isJsonObject(payload)) {
      this.#fail(this.#malformed('the first event is not a JSON object'));
      return;
    }
    // The sink may have aborted from within.
    if (!this.#sink.event(payload)) this.pause();
  };

  #finishEvents(): void {
    const isEvents = contentType(this.#headers).startsWith('text/event-stream');
    this.#leave();
    if (this.#events === 0 && !isEvents) this.#sink.fault(this.#malformed('the answer is not a stream of events'));
    else this.#sink.end(false);
  }

  #finishWhole(body: Buffer): void {
    if (!isSuccess(this.#status)) {
      this.#sink.fault(this.#refused(body));
      return;
    }
    const error = readErrorPayload(body, this.#secret);
    if (error !== null) {
      this.#sink.fault(faultOfErrorPayload(error));
      return;
    }
    if (this.#streamed) {
      this.#sink.fault(this.#malformed('a stream was asked for, and a plain answer came'));
      return;
    }
    const facts = readAnswer(body);
    if (facts.valid) this.#sink.answer(body, facts);
    else this.#sink.fault(this.#malformed('the answer is not a JSON object'));
  }

  #malformed(message: string): UpstreamFault {
    return { kind: 'malformed', status: this.#status, message };
  }

  #refused(body: Buffer): UpstreamFault {
    return faultOfResponse(this.#status, this.#headers, withoutSecret(body, this.#secret), Date.now());
  }

  #fail(fault: UpstreamFault): void {
    this.#leave();
    this.#exchange?.abort();
    this.#sink.fault(fault);
  }

  /** What comes after `[DONE]` is of no interest; mostly it is the end, in the same packet. */
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
