import type { Route } from '../../../domain/model.ts';
import { demandedTier } from '../../../domain/service-tier.ts';
import type { AttemptRecord } from '../../../domain/receipt.ts';
import { andThen, type MaybeAsync } from '../../../lib/maybe-async.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import type { CompletionRequest } from '../../dialects/dialect.ts';
import type { RouteHealth } from '../../upstreams/health/route-health.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { attempt, type AttemptStart, type AttemptCandidate, type UpstreamStream } from './attempt.ts';
import type { AdmittedRequest } from '../request.ts';
import { affinityOf, type AffinitySource } from './affinity.ts';
import { areDrawn, routeOrder } from './route-order.ts';
import { preparedFor, type SentRequest } from '../sent-request.ts';

/** Whether no other route is tried after this fault: the request itself is wrong, or its time is up. */
export function isFinalFault(fault: UpstreamFault): boolean {
  if (fault.kind === 'rejected_request') return !isUnsayable(fault);
  return fault.kind === 'timeout' && fault.phase === 'deadline';
}

/** Whether a provider's API has no words for the request, which another route's may have. */
export function isUnsayable(fault: UpstreamFault | null): boolean {
  return fault?.kind === 'rejected_request' && fault.isUnsayable === true;
}

/** Of the faults of two routes, the one that says why the model gives no answer: the later one, if that route could. */
export function tellingFault(former: UpstreamFault | null, later: UpstreamFault): UpstreamFault {
  return former !== null && isUnsayable(later) ? former : later;
}

/** Called with the request that an attempt sends to its upstream. */
export type AttemptListener = (sent: SentRequest) => void;

const NO_LISTENER: AttemptListener = () => undefined;

/** By what the routes of a request were ordered, and whether the one that comes first for it was tried last. */
export interface RouteAffinity {
  readonly source: AffinitySource;
  readonly isPreferred: boolean;
}

/** One request's attempts. They share its deadline. */
export class RouteAttempts {
  /** The attempts in order, without routes that were passed over. */
  readonly attempts: AttemptRecord[] = [];
  readonly #request: AdmittedRequest;
  readonly #onAttempt: AttemptListener;
  readonly #isStream: boolean;
  readonly #deadlineMs: number;
  #current: UpstreamStream | null = null;
  #preferred: { readonly source: AffinitySource; readonly route: Route | undefined } | null = null;

  /** `onAttempt` is called before each attempt. */
  constructor(request: AdmittedRequest, onAttempt: AttemptListener = NO_LISTENER) {
    const { gate, admission, caller, claim } = request;
    this.#request = request;
    this.#onAttempt = onAttempt;
    this.#isStream = admission.parsed.request.text?.stream === true;
    this.#deadlineMs = request.untilMs ?? gate.clock.monotonicMs() + longestMs(request);
    if (this.#isStream && claim === null) caller.onGone(() => this.#current?.giveUp());
  }

  /** The routes in the order in which they are tried, including resting ones and those that can't be sent the request. */
  routes(): readonly Route[] {
    const { gate, admission, caller } = this.#request;
    const { routes } = admission.model;
    if (!areDrawn(routes)) return routes;
    const affinity = affinityOf(caller, admission);
    const order = routeOrder(routes, affinity?.lotOf ?? gate.random);
    if (affinity !== null) this.#preferred = { source: affinity.source, route: order[0] };
    return order;
  }

  /** By what the route was chosen that was tried last; null: by chance, or as listed. */
  affinity(): RouteAffinity | null {
    if (this.#preferred === null) return null;
    const { source, route } = this.#preferred;
    const last = this.attempts.at(-1);
    return { source, isPreferred: last?.provider === route?.provider && last?.upstreamModel === route?.upstreamModel };
  }

  /** The request in the form for a route; null if it can't be sent there. Synchronous unless it is translated in a thread. */
  candidate(route: Route): MaybeAsync<AttemptCandidate | null> {
    const { gate, admission } = this.#request;
    const upstream = gate.upstreams.of(route);
    if (upstream === undefined) return null;
    const { model, parsed } = admission;
    return andThen(preparedFor(upstream, model, parsed.request), (sent) => {
      if ('message' in sent) return null;
      return { route, upstream, health: healthOf(gate, route, parsed.request), sent };
    });
  }

  /**
   * Tries a route, and once more if the request most likely never reached the upstream, because it had closed the
   * connection before. Null if the route rests, or if the caller has most likely left after an earlier attempt.
   */
  async try(tried: AttemptCandidate): Promise<AttemptStart | null> {
    const { gate, caller, claim } = this.#request;
    let last: AttemptStart | null = null;
    for (let times = 0; times < 2 && tried.health.waitMs(gate.clock.monotonicMs()) === 0; times++) {
      if (caller.isGone && claim === null) return { kind: 'gone' };
      if (caller.isHalfClosed && claim === null && this.attempts.length > 0) break;
      const begunMs = gate.clock.monotonicMs();
      this.#onAttempt(tried.sent);
      last = await this.#begin(tried, begunMs);
      this.#record(tried, last, begunMs);
      if (last.kind !== 'fault' || !isRepeatable(last.fault)) break;
    }
    return last;
  }

  /** The time until one of the skipped routes may be tried again; null if none was skipped. */
  soonestMs(): number | null {
    const { gate, admission } = this.#request;
    const nowMs = gate.clock.monotonicMs();
    const waits = admission.model.routes
      .map((route) => healthOf(gate, route, admission.parsed.request).waitMs(nowMs))
      .filter((ms) => ms > 0);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  #begin(tried: AttemptCandidate, begunMs: number): Promise<AttemptStart> {
    const { gate, caller, trace, admission } = this.#request;
    const beginsByMs = this.#isStream ? begunMs + gate.timeouts.firstEventMs : this.#deadlineMs;
    const times = { begunMs, beginsByMs, deadlineMs: this.#deadlineMs };
    const run = attempt(gate, admission, tried, times, {
      requestId: caller.requestId,
      trace: trace.attempt(tried.route),
    });
    this.#current = run.stream;
    return run.beginning;
  }

  #record({ route }: AttemptCandidate, beginning: AttemptStart, begunMs: number): void {
    const { gate, caller } = this.#request;
    const fault = beginning.kind === 'fault' ? beginning.fault : null;
    this.attempts.push({
      provider: route.provider,
      upstreamModel: route.upstreamModel,
      status: statusOf(beginning),
      durationMs: gate.clock.monotonicMs() - begunMs,
      fault: fault?.kind ?? null,
    });
    if (fault !== null) gate.observer.attemptFailed(caller.requestId, route.provider, fault);
  }
}

/** The most milliseconds that a request may take. */
export function longestMs({ gate: { timeouts }, admission }: AdmittedRequest): number {
  return admission.parsed.request.text?.stream === true ? timeouts.streamMs : timeouts.plainMs;
}

function healthOf({ health }: GatewayDeps, route: Route, { tier }: CompletionRequest): RouteHealth {
  const demanded = demandedTier(tier);
  return demanded === null ? health.of(route) : health.inTier(route, demanded);
}

/** Whether the request most likely never reached its upstream. */
function isRepeatable(fault: UpstreamFault): boolean {
  return fault.kind === 'broken' && fault.isRepeatable === true;
}

/** The upstream's HTTP status, if one was received. */
function statusOf(beginning: AttemptStart): number | null {
  if (beginning.kind === 'gone') return null;
  if (beginning.kind !== 'fault') return 200;
  return 'status' in beginning.fault ? beginning.fault.status : null;
}
