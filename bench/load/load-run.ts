import { LoadConnection, type LoadListener } from './load-connection.ts';
import type { LoadPlan, LoadTotals, LoadWindow } from './load-plan.ts';
import { RequestSource } from './request-source.ts';
import { Timings } from './timings.ts';

const WAIT_MS_MAX = 0.05;
const SECOND_MS = 1_000;

/** Sends the requests of one plan, from `start` until it is stopped or all are sent, and times the answers. */
export class LoadRun implements LoadListener {
  readonly #plan: LoadPlan;
  readonly #source: RequestSource;
  readonly #connections = new Set<LoadConnection>();
  readonly #free: LoadConnection[] = [];
  readonly #due: number[] = [];
  readonly #latency = new Timings();
  readonly #firstByte = new Timings();
  readonly #outcomes = new Map<string, number>();
  readonly #drained = Promise.withResolvers<void>();
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  #windowSinceMs = 0;
  #opened = 0;
  #sent = 0;
  #running = 0;
  #isStopped = false;
  #nextDueMs = 0;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    this.#source = new RequestSource(plan);
  }

  start(): void {
    const { connections, rampMs, perSecond } = this.#plan;
    for (let index = 0; index < connections; index += 1) {
      setTimeout(() => this.#open(), (rampMs * index) / connections);
    }
    if (perSecond !== null) {
      this.#nextDueMs = performance.now() + rampMs;
      this.#pace(perSecond);
    }
  }

  /** Forgets what was timed so far. */
  mark(): void {
    this.#latency.clear();
    this.#firstByte.clear();
    this.#windowSinceMs = performance.now();
  }

  /** What was answered since `mark`. */
  window(): LoadWindow {
    return {
      seconds: (performance.now() - this.#windowSinceMs) / SECOND_MS,
      requests: this.#latency.count,
      latency: this.#latency.quantiles(),
      firstByte: this.#firstByte.quantiles(),
    };
  }

  /** How many requests are on their way. */
  get running(): number {
    return this.#running;
  }

  /** Sends no more and waits for the answers that are on their way. */
  async stop(withinMs: number): Promise<LoadTotals> {
    this.#isStopped = true;
    if (this.#running === 0) this.#drained.resolve();
    return this.#whenDrained(withinMs);
  }

  /** Waits until a plan with an end has come to it. */
  finish(withinMs: number): Promise<LoadTotals> {
    return this.#whenDrained(withinMs);
  }

  ready(connection: LoadConnection): void {
    if (this.#plan.perSecond === null) {
      this.#sendNext(connection, performance.now());
      return;
    }
    const dueMs = this.#due.shift();
    if (dueMs === undefined) this.#free.push(connection);
    else this.#sendNext(connection, dueMs);
  }

  begun(connection: LoadConnection): void {
    this.#firstByte.add(performance.now() - connection.sinceMs);
  }

  answered(connection: LoadConnection, outcome: string): void {
    this.#latency.add(performance.now() - connection.sinceMs);
    this.#ended(outcome);
    this.ready(connection);
  }

  lost(connection: LoadConnection, outcome: string | null): void {
    this.#connections.delete(connection);
    const at = this.#free.indexOf(connection);
    if (at >= 0) this.#free.splice(at, 1);
    if (outcome !== null) this.#ended(outcome);
    if (!this.#isStopped) this.#open();
  }

  #open(): void {
    if (this.#isStopped) return;
    const { ports } = this.#plan;
    const port = ports[this.#opened % ports.length] ?? 0;
    this.#opened += 1;
    this.#connections.add(new LoadConnection(port, this));
  }

  #sendNext(connection: LoadConnection, sinceMs: number): void {
    if (this.#isStopped || this.#sent === this.#plan.requestsMax) return;
    this.#sent += 1;
    this.#running += 1;
    connection.send(this.#source.next(), sinceMs);
  }

  #ended(outcome: string): void {
    this.#running -= 1;
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    const isLast = this.#isStopped || this.#sent === this.#plan.requestsMax;
    if (isLast && this.#running === 0) this.#drained.resolve();
  }

  /**
   * Sends what is due, in a loop rather than by timers, which are a millisecond coarse: between two looks at the sockets
   * it sleeps for less than 0.1 ms.
   */
  #pace(perSecond: number): void {
    if (this.#isStopped) return;
    for (let now = performance.now(); this.#nextDueMs <= now;) {
      // The one that has rested longest, so that none rests for so long that it is closed.
      const connection = this.#free.shift();
      if (connection === undefined) this.#due.push(this.#nextDueMs);
      else this.#sendNext(connection, now);
      this.#nextDueMs -= (Math.log(1 - Math.random()) * SECOND_MS) / perSecond;
      now = performance.now();
    }
    const waitMs = Math.min(WAIT_MS_MAX, this.#nextDueMs - performance.now());
    if (waitMs > 0) Atomics.wait(this.#sleeper, 0, 0, waitMs);
    setImmediate(() => this.#pace(perSecond));
  }

  async #whenDrained(withinMs: number): Promise<LoadTotals> {
    const timer = setTimeout(() => this.#drained.resolve(), withinMs);
    await this.#drained.promise;
    clearTimeout(timer);
    this.#isStopped = true;
    const { 200: ok = 0, ...failures } = Object.fromEntries(this.#outcomes) as Record<string, number>;
    if (this.#running > 0) failures['unanswered'] = this.#running;
    for (const connection of this.#connections) connection.close();
    return { ok, failures };
  }
}
