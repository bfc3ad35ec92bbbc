import type { Route } from '../domain/model.ts';
import type { AttemptRecord } from '../domain/receipt.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { RouteHealth } from '../upstreams/health/route-health.ts';
import type { Upstream, UpstreamFault } from '../upstreams/upstream.ts';
import { attempt, type Beginning, type UpstreamStream } from './attempt.ts';
import { unansweredRefusal } from './fault-refusal.ts';
import type { AdmittedRequest } from './request.ts';
import { routeOrder } from './route-order.ts';

/** What came of the routes: an answer, a stream that has begun, a caller that has left, or why there is none of them. */
export interface RoutesTried {
  readonly beginning: Exclude<Beginning, { kind: 'fault' }> | { readonly kind: 'refused'; readonly refusal: Refusal };
  /** What was tried, in order. Routes that were passed over are not in it. */
  readonly attempts: readonly AttemptRecord[];
}

/**
 * Tries the model's routes until one answers. Those that rest, or whose provider has all the attempts it may, are passed
 * over; where that leaves none the caller is refused at once. The attempts share the request's deadline. Once its caller
 * has left nothing more is tried, and a stream that hasn't begun is given up, unless a repeat of it is to get the answer.
 */
export async function attemptRoutes(request: AdmittedRequest): Promise<RoutesTried> {
  const tries = new Tries(request);
  const beginning = await tries.run();
  const { attempts } = tries;
  if (beginning !== null && beginning.kind !== 'fault') return { beginning, attempts };
  const refusal = unansweredRefusal(request.admission.model.id, {
    attempts,
    fault: beginning?.fault ?? null,
    retryAfterMs: tries.soonestMs(),
  });
  return { beginning: { kind: 'refused', refusal }, attempts };
}

/** Faults after which no other route is tried: the caller's own, for which it would fail too, and that time is up. */
function endsIt(fault: UpstreamFault): boolean {
  return fault.kind === 'rejected_request' || (fault.kind === 'timeout' && fault.phase === 'deadline');
}

/** Whether the request may never have reached its upstream, which had closed the connection before. */
function wasUnanswered(fault: UpstreamFault): boolean {
  return fault.kind === 'broken' && fault.isUnanswered === true;
}

/** One request's attempts. */
class Tries {
  readonly attempts: AttemptRecord[] = [];
  readonly #request: AdmittedRequest;
  readonly #isStream: boolean;
  readonly #deadlineMs: number;
  #current: UpstreamStream | null = null;

  constructor(request: AdmittedRequest) {
    const { gate, admission } = request;
    const { asked } = admission;
    this.#request = request;
    this.#isStream = asked.endpoint === 'chat' && asked.request.stream;
    this.#deadlineMs = gate.clock.monotonicMs() + (this.#isStream ? gate.timeouts.streamMs : gate.timeouts.plainMs);
  }

  /** The first beginning that counts, or the last fault; null where no route could be tried. */
  async run(): Promise<Beginning | null> {
    const { gate, caller, admission, claim } = this.#request;
    if (this.#isStream && claim === null) caller.onGone(() => this.#current?.giveUp());
    let last: Beginning | null = null;
    for (const route of routeOrder(admission.model.routes, gate.random)) {
      const upstream = gate.upstreams.of(route);
      if (upstream === undefined) continue;
      const health = gate.health.of(route);
      for (let tried = 0; tried < 2 && health.waitMs(gate.clock.monotonicMs()) === 0; tried++) {
        if (caller.isGone && claim === null) return { kind: 'gone' };
        last = await this.#try(route, upstream, health);
        if (last.kind !== 'fault' || endsIt(last.fault)) return last;
        if (!wasUnanswered(last.fault)) break;
      }
    }
    return last;
  }

  /** How long until one of the routes that are passed over may be tried again; null where none is. */
  soonestMs(): number | null {
    const { gate, admission } = this.#request;
    const nowMs = gate.clock.monotonicMs();
    const waits = admission.model.routes.map((route) => gate.health.of(route).waitMs(nowMs)).filter((ms) => ms > 0);
    return waits.length === 0 ? null : Math.min(...waits);
  }

  async #try(route: Route, upstream: Upstream, health: RouteHealth): Promise<Beginning> {
    const { gate, caller, admission } = this.#request;
    const begunMs = gate.clock.monotonicMs();
    const beginsByMs = this.#isStream ? begunMs + gate.timeouts.firstEventMs : this.#deadlineMs;
    const times = { begunMs, beginsByMs, deadlineMs: this.#deadlineMs };
    const run = attempt(gate, admission, { route, upstream, health }, times, caller.requestId);
    this.#current = run.stream;
    const beginning = await run.beginning;
    const fault = beginning.kind === 'fault' ? beginning.fault : null;
    this.attempts.push({
      provider: route.provider,
      upstreamModel: route.upstreamModel,
      status: statusOf(beginning),
      durationMs: gate.clock.monotonicMs() - begunMs,
      fault: fault?.kind ?? null,
    });
    if (fault !== null) gate.observer.attemptFailed(caller.requestId, route.provider, fault);
    return beginning;
  }
}

/** The upstream's HTTP status, as far as one has come. */
function statusOf(beginning: Beginning): number | null {
  if (beginning.kind === 'gone') return null;
  if (beginning.kind !== 'fault') return 200;
  return 'status' in beginning.fault ? beginning.fault.status : null;
}
