import { assert } from '../lib/assert.ts';
import type { Route } from '../domain/model.ts';
import type { AnswerFacts } from '../openai/chat-answer.ts';
import type { AnswerSink, RunningAttempt, Upstream, UpstreamFault } from '../upstreams/upstream.ts';
import type { Admission } from './admit.ts';

/** How an attempt begins: with a whole answer, with a stream's first data event, or not at all. `gone`: the caller left. */
export type Beginning =
  | { readonly kind: 'answer'; readonly body: Buffer; readonly facts: AnswerFacts }
  | { readonly kind: 'stream'; readonly stream: UpstreamStream }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault }
  | { readonly kind: 'gone' };

/** Hears what follows a stream's beginning, its first event included. */
export interface StreamListener {
  /** False asks for a pause. */
  event(payload: Buffer): boolean;
  /** The stream is over: `done` says whether the upstream announced it, `fault` what broke it. */
  over(done: boolean, fault: UpstreamFault | null): void;
}

/** A stream that has begun. Events wait until somebody listens, so that none is lost between two turns. */
export class UpstreamStream implements AnswerSink {
  readonly #begin: (beginning: Beginning) => void;
  #running: RunningAttempt | null = null;
  #early: Buffer[] = [];
  #over: { done: boolean; fault: UpstreamFault | null } | null = null;
  #listener: StreamListener | null = null;
  #hasBegun = false;

  constructor(begin: (beginning: Beginning) => void) {
    this.#begin = begin;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Gives the stream the attempt that feeds it, as soon as that exists. */
  runBy(running: RunningAttempt): void {
    this.#running = running;
  }

  answer(body: Buffer, facts: AnswerFacts): void {
    this.#begin({ kind: 'answer', body, facts });
  }

  event(payload: Buffer): boolean {
    if (this.#listener !== null) return this.#listener.event(payload);
    this.#early.push(payload);
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#begin({ kind: 'stream', stream: this });
    }
    return false;
  }

  end(done: boolean): void {
    if (this.#hasBegun) this.#finish(done, null);
    else this.fault({ kind: 'malformed', status: 200, message: 'the stream ended without a single event' });
  }

  fault(fault: UpstreamFault): void {
    if (this.#hasBegun) this.#finish(false, fault);
    else this.#begin({ kind: 'fault', fault });
  }

  /** Passes on what has come and all that follows. */
  listen(listener: StreamListener): void {
    assert(this.#listener === null, 'a stream has one listener');
    this.#listener = listener;
    let wantsMore = true;
    for (const payload of this.#early) wantsMore = listener.event(payload);
    this.#early = [];
    if (this.#over !== null) listener.over(this.#over.done, this.#over.fault);
    else if (wantsMore) this.resume();
  }

  pause(): void {
    this.#running?.pause();
  }

  /** While early events are being passed on it does nothing: what follows must not overtake them. */
  resume(): void {
    if (this.#early.length === 0) this.#running?.resume();
  }

  abort(): void {
    this.#running?.abort();
  }

  #finish(done: boolean, fault: UpstreamFault | null): void {
    if (this.#listener !== null) this.#listener.over(done, fault);
    else this.#over = { done, fault };
  }
}

/** One route being tried. */
export interface RunningRoute {
  readonly beginning: Promise<Beginning>;
  readonly stream: UpstreamStream;
}

/** Tries one route. Takes an Admission, so that nothing is sent to an upstream that isn't paid for. */
export function attempt(admission: Admission, route: Route, upstream: Upstream, requestId: string): RunningRoute {
  const { promise, resolve } = Promise.withResolvers<Beginning>();
  const stream = new UpstreamStream(resolve);
  const { asked, quote, model } = admission;
  const call = { upstreamModel: route.upstreamModel, requestId };
  const needsCap = quote.cap < model.terms.maxOutput || upstream.needsCap;
  stream.runBy(
    asked.endpoint === 'chat'
      ? upstream.chat({ ...call, request: asked.request, cap: needsCap ? quote.cap : null }, stream)
      : upstream.embeddings({ ...call, request: asked.request }, stream),
  );
  return { beginning: promise, stream };
}
