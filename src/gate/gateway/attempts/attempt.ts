import { assert } from '../../../lib/assert.ts';
import type { Place } from '../../../lib/bag.ts';
import type { Route } from '../../../domain/model.ts';
import type { AnswerFacts } from '../../openai/chat-answer.ts';
import type { RouteHealth } from '../../upstreams/health/route-health.ts';
import type { AnswerSink, RunningAttempt, Upstream, UpstreamFault, UsageSoFar } from '../../upstreams/upstream.ts';
import type { Admission } from '../admit.ts';
import type { Deadline } from './deadlines.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { AttemptTrace } from '../request-trace.ts';
import type { SentRequest } from '../sent-request.ts';

/**
 * The start of an attempt's answer: a whole answer, a stream's first data event, or a fault. `gone`: the caller left.
 */
export type AttemptStart =
  | { readonly kind: 'answer'; readonly body: Buffer; readonly facts: AnswerFacts; readonly form: AnswerForm }
  | { readonly kind: 'stream'; readonly stream: EventStream; readonly form: AnswerForm }
  | { readonly kind: 'fault'; readonly fault: UpstreamFault }
  | { readonly kind: 'gone' };

/** The form of an answer: chat's, or that of the caller's dialect; and the left-out parts of its request. */
export type AnswerForm = Pick<SentRequest, 'isChat' | 'leftOut'>;

/** A stream in progress, as its consumer sees it. */
export type EventStream = Pick<UpstreamStream, 'listen' | 'resume' | 'abort' | 'blame' | 'usageSoFar'>;

/** Receives the events of a stream in progress, from the first on. */
export interface StreamListener {
  /** Returns false to request a pause. */
  event(payload: Buffer): boolean;
  /** The stream is over: `done` is whether the upstream announced the end, `fault` what broke it off. */
  over(done: boolean, fault: UpstreamFault | null): void;
}

/** Placeholder until the upstream has begun the attempt, which may fail. */
const NOT_RUNNING: RunningAttempt = { pause: () => undefined, resume: () => undefined, abort: () => undefined };

/** Deadlines of an attempt; monotonic milliseconds. */
export interface AttemptTimes {
  readonly begunMs: number;
  /** The deadline of the first event, or of a plain call's whole answer. */
  readonly beginsByMs: number;
  /** The deadline of the request as a whole. */
  readonly deadlineMs: number;
}

/**
 * One attempt, and the stream that it may become. While it runs, it is registered with its route's health and with the
 * deadlines.
 *
 * - `waiting`: for a whole answer or the first event. Left by either, by a fault, at the deadline, or when the caller
 *   leaves.
 * - `begun`: a stream. Events wait for a listener, so that none is lost between two turns. Left by its end.
 * - `over`: nothing is in progress any more.
 */
export class UpstreamStream implements AnswerSink, Deadline {
  readonly #gate: GatewayDeps;
  readonly #health: RouteHealth;
  readonly #trace: AttemptTrace;
  readonly #times: AttemptTimes;
  readonly #begin: (beginning: AttemptStart) => void;
  readonly #form: AnswerForm;
  readonly #deadline: Place<Deadline>;
  expiresMs: number;
  #state: 'waiting' | 'begun' | 'over' = 'waiting';
  #running = NOT_RUNNING;
  #early: Buffer[] = [];
  #over: { done: boolean; fault: UpstreamFault | null } | null = null;
  #listener: StreamListener | null = null;

  constructor(
    gate: GatewayDeps,
    { health, trace }: { readonly health: RouteHealth; readonly trace: AttemptTrace },
    times: AttemptTimes,
    form: AnswerForm,
    begin: (beginning: AttemptStart) => void,
  ) {
    this.#gate = gate;
    this.#form = form;
    this.#health = health;
    this.#trace = trace;
    this.#times = times;
    this.#begin = begin;
    this.expiresMs = Math.min(times.beginsByMs, times.deadlineMs);
    health.begin(times.begunMs);
    this.#deadline = gate.deadlines.add(this);
  }

  /** Attaches the upstream's attempt that feeds the stream. */
  runBy(running: RunningAttempt): void {
    this.#running = running;
  }

  answer(body: Buffer, facts: AnswerFacts): void {
    this.#health.answered(this.#times.begunMs, this.#gate.clock.monotonicMs());
    this.#trace.begun();
    this.#leave();
    this.#begin({ kind: 'answer', body, facts, form: this.#form });
  }

