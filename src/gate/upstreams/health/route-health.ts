import { PAUSE_MS_MAX } from '../retry-after.ts';
import type { UpstreamFault } from '../upstream.ts';
import { Breaker, type BreakerSettings } from './breaker.ts';
import type { RestCause, RouteRest, RouteStanding, RouteState } from './standing.ts';

/** The wait for a provider at its limit of attempts: the real one is unknown, so it is short. */
const BUSY_MS = 1_000;

export interface HealthSettings extends BreakerSettings {
  /** How long a route rests if its provider refuses the operator's key; milliseconds. */
  readonly refusedKeyMs: number;
}

/** State that a provider's routes share. */
export interface ProviderLoad {
  /** Whether its routes may rest. Those of the sandbox, which fails on request, may not. */
  canRest: boolean;
  /** Attempts in progress. */
  running: number;
  /** The most attempts in progress; null: unbounded. */
  concurrencyMax: number | null;
}

/** Called when the route rests, and when it is back. */
export interface RouteWatcher {
  /** The route rests from now on, for at least this long. */
  rests(fault: UpstreamFault, forMs: number): void;
  /** A route that was resting has answered again. */
  isBack(): void;
}

/**
 * One route's health: whether it may be tried, or how long it is skipped. It rests while its breaker is open, and for
 * as long as its provider requests; it is skipped while its provider is at its limit of attempts. Times are monotonic
 * milliseconds.
 */
export class RouteHealth {
  readonly #settings: HealthSettings;
  readonly #load: ProviderLoad;
  readonly #watcher: RouteWatcher;
  readonly #breaker: Breaker;
  #coolUntilMs = 0;
  #wasResting = false;
  #isKeyRefused = false;
  /** The rest that ends last, and when. */
  #rest: (Omit<RouteRest, 'forMs'> & { readonly untilMs: number }) | null = null;

  constructor(settings: HealthSettings, load: ProviderLoad, watcher: RouteWatcher) {
    this.#settings = settings;
    this.#load = load;
    this.#watcher = watcher;
    this.#breaker = new Breaker(settings);
  }

  /** Whether the provider's last word was that it refuses the operator's key. */
  get isKeyRefused(): boolean {
    return this.#isKeyRefused;
  }

  /** How long it rests, apart from its provider's limit of attempts; 0 if it doesn't. */
  restMs(nowMs: number): number {
    return Math.max(this.#breaker.waitMs(nowMs), this.#coolUntilMs - nowMs, 0);
  }

  /** The time until it may be tried; 0: now. */
  waitMs(nowMs: number): number {
    const { running, concurrencyMax } = this.#load;
    const restMs = this.restMs(nowMs);
    return concurrencyMax !== null && running >= concurrencyMax ? Math.max(restMs, BUSY_MS) : restMs;
  }

  /** Starts an attempt, after `waitMs` has returned 0. `end` follows once. */
  begin(nowMs: number): void {
    this.#load.running += 1;
    this.#breaker.begin(nowMs);
  }

  /** An attempt is over, with any result. */
  end(): void {
    this.#load.running -= 1;
  }

  /** The attempt that began then has been answered: by a whole answer, or a stream's first event. */
  answered(begunMs: number, nowMs: number): void {
    this.#breaker.answered(begunMs, nowMs);
    this.#isKeyRefused = false;
    if (!this.#wasResting || this.restMs(nowMs) > 0) return;
    this.#wasResting = false;
    this.#watcher.isBack();
  }

  /** The attempt that began then has failed, before its first event or after. */
  failed(fault: UpstreamFault, begunMs: number, nowMs: number): void {
    if (!this.#load.canRest) return;
    if (fault.kind === 'rejected_request') {
      this.answered(begunMs, nowMs);
    } else if (fault.kind === 'overloaded' && fault.retryAfterMs !== null) {
      // After such a long pause, a single request probes the provider first.
      if (fault.retryAfterMs >= PAUSE_MS_MAX) this.#breaker.open(PAUSE_MS_MAX, nowMs);
      else this.#breaker.undecided(begunMs, nowMs);
      this.#leaveAlone('provider_asked', fault, { untilMs: nowMs + fault.retryAfterMs, nowMs });
    } else {
      const hasOpened = this.#breaker.failed(begunMs, nowMs);
      const refusesKey = fault.kind === 'rejected_credentials';
      if (refusesKey) this.#isKeyRefused = true;
      // Another status, such as 403, may be about this request only, for example its content. If it isn't, the breaker
      // will open.
      const isSure = refusesKey && (fault.status === 401 || fault.status === 402);
      const forMs = isSure ? this.#settings.refusedKeyMs : 0;
      if (hasOpened || forMs > 0) {
        this.#leaveAlone(isSure ? 'key_refused' : 'failures', fault, { untilMs: nowMs + forMs, nowMs });
      }
    }
  }

  /** An attempt that began at `begunMs` has ended without a result: its caller has left. */
  undecided(begunMs: number, nowMs: number): void {
    this.#breaker.undecided(begunMs, nowMs);
  }

  /** Its current state, without the name. */
  standing(nowMs: number): Omit<RouteStanding, 'upstreamModel'> {
    const { good, bad } = this.#breaker.resultsAt(nowMs);
    const state = this.#stateOf(good, bad, nowMs);
    const isSkipped = this.restMs(nowMs) > 0;
    return { state, isSkipped, rest: state === 'resting' ? this.#restAt(nowMs) : null, answered: good, failed: bad };
  }

  #stateOf(good: number, bad: number, nowMs: number): RouteState {
    const isProbed = this.#breaker.isProbing && this.#coolUntilMs <= nowMs;
    if (this.restMs(nowMs) > 0 && !isProbed) return 'resting';
    if (this.#wasResting) return 'probing';
    if (good > 0) return 'answering';
    return bad > 0 ? 'failing' : 'idle';
  }

  #restAt(nowMs: number): RouteRest | null {
    if (this.#rest === null) return null;
    const { untilMs: _untilMs, ...rest } = this.#rest;
    return { ...rest, forMs: this.restMs(nowMs) };
  }

  #leaveAlone(
    cause: RestCause,
    fault: UpstreamFault,
    { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
  ): void {
    const endMs = Math.max(untilMs, nowMs + this.#breaker.waitMs(nowMs));
    if (this.#rest === null || endMs >= this.#rest.untilMs) {
      this.#rest = { cause, fault: fault.kind, status: 'status' in fault ? fault.status : null, untilMs: endMs };
    }
    this.#coolUntilMs = Math.max(this.#coolUntilMs, untilMs);
    const forMs = this.restMs(nowMs);
    if (this.#wasResting || forMs === 0) return;
    this.#wasResting = true;
    this.#watcher.rests(fault, forMs);
  }
}
