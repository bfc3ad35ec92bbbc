import type { Model, Route } from '../domain/model.ts';
import type { AttemptRecord } from '../domain/receipt.ts';
import type { Cancel } from '../lib/clock.ts';
import type { Upstream, UpstreamFault } from '../upstreams/upstream.ts';
import type { Admission } from './admit.ts';
import { attempt, type Beginning, type RunningRoute } from './attempt.ts';
import type { Caller } from './caller.ts';
import type { Gate } from './gate.ts';

/** What came of the routes: an answer or a stream that has begun, or the last route's fault. */
export interface RoutesTried {
  readonly beginning: Beginning;
  readonly attempts: readonly AttemptRecord[];
}

/** Faults that the caller's own request has caused: another route would say the same. */
function isCallersFault(fault: UpstreamFault): boolean {
  return fault.kind === 'rejected_request';
}

/** The routes that can be tried, in order: those to configured providers. */
function* usableRoutes(gate: Gate, model: Model): Generator<{ route: Route; upstream: Upstream }> {
  for (const route of model.routes) {
    const upstream = gate.upstreams.of(route);
    if (upstream !== undefined) yield { route, upstream };
  }
}

/** The route that is tried first; null where none can be. */
export function firstRoute(gate: Gate, model: Model): Route | null {
  for (const { route } of usableRoutes(gate, model)) return route;
  return null;
}

/**
 * Tries the model's routes in order until one answers. A plain call has a deadline as a whole; a stream is given up when
 * its caller leaves before the first event, unless it `readsOn`.
 */
export async function attemptRoutes(
  gate: Gate,
  admission: Admission,
  caller: Caller,
  { readsOn = false } = {},
): Promise<RoutesTried> {
  const attempts: AttemptRecord[] = [];
  const isStream = admission.asked.endpoint === 'chat' && admission.asked.request.stream;
  const { requestId } = caller;
  const startedMs = gate.clock.monotonicMs();
  let beginning: Beginning = {
    kind: 'fault',
    fault: { kind: 'unreachable', message: `"${admission.model.id}" has no route to a configured provider` },
  };
  for (const { route, upstream } of usableRoutes(gate, admission.model)) {
    const begunMs = gate.clock.monotonicMs();
    const run = attempt(admission, route, upstream, requestId);
    const leftMs = gate.timeouts.plainMs - (begunMs - startedMs);
    if (!isStream) beginning = await withDeadline(gate, run, leftMs);
    else beginning = await (readsOn ? run.beginning : unlessGone(caller, run));
    attempts.push({
      provider: route.provider,
      upstreamModel: route.upstreamModel,
      status: beginning.kind === 'fault' ? statusOf(beginning.fault) : 200,
      durationMs: gate.clock.monotonicMs() - begunMs,
      fault: beginning.kind === 'fault' ? beginning.fault.kind : null,
    });
    if (beginning.kind !== 'fault') break;
    gate.observer.attemptFailed(requestId, route.provider, beginning.fault);
    const { fault } = beginning;
    if (isCallersFault(fault) || (fault.kind === 'timeout' && fault.phase === 'deadline')) break;
  }
  return { beginning, attempts };
}

function statusOf(fault: UpstreamFault): number | null {
  return 'status' in fault ? fault.status : null;
}

/** A stream whose caller leaves before its first data event is given up, and free. */
function unlessGone(caller: Caller, run: RunningRoute): Promise<Beginning> {
  return new Promise((resolve, reject) => {
    caller.onGone(() => {
      if (run.stream.hasBegun) return;
      run.stream.abort();
      resolve({ kind: 'gone' });
    });
    run.beginning.then(resolve, reject);
  });
}

async function withDeadline(gate: Gate, run: RunningRoute, leftMs: number): Promise<Beginning> {
  let cancel: Cancel = () => undefined;
  const deadline = new Promise<Beginning>((resolve) => {
    cancel = gate.clock.after(Math.max(0, leftMs), () => {
      run.stream.abort();
      resolve({
        kind: 'fault',
        fault: { kind: 'timeout', phase: 'deadline', message: 'the call took too long as a whole' },
      });
    });
  });
  try {
    return await Promise.race([run.beginning, deadline]);
  } finally {
    cancel();
  }
}