  event(payload: Buffer): boolean {
    if (this.#listener !== null) return this.#listener.event(payload);
    this.#early.push(payload);
    if (this.#state === 'waiting') {
      this.#state = 'begun';
      this.expiresMs = this.#times.deadlineMs;
      this.#health.answered(this.#times.begunMs, this.#gate.clock.monotonicMs());
      this.#trace.begun();
      this.#begin({ kind: 'stream', stream: this, form: this.#form });
    }
    return false;
  }

  end(done: boolean): void {
    if (this.#state === 'waiting') {
      this.fault({ kind: 'malformed', status: 200, message: 'the stream ended without any event' });
    } else {
      this.#finish(done, null);
    }
  }

  fault(fault: UpstreamFault): void {
    this.blame(fault);
    this.#finish(false, fault);
  }

  /** Passes on the early events and all later ones. */
  listen(listener: StreamListener): void {
    assert(this.#listener === null, 'a stream has one listener');
    this.#listener = listener;
    let wantsMore = true;
    for (const payload of this.#early) wantsMore = listener.event(payload);
    this.#early = [];
    if (this.#over !== null) listener.over(this.#over.done, this.#over.fault);
    else if (wantsMore) this.resume();
  }

  /** Has no effect while early events are being passed on, so that later events can't overtake them. */
  resume(): void {
    if (this.#early.length === 0) this.#running.resume();
  }

  /** Ends the stream without calling its listener again. */
  abort(): void {
    if (this.#state === 'waiting') this.#health.undecided(this.#times.begunMs, this.#gate.clock.monotonicMs());
    this.#leave();
    this.#running.abort();
  }

  /** Ends the stream if it hasn't begun, because its caller has left. */
  giveUp(): void {
    if (this.#state !== 'waiting') return;
    this.abort();
    this.#begin({ kind: 'gone' });
  }

  /** Usage that the upstream reported outside of an event. */
  get usageSoFar(): UsageSoFar | null {
    return this.#running.usageSoFar?.() ?? null;
  }

  /** Marks the answer as malformed, although the upstream reported no fault. */
  blame(fault: UpstreamFault): void {
    this.#trace.failed(fault);
    this.#health.failed(fault, this.#times.begunMs, this.#gate.clock.monotonicMs());
  }

  expire(nowMs: number): void {
    this.#running.abort();
    if (nowMs >= this.#times.deadlineMs) {
      const fault = { kind: 'timeout', phase: 'deadline', message: 'the request exceeded its total time' } as const;
      // A stream that has begun and takes too long is not a failure of its route.
      if (this.#state === 'waiting') this.fault(fault);
      else {
        this.#trace.failed(fault);
        this.#finish(false, fault);
      }
    } else {
      this.fault({ kind: 'timeout', phase: 'first_event', message: 'the first event did not arrive in time' });
    }
  }

  #finish(done: boolean, fault: UpstreamFault | null): void {
    const hasBegun = this.#state === 'begun';
    this.#leave();
    if (!hasBegun && fault !== null) this.#begin({ kind: 'fault', fault });
    else if (this.#listener !== null) this.#listener.over(done, fault);
    else this.#over = { done, fault };
  }

  #leave(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#health.end();
    this.#trace.over();
    this.#gate.deadlines.remove(this.#deadline);
  }
}

/** One route being tried. */
export interface RunningRoute {
  readonly beginning: Promise<AttemptStart>;
  readonly stream: UpstreamStream;
}

/** A candidate: a route, its upstream, the request for it, and its health, which must admit an attempt. */
export interface AttemptCandidate {
  readonly route: Route;
  readonly upstream: Upstream;
  readonly health: RouteHealth;
  readonly sent: SentRequest;
}

/** Tries one route. Takes an Admission, so that nothing is sent to an upstream without a hold. */
export function attempt(
  gate: GatewayDeps,
  admission: Admission,
  { route, upstream, health, sent }: AttemptCandidate,
  times: AttemptTimes,
  { requestId, trace }: { readonly requestId: string; readonly trace: AttemptTrace },
): RunningRoute {
  const { promise, resolve } = Promise.withResolvers<AttemptStart>();
  const { quote, model } = admission;
  const call = { upstreamModel: route.upstreamModel, requestId, traceHeaders: trace.headers };
  const stream = new UpstreamStream(gate, { health, trace }, times, sent, resolve);
  try {
    const { terms, reasoning } = model;
    const cap = quote.cap < terms.maxOutput || upstream.needsCap ? quote.cap : null;
    stream.runBy(
      sent.isChat
        ? upstream.chat({ ...call, request: sent.chat, cap }, stream)
        : sent.send({ ...call, request: sent.native, cap, contextWindow: terms.contextWindow, reasoning }, stream),
    );
  } catch (fault) {
    stream.abort();
    throw fault;
  }
  return { beginning: promise, stream };
}
